"""The Adaptive strategy as it was studied, in numba: fronts, the algorithm and the scores.

The Java implementation is held against this one. Names follow the study: p asked late share, F front,
B bound, H histograms by hour slot, P their pool, theta the integrator, lam the plan's Lagrange multiplier.
"""
import math
import numba as nb
import numpy as np

HOUR = 3_600_000
FAR = np.int64(1) << 60
BUCKETS, D0, GROWTH = 128, 1.0, 1.19
SLOTS, VISITS, N0, TAU = 24, 30.0, 200.0, 12 * HOUR
ETA_MIN, ETA_MAX, THETA_CAP = 0.0005, 0.05, 3.0
KB, MULT, AB, FAIR, REFRESH, TAIL_WINDOW, MEDIAN_OF = 0.5, 4.0, 5.0, 3.0, 32, HOUR, 9


@nb.njit(cache=True)
def cheapest(M, edge, lam):
    """The edge that minimises edge + lam * P(d > edge), and that probability."""
    best, tail, bi, bt = 1e300, 0.0, BUCKETS - 1, 0.0
    for k in range(BUCKETS - 1, -1, -1):
        c = edge[k] + lam * tail
        if c < best:
            best, bi, bt = c, k, tail
        tail += M[k]
    return bi, bt


@nb.njit(cache=True)
def quantile(M, edge, pe):
    """The distance that a share pe exceeds, linear inside its bucket."""
    tail, k = 0.0, BUCKETS - 1
    while k > 0 and tail + M[k] <= pe:
        tail += M[k]
        k -= 1
    lo = edge[k - 1] if k > 0 else 0.0
    hi = edge[k]
    share = (pe - tail) / M[k] if M[k] > 0 else 0.0
    return hi - (hi - lo) * min(max(share, 0.0), 1.0)


@nb.njit(cache=True)
def mix(H, HN, P, PN, c, c2, f2, M):
    den = HN[c] * (1 - f2) + HN[c2] * f2 + N0
    for k in range(BUCKETS):
        M[k] = (H[c, k] * (1 - f2) + H[c2, k] * f2 + N0 * P[k] / PN) / den if PN > 0 else 0.0


@nb.njit(cache=True)
def adaptive(et, F, p, equal, b0):
    """Watermark before each record, exclusive: a record is late when its time is below it."""
    n = len(et)
    wm = np.empty(n, np.int64)
    w = -FAR
    LG = math.log(GROWTH)
    H = np.zeros((SLOTS, BUCKETS)); HN = np.zeros(SLOTS); P = np.zeros(BUCKETS); PN = 0.0
    M = np.zeros(BUCKETS); edge = np.empty(BUCKETS); CC = np.zeros((SLOTS, BUCKETS)); WT = np.zeros(SLOTS)
    for j in range(BUCKETS):
        edge[j] = D0 * math.exp(LG * j)
    edge[0] = 0.0
    theta = 0.0; lam = 0.0; B = edge[BUCKETS - 1]; psl = np.int64(-1); eta = ETA_MAX; first = F[0]
    seen = 0; mxd = 0.0; sinceplan = 0; b5 = 1e18; q5 = 0.0; bc = 0.0; be = 0.0; ad = 0.999; lr = 0.0; pe0 = p
    for i in range(n):
        if i > 0:
            x = F[i] - np.int64(B)
            if x > w:
                w = x
        wm[i] = w
        late = 1.0 if et[i] < w else 0.0
        if i > 0:
            theta = min(max(theta + eta * (late - p), -THETA_CAP), THETA_CAP)
        d = max(float(F[i] - et[i]), 0.0)
        if d <= 0:
            j = 0
        elif d <= D0 * GROWTH:
            j = 1
        else:
            j = min(int(math.ceil(math.log(d / D0) / LG - 1e-9)), BUCKETS - 1)
        mxd = max(mxd, d)
        bc = bc * ad + (1.0 if d > b5 else 0.0)
        be = be * ad + q5
        pos = F[i] / HOUR
        sl = np.int64(math.floor(pos)); c = sl % SLOTS
        newslot = sl > psl
        if newslot:
            f = 0.5 ** (1.0 / VISITS)
            k0 = max(psl + 1, sl - SLOTS + 1) if psl >= 0 else sl + 1
            for s in range(k0, sl + 1):
                q = s % SLOTS
                for k in range(BUCKETS):
                    P[k] -= H[q, k] * (1 - f)
                    H[q, k] *= f
                PN -= HN[q] * (1 - f)
                HN[q] *= f
            psl = sl
        H[c, j] += 1; HN[c] += 1; P[j] += 1; PN += 1; seen += 1; sinceplan += 1
        lr = KB * max(min(math.log((bc + AB) / (be + AB)), 1.6), -1.6)
        pl = p * math.exp(-theta)
        pe = pl * math.exp(-lr)
        if newslot or (seen <= 4096 and (seen & (seen - 1)) == 0) or sinceplan >= 4096:
            sinceplan = 0
            rate = seen / max(F[i] - first, HOUR)
            ad = 1.0 - 1.0 / max(rate * TAIL_WINDOW, 200.0)
            eta = min(max(1.0 / (p * max(rate * TAU, 1.0)), ETA_MIN), ETA_MAX)
            if not equal:
                tot = 0.0
                for s in range(SLOTS):
                    mix(H, HN, P, PN, s, s, 0.0, M)
                    for k in range(BUCKETS):
                        CC[s, k] = M[k]
                    WT[s] = HN[s]
                    tot += HN[s]
                lo = math.log(1.0); hi = math.log(edge[BUCKETS - 1] / p * 100)
                for _ in range(24):
                    mid = 0.5 * (lo + hi)
                    L = math.exp(mid)
                    a = 0.0
                    for s in range(SLOTS):
                        if WT[s] > 0:
                            bi, bt = cheapest(CC[s], edge, L)
                            a += WT[s] * bt
                    if a / tot > pl:
                        lo = mid
                    else:
                        hi = mid
                lam = math.exp(hi)
                pe0 = pl
        if newslot or i % REFRESH == 0 or seen < 200:
            fr = pos - math.floor(pos) - 0.5
            c2 = (c + 1) % SLOTS if fr > 0 else (c - 1 + SLOTS) % SLOTS
            mix(H, HN, P, PN, c, c2, abs(fr), M)
            q5 = min(0.25, MULT * pl)
            b5 = quantile(M, edge, q5)
            if equal:
                B = quantile(M, edge, pe)
            else:
                bi, bt = cheapest(M, edge, lam * pe0 / pe)
                B = max(edge[bi], quantile(M, edge, min(FAIR * pe, 0.999)))
            if b0 > 0 and (F[i] - first < 4 * b0 or seen * p < 3.0):
                B = max(B, b0)
            if seen * p < 3.0:
                B = max(B, mxd * (1.0 + 0.5 * (1 - seen * p / 3.0)))
    return wm


@nb.njit(cache=True)
def fronts(et, part, partitions):
    """Before each record: the minimum over the partitions seen so far of the median of their last
    nine event times, each a running maximum."""
    n = len(et)
    m = MEDIAN_OF
    out = np.empty(n, np.int64)
    s = np.empty((partitions, m), np.int64); r = np.empty((partitions, m), np.int64)
    c = np.zeros(partitions, np.int64); tot = np.zeros(partitions, np.int64)
    f = np.full(partitions, -FAR)
    cur = -FAR
    for i in range(n):
        v = FAR
        for k in range(partitions):
            if tot[k] > 0 and f[k] < v:
                v = f[k]
        if i > 0 and v > cur:
            cur = v
        out[i] = cur if i > 0 else et[0]
        x = et[i]; q = part[i]
        if c[q] == m:
            y = r[q, tot[q] % m]
            j = 0
            while s[q, j] < y:
                j += 1
            for k in range(j, m - 1):
                s[q, k] = s[q, k + 1]
            c[q] -= 1
        r[q, tot[q] % m] = x
        tot[q] += 1
        j = c[q]
        while j > 0 and s[q, j - 1] > x:
            s[q, j] = s[q, j - 1]
            j -= 1
        s[q, j] = x
        c[q] += 1
        v = s[q, (c[q] - 1) // 2]
        if v > f[q]:
            f[q] = v
    return out


def score(et, at, wm):
    """Late share and mean lag in seconds of the second half."""
    half = len(et) // 2
    return float((et < wm)[half:].mean()), float((at - wm)[half:].mean() / 1000)


def run(et, at, part, p, equal=False, merged=False, b0=60_000.0):
    own = np.zeros_like(part) if merged else part
    return score(et, at, adaptive(et, fronts(et, own, int(own.max()) + 1), p, equal, b0))

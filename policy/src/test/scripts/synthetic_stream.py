"""A seeded stream with daily seasons, rush hours with heavy tails, a change of regime, one partition that
stalls for two minutes every twenty, and a few clocks hours ahead."""
import numpy as np

HOUR = 3_600_000.0
START = 1_704_067_200_000  # Monday, 2024-01-01, UTC


def make(seed, kind="mild", days=14, target=5_000_000, regime=0.55):
    """Event times, arrival times and partitions, by arrival; about `target` records over `days`."""
    strong = kind == "strong"
    width, boost, tail_boost = (2.2, 5.0, 0.08) if strong else (1.1, 1.5, 0.05)
    r = np.random.default_rng(seed)
    T = days * 24 * HOUR
    g = np.arange(0, T, 60e3)
    hour = (g / HOUR) % 24
    dow = (g / (24 * HOUR)).astype(int) % 7
    load = (1 + 0.7 * np.sin((hour - 9) / 24 * 2 * np.pi)
            + 0.8 * np.exp(-((hour - 8) / 1.0) ** 2) + 0.8 * np.exp(-((hour - 18) / 1.2) ** 2))
    load *= np.where(dow >= 5, 0.5, 1.0)
    n = r.poisson(load / load.sum() * target)
    t = np.repeat(g, n) + r.random(n.sum()) * 60e3
    n = len(t)
    hour = (t / HOUR) % 24
    weekend = (t / (24 * HOUR)).astype(int) % 7 >= 5
    after = t > regime * T
    shift = np.where(after, 1.0, 0.0)
    rush = np.exp(-((hour - 8 - shift) / width) ** 2) + np.exp(-((hour - 18 - shift) / width) ** 2)
    rush = np.where(weekend, 0.35 * rush, rush)
    median = 2000 * (1 + boost * rush) * np.where(after, 2.0, 1.0)
    if strong:  # weather by day and by hour
        by_day = np.exp(0.35 * r.standard_normal(days + 1))
        by_hour = np.exp(0.25 * r.standard_normal(days * 24 + 1))
        median *= by_day[(t / (24 * HOUR)).astype(int)] * by_hour[(t / HOUR).astype(int)]
    d = np.exp(np.log(median) + 0.9 * r.standard_normal(n))
    share = (0.004 + tail_boost * rush) * np.where(after, 1.7, 1.0) * np.where(weekend, 0.6, 1.0)
    # Every three hours or so, ten minutes with six times the tail.
    k = r.poisson(days * 8)
    starts = np.sort(r.random(k) * T)
    index = np.searchsorted(starts, t, side="right") - 1
    burst = (index >= 0) & (t - starts[np.maximum(index, 0)] < 600e3)
    share = np.minimum(share * np.where(burst, 6, 1), 0.5)
    tail = r.random(n) < share
    pareto = 20e3 * (1 - r.random(n)) ** (-1 / 1.3)
    d = np.where(tail, d + np.minimum(pareto, 12 * HOUR), d)
    part = r.integers(0, 8, n).astype(np.int8)
    a = t + d
    phase = a % (20 * 60e3)
    stall = (part == 3) & (phase < 120e3)
    a = np.where(stall, a - phase + 120e3 + phase / 120e3 * 500, a)
    ahead = r.random(n) < 1e-4
    e = np.where(ahead, t + (2 + 6 * r.random(n)) * HOUR, t)
    o = np.argsort(a, kind="stable")
    return (START + e[o]).astype("int64"), (START + a[o]).astype("int64"), part[o]

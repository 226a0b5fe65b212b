"""Writes the traces and the reference's results that AdaptiveReferenceTest replays.

Usage: make_adaptive_traces.py FOLDER     (needs numpy 2.4 and numba 0.68; the folder is
src/test/resources/adaptive). A trace is gzip of varints: the record count, then per record the step of the
arrival time, the zigzag delay (arrival - event time), both in units of 10 ms, and the partition.
"""
import csv
import gzip
import hashlib
import pathlib
import sys

import numpy as np
from adaptive_reference import HOUR, run
from synthetic_stream import START, make

UNIT = 10
TRACES = {
    "C": dict(seed=1, kind="mild", days=3, target=150_000),
    "E": dict(seed=2, kind="strong", days=3, target=150_000),
    "G": dict(seed=7, kind="strong", days=3, target=150_000),
    "H": dict(seed=11, kind="mild", days=5, target=200_000),
}
SHARES = (0.001, 0.01, 0.05)


def varint(out, value):
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)


def encode(et, at, part):
    out = bytearray()
    varint(out, len(et))
    before = START // UNIT
    for e, a, q in zip((et // UNIT).tolist(), (at // UNIT).tolist(), part.tolist()):
        varint(out, a - before)
        before = a
        delay = a - e
        varint(out, delay << 1 if delay >= 0 else (-delay << 1) - 1)
        varint(out, q)
    return gzip.compress(bytes(out), 9, mtime=0)


def main(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    results, sums = [], []
    for name, how in TRACES.items():
        et, at, part = make(**how)
        et, at = et // UNIT * UNIT, at // UNIT * UNIT
        packed = encode(et, at, part)
        (folder / f"{name}.trace.gz").write_bytes(packed)
        sums.append(f"{hashlib.sha256(packed).hexdigest()}  {name}.trace.gz\n")
        # Records more than an hour ahead of the arrival clock are judged to be from the future and not learned.
        ok = et <= at + HOUR
        et, at, part = et[ok], at[ok], part[ok]
        for merged in (True, False):
            for equal in (False, True):
                for p in SHARES:
                    late, lag = run(et, at, part, p, equal, merged)
                    results.append((name, "merged" if merged else "partitions",
                                    "EachHour" if equal else "WholeStream", p, f"{late:.8f}", f"{lag:.5f}"))
                    print(*results[-1], flush=True)
    with open(folder / "reference.csv", "w", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows(
            [("trace", "front", "lateShareOver", "asked", "lateShare", "meanLagSeconds")] + results)
    (folder / "SHA256SUMS").write_text("".join(sums))


if __name__ == "__main__":
    main(sys.argv[1])

#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""check.py JACKDAW REPORT: measures again what the report's figures.tsv has as a ratio, by its name (`..._vs_...`), and ends with 1 where
one is worse by more than LOSS. What looks worse is measured once more, and the better one counts: a busy machine is no loss."""

import csv
import pathlib
import subprocess
import sys
import tempfile
import os

LOSS = 0.15

here = pathlib.Path(__file__).resolve().parent
jackdaw, report = sys.argv[1], pathlib.Path(sys.argv[2])


def figures(path):
    """By measurement and name: whether more is better, and the value; ratios alone."""
    with open(path) as file:
        return {
            (measurement, name): (kind == "least", float(value))
            for measurement, name, kind, _, value, _ in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            if "_vs_" in name}


def measured(measurements):
    with tempfile.TemporaryDirectory() as record:
        # Whether goals are reached is another matter.
        subprocess.run(
            [here / "bench.sh", jackdaw, *measurements], env={**os.environ, "RECORD": record}, stdin=subprocess.DEVNULL)
        return figures(pathlib.Path(record) / "figures.tsv")


def loss(known, found):
    """How much worse, as a share of what is known; below 0: better."""
    more_is_better, before = known
    return (before - found[1]) / before if more_is_better else (found[1] - before) / before


def main():
    known = figures(report / "figures.tsv")
    left = sorted({measurement for measurement, _ in known})
    least = {}
    for _ in range(2):
        found = measured(left)
        for key, before in known.items():
            if key[0] in left:
                now = loss(before, found[key]) if key in found else float("inf")
                least[key] = min(least.get(key, now), now)
        left = sorted({measurement for (measurement, name), lost in least.items() if lost > LOSS})
        if not left:
            break
    print("== Against the report")
    for (measurement, name), lost in sorted(least.items()):
        verdict = "LOST" if lost > LOSS else "kept"
        print(f"   {measurement} {name}: {-lost:+.0%} {verdict}")
    sys.exit(1 if left else 0)


main()

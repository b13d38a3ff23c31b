#!/usr/bin/env python3
"""One table of both sides: method hybrid and its rivals at equal cost.

    cargo run --release -p mge-hybrid --example front -- wdbc 10 20 45,110 >> FOLDER/ours.txt
    python benches/peers/front.py wdbc --seeds 10 --budgets 45,110 >> FOLDER/rivals.txt
    python benches/peers/front_table.py FOLDER

Reads what the two programs printed and writes FOLDER/table.md. Later lines replace earlier ones of
the same set, budget and rival.
"""
import re
import sys
from pathlib import Path

OURS = re.compile(r"^(\S+) (\d+): ([\d.]+) \+- ([\d.]+) over (\d+)$")
RIVAL = re.compile(r"^(\S+) (\d+): (.+?) ([\d.]+) \+- ([\d.]+), (\d+) operations, (\d+) of (\d+) splits$")
UNFIT = re.compile(r"^(\S+) (\d+): (.+) does not fit the budget$")
RIVALS = ("logistic regression", "L1 logistic regression", "boosted trees", "pruned linear", "pruned perceptron")


def figure(mean, deviation, count, most):
    """Mean and deviation; how many splits where some are missing."""
    part = "" if count == most else f" ({count} of {most})"
    return f"{mean:.4f}".removeprefix("0") + ("" if count == 1 else f" ± {deviation:.3f}") + part


def read(folder):
    ours, rivals = {}, {}
    for line in (folder / "ours.txt").read_text().splitlines():
        if found := OURS.match(line):
            name, budget, mean, deviation, count = found.groups()
            ours[name, int(budget)] = (float(mean), float(deviation), int(count))
    for line in (folder / "rivals.txt").read_text().splitlines():
        if found := RIVAL.match(line):
            name, budget, rival, mean, deviation, _, count, most = found.groups()
            rivals[name, int(budget), rival] = (float(mean), float(deviation), int(count), int(most))
        elif found := UNFIT.match(line):
            name, budget, rival = found.groups()
            rivals[name, int(budget), rival] = None
    return ours, rivals


def main():
    folder = Path(sys.argv[1])
    ours, rivals = read(folder)
    lines = ["Mean test accuracy and deviation between splits, networks of at most so many operations. "
             "`-`: nothing fits the budget; empty: not run.", "",
             "| set | operations | splits | hybrid | " + " | ".join(RIVALS) + " | hybrid less the best rival |",
             "| --- | --- | --- | --- |" + " --- |" * (len(RIVALS) + 1)]
    for (name, budget), (mean, deviation, count) in ours.items():
        cells, best = [], None
        for rival in RIVALS:
            found = rivals.get((name, budget, rival), "")
            cells.append("-" if found is None else found and figure(*found))
            # A mean over other splits than ours is no rival for our mean.
            if found and found[2] == count:
                best = max(best or 0, found[0])
        gap = "" if best is None else f"{mean - best:+.4f}"
        row = [name, str(budget), str(count), figure(mean, deviation, count, count), *cells, gap]
        lines.append("| " + " | ".join(row) + " |")
    (folder / "table.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

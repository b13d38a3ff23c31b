#!/usr/bin/env python3
"""One table of both sides: the fronts of `mge fit` and its rivals, R2 at equal operations.

    benches/peers/regression_table.py FOLDER

Reads FOLDER/ours.txt and FOLDER/rivals.txt, which `regression_ours.py` and `regression.py` printed,
and writes FOLDER/table.md and FOLDER/fronts.csv. Later lines replace earlier ones.
"""
import re
import sys
from pathlib import Path

LINE = re.compile(r"^(\S+) (\d+): (.+?) (-?[\d.]+) \+- ([\d.]+), (\d+) operations, (\d+) of (\d+) splits$")
UNFIT = re.compile(r"^(\S+) (\d+): (.+) does not fit the budget$")
RIVALS = ("ridge regression", "L1 regression", "small tree", "boosted stumps", "boosted trees",
          "pruned perceptron", "gplearn", "Operon")
# Those that a network should not be below: a tree has few operations and many bytes.
COMPARED = ("ridge regression", "L1 regression", "boosted stumps", "pruned perceptron")


def read(path):
    found = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        if match := LINE.match(line):
            data, budget, name, mean, deviation, cost, count, most = match.groups()
            found[data, int(budget), name] = (
                float(mean), float(deviation), int(cost), int(count), int(most))
        elif match := UNFIT.match(line):
            data, budget, name = match.groups()
            found[data, int(budget), name] = None
    return found


def cell(found):
    """`-` for what does not fit the budget, nothing for what was not run."""
    if not found:
        return "-" if found is None else ""
    mean, deviation, _, count, most = found
    part = "" if count == most else f" ({count} of {most})"
    return f"{mean:.3f} ± {deviation:.3f}{part}"


def main():
    folder = Path(sys.argv[1])
    all_found = {**read(folder / "rivals.txt"), **read(folder / "ours.txt")}
    places = list(dict.fromkeys((data, budget) for data, budget, _ in all_found))
    lines = ["Mean R2 on test rows and deviation between splits, of models of at most so many "
             "operations. `-`: nothing fits the budget; empty: not run. The last column is the mean less that of the "
             "best of ridge, L1, boosted stumps and pruned perceptron, in standard errors of ours.",
             "", "| set | operations | mge | " + " | ".join(RIVALS) + " | difference |",
             "| --- | --- | --- |" + " --- |" * (len(RIVALS) + 1)]
    csv = ["data,budget,model,r2,deviation,operations,splits"]
    for data, budget in places:
        ours, *rivals = [all_found.get((data, budget, name), "") for name in ("mge", *RIVALS)]
        best = max((found[0] for name, found in zip(RIVALS, rivals)
                    if found and found[3] == found[4] and name in COMPARED), default=None)
        gap = ""
        if ours and best is not None:
            error = ours[1] / ours[3] ** 0.5
            gap = f"{ours[0] - best:+.3f} ({(ours[0] - best) / error if error else 0:+.1f})"
        cells = [data, str(budget), cell(ours), *map(cell, rivals), gap]
        lines.append("| " + " | ".join(cells) + " |")
        for name, found in zip(("mge", *RIVALS), (ours, *rivals)):
            if found:
                mean, deviation, cost, count, _ = found
                csv.append(f"{data},{budget},{name},{mean},{deviation},{cost},{count}")
    (folder / "table.md").write_text("\n".join(lines) + "\n")
    (folder / "fronts.csv").write_text("\n".join(csv) + "\n")


if __name__ == "__main__":
    main()

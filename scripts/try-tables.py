#!/usr/bin/env python3
"""Tries `mge` on tables that are not part of the project, as a new user would.

    scripts/try-tables.py LIST [--mge target/release/mge] [--generations 4]

LIST has a line for each table: its path, a tab, the column of labels. For each one `describe`,
`fit`, `predict` and `evaluate` run with no flag but `--target` (and a small budget), and the share
of right answers that `predict` gives on the raw file must be the accuracy that `evaluate` reports.
CSV (`column_3` is the third column of a file without a header) and ARFF files are understood; nothing but Python's own library is needed.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import time


def truth(path, target):
    """The labels as they stand in the file."""
    text = path.read_text(encoding="utf-8-sig")
    first = next(line for line in text.splitlines() if line.strip() and not line.startswith("%"))
    if first.lower().startswith("@relation"):
        names, lines = [], iter(text.splitlines())
        for line in lines:
            word = line.strip().lower()
            if word.startswith("@attribute"):
                rest = line.strip()[len("@attribute"):].strip()
                quote = rest[0] if rest[0] in "'\"" else None
                name = rest[1:].split(quote)[0] if quote else rest.split("{")[0].split()[0]
                names.append(name)
            if word.startswith("@data"):
                break
        rows = [line for line in lines if line.strip() and not line.startswith("%")]
        cells = csv.reader(rows, quotechar="'", skipinitialspace=True)
        return [row[names.index(target)].strip() for row in cells]
    lines = text.splitlines(keepends=True)
    told = lines[0].strip().removeprefix("sep=") if lines[0].startswith("sep=") else None
    lines = [line for line in lines if not line.startswith("#")][1 if told else 0:]
    delimiter = told or max(",;\t", key=lines[0].count)
    rows = csv.reader(lines, skipinitialspace=True, delimiter=delimiter)
    header = [name.strip() for name in next(rows)]
    if target not in header and target.startswith("column_"):
        place = int(target.removeprefix("column_")) - 1
        return [row[place].strip() for row in [header, *rows] if row]
    place = header.index(target)
    return [row[place].strip() for row in rows if row]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command[:3])}: {done.stderr.strip()}")
    return done.stdout


def try_table(mge, path, target, generations, folder):
    description = json.loads(run(mge, "data", "describe", str(path), "--target", target, "--json"))
    fit = run(mge, "fit", str(path), "--target", target, "--generations", generations, "--seed", "1",
              "--out", str(folder / "run"), "--quiet", "--json")
    model = json.loads(fit)["model"]
    answers = [row[0] for row in csv.reader(run(mge, "predict", model, str(path)).splitlines())]
    evaluated = json.loads(run(mge, "evaluate", model, str(path), "--json"))
    labels = truth(path, target)
    if len(labels) != len(answers):
        raise RuntimeError(f"{len(answers)} answers for {len(labels)} rows")
    right = sum(a == b for a, b in zip(answers, labels)) / len(labels)
    if abs(right - evaluated["accuracy"]) > 1e-12:
        raise RuntimeError(f"predict is right in {right}, evaluate says {evaluated['accuracy']}")
    return description, right


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("--mge", default="target/release/mge")
    parser.add_argument("--generations", default="4")
    arguments = parser.parse_args()
    failed = 0
    for line in arguments.list.read_text().splitlines():
        path, target = line.split("\t")
        path = pathlib.Path(path)
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                d, right = try_table(arguments.mge, path, target, arguments.generations,
                                     pathlib.Path(folder))
                columns, classes = len(d["columns"]), len(d["classes"])
                print(f"ok    {path.name:<28} {d['rows']:>6} rows {columns:>4} columns {classes:>3} "
                      f"classes {d['missing_cells']:>6} missing  {right:.3f} right "
                      f"{time.monotonic() - began:5.1f} s")
            except (RuntimeError, ValueError, KeyError) as error:
                failed += 1
                print(f"FAIL  {path}: {error}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

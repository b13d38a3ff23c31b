#!/usr/bin/env python3
"""The front of `mge fit` under the budgets of `regression.py`, on the same splits.

    cargo build --release -p mge-cli
    benches/peers/regression_ours.py concrete --seeds 10 --budgets 20,50,120 >> FOLDER/ours.txt

Each seed is one run. Networks are picked without the test rows; each line is the mean and the
deviation of R2 on the test rows, and the mean number of operations.
"""
import argparse
import json
import statistics
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data")
    parser.add_argument("--target", help="one of several targets; the others are left out")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--budgets", default="20,50,120")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--mge", default=str(ROOT / "target" / "release" / "mge"))
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    budgets = [int(budget) for budget in options.budgets.split(",")]
    data = [options.data]
    targets = {"slump": ["slump", "flow", "strength"]}.get(options.data, [])
    if targets:
        wanted = options.target or targets[-1]
        data += ["--target", wanted, "--drop", ",".join(t for t in targets if t != wanted)]
    found = [[] for _ in budgets]

    def mge(*arguments):
        done = subprocess.run([options.mge, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(done.args)}: {done.stderr}")
        return done.stdout

    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, options.seeds + 1):
            run, model = Path(folder) / str(seed), Path(folder) / f"{seed}.json"
            mge("fit", *data, "--seed", seed, "--threads", options.threads, "--no-baselines",
                "--max-ops", max(budgets), "--set", f"hybrid.budgets={budgets}",
                *(part for setting in options.set for part in ("--set", setting)), "--out", run)
            for values, budget in zip(found, budgets):
                mge("pick", run, "--max-ops", budget, "--out", model)
                picked = json.loads(model.read_text())
                test = picked["metrics"]["test"]
                values.append((test["r2"], picked["size"]["operations"]))
    for budget, values in zip(budgets, found):
        r2, cost = zip(*values)
        deviation = statistics.stdev(r2) if len(r2) > 1 else 0
        print(f"{options.data} {budget}: mge {statistics.mean(r2):.4f} +- {deviation:.4f}, "
              f"{statistics.mean(cost):.0f} operations, {len(r2)} of {options.seeds} splits", flush=True)


if __name__ == "__main__":
    main()

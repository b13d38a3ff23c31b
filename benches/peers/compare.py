#!/usr/bin/env python3
"""The same WDBC work in neat-python, in the grammar tool alogos and here: evaluations per
CPU-second of the whole loop, and how many times faster this project is.

    cargo build --release -p mge-cli
    benches/peers/compare.py [--generations N]

Makes a virtual environment beside this file and installs the peers into it from the Python
registry. All sides get the same 398 z-scored training rows, a population of 200 and one thread.
The peers run for few generations (they are slow, and their rate hardly changes); this project
runs its usual 500.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BINARY = ROOT / "target" / "release" / "mge"
VENV = HERE / ".venv"
PEERS = {"neat-python": "neat-python==2.0.0", "alogos": "alogos==0.2.1"}
EXTRA = ["numpy==2.2.6"]


def python():
    executable = VENV / "bin" / "python"
    if not executable.exists():
        venv.create(VENV, with_pip=True)
    wanted = [*PEERS.values(), *EXTRA]
    subprocess.run([executable, "-m", "pip", "install", "--quiet", *wanted], check=True)
    return executable


def cpu_seconds(command, **options):
    """Runs a command; its output and its processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, capture_output=True, text=True, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, spent


def ours():
    best = 0.0
    for _ in range(3):
        with tempfile.TemporaryDirectory() as folder:
            command = [BINARY, "fit", "wdbc", "--method", "mge", "--seed", "1", "--threads", "1",
                       "--quiet", "--json", "--out", f"{folder}/run"]
            _, seconds = cpu_seconds(command)
            best = max(best, 100_000 / seconds)
    return best


def main():
    arguments = argparse.ArgumentParser(description="evaluations per CPU-second on WDBC")
    arguments.add_argument("--generations", type=int, default=10, help="of the peers; default 10")
    generations = arguments.parse_args().generations
    if not BINARY.exists():
        sys.exit("no release binary; expected `cargo build --release -p mge-cli` before")
    executable = python()
    rate = ours()
    results = {"mge": rate}
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    for name, script in [("neat-python", "neat_wdbc.py"), ("alogos", "alogos_wdbc.py")]:
        output, _ = cpu_seconds(
            [executable, HERE / script, str(generations)], env=environment, cwd=HERE
        )
        results[name] = json.loads(output.splitlines()[-1])["evaluations_per_cpu_second"]
    print(f"{'tool':<14}{'evaluations per CPU-second':>28}{'times slower than mge':>24}")
    for name, value in results.items():
        print(f"{name:<14}{value:>28,.0f}{rate / value:>24,.0f}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Instruction counts of the hot pieces of a search on WDBC, per evaluation.

Counts, unlike times, are the same on a busy machine, so a slowdown shows. Needs valgrind.

    cargo build --release -p mge-cli
    benches/instructions.py            # compare with benches/instructions.json
    benches/instructions.py --save     # make the present counts the expected ones

Exits with 1 when a piece takes more than 5 % more instructions than expected, or is not found. valgrind knows no
AVX-512, so the evaluator's count is that of AVX2.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BINARY = ROOT / "target" / "release" / "mge"
EXPECTED = Path(__file__).with_suffix(".json")
GENERATIONS, POPULATION = 100, 200
ALLOWED = 1.05

# Piece, and a pattern for its function; the count includes what the function calls.
PIECES = {
    "whole loop": r"PreparedMethod>::search(?!::)",
    "recombine a pair": r"Variation as mge_evolve::generational::Representation>::recombine(?!::)",
    "mutate": r"Variation as mge_evolve::generational::Representation>::mutate(?!::)",
    "find and map new genes": r"Mapper::uncached_genes(?!::)",
    "list parts": r"Mapper::list_parts(?!::)",
    "derive a sentence": r"Grammar>::derive(?!::)",
    "read a neuron": r"neuron::read_neuron(?!::)",
    "plan": r"Plan::make(?!::)",
    "compute": r"batch::dispatch::run(?!::)",
}


def counts():
    with tempfile.TemporaryDirectory() as folder:
        profile = f"{folder}/callgrind.out"
        run = [
            "valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}",
            str(BINARY), "fit", "wdbc", "--method", "mge", "--seed", "1", "--generations",
            str(GENERATIONS), "--threads", "1", "--quiet", "--out", f"{folder}/run",
            # Saved by the clock, checkpoints would make the counts depend on the load.
            "--checkpoint-every", "3600",
            # Simpler classifiers use the same evaluator.
            "--no-baselines",
        ]
        subprocess.run(run, check=True, capture_output=True, env={**os.environ, "MGE_SIMD": "avx2"})
        listed = subprocess.run(
            ["callgrind_annotate", "--inclusive=yes", "--threshold=100", profile],
            check=True, capture_output=True, text=True,
        ).stdout
    most = dict.fromkeys(PIECES, 0)
    for line in listed.splitlines():
        match = re.match(r"\s*([\d,]+)\s+\(.*?\)\s+(\S.*)", line)
        if not match or "=>" in line:
            continue
        number = int(match.group(1).replace(",", ""))
        for piece, pattern in PIECES.items():
            if re.search(pattern, match.group(2)):
                most[piece] = max(most[piece], number)
    return {piece: round(number / (GENERATIONS * POPULATION)) for piece, number in most.items()}


def main():
    if not BINARY.exists():
        sys.exit("no release binary; expected `cargo build --release -p mge-cli` before")
    found = counts()
    if "--save" in sys.argv:
        EXPECTED.write_text(json.dumps(found, indent=2) + "\n")
    expected = json.loads(EXPECTED.read_text()) if EXPECTED.exists() else {}
    slower = False
    print(f"{'instructions per evaluation':<30}{'found':>8}{'expected':>10}{'ratio':>8}")
    for piece, number in found.items():
        before = expected.get(piece)
        ratio = number / before if before else float("nan")
        # A piece that is not found was inlined or renamed: its pattern must be mended.
        slower |= ratio > ALLOWED or number == 0
        print(f"{piece:<30}{number:>8}{before or '':>10}{ratio:>8.2f}")
    sys.exit(1 if slower else 0)


if __name__ == "__main__":
    main()

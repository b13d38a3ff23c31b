#!/usr/bin/env python3
"""Makes the models of this folder anew: what a prediction needs of models that `mge fit` makes.

    cargo build --release -p mge-cli && crates/mge-export/tests/models/make.py
"""
import json
import os
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
BINARY = Path(os.environ.get("MGE_BINARY", HERE.parents[3] / "target" / "release" / "mge"))
MODELS = {
    "wdbc-mge": "--generations 100",
    "ionosphere-alpha": "--variant alpha --generations 100",
    "sonar-beta": "--variant beta --generations 100",
    "credit-eta": "--variant eta --generations 100",
    "heart-mu": "--variant mu --generations 100",
    "wine-activations": "--grammar activations --generations 100",
    "flame-mge": "--generations 100",
    "letter-authors": "--grammar authors --generations 60",
    "mnist-mge": "--generations 30 --population 50",
    # The model that the limits of small devices are held against: 271 connections.
    "digits-authors": "--grammar authors --generations 2050 --min-genes 25 --max-genes 35",
}

for name, flags in MODELS.items():
    with tempfile.TemporaryDirectory() as folder:
        data = name.split("-")[0]
        command = [BINARY, "fit", data, "--method", "mge", *flags.split(), "--seed", "7", "--quiet",
                   "--out", f"{folder}/run"]
        subprocess.run(command, check=True, capture_output=True)
        model = json.loads(Path(folder, "run", "model.json").read_text())
    parts = {key: model[key] for key in ("classes", "network", "preprocess")}
    (HERE / f"{name}.json").write_text(json.dumps(parts, separators=(",", ":")) + "\n")
    print(name, model["size"]["connections"], model["metrics"]["test"]["accuracy"])

"""How long fits, predictions and the import take, beside what they are compared with.

    cargo xtask python            # makes the environment
    pip install ./python          # the release build, in an environment of yours
    python python/benchmarks/speed.py

It prints one line for each measurement. Nothing fails: machines differ.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.neural_network import MLPClassifier

import mge


def seconds(function, repeats=5):
    """The median time of a call."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        function()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def line(name, value, unit="ms"):
    print(f"{name:<58} {value:>10.1f} {unit}", flush=True)


def import_time():
    code = (
        "import sys, time, numpy, sklearn.base; began = time.perf_counter(); import mge; "
        "mge.MGEClassifier; print(time.perf_counter() - began)"
    )
    run = [sys.executable, "-c", code]
    outputs = [subprocess.run(run, capture_output=True, text=True, check=True) for _ in range(5)]
    line("import, without that of scikit-learn", 1e3 * min(float(one.stdout) for one in outputs))


def fit_time(generations=20):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = mge.MGEClassifier(generations=generations, random_state=7, n_jobs=1)
    from_python = seconds(lambda: model.fit(X, y))
    with tempfile.TemporaryDirectory() as folder:
        X.assign(target=y).to_csv(Path(folder) / "cancer.csv", index=False)
        program = Path(sys.executable).with_name("mge")
        count = iter(range(100))
        command = [
            str(program), "fit", "cancer.csv", "--train-fraction", "1", "--seed", "7", "--quiet",
            "--generations", str(generations), "--threads", "1", "--no-report", "--out",
        ]

        def run():
            subprocess.run([*command, f"run{next(count)}"], cwd=folder, check=True,
                           capture_output=True)

        by_command = seconds(run)
        start = seconds(lambda: subprocess.run([str(program), "--version"], capture_output=True))
    line(f"fit of {X.shape[0]} x {X.shape[1]}, {generations} generations, Python", 1e3 * from_python)
    line("the same by the command line", 1e3 * by_command)
    line("the command line doing nothing", 1e3 * start)
    small = mge.MGEClassifier(random_state=7)
    line("fit of 30 rows", 1e3 * seconds(lambda: small.fit(X[:30], y[:30])))


def predict_time(rows=1_000_000, features=30):
    random = np.random.default_rng(0)
    X, y = load_breast_cancer(return_X_y=True)
    model = mge.MGEClassifier(random_state=7).fit(X, y)
    perceptron = MLPClassifier(hidden_layer_sizes=(8,), max_iter=50).fit(X, y)
    for kind in (np.float64, np.float32):
        large = X[random.integers(0, len(X), rows)].astype(kind)
        label = f"{rows} x {features} of {np.dtype(kind)}"
        for jobs in (1, 2):
            model.set_params(n_jobs=jobs)
            line(f"predict, {label}, {jobs} threads", 1e3 * seconds(lambda: model.predict(large), 3))
        line(f"predict_proba, {label}", 1e3 * seconds(lambda: model.predict_proba(large), 3))
        line(f"MLPClassifier((8,)).predict, {label}",
             1e3 * seconds(lambda: perceptron.predict(large), 3))
    try:
        import onnxruntime
    except ImportError:
        return
    with tempfile.TemporaryDirectory() as folder:
        file = model.export("onnx", folder)[0]
        session = onnxruntime.InferenceSession(file)
        values = large.astype(np.float32)
        name = session.get_inputs()[0].name
        line(f"onnxruntime, {label}", 1e3 * seconds(lambda: session.run(None, {name: values}), 3))


if __name__ == "__main__":
    import_time()
    fit_time()
    predict_time()

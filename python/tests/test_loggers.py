"""Loggers: the events of a search in files and trackers."""

import json
import struct
import sys
import types

import pytest

import mge


def fit(data, *callbacks):
    return mge.MGEClassifier(generations=3, random_state=1, callbacks=list(callbacks)).fit(*data)


def test_json_lines(iris, tmp_path):
    file = tmp_path / "events.jsonl"
    for _ in range(2):
        model = fit(iris, mge.JSONLines(file))
    events = [json.loads(line) for line in file.read_text().splitlines()]
    assert [event["event"] for event in events] == [
        "planned", "started", "generation", "generation", "generation", "finished"
    ]
    assert events[-1]["best_loss"] == model.history_["best_loss"].iloc[-1]


def records(content):
    while content:
        (length,) = struct.unpack("<Q", content[:8])
        yield content[12 : 12 + length]
        content = content[16 + length :]


def test_tensorboard(iris, tmp_path):
    model = fit(iris, mge.TensorBoard(tmp_path))
    (file,) = tmp_path.iterdir()
    assert file.name.startswith("events.out.tfevents.")
    found = list(records(file.read_bytes()))
    assert len(found) == 4 and found[0].endswith(b"brain.Event:2")
    loss = struct.pack("<f", model.history_["best_loss"].iloc[-1])
    assert b"search/loss" in found[-1] and loss in found[-1]
    tensorboard = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    events = tensorboard.EventAccumulator(str(tmp_path))
    events.Reload()
    assert [scalar.step for scalar in events.Scalars("search/loss")] == [1, 2, 3]


def test_mlflow(iris, tmp_path, monkeypatch):
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow = pytest.importorskip("mlflow")
    mlflow.set_tracking_uri(f"file:{tmp_path}/mlruns")
    fit(iris, mge.MLflow(prefix="mge."))
    run = mlflow.last_active_run()
    assert run.data.params["mge.method"] == "hybrid"
    assert run.data.metrics["mge.best_loss"] > 0
    history = mlflow.MlflowClient().get_metric_history(run.info.run_id, "mge.best_loss")
    assert [one.step for one in history] == [1, 2, 3]


def test_wandb_offline(iris, tmp_path, monkeypatch):
    pytest.importorskip("wandb")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WANDB_SILENT", "true")
    fit(iris, mge.WandB(mode="offline", project="mge"))
    assert list(tmp_path.glob("wandb/offline-run-*"))


def test_wandb_by_its_interface(iris, monkeypatch):
    """What is called, without the package."""
    calls = []

    class Run:
        summary = {}
        config = types.SimpleNamespace(update=lambda *a, **k: calls.append(("config", a[0])))

        def log(self, metrics, step):
            calls.append((step, metrics["best_loss"]))

        def finish(self):
            calls.append("finish")

    module = types.ModuleType("wandb")
    module.run, module.init = None, lambda **options: Run()
    monkeypatch.setitem(sys.modules, "wandb", module)
    fit(iris, mge.WandB())
    assert [call[0] for call in calls[1:-1]] == [1, 2, 3]
    assert calls[0][1]["seed"] == 1 and calls[-1] == "finish"

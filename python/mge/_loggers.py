"""Callbacks that pass the events of a search on: to a file, MLflow, or Weights & Biases."""

from __future__ import annotations

import json
import os
from typing import Any

Event = dict[str, Any]

# What a generation is measured by. The network itself is not a number.
_METRICS = ("best_loss", "train_accuracy", "operations", "neurons", "features", "evaluations")


def metrics_of(event: Event) -> dict[str, float]:
    """The numbers of a generation."""
    return {name: float(event[name]) for name in _METRICS if event.get(name) is not None}


class JSONLines:
    """Writes every event as a line of JSON.

    Parameters
    ----------
    path : str or path
        The file. An earlier one is replaced when a fit begins.

    Examples
    --------
    >>> import os, tempfile
    >>> import mge
    >>> from sklearn.datasets import load_iris
    >>> file = os.path.join(tempfile.mkdtemp(), "events.jsonl")
    >>> model = mge.MGEClassifier(generations=2, random_state=1, callbacks=[mge.JSONLines(file)])
    >>> model = model.fit(*load_iris(return_X_y=True))
    >>> [json.loads(line)["event"] for line in open(file)]
    ['planned', 'started', 'generation', 'generation', 'finished']
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path

    def __call__(self, event: Event) -> None:
        mode = "w" if event["event"] == "planned" else "a"
        with open(self.path, mode, encoding="utf-8") as file:
            file.write(json.dumps(event) + "\n")


class TensorBoard:
    """Writes an event file that TensorBoard shows. TensorBoard need not be installed.

    Parameters
    ----------
    folder : str or path
        The folder of logs. Each fit adds a file.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.tensorboard_folder = os.fspath(folder)

    def __call__(self, event: Event) -> None:
        """Does nothing: the extension writes the file while it searches."""


class MLflow:
    """Logs generations to the active run of MLflow, or to a new one.

    Parameters
    ----------
    prefix : str, default=""
        Before the name of each metric.
    """

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self._own = False

    def __call__(self, event: Event) -> None:
        import mlflow

        kind = event["event"]
        if kind == "planned":
            self._own = mlflow.active_run() is None
            if self._own:
                mlflow.start_run()
            known = ("method", "seed", "features", "train_rows")
            mlflow.log_params({self.prefix + name: event[name] for name in known})
        elif kind == "generation":
            metrics = {self.prefix + name: value for name, value in metrics_of(event).items()}
            mlflow.log_metrics(metrics, step=event["generation"])
        elif kind == "finished":
            mlflow.set_tag(self.prefix + "stop_reason", event["reason"])
            if self._own:
                mlflow.end_run()


class WandB:
    """Logs generations to the active run of Weights & Biases, or to a new one.

    Parameters
    ----------
    **options
        Of ``wandb.init``, such as ``project``, or ``mode="offline"``.
    """

    def __init__(self, **options: Any) -> None:
        self.options = options
        self._run: Any = None
        self._own = False

    def __call__(self, event: Event) -> None:
        import wandb

        kind = event["event"]
        if kind == "planned":
            self._own = wandb.run is None
            self._run = wandb.run or wandb.init(**self.options)
            known = ("method", "seed", "features", "train_rows")
            self._run.config.update({name: event[name] for name in known}, allow_val_change=True)
        elif kind == "generation":
            self._run.log(metrics_of(event), step=event["generation"])
        elif kind == "finished":
            self._run.summary["stop_reason"] = event["reason"]
            if self._own:
                self._run.finish()

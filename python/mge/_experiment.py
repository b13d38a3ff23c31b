"""Experiments: many runs from one plan, and their results as frames."""

from __future__ import annotations

import csv
import io
import os
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mge import _mge
from mge._errors import ModelError, SearchWarning
from mge._frame import frame


@dataclass(frozen=True)
class Experiment:
    """The results of a plan."""

    # One row for each method and data set.
    summary: Any
    # One row for each run.
    runs: Any
    # Runs of the plan, those that this call did, and those that failed.
    planned: int
    done: int
    failed: int


def run_plan(
    plan: str | os.PathLike[str],
    store: str | os.PathLike[str] = "experiments",
    *,
    n_jobs: int | None = None,
    data_dir: str | os.PathLike[str] | None = None,
) -> Experiment:
    """Does the runs of a plan that are not finished yet, and reads the tables.

    Parameters
    ----------
    plan : str or path
        A TOML file, or its text if it has more than one line.
    store : str or path, default="experiments"
        The folder of finished runs, which processes may share. A plan that was interrupted goes on.
    n_jobs : int, optional
        Runs at once. Default: one for each core.
    data_dir : str or path, optional
        The folder with data sets that are not built in.

    Returns
    -------
    experiment : Experiment
        The frames ``summary`` and ``runs``.
    """
    if not hasattr(_mge, "run_plan"):
        raise ModelError("experiments are not in this build; expected the feature `research`")
    text, name = os.fspath(plan), "plan"
    if "\n" not in text:
        name = Path(text).stem
        text = Path(text).read_text(encoding="utf-8")
    found = _mge.run_plan(
        name,
        text,
        os.fspath(store),
        jobs=n_jobs,
        data_dir=None if data_dir is None else os.fspath(data_dir),
    )
    for failure in found["failures"]:
        warnings.warn(failure, SearchWarning, stacklevel=2)
    return Experiment(
        _read(found["summary"]), _read(found["runs"]), found["planned"], found["done"],
        found["failed"],
    )


def _read(text: str) -> Any:
    """A table in CSV as a frame; cells that look like numbers are numbers."""
    rows = list(csv.DictReader(io.StringIO(text)))
    columns = next(csv.reader(io.StringIO(text)), [])
    return frame([{name: _cell(value) for name, value in row.items()} for row in rows], columns)


def _cell(text: str) -> Any:
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text or None

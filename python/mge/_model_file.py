"""Model files: read by Python and by the command line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mge import _mge
from mge._errors import ModelError


def load(path: str | os.PathLike[str]) -> Any:
    """Reads a model file, which :meth:`MGEClassifier.save` or the command line wrote.

    The estimator predicts as the model does. Frames need the columns of the model, in any order;
    others are ignored. Labels are numbers if all of them look so, as when a CSV file is read.

    Parameters
    ----------
    path : str or path
        The file ``model.json``, or the folder of a run.

    Returns
    -------
    estimator : MGEClassifier or MGERegressor
        A fitted estimator, without front and history.

    Examples
    --------
    >>> import os, tempfile
    >>> import mge
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> model = mge.MGEClassifier(generations=1, random_state=7).fit(X, y)
    >>> file = os.path.join(tempfile.mkdtemp(), "model.json")
    >>> model.save(file)
    >>> bool((mge.load(file).predict(X) == model.predict(X)).all())
    True
    """
    from mge._classifier import MGEClassifier, _order
    from mge._regressor import MGERegressor

    file = Path(path)
    folder = file if file.is_dir() else None
    if folder is not None:
        file = folder / "model.json"
    try:
        content = file.read_bytes()
    except OSError as error:
        raise ModelError(f"cannot read the model {file}: {error.strerror or error}") from error
    model = _mge.Model.from_json(str(file), content)
    estimator: Any = (MGEClassifier if model.classes else MGERegressor)(
        **_parameters(model.settings())
    )
    names = [column["name"] for column in model.columns()]
    names += [name for name, _ in model.dropped()]
    if not model.has_names:
        names.sort(key=_position)
    estimator._column_names = names
    estimator._columns_by_name = True
    estimator.n_features_in_ = len(names)
    if model.has_names:
        estimator.feature_names_in_ = np.array(names, dtype=object)
    estimator._front_json = estimator._metrics_json = estimator._calibration = None
    estimator._genotype_json = estimator._history = estimator._baselines = None
    estimator._run_record = None
    estimator._keep_model(content)
    if not model.classes:
        outputs = len(model.network()["outputs"])
        estimator._shape = () if outputs == 1 else (outputs,)
        return estimator
    classes = labels_of(model.classes)
    estimator.classes_ = np.sort(classes)
    # The position in the model of each of the sorted classes.
    texts = dict(zip(classes.tolist(), model.classes, strict=True))
    of_sorted = [texts[label] for label in estimator.classes_.tolist()]
    estimator._order = _order(of_sorted, model.classes)
    return estimator


def _position(name: str) -> int:
    number = name.rpartition("_")[2]
    return int(number) if number.isdigit() else 0


def labels_of(texts: list[str]) -> NDArray[Any]:
    """Labels from the names of classes: whole numbers, numbers or truth values if all look so."""
    for read in (_whole, float):
        try:
            labels = np.array([read(text) for text in texts])
        except ValueError:
            continue
        if len(set(labels.tolist())) == len(texts):
            return labels
    if set(texts) <= {"False", "True"}:
        return np.array([text == "True" for text in texts])
    return np.array(texts)


def _whole(text: str) -> int:
    number = int(text)
    if str(number) != text:
        raise ValueError(text)
    return number


def _parameters(settings: dict[str, Any]) -> dict[str, Any]:
    """The parameters of an estimator that would fit in this way, as far as they say it."""
    method = dict(settings["method"])
    name = method.pop("name", "hybrid")
    own = {
        key: method.get(key)
        for key in ("max_ops", "max_bytes", "max_features", "max_neurons", "pick")
    }
    return {
        "method": name,
        "random_state": settings["seed"],
        **{key: value for key, value in own.items() if value is not None},
    }

"""Tiny neural networks from a table.

``mge`` searches for small neural networks that classify the rows of a table. One fit gives the best
network that it found at every size. You pick one, read it as a formula, and export it as code.

>>> from sklearn.datasets import load_iris
>>> import mge
>>> X, y = load_iris(return_X_y=True, as_frame=True)
>>> model = mge.MGEClassifier(max_ops=60, generations=3, random_state=7).fit(X, y)
>>> model.n_operations_ <= 60
True
>>> bool(model.score(X, y) > 0.9)
True
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from mge import _mge
from mge._errors import (
    DataError,
    DataWarning,
    InterruptedWarning,
    MGEError,
    MGEWarning,
    ModelError,
    SearchError,
    SearchWarning,
    SettingsError,
)

if TYPE_CHECKING:
    from mge._classifier import MGEClassifier
    from mge._experiment import Experiment, run_plan
    from mge._grammar import Grammar, grammars, map_gene
    from mge._loggers import JSONLines, MLflow, TensorBoard, WandB
    from mge._model_file import load
    from mge._network import Network
    from mge._regressor import MGERegressor
    from mge._search import Generation, Phenotype, Search

__version__: str = _mge.__version__

__all__ = [
    "DataError",
    "DataWarning",
    "Experiment",
    "Generation",
    "Grammar",
    "InterruptedWarning",
    "JSONLines",
    "MGEClassifier",
    "MGEError",
    "MGERegressor",
    "MGEWarning",
    "MLflow",
    "ModelError",
    "Network",
    "Phenotype",
    "Search",
    "SearchError",
    "SearchWarning",
    "SettingsError",
    "TensorBoard",
    "WandB",
    "__version__",
    "grammars",
    "load",
    "map_gene",
    "methods",
    "run_plan",
]

# Where each name is. They load when they are first used: scikit-learn takes a second to import, and
# the command line does not need it.
_MODULES = {
    "Experiment": "mge._experiment",
    "Generation": "mge._search",
    "Grammar": "mge._grammar",
    "JSONLines": "mge._loggers",
    "MGEClassifier": "mge._classifier",
    "MGERegressor": "mge._regressor",
    "MLflow": "mge._loggers",
    "Network": "mge._network",
    "Phenotype": "mge._search",
    "Search": "mge._search",
    "TensorBoard": "mge._loggers",
    "WandB": "mge._loggers",
    "grammars": "mge._grammar",
    "load": "mge._model_file",
    "map_gene": "mge._grammar",
    "run_plan": "mge._experiment",
}


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module 'mge' has no attribute {name!r}")
    value = getattr(importlib.import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(_MODULES))


def methods() -> list[dict[str, Any]]:
    """All search methods: name, summary, and whether they keep a front.

    >>> import mge
    >>> [method["name"] for method in mge.methods()][:2]
    ['mge', 'ge']
    """
    return _mge.methods()

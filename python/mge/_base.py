"""What all estimators share: reading X, the fit, and what is known after it."""

from __future__ import annotations

import copy
import functools
import json
import numbers
import os
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from mge import _mge, _settings, _table
from mge._callbacks import CallbackSupport, Listener
from mge._errors import DataError, DataWarning, InterruptedWarning, SearchError, SearchWarning
from mge._errors import SettingsError
from mge._frame import frame
from mge._grammar import Grammar
from mge._looking import Looking

if TYPE_CHECKING:
    from mge._network import Network

# The names that messages and models give to tables without one.
_TABLE_NAME = "table"
_EVAL_NAME = "eval_set"
# Seeds that are drawn are short enough to be typed again.
_MAX_DRAWN_SEED = 1_000_000_000
# Columns that formats without names call so.
_TARGET_NAME = "class"
_WEIGHT_NAME = "sample_weight"

_FRONT_COLUMNS = (
    "operations",
    "bytes",
    "features",
    "neurons",
    "cost",
    "validation_loss",
    "standard_error",
    "validation_accuracy",
    "picked",
)
_HISTORY_COLUMNS = (
    "generation",
    "evaluations",
    "best_loss",
    "mean_loss",
    "invalid_individuals",
    "invalid_parts",
)
_BASELINE_COLUMNS = (
    "name",
    "train_accuracy",
    "validation_accuracy",
    "test_accuracy",
    "operations",
    "bytes",
)


@functools.lru_cache(maxsize=64)
def model_of(json_bytes: bytes) -> _mge.Model:
    """The model in memory. Estimators hold its bytes only, so anything can store them."""
    return _mge.Model.from_json("the model of the estimator", json_bytes)


class Pick:
    """The parameter ``pick``, and the method ``pick`` of a fitted estimator.

    The parameter is a rule, and :meth:`get_params` returns it. The attribute is the method.
    """

    def __set__(self, instance: BaseMGE, rule: str | None) -> None:
        instance.__dict__["pick"] = rule

    def __get__(self, instance: BaseMGE | None, owner: type | None = None) -> Any:
        return self if instance is None else instance._pick


class BaseMGE(Looking, CallbackSupport, BaseEstimator):  # type: ignore[misc]
    """The base of the estimators of this package."""

    pick = Pick()

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters of this estimator.

        Parameters
        ----------
        deep : bool, default=True
            Whether to include the parameters of estimators inside of this one. There are none.

        Returns
        -------
        params : dict
            Names and values.
        """
        params: dict[str, Any] = super().get_params(deep=deep)
        return {**params, "pick": self.__dict__.get("pick")}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.sparse = False
        return tags

    # Reading X.

    def _read(self, X: Any, *, reset: bool) -> _table.Columns:
        """The columns of X. With `reset` they become those of this estimator."""
        if _table.is_frame(X):
            return self._read_frame(_table.as_native_frame(X), reset=reset)
        X = validate_data(self, X, reset=reset, dtype=None, ensure_all_finite="allow-nan")
        return _table.of_array(X)

    def _read_frame(self, X: Any, *, reset: bool) -> _table.Columns:
        # A model that was loaded from a file finds its columns by name, in any order.
        by_name = not reset and self.__dict__.get("_columns_by_name", False)
        if not by_name:
            validate_data(self, X, reset=reset, skip_check_array=True)
        columns = _table.of_frame(X, self._column_names if by_name else None)
        if columns.rows == 0 or not columns.names:
            what = "sample" if columns.rows == 0 else "feature"
            shape = (columns.rows, len(columns.names))
            raise DataError(
                f"Found array with 0 {what}(s) (shape={shape}) while a minimum of 1 is required."
            )
        return columns

    def _raw(self, X: Any) -> _mge._Table:
        """X as a table for the model, its columns under the names that they had in the fit."""
        check_is_fitted(self)
        columns = self._read(X, reset=False)
        if self.__dict__.get("_columns_by_name", False) and _table.is_frame(X):
            return columns.raw("X")
        return columns.raw("X", self._column_names)

    def _threads(self) -> int:
        """Threads of a search or a prediction. They never change a result."""
        return int(effective_n_jobs(self.n_jobs))

    def _warn_of_unseen(self, unseen: Sequence[str]) -> None:
        """Warns of categories that the training rows did not have."""
        for text in unseen:
            warnings.warn(text, DataWarning, stacklevel=3)

    # The fit.

    def _seed(self) -> int:
        random_state = self.random_state
        if isinstance(random_state, numbers.Integral):
            if random_state < 0:
                raise SettingsError(f"random_state is {random_state}, expected a number from 0 on")
            return int(random_state)
        if isinstance(random_state, np.random.Generator):
            return int(random_state.integers(_MAX_DRAWN_SEED))
        return int(check_random_state(random_state).randint(_MAX_DRAWN_SEED))

    def _own_grammar(self) -> tuple[str, str] | None:
        """The name and text of a grammar that is neither shipped nor a file."""
        own = self.grammar
        return (own.name, own.text) if isinstance(own, Grammar) else None

    def _asked(self, eval_set: Any, columns: _table.Columns) -> dict[str, Any]:
        """The settings that parameters, data and arguments ask for."""
        parameters = self.get_params(deep=False)
        parameters["grammar"] = None if isinstance(self.grammar, Grammar) else self.grammar
        settings = _settings.of_parameters(parameters, self.settings)
        data = settings.setdefault("data", {})
        if columns.numeric_categories:
            known = [*data.get("as_category", []), *columns.numeric_categories]
            data["as_category"] = list(dict.fromkeys(known))
        has_split = "train_fraction" in settings or "folds" in data
        if eval_set is not None and has_split:
            raise SettingsError(
                "eval_set and the settings train_fraction and data.folds exclude each other; expected "
                "one of them"
            )
        if eval_set is None and not has_split:
            settings["train_fraction"] = 1.0
        settings["seed"] = self._seed()
        front = self.__dict__.get("_front_json")
        if self.warm_start and front is not None:
            points = json.loads(front)["points"]
            _settings.put(settings, ("hybrid", "start"), [point["network"] for point in points])
        return settings

    def _run(
        self,
        X: Any,
        y: Any,
        columns: _table.Columns,
        targets: Sequence[tuple[str | None, _table.Cells]],
        weights: NDArray[np.float64] | None,
        test: tuple[_table.Columns, Sequence[_table.Cells], str] | None,
        settings: dict[str, Any],
    ) -> None:
        """Runs the search, and keeps what it leaves."""
        names = list(columns.names)
        raw = columns.raw(name_of(X, _TABLE_NAME))
        target_names: list[str] = []
        for index, (name, _) in enumerate(targets):
            default = _TARGET_NAME if len(targets) == 1 else f"{_TARGET_NAME}_{index + 1}"
            target_names.append(_free_name(name or default, [*names, *target_names]))
        if weights is not None:
            weight_name = _free_name(_WEIGHT_NAME, [*names, *target_names])
            settings["data"]["weight"] = weight_name
            raw[2].append((weight_name, weights))
        raw[2].extend(zip(target_names, (cells for _, cells in targets), strict=True))
        raw_test = None
        if test is not None:
            test_columns, test_targets, test_name = test
            raw_test = test_columns.raw(test_name, names)
            raw_test[2].extend(zip(target_names, test_targets, strict=True))
        listener = Listener(self, self.callbacks, self.verbose, X, y)
        try:
            found = _mge.fit(
                raw,
                target_names,
                _settings.as_json(settings),
                test=raw_test,
                threads=self._threads(),
                baselines=True,
                grammar=self._own_grammar(),
                tensorboard=listener.tensorboard,
                callback=listener if listener.listens else None,
                measures=bool(listener.callbacks or listener.tasks),
            )
        finally:
            listener.close()
        self._keep(found, names)
        self._tell(found)

    def _keep(self, found: Mapping[str, Any], names: Sequence[str]) -> None:
        """The state of a fitted estimator: bytes, numbers, lists of them, and nothing else."""
        self._front_json = found["front"]
        self._metrics_json = found["metrics"]
        self._calibration = found["calibration"]
        self._genotype_json = found["genotype"]
        self._history = found["history"]
        self._baselines = found["baselines"]
        self._run_record = found["run"]
        self._column_names = list(names)
        self._columns_by_name = False
        self._keep_model(found["model"])

    def _keep_model(self, model_json: bytes) -> None:
        self._model_json = model_json
        model = model_of(model_json)
        size, search = model.size(), model.search()
        self.n_operations_ = int(size["operations"])
        self.n_bytes_ = int(size["bytes"])
        self.n_iter_ = int(search["generations"])
        self.seed_ = model.seed
        used = {column["name"] for column in model.columns() if column["used"]}
        names = [name for name in self._column_names if name in used]
        if model.has_names:
            self.features_used_ = np.array(names, dtype=object)
        else:
            positions = {name: index for index, name in enumerate(self._column_names)}
            self.features_used_ = np.array([positions[name] for name in names], dtype=np.intp)

    def _tell(self, found: Mapping[str, Any]) -> None:
        """Warnings, and the exception of a callback."""
        for text in found["warnings"]:
            warnings.warn(text, DataWarning, stacklevel=4)
        if self.verbose:
            for text in found["notes"]:
                warnings.warn(text, DataWarning, stacklevel=4)
        raised = found["raised"]
        if isinstance(raised, KeyboardInterrupt):
            warnings.warn(
                f"the search was interrupted after {self.n_iter_} generations; the estimator holds "
                "the best network so far",
                InterruptedWarning,
                stacklevel=4,
            )
        elif raised is not None:
            raise raised

    # What is known after a fit.

    @property
    def _model(self) -> _mge.Model:
        check_is_fitted(self)
        return model_of(self._model_json)

    @property
    def network_(self) -> Network:
        """The network: its neurons, its size, its picture."""
        from mge._network import Network

        return Network(self._model)

    @property
    def formula_(self) -> str:
        """The network as text, in units of the raw columns."""
        return str(self.network_.formula())

    @property
    def front_(self) -> Any:
        """The best network of every size, measured on rows that did not train it.

        A frame with a row for each network, by rising cost. ``picked`` marks the network of this
        estimator. It is None for methods that keep no front, and for loaded models.
        """
        check_is_fitted(self)
        if self._front_json is None:
            return None
        rows = _mge.front(self._front_json, model_of(self._model_json))
        for row in rows:
            row["validation_loss"] = row.pop("loss")
            row["validation_accuracy"] = row.pop("accuracy")
        return frame(rows, _FRONT_COLUMNS)

    @property
    def history_(self) -> Any:
        """A frame with a row for each generation of the search."""
        check_is_fitted(self)
        return frame(self._history or [], _HISTORY_COLUMNS)

    @property
    def baselines_(self) -> Any:
        """Simpler models on the same rows. They need test rows: an ``eval_set``, or the setting
        ``train_fraction``. Without these the frame is empty."""
        check_is_fitted(self)
        return frame(self._baselines or [], _BASELINE_COLUMNS)

    def _pick(
        self,
        *,
        max_ops: int | None = None,
        max_bytes: int | None = None,
        max_features: int | None = None,
        max_neurons: int | None = None,
        rule: str | None = None,
    ) -> Self:
        """Another network of the front, as another fitted estimator. Nothing is searched again.

        Limits and rule that are not given are those of the fit.

        Parameters
        ----------
        max_ops : int, optional
            Maximum operations of a prediction.
        max_bytes : int, optional
            Maximum bytes as a table of 8-bit weights and indices.
        max_features : int, optional
            Maximum features that the network reads.
        max_neurons : int, optional
            Maximum hidden neurons.
        rule : {"recommended", "smallest", "most-accurate", "lowest-loss", "knee"}, optional
            Which network within the limits. With a limit and no rule: lowest-loss.

        Returns
        -------
        estimator : the same class
            A fitted estimator with the picked network.
        """
        check_is_fitted(self)
        if self._front_json is None:
            raise SearchError(
                "there is no front to pick from; expected an estimator that was fitted by a method "
                "that keeps one, such as hybrid"
            )
        wanted = {
            "max_ops": max_ops,
            "max_bytes": max_bytes,
            "max_features": max_features,
            "max_neurons": max_neurons,
            "pick": rule,
        }
        given = {name: value for name, value in wanted.items() if value is not None}
        plain = {name: _settings.plain(value, name) for name, value in given.items()}
        picked = _mge.pick(
            self._model, self._front_json, self._metrics_json, json.dumps(plain)
        )
        other = copy.copy(self)
        other._keep_model(picked.to_json())
        return other

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file, which :func:`mge.load` and the command line read.

        The file holds the network and what it needs to predict. The front and the history are not
        in it: pickle the estimator to keep these.

        Parameters
        ----------
        path : str or path
            The file, such as ``model.json``. It is written whole or not at all.
        """
        self._model.save(os.fspath(path))


def _free_name(wanted: str, names: Sequence[str]) -> str:
    """The name, changed until no column has it."""
    while wanted in names:
        wanted += "'"
    return wanted


def name_of(X: Any, default: str) -> str:
    """The name of a table: ``X.attrs["name"]`` of a pandas frame, or the default."""
    attributes = getattr(X, "attrs", None)
    if isinstance(attributes, Mapping) and isinstance(attributes.get("name"), str):
        return str(attributes["name"])
    return default


def name_of_target(y: Any) -> str | None:
    """The name of a series, if it has one."""
    name = getattr(y, "name", None)
    return name if isinstance(name, str) and name else None


def one_eval_set(eval_set: Any) -> tuple[Any, Any] | None:
    """The pair of X and y, which may be alone in a list."""
    if eval_set is None:
        return None
    if isinstance(eval_set, list) and len(eval_set) == 1:
        eval_set = eval_set[0]
    if not isinstance(eval_set, (tuple, list)) or len(eval_set) != 2:
        raise TypeError("eval_set is no pair, expected (X, y)")
    return eval_set[0], eval_set[1]

"""The regressor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from sklearn.utils.validation import _check_y, check_consistent_length

from mge import _table, _weights
from mge._base import _EVAL_NAME, BaseMGE, name_of, name_of_target, one_eval_set
from mge._callbacks import with_callbacks
from mge._errors import DataError


# Fewer rows have no spread to learn.
_MIN_ROWS = 3


class MGERegressor(RegressorMixin, BaseMGE):  # type: ignore[misc]
    """A small neural network that predicts numbers, found by a search over structures.

    One fit finds the best network of every size: the front. The estimator holds one of them, picked
    by a limit or a rule; :meth:`pick` gives another one.

    Tables may have numbers, texts, categories, booleans and missing cells. Scaling and encoding are
    part of the model, and are fitted on the training rows. So is the scale of the targets.

    Parameters
    ----------
    method : str, default="hybrid"
        The search method; see :func:`mge.methods`.
    variant : {"mge", "alpha", "beta", "eta", "mu"}, optional
        The form of modularity of method ``mge``.
    max_ops : int, optional
        Maximum operations of a prediction. A connection counts two, a neuron or output four.
    max_bytes : int, optional
        Maximum bytes as a table of 8-bit weights and indices.
    max_features : int, optional
        Maximum features that the network reads.
    max_neurons : int, optional
        Maximum hidden neurons.
    pick : {"recommended", "smallest", "most-accurate", "lowest-loss", "knee", "smallest-within-1se"}
        Which network within the limits. Default: ``lowest-loss`` with a limit, else ``recommended``.
    objective : {"operations", "bytes"}, optional
        What the front weighs against the loss. Default: operations.
    feature_cost : int, optional
        What each feature adds to the cost of a network. Default: 0.
    generations : int, optional
        Generations of the search. Default: 20 in method ``hybrid``, 40 on large tables.
    time_limit : float, optional
        Seconds of search. The result then depends on the speed of the machine.
    patience : int, optional
        Stop when the best loss has not fallen for this many generations.
    scale : {"zscore", "minmax", "none"}, optional
        How features are scaled. Default: ``zscore``.
    grammar : str, path or Grammar, optional
        A shipped grammar, a file, or the grammar itself, of methods with one.
    random_state : int, RandomState or None, default=None
        The seed of the search. The same seed gives the same model, on every machine.
    n_jobs : int, optional
        Threads of the search. It does not change the result. Default: 1, or that of a joblib context.
    verbose : int, default=0
        Above 0, a progress bar (with tqdm) and notes on the data.
    warm_start : bool, default=False
        Whether the next fit starts from the front of this one (method ``hybrid``).
    callbacks : list of callables, optional
        Each is called with every event of the search, a dict. One that returns True stops the search.
    settings : dict, optional
        Any other setting by its name in the TOML file, such as ``{"hybrid.noise": 0.2}``.

    Attributes
    ----------
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        The names of the columns of X, if it has names.
    features_used_ : array
        The columns that the network reads: names, or positions where there are no names.
    n_operations_ : int
        Operations of one prediction.
    n_bytes_ : int
        Bytes as a table of 8-bit weights and indices.
    n_iter_ : int
        Generations of the search.
    history_ : frame
        A row for each generation.
    front_ : frame
        A row for each network of the front, with validation figures; the accuracy is R2.
    baselines_ : frame
        Simpler models on the same rows, if there are test rows.
    network_ : Network
        The network.
    formula_ : str
        The network as text.
    seed_ : int
        The seed of the search.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from mge import MGERegressor
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> model = MGERegressor(max_ops=40, generations=3, random_state=7).fit(X, y)
    >>> model.n_operations_ <= 40
    True
    >>> bool(model.score(X, y) > 0.4)
    True
    """

    def __init__(
        self,
        method: str = "hybrid",
        *,
        variant: str | None = None,
        max_ops: int | None = None,
        max_bytes: int | None = None,
        max_features: int | None = None,
        max_neurons: int | None = None,
        pick: str | None = None,
        objective: str | None = None,
        feature_cost: int | None = None,
        generations: int | None = None,
        time_limit: float | None = None,
        patience: int | None = None,
        scale: str | None = None,
        grammar: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
        warm_start: bool = False,
        callbacks: Sequence[Callable[[dict[str, Any]], object]] | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.method = method
        self.variant = variant
        self.max_ops = max_ops
        self.max_bytes = max_bytes
        self.max_features = max_features
        self.max_neurons = max_neurons
        self.pick = pick
        self.objective = objective
        self.feature_cost = feature_cost
        self.generations = generations
        self.time_limit = time_limit
        self.patience = patience
        self.scale = scale
        self.grammar = grammar
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.warm_start = warm_start
        self.callbacks = callbacks
        self.settings = settings

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None, eval_set: Any = None) -> Self:
        """Searches for networks.

        Ctrl-C stops the search. The estimator then holds the best network so far, and a warning says
        so.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_features)
            The training rows. A frame may have categories, texts, booleans and missing cells.
        y : array of shape (n_samples,) or (n_samples, n_targets)
            The numbers of each row.
        sample_weight : array of shape (n_samples,), optional
            How much each row counts. A row of weight 3 is three rows; weights that are not whole are
            rounded.
        eval_set : tuple (X, y), optional
            Rows to measure the finished network and the baselines on, and nothing else: they reach
            neither the search nor the choice of a network. The command line calls them ``--test``.

        Returns
        -------
        self : MGERegressor
            The fitted estimator.
        """
        columns = self._read(X, reset=True)
        names = _names_of(y)
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is "
                "None."
            )
        values = _check_y(y, multi_output=True, y_numeric=True, estimator=self)
        if len(values) != columns.rows:
            check_consistent_length(X, values)
        if columns.rows < _MIN_ROWS:
            raise DataError(
                f"X has n_samples = {columns.rows}, expected at least {_MIN_ROWS} rows to learn numbers"
            )
        weights = _weights.of_rows(sample_weight, None, values, columns.rows)
        cells = _columns_of(values)
        pair, test = one_eval_set(eval_set), None
        if pair is not None:
            test_columns = self._read(pair[0], reset=False)
            test_values = _check_y(pair[1], multi_output=True, y_numeric=True, estimator=self)
            test_cells = _columns_of(test_values)
            if len(test_cells) != len(cells):
                raise DataError(
                    f"eval_set has {len(test_cells)} targets, expected {len(cells)} as in y"
                )
            test = (test_columns, test_cells, name_of(pair[0], _EVAL_NAME))
        settings = self._asked(pair, columns)
        settings["task"] = "regress"
        if len(names) != len(cells):
            names = [None] * len(cells)
        self._shape = values.shape[1:]
        self._run(X, y, columns, list(zip(names, cells, strict=True)), weights, test, settings)
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """The numbers of each row, in the units of y.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_features)
            The rows, with the columns of the fit.

        Returns
        -------
        y : array of shape (n_samples,) or (n_samples, n_targets)
        """
        raw = self._raw(X)
        found, unseen = self._model.values(raw, self._threads())
        self._warn_of_unseen(unseen)
        return found.reshape(len(found), *self._shape)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def _outputs(self, table: Any) -> NDArray[np.float64]:
        """What contributions add up to: the predictions."""
        return self._model.values(table, self._threads())[0]

    def _in_order(self, found: NDArray[np.float64]) -> NDArray[np.float64]:
        """Contributions to the outputs as contributions to the targets."""
        return found if self._shape else found[..., 0]


def _columns_of(values: NDArray[Any]) -> list[_table.Cells]:
    """The cells of the targets: texts, as a CSV file has them."""
    matrix = values.reshape(len(values), -1)
    columns: list[_table.Cells] = []
    for index in range(matrix.shape[1]):
        distinct, codes = np.unique(matrix[:, index], return_inverse=True)
        texts = [repr(value) for value in distinct.tolist()]
        columns.append((codes.astype(np.int64).ravel(), texts))
    return columns


def _names_of(y: Any) -> list[str | None]:
    """The names of the targets, where they have some."""
    columns = getattr(y, "columns", None)
    if columns is not None and all(isinstance(name, str) for name in columns):
        return list(columns)
    return [name_of_target(y)]

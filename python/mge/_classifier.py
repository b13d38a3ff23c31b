"""The classifier."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_y, check_consistent_length, check_is_fitted

from mge import _table, _weights
from mge._base import _EVAL_NAME, BaseMGE, model_of, name_of, name_of_target, one_eval_set
from mge._callbacks import with_callbacks
from mge._errors import DataError


class MGEClassifier(ClassifierMixin, BaseMGE):  # type: ignore[misc]
    """A small neural network, found by a search over structures.

    One fit finds the best network of every size: the front. The estimator holds one of them, picked
    by a limit or a rule; :meth:`pick` gives another one.

    Tables may have numbers, texts, categories, booleans and missing cells. Scaling and encoding are
    part of the model, and are fitted on the training rows.

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
    class_weight : {"balanced"} or dict, optional
        How much a class counts. With ``"balanced"`` every class counts the same.
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
    classes_ : array
        The labels.
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
        A row for each network of the front, with validation figures.
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
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import train_test_split
    >>> from mge import MGEClassifier
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    >>> model = MGEClassifier(max_ops=40, generations=3, random_state=7).fit(X_train, y_train)
    >>> model.n_operations_ <= 40
    True
    >>> bool(model.score(X_test, y_test) > 0.9)
    True
    >>> smaller = model.pick(max_ops=20)
    >>> smaller.n_operations_ <= 20
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
        class_weight: str | Mapping[Any, float] | None = None,
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
        self.class_weight = class_weight
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
        y : array of shape (n_samples,)
            The label of each row.
        sample_weight : array of shape (n_samples,), optional
            How much each row counts. A row of weight 3 is three rows; weights that are not whole are
            rounded.
        eval_set : tuple (X, y), optional
            Rows to measure the finished network and the baselines on, and nothing else: they reach
            neither the search nor the choice of a network. The command line calls them ``--test``.

        Returns
        -------
        self : MGEClassifier
            The fitted estimator.
        """
        columns = self._read(X, reset=True)
        y_given = y
        y = _check_y(y, multi_output=False, y_numeric=False, estimator=self)
        check_classification_targets(y)
        if len(y) != columns.rows:
            check_consistent_length(X, y)
        weights = _weights.of_rows(sample_weight, self.class_weight, y, columns.rows)
        classes, codes = np.unique(y, return_inverse=True)
        texts = _texts(classes)
        if len(classes) < 2:
            raise DataError(
                f"y has one class, {texts[0]!r}; expected at least two classes to tell apart"
            )
        pair, test = one_eval_set(eval_set), None
        if pair is not None:
            test_columns = self._read(pair[0], reset=False)
            test_target = _codes(pair[1], classes, self), texts
            test = (test_columns, [test_target], name_of(pair[0], _EVAL_NAME))
        settings = self._asked(pair, columns)
        settings["task"] = "classify"
        if self.class_weight == "balanced" and weights is None:
            settings["data"]["class_weight"] = "balanced"
        # Callbacks may ask for the classes while the search runs.
        self.classes_ = classes
        target = (name_of_target(y_given), (codes.astype(np.int64).ravel(), texts))
        self._run(X, y, columns, [target], weights, test, settings)
        self._order = _order(texts, model_of(self._model_json).classes)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The most likely class of each row.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_features)
            The rows, with the columns of the fit.

        Returns
        -------
        y : array of shape (n_samples,)
            The labels.
        """
        raw = self._raw(X)
        found, unseen = self._model.predict(raw, self._threads())
        self._warn_of_unseen(unseen)
        of_model = self.classes_[np.argsort(self._order)]
        labels: NDArray[Any] = of_model[found]
        return labels

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The probability of each class, for each row.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_features)
            The rows, with the columns of the fit.

        Returns
        -------
        p : array of shape (n_samples, n_classes)
            The columns are in the order of ``classes_``.
        """
        raw = self._raw(X)
        found, unseen = self._model.probabilities(raw, self._threads())
        self._warn_of_unseen(unseen)
        return found if (np.diff(self._order) == 1).all() else found[:, self._order]

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """The sums of the outputs, before sigmoid or softmax.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_features)
            The rows, with the columns of the fit.

        Returns
        -------
        score : array of shape (n_samples,) or (n_samples, n_classes)
            With two classes, one number for each row: above zero for the second class.
        """
        raw = self._raw(X)
        sums, unseen = self._model.outputs(raw, self._threads())
        self._warn_of_unseen(unseen)
        if sums.shape[1] == 1:
            # The output is for the second class of the model.
            return sums[:, 0] if self._order[1] == 1 else -sums[:, 0]
        return sums[:, self._order]

    def plot_calibration(self, X: Any, y: Any, n_bins: int = 10, ax: Any = None) -> Any:
        """Plots how often a class occurs in y, against the probability that the model gives it."""
        from mge import _plots

        return _plots.calibration(self, X, y, n_bins, ax)

    def _outputs(self, table: Any) -> NDArray[np.float64]:
        """What contributions add up to: the sums of the outputs."""
        return self._model.outputs(table, self._threads())[0]

    def _in_order(self, found: NDArray[np.float64]) -> NDArray[np.float64]:
        """Contributions to outputs as contributions to classes."""
        if found.shape[-1] == 1:
            return found[..., 0] if self._order[1] == 1 else -found[..., 0]
        return found[..., self._order]


def _texts(classes: NDArray[Any]) -> list[str]:
    """The name of each class in the model file. Different labels have different names."""
    texts = [_label_text(label) for label in classes.tolist()]
    if len(set(texts)) != len(texts):
        raise DataError(f"different labels of y have the same text: {texts}")
    return texts


def _label_text(label: Any) -> str:
    return label if isinstance(label, str) else str(label)


def _order(texts: list[str], of_model: list[str]) -> NDArray[np.intp]:
    """The position in the model of each of these classes."""
    positions = {text: index for index, text in enumerate(of_model)}
    return np.array([positions[text] for text in texts], dtype=np.intp)


def _codes(y: Any, classes: NDArray[Any], estimator: Any) -> NDArray[np.int64]:
    """The index of the class of each row; unknown labels are an error."""
    y = _check_y(y, multi_output=False, y_numeric=False, estimator=estimator)
    known = np.isin(y, classes)
    if not known.all():
        row = int((~known).argmax())
        raise DataError(
            f"row {row + 1} of eval_set has the label {y[row]!r}, expected one of {classes.tolist()}"
        )
    codes: NDArray[np.int64] = np.searchsorted(classes, y).astype(np.int64)
    return codes

"""What a fitted estimator shows of itself: pictures, plots, formula, explanations, code."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from mge import _mge
from mge._frame import frame

if TYPE_CHECKING:
    from mge._network import Network


class Looking:
    """Methods of fitted estimators that show or ship the network. None of them changes it."""

    # What `BaseMGE` has.
    _calibration: bytes | None
    _front_json: bytes | None
    _history: list[dict[str, Any]] | None
    _baselines: list[dict[str, Any]] | None
    _run_record: dict[str, Any] | None

    @property
    def _model(self) -> _mge.Model:
        raise NotImplementedError

    @property
    def network_(self) -> Network:
        """The network: its neurons, its size, its picture."""
        raise NotImplementedError

    def formula(self, digits: int = 3, units: str = "original", form: str = "text") -> Any:
        """The network as a formula.

        Parameters
        ----------
        digits : int, default=3
            Significant digits of the numbers.
        units : {"original", "scaled"}, default="original"
            Whether the formula takes the raw columns, or the scaled features. A category is a
            condition in brackets, which is 1 or 0.
        form : {"text", "latex", "sympy"}, default="text"
            A text, LaTeX, or the probability of each class as a SymPy expression.

        Returns
        -------
        formula : str or dict
            A dict with an expression for each class, of SymPy.
        """
        return self.network_.formula(digits, units, form)

    def plot_front(self, baselines: bool = False, ax: Any = None) -> Any:
        """Plots validation accuracy against cost, one point for each network of the front.

        Parameters
        ----------
        baselines : bool, default=False
            Whether simpler models are shown too, by their validation accuracy. They need test rows,
            see ``baselines_``.
        ax : matplotlib axes, optional
            Where to plot. Default: a new figure.

        Returns
        -------
        ax : matplotlib axes
        """
        from mge import _plots

        return _plots.front(self, baselines, ax)

    def plot_network(self, ax: Any = None) -> Any:
        """Plots the network: features on the left, outputs on the right, negative weights red."""
        from mge import _plots

        return _plots.network(self, ax)

    def plot_history(self, ax: Any = None) -> Any:
        """Plots the loss against generations."""
        from mge import _plots

        return _plots.history(self, ax)

    def plot_importance(self, X: Any, y: Any, n_repeats: int = 10, ax: Any = None) -> Any:
        """Plots how much the score on X and y falls when a column is shuffled."""
        from mge import _plots

        return _plots.importance(self, X, y, n_repeats, ax)

    def explain(self, X: Any, background: Any = None, max_background: int = 100) -> Any:
        """The contribution of each column to the outputs, for each row: Shapley values.

        They add up to the output of the row, less the mean output of the background rows. Outputs are
        sums before sigmoid or softmax, as :meth:`decision_function` gives them. They are exact for up
        to nine used columns, and drawn with the seed of the fit for more.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_features)
            The rows to explain.
        background : array or frame, optional
            Rows to compare with. Default: X itself.
        max_background : int, default=100
            More background rows are thinned out to this many.

        Returns
        -------
        contributions : array of shape (n_samples, n_features) or (n_samples, n_features, n_classes)
            With two classes, contributions to the second one.
        """
        from mge import _explain

        check_is_fitted(self)
        found, _ = _explain.contributions(self, X, X if background is None else background,
                                          max_background)
        return self._in_order(found)

    def report(self, path: str | os.PathLike[str], name: str | None = None) -> None:
        """Writes a page with all results for a browser. It loads nothing from elsewhere.

        Parameters
        ----------
        path : str or path
            The file, such as ``report.html``.
        name : str, optional
            The title. Default: the name of the data.
        """
        _mge.report(
            self._model,
            os.fspath(path),
            name=name or self._model.data_name,
            front=self._front_json,
            history=json.dumps(self._history or []),
            baselines=json.dumps(self._baselines or []),
            run=json.dumps(self._run_record),
        )

    def export(
        self,
        target: str,
        path: str | os.PathLike[str],
        *,
        number: str = "f32",
        layout: str = "table",
        inputs: str = "used",
        name: str | None = None,
        max_accuracy_drop: float = 0.01,
        overwrite: bool = False,
    ) -> list[str]:
        """Writes the network as code.

        Parameters
        ----------
        target : {"c", "rust", "onnx", "python", "js", "arduino"}
            The language or format.
        path : str or path
            The folder to write to.
        number : {"f32", "int8", "int16"}, default="f32"
            What the code computes with. Integers are chosen by rows of the fit.
        layout : {"table", "code"}, default="table"
            Tables and a loop, which is small, or a statement for each neuron, which is fast.
        inputs : {"used", "all"}, default="used"
            Whether the code asks for the inputs that the network reads, or for all features.
        name : str, optional
            The name of files and functions. Default: the name of the data.
        max_accuracy_drop : float, default=0.01
            The accuracy that integers may lose; more is an error, and nothing is written.
        overwrite : bool, default=False
            Whether files of the same names are replaced.

        Returns
        -------
        files : list of str
            What was written.
        """
        written = _mge.export(
            self._model,
            target,
            os.fspath(path),
            calibration=self._calibration,
            number=number,
            layout=layout,
            inputs=inputs,
            name=name,
            max_accuracy_drop=max_accuracy_drop,
            overwrite=overwrite,
        )
        files: list[str] = written["files"]
        return files

    def device_cost(self, device: str, emulate: bool = True) -> Any:
        """What the network needs on a device: flash, RAM, cycles.

        The network is compiled by the compiler of the device, and run in an emulator. Where these are
        not installed, only the bytes of the tables are known, and a warning says what is missing.

        Parameters
        ----------
        device : {"atmega328p", "cortex-m0", "cortex-m4", "host"}
            The device.
        emulate : bool, default=True
            Whether to count cycles. It takes seconds.

        Returns
        -------
        cost : frame
            A row for each number and layout.
        """
        import warnings

        from mge._errors import MGEWarning

        found = _mge.device_cost(
            self._model, device, calibration=self._calibration, emulates=emulate
        )
        for note in found["notes"]:
            warnings.warn(note, MGEWarning, stacklevel=2)
        columns = ("number", "layout", "tables", "flash", "ram", "cycles", "accuracy_drop")
        return frame(found["lines"], columns)

    def _repr_html_(self) -> str:
        """scikit-learn's box, with the network and the front of a fitted estimator."""
        from mge._html import with_network

        box = self._repr_html_inner()  # type: ignore[attr-defined]
        if not hasattr(self, "_model_json"):
            return str(box)
        return with_network(str(box), self)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _in_order(self, found: Any) -> Any:
        raise NotImplementedError



"""The network of a fitted estimator, to look at."""

from __future__ import annotations

from typing import Any

from mge import _mge


class Network:
    """The network of a model: its neurons, its size, its formula and its picture.

    In a notebook it shows itself as a drawing. Lines are connections, dashed ones have a negative
    weight.
    """

    def __init__(self, model: _mge.Model) -> None:
        self._model = model

    @property
    def neurons(self) -> list[dict[str, Any]]:
        """The hidden neurons, in the order of evaluation: activation, bias, links."""
        neurons: list[dict[str, Any]] = self._model.network()["neurons"]
        return neurons

    @property
    def outputs(self) -> list[dict[str, Any]]:
        """The outputs: bias and links. Two classes have one output."""
        outputs: list[dict[str, Any]] = self._model.network()["outputs"]
        return outputs

    @property
    def inputs(self) -> list[dict[str, Any]]:
        """The features that the network may read: name, raw column, offset, factor, used."""
        return self._model.features()

    @property
    def size(self) -> dict[str, Any]:
        """Operations, bytes, connections, neurons, features, layers and sparsity."""
        return self._model.size()

    def formula(self, digits: int = 3, units: str = "original", form: str = "text") -> Any:
        """The network as a formula.

        Parameters
        ----------
        digits : int, default=3
            Significant digits of the numbers.
        units : {"original", "scaled"}, default="original"
            Whether the formula takes the raw columns, or the scaled features.
        form : {"text", "latex", "sympy"}, default="text"
            What is returned: a text, LaTeX, or a dict of SymPy expressions.
        """
        from mge._formula import formula

        return formula(self._model, digits, units, form)

    def svg(self, theme: str = "light") -> str:
        """The drawing as SVG, in the colours ``light`` or ``dark``."""
        return _mge.svg(self._model, theme)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        size = self.size
        return (
            f"<Network: {size['neurons']} hidden neurons, {size['connections']} connections, "
            f"{size['features']} features, {size['operations']} operations>"
        )

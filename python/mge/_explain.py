"""Contributions of columns to the outputs: Shapley values, exact for few columns.

The value of a set of columns is the mean output where those columns are the row's and the others are
those of the background rows. A network reads few columns, so all sets of them can be computed; with
many columns, orders are drawn instead.
"""

from __future__ import annotations

from itertools import combinations
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

# With more columns than this, all sets of them are too many.
_MAX_EXACT = 9
_DRAWN_ORDERS = 64


def contributions(
    model: Any, X: NDArray[Any] | Any, background: Any, max_background: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Shapley values of shape (rows, columns, outputs), and the mean outputs of the background."""
    rows, others = model._read(X, reset=False), model._read(background, reset=False)
    if others.rows > max_background:
        step = np.linspace(0, others.rows - 1, max_background).round().astype(int)
        others = _take(others, step)
    names = model._column_names
    used = [column["name"] for column in model._model.columns() if column["used"]]
    positions = [names.index(name) for name in used]

    def value(chosen: frozenset[int]) -> NDArray[np.float64]:
        """The mean outputs for every row, its chosen columns before all background rows."""
        count = others.rows
        cells = []
        for index in range(len(names)):
            if index in chosen:
                cells.append(_repeated(rows.cells[index], count))
            else:
                cells.append(_tiled(others.cells[index], rows.rows))
        table = ("X", rows.has_names, list(zip(names, cells, strict=True)))
        sums = model._outputs(table)
        mean: NDArray[np.float64] = sums.reshape(rows.rows, count, -1).mean(axis=1)
        return mean

    known: dict[frozenset[int], NDArray[np.float64]] = {}

    def of(chosen: frozenset[int]) -> NDArray[np.float64]:
        if chosen not in known:
            known[chosen] = value(chosen)
        return known[chosen]

    empty = of(frozenset())
    found = np.zeros((rows.rows, len(names), empty.shape[1]))
    n = len(positions)
    if n <= _MAX_EXACT:
        for position in positions:
            rest = [other for other in positions if other != position]
            for size in range(n):
                weight = factorial(size) * factorial(n - size - 1) / factorial(n)
                for others_chosen in combinations(rest, size):
                    chosen = frozenset(others_chosen)
                    found[:, position] += weight * (of(chosen | {position}) - of(chosen))
    else:
        random = np.random.default_rng(model.seed_)
        for _ in range(_DRAWN_ORDERS):
            before: frozenset[int] = frozenset()
            for position in random.permutation(positions):
                after = before | {int(position)}
                found[:, position] += (of(after) - of(before)) / _DRAWN_ORDERS
                before = after
    return found, empty[0] if rows.rows else empty.mean(axis=0)


def _take(columns: Any, rows: NDArray[np.intp]) -> Any:
    cells = [
        (cell[0][rows], cell[1]) if isinstance(cell, tuple) else cell[rows] for cell in columns.cells
    ]
    return type(columns)(columns.names, cells, len(rows), columns.has_names)


def _repeated(cells: Any, count: int) -> Any:
    if isinstance(cells, tuple):
        return np.repeat(cells[0], count), cells[1]
    return np.repeat(cells, count)


def _tiled(cells: Any, count: int) -> Any:
    if isinstance(cells, tuple):
        return np.tile(cells[0], count), cells[1]
    return np.tile(cells, count)

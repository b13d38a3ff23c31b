"""Row weights: from ``sample_weight`` and a ``class_weight`` of numbers to one weight for each row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.validation import _check_sample_weight

from mge._errors import DataError, SettingsError


def of_rows(
    sample_weight: Any, class_weight: Any, y: NDArray[Any], rows: int
) -> NDArray[np.float64] | None:
    """The weight of each row, or None if all rows count the same.

    The class weight ``"balanced"`` alone is a setting of the search, and needs no weights here.
    """
    if isinstance(class_weight, str) and class_weight not in ("balanced", "none"):
        raise SettingsError(
            f"class_weight is {class_weight!r}, expected None, 'balanced' or a dict of weights"
        )
    if class_weight is not None and not isinstance(class_weight, (str, Mapping)):
        raise TypeError(
            f"class_weight is a {type(class_weight).__name__}, expected None, 'balanced' or a dict"
        )
    weights: NDArray[np.float64] | None = None
    if sample_weight is not None:
        weights = _check_sample_weight(
            sample_weight, np.empty((rows, 1)), dtype=np.float64, ensure_non_negative=True
        ).copy()
    by_class = isinstance(class_weight, Mapping)
    if by_class or (class_weight == "balanced" and weights is not None):
        of_class = compute_sample_weight(class_weight, y)
        weights = of_class if weights is None else weights * of_class
    if weights is None:
        return None
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise DataError("weights are infinite or negative, expected finite numbers from 0 on")
    if not weights.any():
        raise DataError("all weights are zero, expected at least one row that counts")
    if (weights == weights[0]).all():
        return None
    return weights

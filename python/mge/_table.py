"""From what users pass as ``X`` to the columns that the extension reads.

Arrays stay arrays: a column of a matrix is a view. Frames of any library are read by narwhals, column
by column. Numbers become arrays of numbers. Texts, categories and booleans become codes and texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from mge._errors import DataError

Cells = NDArray[Any] | tuple[NDArray[np.int64], list[str]]
RawTable = tuple[str, bool, list[tuple[str, Cells]]]

_BOOLEANS = ["False", "True"]


@dataclass
class Columns:
    """The columns of a table."""

    names: list[str]
    cells: list[Cells]
    rows: int
    # Whether a user chose the names.
    has_names: bool
    # Columns of categories that look like numbers.
    numeric_categories: list[str] = field(default_factory=list)

    def raw(self, name: str, names: Sequence[str] | None = None) -> RawTable:
        """The table for the extension, perhaps with other names."""
        return name, self.has_names, list(zip(names or self.names, self.cells, strict=True))


def is_frame(X: Any) -> bool:
    """Whether X has named columns of their own types."""
    if isinstance(X, (np.ndarray, list, tuple)):
        return False
    has_protocol = hasattr(X, "__arrow_c_stream__") or hasattr(X, "__dataframe__")
    return has_protocol and not _is_native(X, series_only=True)


def _is_native(X: Any, **what: bool) -> bool:
    try:
        nw.from_native(X, **what)
    except TypeError:
        return False
    return True


def as_native_frame(X: Any) -> Any:
    """A frame that narwhals and scikit-learn know, for objects that only have the Arrow protocol."""
    if _is_native(X, eager_only=True):
        return X
    for backend in ("polars", "pyarrow", "pandas"):
        try:
            return nw.from_arrow(X, backend=backend).to_native()
        except (ImportError, ModuleNotFoundError):
            continue
        except TypeError as error:
            raise TypeError(f"X is a {type(X).__name__}, expected an array or a frame") from error
    raise TypeError(
        f"X is a {type(X).__name__}; reading it needs polars, pyarrow or pandas to be installed"
    )


def default_name(index: int) -> str:
    """The name of a column that nobody named."""
    return f"column_{index + 1}"


def of_array(X: NDArray[Any]) -> Columns:
    """The columns of a matrix: views of numbers, or texts."""
    rows, width = X.shape
    names = [default_name(index) for index in range(width)]
    cells = [_of_values(X[:, index], names[index]) for index in range(width)]
    return Columns(names, cells, rows, has_names=False)


def of_frame(X: Any, names: Sequence[str] | None = None) -> Columns:
    """The columns of a frame. `names` are chosen, in this order; all if there are none."""
    frame = nw.from_native(X, eager_only=True)
    own = [str(name) for name in frame.columns]
    has_names = all(isinstance(name, str) for name in frame.columns)
    if not has_names:
        own = [default_name(index) for index in range(len(own))]
    columns = Columns([], [], len(frame), has_names)
    wanted = own if names is None else names
    positions = {name: index for index, name in enumerate(own)}
    for name in wanted:
        if name not in positions:
            # The extension names all columns that are missing, in one error.
            continue
        series = frame[:, positions[name]]
        cells, is_category = _of_series(series, name)
        columns.names.append(name)
        columns.cells.append(cells)
        if is_category and isinstance(cells, tuple) and any(map(_is_number, cells[1])):
            columns.numeric_categories.append(name)
    return columns


def _of_series(series: nw.Series[Any], name: str) -> tuple[Cells, bool]:
    """The cells of a series, and whether its type declares categories."""
    dtype = series.dtype
    if dtype.is_numeric():
        if isinstance(dtype, nw.Decimal) or (series.null_count() and dtype.is_integer()):
            series = series.cast(nw.Float64)
        values = series.to_numpy()
        if values.dtype == object:
            values = np.array([np.nan if _is_missing(x) else x for x in values], dtype=float)
        return _numbers(values, name), False
    if isinstance(dtype, nw.Boolean):
        known = {False: 0, True: 1}
        codes = [-1 if _is_missing(x) else known[bool(x)] for x in series.to_list()]
        return (np.array(codes, dtype=np.int64), list(_BOOLEANS)), False
    if isinstance(dtype, (nw.Categorical, nw.Enum)):
        return _categories(series), True
    if isinstance(dtype, nw.Duration):
        seconds = series.dt.total_microseconds().cast(nw.Float64) / 1e6
        return _numbers(seconds.to_numpy(), name), False
    if isinstance(dtype, (nw.Datetime, nw.Date, nw.Time)):
        return _factorized(series.to_list(), str), False
    if isinstance(dtype, (nw.String, nw.Object, nw.Unknown)):
        return _of_objects(series.to_list(), name), False
    raise TypeError(
        f"column `{name}` of X has the type {dtype}; expected numbers, texts, categories, booleans "
        "or times"
    )


def _categories(series: nw.Series[Any]) -> Cells:
    native = series.to_native()
    if hasattr(native, "cat") and hasattr(native.cat, "codes"):
        texts = [_text(value) for value in native.cat.categories]
        codes = native.cat.codes.to_numpy().astype(np.int64)
        if len(set(texts)) == len(texts):
            return codes, texts
    return _factorized(series.to_list(), _text)


def _factorized(values: Iterable[Any], text: Any) -> Cells:
    """Codes and texts of values, each distinct text once."""
    codes: list[int] = []
    known: dict[str, int] = {}
    for value in values:
        if _is_missing(value):
            codes.append(-1)
        else:
            codes.append(known.setdefault(text(value), len(known)))
    return np.array(codes, dtype=np.int64), list(known)


def _of_objects(values: Sequence[Any], name: str) -> Cells:
    """Cells of any type: numbers if all of them are, else texts."""
    present = [value for value in values if not _is_missing(value)]
    if not present:
        return np.full(len(values), np.nan)
    booleans = (bool, np.bool_)
    if all(isinstance(value, booleans) for value in present):
        return _factorized(values, lambda value: str(bool(value)))
    numbers = (int, float, np.number)
    if all(isinstance(value, numbers) and not isinstance(value, booleans) for value in present):
        cells = np.array([np.nan if _is_missing(x) else float(x) for x in values])
        return _numbers(cells, name)
    return _factorized(values, _text)


def _of_values(values: NDArray[Any], name: str) -> Cells:
    """The cells of a column of a matrix."""
    if values.dtype.kind == "b":
        return values.astype(np.int64), list(_BOOLEANS)
    if values.dtype.kind in "fiu":
        # scikit-learn has looked for infinite numbers in the whole matrix.
        return _narrow(values)
    if values.dtype.kind in "US":
        return _factorized(values.tolist(), _text)
    if values.dtype.kind in "mM":
        return _factorized(values.astype(str).tolist(), lambda text: text)
    if values.dtype.kind in "OT":
        return _of_objects(values.tolist(), name)
    raise TypeError(
        f"X has the type {values.dtype}; expected numbers, texts, booleans or objects of these"
    )


def _numbers(values: NDArray[Any], name: str) -> NDArray[Any]:
    """Finite numbers that the extension reads."""
    values = _narrow(values)
    if values.dtype.kind == "f" and np.isinf(values).any():
        row = int(np.isinf(values).argmax())
        raise DataError(
            f"Input X contains infinity or a value too large for dtype('float32'): row {row + 1}, "
            f"column `{name}`"
        )
    return values


def _narrow(values: NDArray[Any]) -> NDArray[Any]:
    """Numbers of a kind and byte order that the extension reads."""
    if values.dtype == np.float16:
        return values.astype(np.float32)
    if values.dtype.kind == "f" and values.dtype.itemsize > 8:
        return values.astype(np.float64)
    return values if values.dtype.isnative else values.astype(values.dtype.newbyteorder("="))


def _text(value: Any) -> str:
    """The text of a cell, as a CSV file has it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, (bool, np.bool_, int, np.integer)):
        return str(value)
    if isinstance(value, (float, np.floating)):
        return str(int(value)) if float(value).is_integer() else repr(float(value))
    if isinstance(value, (dict, list, set, tuple, np.ndarray)):
        raise TypeError(f"argument must be a string or a number, not {type(value).__name__!r}")
    return str(value)


def _is_missing(value: Any) -> bool:
    if value is None:
        return True
    if isinstance(value, (float, np.floating)):
        return bool(np.isnan(value))
    return type(value).__name__ in ("NAType", "NaTType")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True

"""Small tables of results: a pandas frame where pandas is, else a polars frame, else a dict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np


def frame(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> Any:
    """The rows as a frame with these columns, in this order.

    It is a ``pandas.DataFrame`` if pandas is installed, else a ``polars.DataFrame``. Where neither
    is, it is a dict with an array for each column.
    """
    data = {name: [row.get(name) for row in rows] for name in columns}
    try:
        import pandas as pd

        return pd.DataFrame(data, columns=list(columns))
    except ImportError:
        pass
    try:
        import polars as pl

        return pl.DataFrame(data)
    except ImportError:
        return {name: np.array(values) for name, values in data.items()}

"""The estimator in a notebook: scikit-learn's box, the network, and the front."""

from __future__ import annotations

import html
from typing import Any

import numpy as np

from mge._errors import MGEError

_STYLE = """
.mge-fit { display: flex; flex-wrap: wrap; gap: 16px; align-items: flex-start; margin-top: 8px; }
.mge-fit svg { max-width: 480px; height: auto; }
.mge-fit table { border-collapse: collapse; font-size: 12px; }
.mge-fit th, .mge-fit td { padding: 2px 8px; text-align: right; }
.mge-fit .mge-picked { font-weight: bold; }
"""


def with_network(box: str, model: Any) -> str:
    """The box, with what is known of a fitted estimator below it."""
    try:
        drawing = model.network_.svg()
    except MGEError as error:
        # A network may be too large for a picture.
        drawing = f"<p>{html.escape(str(error))}</p>"
    size = model.network_.size
    caption = (
        f"{size['neurons']} hidden neurons, {size['connections']} connections, "
        f"{size['features']} features, {size['operations']} operations, {size['bytes']} bytes"
    )
    parts = [f"<figure>{drawing}<figcaption>{html.escape(caption)}</figcaption></figure>"]
    table = model.front_
    if table is not None:
        parts.append(_front(table))
    return f"{box}<style>{_STYLE}</style><div class='mge-fit'>{''.join(parts)}</div>"


def _front(table: Any) -> str:
    heads = ["operations", "bytes", "features", "neurons", "validation_accuracy"]
    columns = [np.asarray(table[name]) for name in heads]
    picked = np.asarray(table["picked"])
    rows = []
    for index, values in enumerate(zip(*columns, strict=True)):
        cells = [
            f"{value:.4f}" if isinstance(value, (float, np.floating)) else str(value)
            for value in values
        ]
        style = " class='mge-picked'" if picked[index] else ""
        rows.append(f"<tr{style}>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    head = "".join(f"<th>{name.replace('_', ' ')}</th>" for name in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"

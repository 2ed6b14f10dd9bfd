"""Body rows -> labels, cells and `col: val | col: val` text, in bulk."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from core.tables.columns import as_series, list_array, list_sizes
from core.tables.headers import HeaderFold
from core.tables.pipes import PipeLines


def serialize_rows(
    pipes: PipeLines, folds: Sequence[HeaderFold], table: np.ndarray, body: np.ndarray
) -> tuple[list[list[str]], list[list[str]], pd.Series]:
    """Labels, cells and serialized text of every body row.

    Rows as wide as their header, nearly all, are joined in bulk; ragged ones one by one.
    """
    labels = [list(fold.folded) for fold in folds]
    headers = [labels[at] for at in table.tolist()]
    cells = pipes.rows(body)
    widths = np.array([len(row) for row in labels], dtype=np.int64)
    ragged = np.flatnonzero(pipes.width[body] != widths[table])
    regular = np.setdiff1d(np.arange(len(body)), ragged, assume_unique=True)

    bulk = _join_in_bulk(pipes.cells, labels, table[regular], body[regular])
    if not ragged.size:
        return headers, cells, as_series(bulk)
    by_hand = []
    for at in ragged.tolist():
        width = max(len(headers[at]), len(cells[at]))
        headers[at], cells[at] = padded(headers[at], width), padded(cells[at], width)
        by_hand.append(
            " | ".join(
                f"{label}: {cell}" if label else cell
                for label, cell in zip(headers[at], cells[at], strict=True)
            )
        )
    place = np.empty(len(body), dtype=np.int64)
    place[regular] = np.arange(len(regular))
    place[ragged] = len(regular) + np.arange(len(ragged))
    both = pa.concat_arrays([bulk, pa.array(by_hand, type=pa.large_string())])
    return headers, cells, as_series(both.take(pa.array(place)))


def _join_in_bulk(
    cells: pa.LargeListArray, labels: list[list[str]], table: np.ndarray, body: np.ndarray
) -> pa.Array:
    prefix = pa.array(
        [[f"{label}: " if label else "" for label in row] for row in labels],
        type=pa.large_list(pa.large_string()),
    ).take(pa.array(table))
    values = cells.take(pa.array(body))
    joined = pc.binary_join_element_wise(
        pc.list_flatten(prefix), pc.list_flatten(values), pa.scalar("", pa.large_string())
    )
    rows = list_array(list_sizes(values), joined)
    return pc.binary_join(rows, pa.scalar(" | ", pa.large_string()))


def padded(row: list[str], width: int) -> list[str]:
    """The row with blank cells on the right up to a width."""
    return [*row, *[""] * (width - len(row))]

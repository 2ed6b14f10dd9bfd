"""line_df -> tables and row_df: the whole reading, each step's result kept for the inspector."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from core.errors import OptionError
from core.frames import BOX_COLUMNS, ROW_COLUMNS, ROW_EXTRA_COLUMNS, check_line_df
from core.tables.captions import find_captions
from core.tables.cells import split_row
from core.tables.columns import as_series, collector_paused, list_array, list_sizes
from core.tables.header_block import apply_header
from core.tables.headers import HeaderFold
from core.tables.layout import Layout, runs_to_layouts
from core.tables.model import Table
from core.tables.pipes import PipeLines, find_pipe_lines
from core.tables.runs import find_runs

MAX_HEADER_ROWS = 5
"""Most header lines that can be set by hand."""

HeaderRows = Mapping[str, int]
"""Number of header lines per table_id, as set by hand."""


def read_tables(
    line_df: pd.DataFrame, *, strict: bool = False, header_rows: HeaderRows | None = None
) -> list[Table]:
    """Tables of a line_df in reading order, with every step the inspector shows.

    Args:
        line_df: one row per line of text; see `core.frames`.
        strict: read by exactly the four rules and the literal header guard.
        header_rows: header lines per table (0 to 5) where the user set them, e.g. {"t2": 3}.

    Raises:
        LineFrameError: line_df breaks its contract.
        OptionError: header_rows names a number outside 0 to 5 or a table that is not there.
    """
    reading = _read(line_df, strict=strict, header_rows=header_rows)
    return [reading.table(at) for at in range(len(reading.layouts))]


def serialize_table_rows(
    line_df: pd.DataFrame, *, strict: bool = False, header_rows: HeaderRows | None = None
) -> pd.DataFrame:
    """row_df of a line_df: one chunk `col: val | col: val` per body row of every table.

    Arguments and errors are those of `read_tables`. Columns are those of the contract:
    table_id, page_num, line_num, column_headers, row_cells, row_serialized, then row_index,
    n_body_rows, x0..y1 (points), row_group and caption.
    """
    with collector_paused():
        return _read(line_df, strict=strict, header_rows=header_rows).row_df()


@dataclass(frozen=True)
class _Reading:
    """All tables of a document, still in columns."""

    line_df: pd.DataFrame
    pipes: PipeLines
    layouts: list[Layout]
    folds: list[HeaderFold]
    captions: list[str]

    def table(self, at: int) -> Table:
        layout, fold = self.layouts[at], self.folds[at]
        rows = [_padded(row, len(fold.folded)) for row in self.pipes.rows(layout.body)]
        return Table(
            table_id=f"t{at + 1}",
            caption=self.captions[at],
            header=fold,
            rows=rows,
            line_df=self._table_lines(layout),
            notes=tuple(layout.notes),
        )

    def _table_lines(self, layout: Layout) -> pd.DataFrame:
        roles = {"header": layout.above, "separator": layout.separator, "dropped": layout.dropped}
        at = np.concatenate(
            [*(np.array(lines, dtype=int) for lines in roles.values()), layout.body]
        )
        role = [name for name, lines in roles.items() for _ in lines] + ["row"] * len(layout.body)
        row_index = np.concatenate(
            [np.full(len(at) - len(layout.body), -1), np.arange(len(layout.body))]
        )
        lines = self.line_df.iloc[self.pipes.line[at]][
            ["page_num", "line_num", "text", *BOX_COLUMNS]
        ]
        return (
            lines.assign(role=role, row_index=row_index)
            .sort_values(["page_num", "line_num"])
            .reset_index(drop=True)
        )

    def row_df(self) -> pd.DataFrame:
        table, body = _body_lines(self.layouts)
        sizes = np.bincount(table, minlength=len(self.layouts))
        lines = self.pipes.line[body]
        headers, cells, serialized = _serialize(self.pipes, self.folds, table, body)
        table_ids = [f"t{at + 1}" for at in range(len(sizes))]
        starts = np.cumsum(sizes) - sizes
        columns = {
            "table_id": _spread(table_ids, table),
            "page_num": self.line_df["page_num"].to_numpy()[lines],
            "line_num": self.line_df["line_num"].to_numpy()[lines],
            "column_headers": headers,
            "row_cells": cells,
            "row_serialized": serialized,
            "row_index": np.arange(len(body)) - starts[table],
            "n_body_rows": sizes[table],
            **{column: self.line_df[column].to_numpy()[lines] for column in BOX_COLUMNS},
            "row_group": _spread([""], np.zeros_like(table)),
            "caption": _spread(self.captions, table),
        }
        return pd.DataFrame(columns, columns=[*ROW_COLUMNS, *ROW_EXTRA_COLUMNS])


def _read(line_df: pd.DataFrame, *, strict: bool, header_rows: HeaderRows | None) -> _Reading:
    by_hand = _checked_header_rows(header_rows)
    lines = check_line_df(line_df)
    pipes = find_pipe_lines(lines, strict=strict)
    layouts = runs_to_layouts(pipes, find_runs(pipes, lines, strict=strict), strict=strict)
    unknown = sorted(by_hand.keys() - {f"t{at + 1}" for at in range(len(layouts))})
    if unknown:
        raise OptionError(
            f"header_rows names table {unknown[0]!r}, but the document has {len(layouts)} "
            f"tables: t1 to t{len(layouts)}."
            if layouts
            else f"header_rows names table {unknown[0]!r}, but the document has no tables."
        )
    folded = [
        apply_header(layout, pipes, strict=strict, header_rows=by_hand.get(f"t{at + 1}"))
        for at, layout in enumerate(layouts)
    ]
    folds, layouts = [fold for fold, _ in folded], [layout for _, layout in folded]
    if not strict:
        pipes = _repair_wide_rows(pipes, layouts, folds)
        layouts = _note_ragged_rows(layouts, folds, pipes)
    first_lines = [int(pipes.line[_first_line(layout)]) for layout in layouts]
    last_lines = [int(pipes.line[_last_line(layout)]) for layout in layouts]
    return _Reading(lines, pipes, layouts, folds, find_captions(lines, first_lines, last_lines))


def _checked_header_rows(header_rows: HeaderRows | None) -> dict[str, int]:
    by_hand = dict(header_rows or {})
    for table_id, count in by_hand.items():
        if not isinstance(count, int) or not 0 <= count <= MAX_HEADER_ROWS:
            raise OptionError(
                f"header_rows[{table_id!r}] is {count!r}; give 0 to {MAX_HEADER_ROWS} header lines."
            )
    return by_hand


def _repair_wide_rows(
    pipes: PipeLines, layouts: list[Layout], folds: list[HeaderFold]
) -> PipeLines:
    """Re-read rows wider than their header where bars inside a formula explain the width."""
    labels = np.array([len(fold.folded) for fold in folds], dtype=np.int64)
    table, body = _body_lines(layouts)
    expected = labels[table]
    wide = (pipes.width[body] > expected) & (expected > 0)
    repaired: dict[int, list[str]] = {}
    for line, width in zip(body[wide].tolist(), expected[wide].tolist(), strict=True):
        cells = split_row(pipes.text[line].as_py(), formulas=True)
        if len(cells) == width:
            repaired[line] = cells
    if not repaired:
        return pipes
    again = pa.array(list(repaired.values()), type=pipes.cells.type)
    order = np.arange(len(pipes))
    order[list(repaired)] = len(pipes) + np.arange(len(repaired))
    return replace(pipes, cells=pa.concat_arrays([pipes.cells, again]).take(pa.array(order)))


def _note_ragged_rows(
    layouts: list[Layout], folds: list[HeaderFold], pipes: PipeLines
) -> list[Layout]:
    table, body = _body_lines(layouts)
    widths = np.array([len(fold.folded) for fold in folds], dtype=np.int64)
    ragged = np.bincount(table[pipes.width[body] != widths[table]], minlength=len(layouts))
    noted = list(layouts)
    for at in np.flatnonzero(ragged).tolist():
        note = (
            f"{ragged[at]} of {len(layouts[at].body)} rows do not have {widths[at]} cells; short "
            f"rows are padded on the right, extra cells are kept without a label."
        )
        noted[at] = replace(layouts[at], notes=[*layouts[at].notes, note])
    return noted


def _body_lines(layouts: list[Layout]) -> tuple[np.ndarray, np.ndarray]:
    """Of every body row its table's number and its pipe line, each (n_rows,) int."""
    sizes = np.array([len(layout.body) for layout in layouts], dtype=np.int64)
    body = [np.empty(0, dtype=np.int64), *(layout.body for layout in layouts)]
    return np.repeat(np.arange(len(sizes)), sizes), np.concatenate(body).astype(np.int64)


def _serialize(
    pipes: PipeLines, folds: list[HeaderFold], table: np.ndarray, body: np.ndarray
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
        headers[at], cells[at] = _padded(headers[at], width), _padded(cells[at], width)
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


def _spread(texts: list[str], table: np.ndarray) -> pd.Series:
    """The text of each row's table, as a column."""
    return as_series(pa.array(texts, type=pa.large_string()).take(pa.array(table)))


def _padded(row: list[str], width: int) -> list[str]:
    return [*row, *[""] * (width - len(row))]


def _first_line(layout: Layout) -> int:
    return min([*layout.above[:1], *layout.separator[:1], *layout.body[:1].tolist()])


def _last_line(layout: Layout) -> int:
    return max([*layout.above[-1:], *layout.separator[-1:], *layout.body[-1:].tolist()])

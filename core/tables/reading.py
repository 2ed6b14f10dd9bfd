"""line_df -> tables and row_df: the whole reading, each step's result kept for the inspector."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pyarrow as pa

from core.frames import BOX_COLUMNS, ROW_COLUMNS, ROW_EXTRA_COLUMNS, check_line_df
from core.tables.body import read_bodies
from core.tables.captions import find_captions
from core.tables.cells import split_row
from core.tables.columns import as_series, collector_paused
from core.tables.header_block import (
    HeaderRows,
    apply_header,
    cells_of_unused_headers,
    check_header_rows,
)
from core.tables.headers import HeaderFold
from core.tables.layout import Layout, runs_to_layouts
from core.tables.model import Table
from core.tables.pipes import PipeLines, find_pipe_lines
from core.tables.runs import find_runs
from core.tables.serialize import padded, serialize_rows


def read_tables(
    line_df: pd.DataFrame, *, strict: bool = False, header_rows: HeaderRows | None = None
) -> list[Table]:
    """Tables of a line_df in reading order, with every step the inspector shows.

    Args:
        line_df: one row per line of text; see `core.frames`.
        strict: read by exactly the four rules and the literal header guard.
        header_rows: header lines per table where the user set them: 0 to 5, or "key-value" for
            a list of keys and values without a header, e.g. {"t2": 3, "t5": "key-value"}.

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
        rows = [padded(row, len(fold.folded)) for row in self.pipes.rows(layout.body)]
        return Table(
            table_id=f"t{at + 1}",
            caption=self.captions[at],
            header=fold,
            rows=rows,
            line_df=self._table_lines(layout),
            notes=tuple(layout.notes),
            groups=layout.groups or [""] * len(rows),
            footnotes=_footnotes(self.pipes, layout),
        )

    def _table_lines(self, layout: Layout) -> pd.DataFrame:
        roles = {
            "header": layout.above,
            "separator": layout.separator,
            "dropped": layout.dropped,
            "section": layout.sections,
            "note": layout.footnotes,
        }
        lines = [*roles.values(), layout.body, list(layout.continued)]
        at = np.concatenate([np.array(positions, dtype=int) for positions in lines])
        n_rows, n_continued = len(layout.body), len(layout.continued)
        role = [name for name, positions in roles.items() for _ in positions]
        role += ["row"] * (n_rows + n_continued)
        upper = np.searchsorted(layout.body, list(layout.continued.values()))
        others = np.full(len(at) - n_rows - n_continued, -1)
        row_index = np.concatenate([others, np.arange(n_rows), upper])
        position, owner = self.pipes.lines_of(at)
        columns = ["page_num", "line_num", "text", *BOX_COLUMNS]
        return (
            self.line_df.iloc[position][columns]
            .assign(role=np.array(role)[owner], row_index=row_index[owner])
            .sort_values(["page_num", "line_num"])
            .reset_index(drop=True)
        )

    def row_df(self) -> pd.DataFrame:
        table, body = _body_lines(self.layouts)
        sizes = np.bincount(table, minlength=len(self.layouts))
        lines = self.pipes.line[body]
        headers, cells, serialized = serialize_rows(self.pipes, self.folds, table, body)
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
            **self.pipes.boxes(self.line_df, body),
            "row_group": self._groups(table),
            "caption": _spread(self.captions, table),
        }
        return pd.DataFrame(columns, columns=[*ROW_COLUMNS, *ROW_EXTRA_COLUMNS])

    def _groups(self, table: np.ndarray) -> pd.Series:
        """Section path of every body row."""
        if not any(layout.groups for layout in self.layouts):
            return _spread([""], np.zeros_like(table))
        groups = [layout.groups or [""] * len(layout.body) for layout in self.layouts]
        return pd.Series([group for rows in groups for group in rows], dtype="str")


def _read(line_df: pd.DataFrame, *, strict: bool, header_rows: HeaderRows | None) -> _Reading:
    lines = check_line_df(line_df)
    pipes, runs = find_runs(find_pipe_lines(lines, strict=strict), lines, strict=strict)
    layouts = runs_to_layouts(pipes, runs, strict=strict)
    by_hand = check_header_rows(header_rows, len(layouts))
    folded = [
        apply_header(layout, pipes, strict=strict, header_rows=by_hand.get(f"t{at + 1}"))
        for at, layout in enumerate(layouts)
    ]
    folds, layouts = [fold for fold, _ in folded], [layout for _, layout in folded]
    first_lines = [int(pipes.first[_first_line(layout)]) for layout in layouts]
    last_lines = [int(pipes.last[_last_line(layout)]) for layout in layouts]
    own_captions = [pipes.captions.get(_first_line(layout)) for layout in layouts]
    pipes = pipes.with_cells(cells_of_unused_headers(folds, layouts, pipes))
    if not strict:
        pipes = _repair_wide_rows(pipes, layouts, folds)
        pipes, layouts = read_bodies(pipes, layouts, folds)
        layouts = _note_ragged_rows(layouts, folds, pipes)
    nearby = find_captions(lines, first_lines, last_lines)
    captions = [
        " ".join(filter(None, (_caption(own or near, fold.title), *_footnotes(pipes, layout))))
        for own, near, fold, layout in zip(own_captions, nearby, folds, layouts, strict=True)
    ]
    return _Reading(lines, pipes, layouts, folds, captions)


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
    return pipes.with_cells(repaired)


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


def _spread(texts: list[str], table: np.ndarray) -> pd.Series:
    """The text of each row's table, as a column."""
    return as_series(pa.array(texts, type=pa.large_string()).take(pa.array(table)))


def _caption(caption: str, title: str) -> str:
    """A table's caption and the title printed over its columns, said once."""
    return caption if title in caption else " ".join(filter(None, (caption, title)))


def _footnotes(pipes: PipeLines, layout: Layout) -> tuple[str, ...]:
    """The notes at a table's end, each said once even where it is repeated in every cell."""
    if not layout.footnotes:
        return ()
    rows = pipes.rows(np.array(layout.footnotes))
    return tuple(next(filter(None, row), "") for row in rows)


def _first_line(layout: Layout) -> int:
    return min([*layout.above[:1], *layout.separator[:1], *layout.body[:1].tolist()])


def _last_line(layout: Layout) -> int:
    return max([*layout.above[-1:], *layout.separator[-1:], *layout.body[-1:].tolist()])

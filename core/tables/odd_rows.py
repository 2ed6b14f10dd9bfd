"""Rows that no single pipe line holds: HTML tables, rows cut into text lines, one-cell rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.tables.cells import escape_cell
from core.tables.columns import TextLines, bytes_held, matches
from core.tables.html import HtmlTable, find_html_tables
from core.tables.passages import untabled_lines
from core.tables.split_rows import find_split_rows, one_cell_rows

_HTML_TABLE = r"(?i)<table(?:[\s/>]|$)"
_SPLIT = "A row cut into several text lines is read as one."
_MARKS = (b"<", b"`", b"~")


@dataclass(frozen=True)
class OddRow:
    """A row as `PipeLines` holds it; lines are positions in line_df."""

    line: int
    first: int
    last: int
    text: str
    cells: list[str]
    block: int = 0
    is_separator: bool = False
    is_assumed: bool = False
    caption: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class OddRows:
    """What the safe reading finds beside rule 1."""

    is_pipe: np.ndarray
    """(n_lines,) bool: lines that are one pipe row each."""
    rows: list[OddRow] = field(default_factory=list)
    """All other rows in reading order."""


def find_odd_rows(
    text: pa.Array, page_num: np.ndarray, opens: pa.Array, closes: pa.Array, is_pipe: np.ndarray
) -> OddRows:
    """Look over the lines of a document for tables in another form than rule 1 knows.

    `text` is stripped; `opens`, `closes` and `is_pipe` (n_lines,) bool say which lines begin
    with a bar, end with one, and are pipe rows by rule 1.
    """
    opens = opens.to_numpy(zero_copy_only=False)
    closes = closes.to_numpy(zero_copy_only=False)
    tables: list[HtmlTable] = []
    marks = bytes_held(text, _MARKS)
    if marks:
        hidden = untabled_lines(text, page_num)
        if hidden is not None:
            is_pipe, opens, closes = is_pipe & ~hidden, opens & ~hidden, closes & ~hidden
        if b"<" in marks:
            tables = _html_tables(text, is_pipe if hidden is None else is_pipe | hidden)
        if tables:
            inside = np.zeros(len(text), dtype=bool)
            for table in tables:
                inside[table.first : table.last + 1] = True
            is_pipe, opens, closes = is_pipe & ~inside, opens & ~inside, closes & ~inside
    if (opens != is_pipe).any():
        bare = np.flatnonzero(opens & closes & ~is_pipe)
        bare = bare[pc.utf8_length(text.take(pa.array(bare))).to_numpy() > 2]
        is_pipe = is_pipe.copy()
        is_pipe[one_cell_rows(text, bare, is_pipe)] = True
    rows = [
        OddRow(row.first, row.first, row.last, row.text, row.cells, notes=(_SPLIT,))
        for row in find_split_rows(text, page_num, opens, closes, is_pipe)
    ]
    for number, table in enumerate(tables, start=1):
        rows += _html_rows(table, number)
    return OddRows(is_pipe, sorted(rows, key=lambda row: row.line))


def _html_tables(text: pa.Array, taken: np.ndarray) -> list[HtmlTable]:
    """HTML tables that open on a line which is not taken."""
    starts = np.flatnonzero(matches(text, _HTML_TABLE) & ~taken)
    return find_html_tables(TextLines(text), starts.tolist()) if starts.size else []


def _html_rows(table: HtmlTable, number: int) -> Iterator[OddRow]:
    """The rows of an HTML table with a separator below its header, as Markdown has it.

    Where no markup names a header, the first of several rows is taken for it, as in a pipe table
    whose separator got lost.
    """
    depth, assumed = table.header_rows, False
    if not depth and len(table.rows) > 1:
        depth, assumed = 1, True
    for at, row in enumerate(table.rows):
        first = table.first if at == 0 else row.line
        text = f"|{'|'.join(map(escape_cell, row.cells))}|"
        caption, notes = (table.caption, table.notes) if at == 0 else ("", ())
        yield OddRow(
            row.line, first, row.last, text, row.cells, number, caption=caption, notes=notes
        )
        if at + 1 == depth:
            dashes = "|" + "---|" * len(row.cells)
            yield OddRow(
                row.line, row.last, row.last, dashes, ["---"] * len(row.cells), number,
                is_separator=True, is_assumed=assumed,
            )  # fmt: skip

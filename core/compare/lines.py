"""Tables -> the lines that a reading makes of them, labels and sections among the rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat

from core.compare.model import HEADER, NOTE, ROW, SECTION, Line
from core.tables import Table
from core.tables.cells import split_row

_KINDS = {"section": SECTION, "note": NOTE}


@dataclass(frozen=True)
class TableLines:
    """One table, or several that stand for one, as lines in reading order."""

    lines: tuple[Line, ...]
    headers: tuple[str, ...]
    """One folded label per column, of the widest of the tables."""

    @property
    def width(self) -> int:
        """Columns: those of the labels, or of a wider row."""
        return max([len(self.headers), *(len(line.cells) for line in self.lines)], default=0)


def tables_to_lines(tables: Sequence[Table]) -> TableLines:
    """The lines of tables one below the other: header lines as printed, sections, rows, notes.

    Lines that a reading drops, as repeated headers, are left out, blank ones too.
    """
    lines = [line for table in tables for line in _lines(table) if any(line.cells)]
    headers = max((tuple(table.headers) for table in tables), key=len, default=())
    return TableLines(tuple(lines), headers)


def _lines(table: Table) -> Iterator[Line]:
    frame = table.line_df
    columns = [frame[name].tolist() for name in ("role", "row_index", "page_num", "line_num")]
    texts = frame["text"].tolist()
    placed_headers = columns[0].count("header") == len(table.header.raw)
    raw = iter(table.header.raw)
    if not placed_headers:  # a header line that two tables share, or a cut one
        yield from (Line(HEADER, cells, table.table_id) for cells in table.header.raw)
    seen = -1
    for role, row_index, page_num, line_num, text in zip(*columns, texts, strict=True):
        place = {"table_id": table.table_id, "page_num": page_num, "line_num": line_num}
        if role == "header" and placed_headers:
            yield Line(HEADER, next(raw), **place)
        elif role == "row" and row_index > seen:
            seen = row_index
            yield Line(ROW, tuple(table.rows[row_index]), row_index=row_index, **place)
        elif role in _KINDS:
            yield Line(_KINDS[role], tuple(split_row(text.strip())), **place)
    # What has no line of its own, as rows of a table built by hand.
    rest = range(seen + 1, len(table.rows))
    for row_index, table_id in zip(rest, repeat(table.table_id), strict=False):
        yield Line(ROW, tuple(table.rows[row_index]), table_id, row_index)

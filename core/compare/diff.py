"""Two readings of a document -> everything in which they differ, cell by cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.compare.alignment import align_lines
from core.compare.columns import align_columns
from core.compare.lines import TableLines, tables_to_lines
from core.compare.model import (
    ALIKE,
    CHANGED,
    HEADER,
    ONLY_A,
    ONLY_B,
    PAIRED,
    ROW,
    SAME,
    SPACING,
    AlignedRow,
    Cell,
    ColumnPair,
    Comparison,
    Entry,
    Line,
    TableDiff,
    TablePair,
)
from core.compare.pairing import pair_tables
from core.compare.texts import without_blanks
from core.tables import Table


def compare_tables(a: Sequence[Table], b: Sequence[Table]) -> Comparison:
    """Pair the tables of two readings, align their lines and columns, and compare every cell.

    Args:
        a: tables of one reading of a document, in reading order.
        b: those of another reading of the same document.
    """
    pairing = pair_tables(a, b)
    by_id_a, by_id_b = ({table.table_id: table for table in side} for side in (a, b))
    diffs = [
        diff_tables(pair, [by_id_a[name] for name in pair.a], [by_id_b[name] for name in pair.b])
        for pair in pairing.pairs
    ]
    return Comparison(tuple(diffs), pairing.only_a, pairing.only_b)


def diff_tables(pair: TablePair, a: Sequence[Table], b: Sequence[Table]) -> TableDiff:
    """Everything in which the tables of a pair differ."""
    lines_a, lines_b = tables_to_lines(a), tables_to_lines(b)
    entries = align_lines(lines_a.lines, lines_b.lines)
    columns = align_columns(lines_a, lines_b, entries)
    rows = tuple(_aligned_row(entry, lines_a, lines_b, columns) for entry in entries)
    labels = tuple(_label(column, lines_a.headers, lines_b.headers) for column in columns)
    return TableDiff(pair, tuple(columns), labels, rows, counted(rows))


def cell_of(a: str, b: str) -> Cell:
    """Two texts as one cell with its state."""
    if a == b:
        return Cell(a, b, SAME)
    bare_a, bare_b = without_blanks(a), without_blanks(b)
    if bare_a == bare_b:
        return Cell(a, b, SPACING)
    if not bare_a or not bare_b:
        return Cell(a, b, ONLY_A if bare_a else ONLY_B)
    return Cell(a, b, CHANGED)


def counted(rows: Sequence[AlignedRow]) -> Counter[str]:
    """How often each occurs: cells by state ("cell.changed", those of lines that both sides
    have), lines by kind and relation ("row.split", "header.only_a"), lines of another kind
    ("header>row"), and rows that differ in cells alone ("row.changed")."""
    counts: Counter[str] = Counter()
    for row in rows:
        kind_a, kind_b = row.kinds
        if kind_a and kind_b:
            counts.update(f"cell.{cell.state}" for cell in row.cells)
        if row.is_other_kind:
            counts[f"{kind_a}>{kind_b}"] += 1
        kind = kind_a or kind_b
        if row.relation != PAIRED:
            counts[f"{kind}.{row.relation}"] += 1
        elif row.changed_cells and kind == ROW and not row.is_other_kind:
            counts["row.changed"] += 1
        counts["lines.a"] += len(row.a)
        counts["lines.b"] += len(row.b)
        counts["rows.a"] += sum(line.kind == ROW for line in row.a)
        counts["rows.b"] += sum(line.kind == ROW for line in row.b)
        counts["headers.a"] += sum(line.kind == HEADER for line in row.a)
        counts["headers.b"] += sum(line.kind == HEADER for line in row.b)
    return counts


def _aligned_row(
    entry: Entry, a: TableLines, b: TableLines, columns: Sequence[ColumnPair]
) -> AlignedRow:
    lines_a = tuple(a.lines[at] for at in entry.a)
    lines_b = tuple(b.lines[at] for at in entry.b)
    cells = tuple(_cell(lines_a, lines_b, column) for column in columns)
    return AlignedRow(entry.relation, lines_a, lines_b, cells)


def _cell(a: Sequence[Line], b: Sequence[Line], column: ColumnPair) -> Cell:
    cell = cell_of(_text(a, column.a), _text(b, column.b))
    if cell.state in ALIKE or (len(a) < 2 and len(b) < 2):
        return cell
    # What stands in every line of a cell that spans them stands once on the other side.
    once = cell_of(_text(a, column.a, once=True), _text(b, column.b, once=True))
    return once if once.state in ALIKE else cell


def _text(lines: Sequence[Line], columns: Sequence[int], *, once: bool = False) -> str:
    """What stands in columns side by side, of lines one below the other."""
    if len(lines) == 1 and len(columns) == 1:
        cells, column = lines[0].cells, columns[0]
        return cells[column] if column < len(cells) else ""
    texts = [line.cells[at] for at in columns for line in lines if at < len(line.cells)]
    return " ".join(filter(None, dict.fromkeys(texts) if once else texts))


def _label(column: ColumnPair, a: Sequence[str], b: Sequence[str]) -> Cell:
    return cell_of(_names(column.a, a), _names(column.b, b))


def _names(columns: Sequence[int], headers: Sequence[str]) -> str:
    return " + ".join(filter(None, (headers[at] for at in columns if at < len(headers))))

"""The diff of a table -> findings: what one side does, how often, and what it makes of it.

Nobody knows which side is right. Of a row that is one here and several there, the side with the
odd lines is named: lines that fill a few columns are pieces of a row, and lines that fill them all
are rows of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.compare.model import (
    ALIKE,
    HEADER,
    MERGED,
    NOTE,
    ONLY_A,
    ONLY_B,
    ROW,
    SECTION,
    SPLIT,
    AlignedRow,
    Line,
    TableDiff,
)

_FULL = 0.6
"""Share of a row's filled columns that a line must fill to be a row of its own."""


@dataclass(frozen=True)
class Finding:
    """One kind of difference in one table, or in several together."""

    kind: str
    side: str = ""
    """Which side does it, "a" or "b"; "" where it is between them."""
    number: int = 1
    into: int = 0
    """What it makes of them, or of how many."""
    places: tuple[str, ...] = ()
    """Names of the tables."""


def table_findings(diff: TableDiff, place: str) -> list[Finding]:
    """What differs in one table, what changes its rows most first."""
    return [
        finding
        for make in (_cut, _headers, _kinds, _rows, _columns, _cells)
        for finding in make(diff, (place,))
    ]


def _cut(diff: TableDiff, places: tuple[str, ...]) -> Iterable[Finding]:
    for side, parts in (("a", diff.pair.a), ("b", diff.pair.b)):
        if len(parts) > 1:
            yield Finding("cut", side, 1, len(parts), places)


def _headers(diff: TableDiff, places: tuple[str, ...]) -> Iterable[Finding]:
    lines_a, lines_b = diff.counts["headers.a"], diff.counts["headers.b"]
    fewer = "a" if lines_a < lines_b else "b"
    taken = any(row.is_other_kind and HEADER in row.kinds for row in diff.rows)
    if len(diff.pair.a) != len(diff.pair.b) or lines_a == lines_b or taken:
        return  # each piece of a table has a header of its own; lines taken for rows are said
    if min(lines_a, lines_b) == 0:
        yield Finding("no header", fewer, 1, 0, places)
    else:
        more = "b" if fewer == "a" else "a"
        yield Finding("header lines", more, 1, max(lines_a, lines_b), places)


def _kinds(diff: TableDiff, places: tuple[str, ...]) -> Iterable[Finding]:
    """Lines of another kind; who reads the label as a row is named."""
    for kinds in sorted({row.kinds for row in diff.rows if row.is_other_kind}):
        number = diff.counts[f"{kinds[0]}>{kinds[1]}"]
        side = "a" if kinds[0] == ROW else "b"
        one, other = (kinds[1], kinds[0]) if side == "a" else kinds
        yield Finding(f"takes:{one}>{other}", side, number, 0, places)


def _rows(diff: TableDiff, places: tuple[str, ...]) -> Iterable[Finding]:
    several = [row for row in diff.rows if row.relation in (SPLIT, MERGED) and ROW in row.kinds]
    for side in ("a", "b"):
        for kind in ("merges rows", "splits rows"):
            rows = [row for row in several if _who(row) == (kind, side)]
            if rows:
                most = sum(max(len(row.a), len(row.b)) for row in rows)
                few = len(rows)
                number, into = (most, few) if kind == "merges rows" else (few, most)
                yield Finding(kind, side, number, into, places)
    for side, relation in (("a", ONLY_A), ("b", ONLY_B)):
        if number := diff.counts[f"{ROW}.{relation}"]:
            yield Finding("only rows", side, number, 0, places)
        for kind in (SECTION, NOTE):
            if number := diff.counts[f"{kind}.{relation}"]:
                yield Finding(f"only lines:{kind}", side, number, 0, places)


def _who(row: AlignedRow) -> tuple[str, str]:
    """What was done to a row that is one on one side and several on the other, and by whom."""
    one, lines = (row.a, row.b) if len(row.a) == 1 else (row.b, row.a)
    single, multiple = ("a", "b") if len(row.a) == 1 else ("b", "a")
    whole = all(_filled(line) >= _FULL * _filled(one[0]) for line in lines)
    return ("merges rows", single) if whole else ("splits rows", multiple)


def _filled(line: Line) -> int:
    return sum(1 for cell in line.cells if cell)


def _columns(diff: TableDiff, places: tuple[str, ...]) -> Iterable[Finding]:
    relations = [column.relation for column in diff.columns]
    for relation, kind, side in (
        (MERGED, "merges columns", "b"),
        (SPLIT, "splits columns", "b"),
        (ONLY_A, "only columns", "a"),
        (ONLY_B, "only columns", "b"),
    ):
        number = relations.count(relation)
        if not number:
            continue
        wide = sum(
            max(len(column.a), len(column.b))
            for column in diff.columns
            if column.relation == relation
        )
        into = number if kind == "merges columns" else wide
        yield Finding(kind, side, wide if kind == "merges columns" else number, into, places)
    if moved := sum(column.moved for column in diff.columns):
        yield Finding("moved", "", moved, 0, places)


def _cells(diff: TableDiff, places: tuple[str, ...]) -> Iterable[Finding]:
    """Cells of lines and columns that both sides have."""
    if diff.labels_changed:
        yield Finding("labels", "", diff.labels_changed, 0, places)
    rows = [row for row in diff.rows if row.a and row.b and ROW in row.kinds]
    cells = [
        cell
        for row in rows
        for cell, column in zip(row.cells, diff.columns, strict=True)
        if column.a and column.b and (cell.a or cell.b)
    ]
    if number := sum(cell.state not in ALIKE for cell in cells):
        yield Finding("cells", "", number, len(cells), places)

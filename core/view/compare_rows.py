"""The diff of a pair of tables -> the table that a page or a report shows, as plain data."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from core.compare import Comparison, TableDiff
from core.compare.model import (
    HEADER,
    MERGED,
    NOTE,
    ONLY_A,
    ONLY_B,
    PAIRED,
    ROW,
    SECTION,
    SPLIT,
    AlignedRow,
    Cell,
    ColumnPair,
    Line,
)
from core.compare.summary import Names

JsonDict = dict[str, Any]

MOST_LINES = 1_000
"""Lines shown at a time; an export has them all."""

_KINDS = {HEADER: "header", ROW: "row", SECTION: "section", NOTE: "note"}


def diff_table(
    diff: TableDiff,
    names: Names,
    *,
    only_changes: bool,
    matched: Mapping[str, Collection[str]] | None = None,
    most: int = MOST_LINES,
) -> JsonDict:
    """A diff as lines to draw.

    Args:
        diff: of a pair of tables.
        names: of the sides.
        only_changes: leave out lines that are the same but for blanks.
        matched: ids of the rows that the question brings back, by side "a" and "b".
        most: lines given at most.

    Returns:
        columns: per column pair its labels, their state, and what happened to it. lines: per
        aligned row its relation, numbers on both sides, a mark in words, and its cells as
        {"a", "b", "state"}. left_out: lines that are the same and not given; beyond: those over
        `most`.
    """
    shown = [row for row in diff.rows if row.differs or not only_changes]
    hits = matched or {}
    return {
        "names": {"a": names.a, "b": names.b},
        "columns": [
            _column(column, label, names)
            for column, label in zip(diff.columns, diff.labels, strict=True)
        ],
        "lines": [
            _line(row, names, hits, len(diff.pair.a), len(diff.pair.b)) for row in shown[:most]
        ],
        "left_out": len(diff.rows) - len(shown),
        "beyond": max(0, len(shown) - most),
    }


def row_mark(row: AlignedRow, names: Names) -> str:
    """What happened to a line, in few words; "" where only cells differ or nothing does."""
    kind_a, kind_b = row.kinds
    if row.is_other_kind:
        return f"{_KINDS[kind_a]} in A, {_KINDS[kind_b]} in B"
    what = _KINDS[kind_a or kind_b]
    marks = {
        ONLY_A: f"{what} only in A",
        ONLY_B: f"{what} only in B",
        SPLIT: f"1 in A, {len(row.b)} in B",
        MERGED: f"{len(row.a)} in A, 1 in B",
        PAIRED: "",
    }
    return marks[row.relation]


def pair_names(
    comparison: Comparison, places: Mapping[str, str], captions: Mapping[str, str]
) -> dict[str, str]:
    """The pairs of tables by what a list calls them."""
    return {
        diff.pair.pair_id: " · ".join(
            filter(
                None,
                [
                    _tables_of(diff, places),
                    captions.get(diff.pair.a[0], "")[:60],
                    _differences(diff),
                ],
            )
        )
        for diff in comparison.tables
    }


def _tables_of(diff: TableDiff, places: Mapping[str, str]) -> str:
    name = places[diff.pair.a[0]]
    return f"{name[:1].upper()}{name[1:]} (A {'+'.join(diff.pair.a)}, B {'+'.join(diff.pair.b)})"


def _differences(diff: TableDiff) -> str:
    if diff.is_same:
        return "same"
    lines = sum(row.differs for row in diff.rows)
    if not lines:
        return "labels or columns differ"
    return f"{lines} line{'s differ' if lines > 1 else ' differs'}"


def _column(column: ColumnPair, label: Cell, names: Names) -> JsonDict:
    notes = {
        ONLY_A: "only in A",
        ONLY_B: "only in B",
        SPLIT: f"1 column in A, {len(column.b)} in B",
        MERGED: f"{len(column.a)} columns in A, 1 in B",
        PAIRED: "",
    }
    del names
    note = notes[column.relation]
    if column.moved:
        note = f"{note}, moved".removeprefix(", ")
    return {**_cell(label), "note": note}


def _line(
    row: AlignedRow,
    names: Names,
    matched: Mapping[str, Collection[str]],
    tables_a: int,
    tables_b: int,
) -> JsonDict:
    return {
        "relation": row.relation,
        "kind": row.kinds[0] or row.kinds[1],
        "differs": row.differs,
        "mark": row_mark(row, names),
        "a": _numbers(row.a, several=tables_a > 1),
        "b": _numbers(row.b, several=tables_b > 1),
        "hit_a": any(line.row_id in matched.get("a", ()) for line in row.a if line.row_id),
        "hit_b": any(line.row_id in matched.get("b", ()) for line in row.b if line.row_id),
        "page": next((line.page_num for line in (*row.a, *row.b) if line.page_num), 0),
        "cells": [_cell(cell) for cell in row.cells],
    }


def _numbers(lines: Sequence[Line], *, several: bool) -> str:
    """The numbers of rows as both tables have them: "3", "3–4", "t2: 3"; words for other lines."""
    numbers = [line.row_index + 1 for line in lines if line.kind == ROW]
    if not numbers:
        return _KINDS[lines[0].kind] if lines else ""
    said = f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"
    return f"{lines[0].table_id}: {said}" if several else said


def _cell(cell: Cell) -> JsonDict:
    return {"a": cell.a, "b": cell.b, "state": cell.state}


def unpaired_sentence(comparison: Comparison, names: Names) -> str:
    """Which tables only one side has; "" where there are none."""
    said = [
        f"Only in {name}: {', '.join(tables)}."
        for name, tables in ((names.a, comparison.only_a), (names.b, comparison.only_b))
        if tables
    ]
    return " ".join(said)


def first_page(diff: TableDiff) -> int | None:
    """The page where a pair of tables begins on side A, else on side B."""
    pages = [line.page_num for row in diff.rows for line in (*row.a, *row.b) if line.page_num]
    return pages[0] if pages else None

"""Cells with row and column spans -> a grid of text, each span written out in every slot."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

MAX_COLSPAN = 1000
"""Widest span that counts, as in browsers."""

_FREE_REPEATS = 20_000
_REPEATS_PER_CHARACTER = 20
"""Characters and slots that spans may add: a number, and a share of what the source holds."""


@dataclass(frozen=True)
class Cell:
    """A cell as written; a rowspan of 0 reaches to the end of its row group."""

    text: str
    colspan: int = 1
    rowspan: int = 1
    is_header: bool = False


@dataclass(frozen=True)
class Grid:
    """Rows of one width."""

    rows: list[list[str]]
    repeated: bool
    """Whether a text stands in more slots than one."""
    refused: bool
    """Whether spans were left out because they would have made too much of the table."""


def spread_spans(
    rows: Sequence[Sequence[Cell]], groups: Sequence[Hashable], *, most_repeated: int
) -> Grid:
    """Write each cell into every slot it spans.

    A span ends with its row group (`groups`: one key per row) and adds no rows. Columns in which
    no cell begins are dropped: `colspan=100` over five columns means all of them. Spans that
    would repeat far more text than `most_repeated` characters of source hold are left out.
    """
    budget = _FREE_REPEATS + _REPEATS_PER_CHARACTER * most_repeated
    slots = _slots(rows, groups, budget)
    refused = slots is None
    if slots is None:
        slots = [[(cell.text, True) for cell in row] for row in rows]
    width = max(len(row) for row in slots)
    begins = [False] * width
    for row in slots:
        for column, (_, begin) in enumerate(row):
            begins[column] = begins[column] or begin
    kept = [column for column in range(width) if begins[column]]
    texts = [[row[column][0] if column < len(row) else "" for column in kept] for row in slots]
    repeated = sum(len(row) for row in slots) > sum(len(row) for row in rows)
    return Grid(texts, repeated, refused)


def _slots(
    rows: Sequence[Sequence[Cell]], groups: Sequence[Hashable], budget: int
) -> list[list[tuple[str, bool]]] | None:
    """Of each row its slots as (text, whether the cell begins in this column); None where the
    budget does not reach."""
    placed: list[list[tuple[str, bool]]] = []
    hanging: dict[int, tuple[int, str, bool]] = {}
    """Per column: rows still to cover, text, whether the cell begins in this column."""
    for at, cells in enumerate(rows):
        if at and groups[at] != groups[at - 1]:
            hanging = {}
        row: dict[int, tuple[str, bool]] = {}
        for column, (left, text, begin) in list(hanging.items()):
            row[column] = (text, begin)
            budget -= len(text) + 1
            if left > 1:
                hanging[column] = (left - 1, text, begin)
            else:
                del hanging[column]
        if budget < 0:
            return None
        column = 0
        for cell in cells:
            while column in row:
                column += 1
            for step in range(max(1, min(cell.colspan, MAX_COLSPAN))):
                if column in row:
                    break
                row[column] = (cell.text, step == 0)
                if step:
                    budget -= len(cell.text) + 1
                if cell.rowspan != 1:
                    left = cell.rowspan - 1 if cell.rowspan else len(rows)
                    hanging[column] = (left, cell.text, step == 0)
                column += 1
            if budget < 0:
                return None
        placed.append([row.get(column, ("", False)) for column in range(max(row, default=-1) + 1)])
    return placed

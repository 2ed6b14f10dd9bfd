"""Words and the grid of a table -> pipe lines with boxes. Pure.

The grid is a model's guess: its edges cut through spanning headers and through words. A run
of words is kept whole here and goes to one cell.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.parsers.pymupdf_words import Box, Word, gap, join_words, union, words_to_lines

RUN_GAP = 0.35
"""Words closer than this, in font sizes, are one run of text. A blank is 0.25 to 0.28."""

SLIVER = 0.6
"""A grid row lower than this, in font sizes, cannot hold a line of text."""

LEADING_SHARE = 0.5
"""A run starts in the leftmost column that holds this share of what the fullest one holds."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Edges of a table's columns and rows in points: one more than there are of each."""

    x: tuple[float, ...]
    y: tuple[float, ...]

    @property
    def n_columns(self) -> int:
        return len(self.x) - 1

    @property
    def n_rows(self) -> int:
        return len(self.y) - 1


@dataclass(frozen=True, slots=True)
class CellRow:
    """A row of a table: the text of each cell, and its box on the page."""

    cells: list[str]
    box: Box


Run = list[Word]


def words_to_rows(words: Sequence[Word], grid: Grid) -> list[CellRow]:
    """The rows of a table. Each word lands in exactly one cell; printed lines join with <br>.

    A grid row or column that held nothing but parts of runs that went elsewhere is dropped.
    """
    placed: dict[tuple[int, int], list[Run]] = {}
    runs = [run for line in words_to_lines(words) for run in line_to_runs(line)]
    for run in runs:
        cell = run_to_row(run, grid), run_to_column(run, grid)
        placed.setdefault(cell, []).append(run)
    rows = _keep({row for row, _ in placed}, _touched(runs, grid.y, axis=1), grid.n_rows)
    columns = _keep({column for _, column in placed}, _touched(runs, grid.x, axis=0), grid.n_columns)
    return [
        CellRow(
            [_cell_text(placed.get((row, column), [])) for column in columns],
            _row_box(row, rows, grid),
        )
        for row in rows
    ]


def rows_to_pipes(rows: Sequence[CellRow]) -> list[tuple[str, Box]]:
    """Pipe lines with boxes: the header row, a separator, then each body row.

    The separator's box is the edge below the header, of height 0.
    """
    header, *body = rows
    x0, _, x1, bottom = header.box
    separator = "|" + "---|" * len(header.cells), (x0, bottom, x1, bottom)
    return [
        (_pipe(header.cells), header.box),
        separator,
        *((_pipe(row.cells), row.box) for row in body),
    ]


def line_to_runs(line: Sequence[Word]) -> list[Run]:
    """Cut a printed line where it leaves a gap wider than a blank."""
    runs = [[line[0]]]
    for before, word in pairwise(line):
        close = gap(before, word) < RUN_GAP * max(before.size, word.size)
        if close and before.upright == word.upright:
            runs[-1].append(word)
        else:
            runs.append([word])
    return runs


def run_to_column(run: Run, grid: Grid) -> int:
    """The column a run starts in; the others that it covers stay blank."""
    held = Counter(_slot(grid.x, x) for word in run for x, _ in word.centres)
    enough = LEADING_SHARE * max(held.values())
    return min(column for column, n in held.items() if n >= enough)


def run_to_row(run: Run, grid: Grid) -> int:
    """The row a run is printed in."""
    _, y0, _, y1 = union(word.box for word in run)
    row = _slot(grid.y, (y0 + y1) / 2)
    size = max(word.size for word in run)
    if grid.y[row + 1] - grid.y[row] >= SLIVER * size:
        return row
    # A label over the height of two header rows, as `Model` in Attention's Table 2, makes the
    # model see a row of 4 points between them.
    above = grid.y[row] - y0 if row > 0 else 0.0
    below = y1 - grid.y[row + 1] if row + 1 < grid.n_rows else 0.0
    if max(above, below) <= 0:
        return row
    return row - 1 if above >= below else row + 1


def _slot(edges: Sequence[float], at: float) -> int:
    return min(max(bisect_right(edges, at) - 1, 0), len(edges) - 2)


def _touched(runs: Sequence[Run], edges: Sequence[float], axis: int) -> set[int]:
    return {_slot(edges, at[axis]) for run in runs for word in run for at in word.centres}


def _keep(filled: set[int], touched: set[int], n: int) -> list[int]:
    """Grid rows or columns that stay: with text, or blank from the start."""
    return [at for at in range(n) if at in filled or at not in touched]


def _row_box(row: int, rows: Sequence[int], grid: Grid) -> Box:
    """Box of a row, with the dropped rows below it (above it for the first)."""
    at = rows.index(row)
    top = grid.y[row] if at else grid.y[0]
    bottom = grid.y[rows[at + 1]] if at + 1 < len(rows) else grid.y[-1]
    return grid.x[0], top, grid.x[-1], bottom


def _cell_text(runs: Sequence[Run]) -> str:
    words = [word for run in runs for word in run]
    text = "<br>".join(join_words(line) for line in words_to_lines(words)) if words else ""
    return text.replace("|", "\\|")


def _pipe(cells: Sequence[str]) -> str:
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)

"""Words and the grid of a table -> pipe lines with boxes. Pure.

The grid is a model's guess: its edges cut through spanning headers and through words. A run
of words is kept whole here and goes to one cell.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.parsers.pymupdf.grid import (
    Grid,
    merged_row_edges,
    rules_through_rows,
    slot,
)
from core.parsers.pymupdf.joins import (
    join_header_lines,
    join_ruled_labels,
    join_wrapped_rows,
    keep_uncut,
    place_row_labels,
)
from core.parsers.pymupdf.rules import NO_RULES, Rules
from core.parsers.pymupdf.spans import Placed, Run, place_header_spans
from core.parsers.pymupdf.words import (
    Box,
    Word,
    gap,
    join_words,
    mean_confidence,
    middle,
    split_word,
    union,
    words_to_lines,
)

RUN_GAP = 0.35
"""Words closer than this, in font sizes, are one run of text. A blank is 0.25 to 0.28."""

SLIVER = 0.6
"""A grid row lower than this, in font sizes, cannot hold a line of text."""

LEADING_SHARE = 0.5
"""Below the header, a run starts in the leftmost column with this share of the fullest one's."""

HEADER_SHARE = 0.15
"""In the header, it starts in the leftmost column with this share of the run itself."""

ALIGNED = 0.5
"""Words start at the same x within this many points."""

MARGIN_LINES, MARGIN_SHARE = 3, 0.3
"""A margin needs words on this many lines of the table, and on this share of them."""

LOOSE = 0.02
"""Characters of one text follow each other within this many font sizes, kerning aside."""


@dataclass(frozen=True, slots=True)
class CellRow:
    """A row of a table: the text of each cell, and its box on the page."""

    cells: list[str]
    box: Box
    confidence: float = math.nan
    """0 to 1: mean over its recognised words; NaN where none was."""


def words_to_rows(words: Sequence[Word], grid: Grid, rules: Rules = NO_RULES) -> list[CellRow]:
    """The rows of a table. Each word lands in exactly one cell; printed lines join with <br>.

    A grid row or column that held nothing but parts of runs that went elsewhere is dropped.
    """
    if not any(word.upright for word in words):
        rules = NO_RULES  # they part lines that run the other way
    lines = words_to_lines(words)
    margins = lines_to_margins(lines, grid)
    cuts = rules_through_rows(words, grid, rules)
    grid = grid.with_edges([level[0].at for level in cuts])
    placed = _place(lines, margins, grid)
    more = merged_row_edges(placed)
    if more:
        grid = grid.with_edges(more)
        placed = _place(lines, margins, grid)
    columns = list(range(grid.n_columns))
    placed = keep_uncut(placed, _filled_rows(placed), rules)
    placed = join_ruled_labels(placed, columns, _filled_rows(placed), rules)
    placed = join_header_lines(placed, columns, _filled_rows(placed), rules)
    placed = place_header_spans(placed, columns, _filled_rows(placed), rules)
    placed = join_wrapped_rows(placed, columns, _filled_rows(placed), rules)
    placed = place_row_labels(placed, columns, _filled_rows(placed), rules)
    left, _, right, _ = union([(grid.x[0], 0, grid.x[-1], 0), *(word.box for word in words)])
    kept_rows = _kept({row for row, _ in placed}, _touched(words, grid.y, axis=1), grid.n_rows)
    kept = _kept({column for _, column in placed}, _touched(words, grid.x, axis=0), grid.n_columns)
    return [
        _cell_row([placed.get((row, column), []) for column in kept], (left, top, right, bottom))
        for row, (top, bottom) in zip(kept_rows, _row_bands(kept_rows, grid), strict=True)
    ]


def _cell_row(cells: Sequence[Sequence[Run]], band: Box) -> CellRow:
    """A row of the table in its band of the grid; what was joined to it from others widens it."""
    words = [word for runs in cells for run in runs for word in run]
    joined = [word.box for word in words if not band[1] <= middle(word.box)[1] <= band[3]]
    return CellRow(
        [_cell_text(runs) for runs in cells], union([band, *joined]), mean_confidence(words)
    )


def _place(lines: Sequence[Sequence[Word]], margins: Sequence[float], grid: Grid) -> Placed:
    """Each run in its cell."""
    placed: Placed = {}
    for line in lines:
        runs = line_to_runs(line, margins)
        rows = [run_to_row(run, grid) for run in runs]
        columns = runs_to_columns(runs, grid, in_header=0 in rows)
        for run, row, column in zip(runs, rows, columns, strict=True):
            placed.setdefault((row, column), []).append(run)
    return placed


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


def lines_to_margins(lines: Sequence[Sequence[Word]], grid: Grid) -> list[float]:
    """x where the words of a left-aligned column start, for the inner edges that have one.

    Where a cell's text runs into the next cell, only this tells where the next one starts.
    """
    margins = []
    for edge in grid.x[1:-1]:
        starts = sorted(
            word.box[0]
            for line in lines
            for word in line
            if word.upright and -1.0 < (word.box[0] - edge) / word.size < 1.5
        )
        near = [[x for x in starts if abs(x - start) <= ALIGNED] for start in starts]
        best = max(near, key=len, default=[])
        if len(best) >= max(MARGIN_LINES, MARGIN_SHARE * len(lines)):
            margins.append(best[len(best) // 2])
    return margins


def line_to_runs(line: Sequence[Word], margins: Sequence[float] = ()) -> list[Run]:
    """Cut a printed line where it leaves a gap wider than a blank, and at margins."""
    words = [part for word in line for part in _cut_word(word, margins)]
    runs = [[words[0]]]
    for before, word in pairwise(words):
        close = gap(before, word) < RUN_GAP * max(before.size, word.size)
        at_margin = word.upright and _is_aligned(word.box[0], margins)
        if close and not at_margin and before.upright == word.upright:
            runs[-1].append(word)
        else:
            runs.append([word])
    return runs


def runs_to_columns(runs: Sequence[Run], grid: Grid, *, in_header: bool) -> list[int]:
    """The column that each run of a printed line starts in; others that it covers stay blank.

    In a header a run over several columns spans them, so it starts in the leftmost. Below, a
    run that is cut is more often a value that hangs over: it needs half of what the fullest
    column holds. A column that has a run of its own takes only what lies mostly in it.
    """
    shares = [Counter(_columns(run, grid)) for run in runs]
    taken = {next(iter(share)) for share in shares if len(share) == 1}
    columns = []
    for share in shares:
        most, total = max(share.values()), share.total()
        enough = HEADER_SHARE * total if in_header else LEADING_SHARE * most
        free = [at for at, n in share.items() if at not in taken or n * 2 >= total]
        fitting = [at for at in free if share[at] >= enough]
        columns.append(min(fitting) if fitting else max(free or share, key=lambda at: share[at]))
    return columns


def run_to_row(run: Run, grid: Grid) -> int:
    """The row a run is printed in."""
    _, y0, _, y1 = union(word.box for word in run)
    row = slot(grid.y, (y0 + y1) / 2)
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


def _filled_rows(placed: Placed) -> list[int]:
    return sorted({row for row, _ in placed})


def _columns(run: Run, grid: Grid) -> list[int]:
    return [slot(grid.x, middle(glyph.box)[0]) for word in run for glyph in word.glyphs]


def _cut_word(word: Word, margins: Sequence[float]) -> tuple[Word, ...]:
    """A word in two where text of the next column runs into it without a blank."""
    if not word.upright:
        return (word,)
    for at, (left, right) in enumerate(pairwise(word.glyphs), start=1):
        # Within one text the next character starts where the last one ends.
        joint = abs(right.box[0] - left.box[2]) > LOOSE * word.size
        if joint and _is_aligned(right.box[0], margins):
            return split_word(word, at)
    return (word,)


def _is_aligned(x: float, margins: Sequence[float]) -> bool:
    return any(abs(x - margin) <= ALIGNED for margin in margins)


def _touched(words: Sequence[Word], edges: Sequence[float], axis: int) -> set[int]:
    return {slot(edges, middle(glyph.box)[axis]) for word in words for glyph in word.glyphs}


def _kept(filled: set[int], touched: set[int], n: int) -> list[int]:
    """Grid rows or columns that stay: with text, or blank from the start."""
    return [at for at in range(n) if at in filled or at not in touched]


def _row_bands(rows: Sequence[int], grid: Grid) -> list[tuple[float, float]]:
    """Top and bottom of each row, with the dropped rows below it (above it for the first)."""
    edges = [grid.y[0], *(grid.y[row] for row in rows[1:]), grid.y[-1]]
    return list(pairwise(edges))


def _cell_text(runs: Sequence[Run]) -> str:
    words = [word for run in runs for word in run]
    text = "<br>".join(join_words(line) for line in words_to_lines(words)) if words else ""
    return text.replace("|", "\\|")


def _pipe(cells: Sequence[str]) -> str:
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)

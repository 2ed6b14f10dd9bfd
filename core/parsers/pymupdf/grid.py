"""The grid of a table, and where the print itself tells more rows than the model saw. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from core.parsers.pymupdf.rules import Rule, Rules
from core.parsers.pymupdf.spans import Placed, Run, box_of
from core.parsers.pymupdf.words import Word, join_words, middle, words_to_lines

TWIN = 2.0
"""Rules this close, in points, are one: pieces of it, or a double line."""

ON_TEXT = 0.25
"""A rule this near to the middle of a word, in font sizes, runs through it."""

LEVEL = 0.35
"""Baselines of one row differ by less than this, in font sizes."""

_NUMBER = re.compile(r"(?!(?:19|20)\d\d$)[^\w]*\d[\d\s.,:/%^·×−–-]*[^\w]*")
"""A number; a lone year is as likely the last line of a label."""


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

    def with_edges(self, edges: Sequence[float]) -> Grid:
        """The grid with more row edges."""
        return Grid(self.x, tuple(sorted({*self.y, *edges}))) if edges else self


def slot(edges: Sequence[float], at: float) -> int:
    """Number of the row or column between edges that holds a point."""
    return min(max(bisect_right(edges, at) - 1, 0), len(edges) - 2)


def rules_through_rows(words: Sequence[Word], grid: Grid, rules: Rules) -> list[list[Rule]]:
    """Rules that part printed lines which the grid has in one row, pieces of one together."""
    if not rules.across:
        return []
    centred = [(*middle(word.box), word) for word in words]
    levels: list[list[Rule]] = []
    for rule in rules.across:
        if levels and rule.at - levels[-1][0].at <= TWIN:
            levels[-1].append(rule)
        else:
            levels.append([rule])
    return [
        level
        for level in levels
        if grid.y[0] < level[0].at < grid.y[-1] and _parts(centred, grid, level)
    ]


def _parts(words: Sequence[tuple[float, float, Word]], grid: Grid, level: Sequence[Rule]) -> bool:
    """Whether words of one grid row stand above a rule and below it, and none on it.

    Those below are in two columns or more: a rule over one may be an underline.
    """
    at = level[0].at
    row = slot(grid.y, at)
    top, bottom = grid.y[row], grid.y[row + 1]
    above: set[Rule] = set()
    below: dict[Rule, set[int]] = {}
    for x, y, word in words:
        if not top <= y < bottom:
            continue
        rule = next((rule for rule in level if rule.covers(x)), None)
        if rule is None:
            continue
        if abs(y - at) < ON_TEXT * word.size:
            return False
        if y < at:
            above.add(rule)
        else:
            below.setdefault(rule, set()).add(slot(grid.x, x))
    return any(rule in above and len(columns) > 1 for rule, columns in below.items())


def merged_row_edges(placed: Placed) -> list[float]:
    """y between the printed lines of grid rows that hold several rows of the table.

    Evidence: two columns or more have as many lines on the same baselines, a column of numbers
    and a column of words among them, and no other column has another number of lines.
    """
    edges = []
    for row in sorted({row for row, _ in placed}):
        cells = [placed[at] for at in sorted(placed) if at[0] == row]
        edges += _edges_between_rows([_printed_lines(runs) for runs in cells])
    return edges


def _printed_lines(runs: Sequence[Run]) -> list[list[Word]]:
    return words_to_lines([word for run in runs for word in run])


def _edges_between_rows(cells: Sequence[Sequence[list[Word]]]) -> list[float]:
    tall = [lines for lines in cells if len(lines) > 1]
    if len(tall) < 3 or len({len(lines) for lines in tall}) > 1:
        return []
    levels = [[_baseline(lines[at]) for lines in tall] for at in range(len(tall[0]))]
    size = max(word.size for lines in tall for line in lines for word in line)
    if any(max(level) - min(level) > LEVEL * size for level in levels):
        return []
    numbers = [lines for lines in tall if all(_is_number(line) for line in lines[1:])]
    words = [lines for lines in tall if not any(_is_number(line) for line in lines)]
    # Wrapped text may stand on common baselines too; numbers in most columns do not wrap.
    if len(numbers) < 2 or not words or len(numbers) * 2 < len(tall):
        return []
    bottoms = [max(box_of([lines[at]])[3] for lines in tall) for at in range(len(levels) - 1)]
    tops = [min(box_of([lines[at]])[1] for lines in tall) for at in range(1, len(levels))]
    return [(bottom + top) / 2 for bottom, top in zip(bottoms, tops, strict=True)]


def _is_number(line: Sequence[Word]) -> bool:
    return bool(_NUMBER.fullmatch(join_words(line)))


def _baseline(line: Sequence[Word]) -> float:
    return max(line, key=lambda word: word.size).baseline

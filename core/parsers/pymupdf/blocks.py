"""Words and layout areas of a page -> blocks of lines in reading order. Pure.

Every word of the page lands in exactly one line: text that the layout model left outside all
of its areas is kept as blocks of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from core.parsers.pymupdf.cells import rows_to_pipes, words_to_rows
from core.parsers.pymupdf.grid import Grid
from core.parsers.pymupdf.rules import NO_RULES, Rules
from core.parsers.pymupdf.words import (
    Box,
    Word,
    gap,
    join_words,
    mean_confidence,
    middle,
    union,
    words_to_lines,
)

NEIGHBOUR_GAP = 1.0
"""A word outside all areas joins its neighbour's area over at most this gap, in font sizes."""


@dataclass(frozen=True, slots=True)
class Area:
    """What the layout model sees in one place: a paragraph, a heading, a table, ..."""

    kind: str
    box: Box
    grid: Grid | None = None


@dataclass(frozen=True, slots=True)
class PageRead:
    """A page as PyMuPDF sees it."""

    number: int
    """1-based."""
    width: float
    """Points of the displayed page, and so is the height."""
    height: float
    rotation: int
    """The page's /Rotate in degrees; already applied to everything here."""
    words: list[Word] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)
    """In reading order."""
    problem: str = ""
    """Why there is no text or no layout; "" when all is well."""
    rules: Rules = NO_RULES
    turned: int = 0
    """Where most text runs sideways, words, areas and rules are those of the displayed page
    turned clockwise by this many degrees."""
    unit: float = 1.0
    """Points in a unit of words, areas and rules: UserUnit, or how much a huge page was made
    smaller to be read."""
    slope: float = 0.0
    """Where a scan lies askew, its lines ran down to the right by this many degrees; words,
    areas and rules are those of the page made level."""
    recognised: bool = False
    """Whether the words were read from the picture of the page."""

    @property
    def frame(self) -> Box:
        """The page as it was read, turned and in its units."""
        width, height = self.width / self.unit, self.height / self.unit
        return (0.0, 0.0, *((height, width) if self.turned in (90, 270) else (width, height)))

    def shows(self, box: Box) -> bool:
        """Whether the middle of a box lies on the page."""
        return _holds(self.frame, middle(box))

    def place(self, box: Box) -> Box:
        """A box of the turned and level page on the displayed page, cut to it.

        Where the scan lies askew, it is the box around the slanting one.
        """
        shown = _clip(_slanted(box, self.slope, middle(self.frame)), self.frame)
        x0, y0, x1, y1 = (edge * self.unit for edge in shown)
        if self.turned == 90:
            return y0, self.height - x1, y1, self.height - x0
        if self.turned == 180:
            return self.width - x1, self.height - y1, self.width - x0, self.height - y0
        if self.turned == 270:
            return self.width - y1, x0, self.width - y0, x1
        return x0, y0, x1, y1


@dataclass(frozen=True, slots=True)
class Block:
    """An area with its lines: (text, box) each, in reading order."""

    kind: str
    lines: list[tuple[str, Box]]
    size: float
    """Largest font size in it, in points."""
    confidences: list[float] = field(default_factory=list)
    """One per line where they were recognised, 0 to 1, or NaN; else none at all."""


def page_to_blocks(read: PageRead) -> list[Block]:
    """Blocks of a page in reading order, boxes clipped to the page."""
    parts: list[list[Word]] = [[] for _ in read.areas]
    strays: list[Word] = []
    owners = words_to_owners(read.words, read.areas)
    for word, owner in zip(read.words, owners, strict=True):
        (strays if owner is None else parts[owner]).append(word)
    filled = [(area, part) for area, part in zip(read.areas, parts, strict=True) if part]
    return [_block(area, part, read) for area, part in _with_strays(filled, strays)]


def words_to_owners(words: Sequence[Word], areas: Sequence[Area]) -> list[int | None]:
    """For each word the index of its area; None where there is none near."""
    owners = [_owner(word, areas) for word in words]
    # A row label just left of a table that the model drew too narrow belongs to the table.
    for step in (1, -1):
        order = range(len(words))[::step]
        for at, after in pairwise(order):
            word, neighbour = words[after], words[at]
            if owners[after] is None and owners[at] is not None and _adjoins(word, neighbour):
                owners[after] = owners[at]
    return owners


def _owner(word: Word, areas: Sequence[Area]) -> int | None:
    holding = [at for at, area in enumerate(areas) if _holds(area.box, middle(word.box))]
    if holding:
        return min(holding, key=lambda at: _size(areas[at].box))
    shared = [_size(_overlap(word.box, area.box)) for area in areas]
    best = max(range(len(areas)), key=lambda at: shared[at], default=None)
    return best if best is not None and shared[best] > 0 else None


def _adjoins(word: Word, neighbour: Word) -> bool:
    same_line = word.line == neighbour.line and word.upright and neighbour.upright
    return same_line and gap(word, neighbour) < NEIGHBOUR_GAP * word.size


def _with_strays(
    filled: Sequence[tuple[Area, list[Word]]], strays: Sequence[Word]
) -> list[tuple[Area, list[Word]]]:
    """The areas and, each after the last area above it, blocks of words without an area."""
    ordered = list(filled)
    for _, group in groupby(strays, key=lambda word: word.block):
        words = list(group)
        area = Area("text", union(word.box for word in words))
        ordered.insert(_place(area, ordered), (area, words))
    return ordered


def _place(area: Area, ordered: Sequence[tuple[Area, list[Word]]]) -> int:
    x0, y0, x1, _ = area.box
    above = [
        at
        for at, (other, _) in enumerate(ordered)
        if other.box[0] < x1 and x0 < other.box[2] and middle(other.box)[1] <= y0
    ]
    return above[-1] + 1 if above else 0


def _block(area: Area, words: list[Word], read: PageRead) -> Block:
    found = list(_area_to_lines(area, words, read.rules))
    return Block(
        area.kind,
        [(text, read.place(box)) for text, box, _ in found],
        max(word.size for word in words) * read.unit,
        [confidence for *_, confidence in found] if read.recognised else [],
    )


def _area_to_lines(area: Area, words: list[Word], rules: Rules) -> Iterator[tuple[str, Box, float]]:
    """Text, box and confidence of each line."""
    # One column has no interior pipe: it would not read as a table, so it stays text.
    if area.grid and area.grid.n_columns > 1:
        box = union([area.box, *(word.box for word in words)])
        rows = words_to_rows(words, area.grid, rules.within(box))
        if len(rows[0].cells) > 1:
            confidences = [rows[0].confidence, math.nan, *(row.confidence for row in rows[1:])]
            for (text, box), confidence in zip(rows_to_pipes(rows), confidences, strict=True):
                yield text, box, confidence
            return
    for line in words_to_lines(words):
        yield join_words(line), union(word.box for word in line), mean_confidence(line)


def _holds(box: Box, point: tuple[float, float]) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _overlap(a: Box, b: Box) -> Box:
    x0, y0 = max(a[0], b[0]), max(a[1], b[1])
    return x0, y0, max(x0, min(a[2], b[2])), max(y0, min(a[3], b[3]))


def _size(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _slanted(box: Box, degrees: float, centre: tuple[float, float]) -> Box:
    """The box around a box that is turned clockwise about a centre."""
    if not degrees:
        return box
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    corners = [(x - centre[0], y - centre[1]) for x in (box[0], box[2]) for y in (box[1], box[3])]
    x = [centre[0] + x * cos - y * sin for x, y in corners]
    y = [centre[1] + x * sin + y * cos for x, y in corners]
    return min(x), min(y), max(x), max(y)


def _clip(box: Box, page: Box) -> Box:
    x0, y0 = min(max(box[0], page[0]), page[2]), min(max(box[1], page[1]), page[3])
    return x0, y0, max(x0, min(box[2], page[2])), max(y0, min(box[3], page[3]))

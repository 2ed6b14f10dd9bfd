"""Drawn lines of a page -> the rules that part a table's rows and columns. Pure.

Rules are evidence of the printed table itself, where the grid is a model's guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from core.parsers.pymupdf.words import Box

THIN = 2.5
"""A drawing this many points thin, or thinner, is a line."""

SHORTEST = 4.0
"""A line shorter than this many points is a dot or a dash, no rule."""

JOINT = 1.0
"""Lines this many points apart are one: cell borders meet, and may be drawn twice."""

WHITE = (1.0, 1.0, 1.0)

FRAME = 8.0
"""A table's frame stands at most this many points off its text."""

MOST = 20_000
"""A page with more strokes than this is a chart or a map: its lines say nothing about tables."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line from `start` to `end`, in points; `at` is where it lies across that."""

    at: float
    start: float
    end: float

    def covers(self, point: float) -> bool:
        return self.start - JOINT <= point <= self.end + JOINT


@dataclass(frozen=True, slots=True)
class Rules:
    """Lines of a page or a table: `across` run along x at some y, `down` along y at some x."""

    across: tuple[Rule, ...] = ()
    down: tuple[Rule, ...] = ()

    def within(self, box: Box) -> Rules:
        """The rules that lie in the box of a table's text, or frame it."""
        x0, y0, x1, y1 = box[0] - FRAME, box[1] - FRAME, box[2] + FRAME, box[3] + FRAME
        return Rules(_within(self.across, y0, y1, x0, x1), _within(self.down, x0, x1, y0, y1))


NO_RULES = Rules()


def drawings_to_rules(drawings: Iterable[dict[str, Any]], scale: float = 1.0) -> Rules:
    """Rules of a page, from PyMuPDF's `get_cdrawings()`.

    A stroke along x or y is a line, and so is a thin filled shape; the outline of a rectangle is
    four. White draws nothing on paper.
    """
    boxes: list[Box] = []
    for drawing in drawings:
        if "s" in drawing["type"] and drawing.get("color") != WHITE:
            boxes += [box for item in drawing["items"] for box in _strokes(item)]
        elif "f" in drawing["type"] and drawing.get("fill") != WHITE:
            boxes += _shapes(drawing["items"])
        if len(boxes) > MOST:
            return NO_RULES
    across, down = [], []
    for box in boxes:
        x0, y0, x1, y1 = (edge * scale for edge in box)
        if y1 - y0 <= THIN:
            across.append(Rule((y0 + y1) / 2, x0, x1))
        elif x1 - x0 <= THIN:
            down.append(Rule((x0 + x1) / 2, y0, y1))
    return Rules(join_rules(across), join_rules(down))


def _strokes(item: Sequence[Any]) -> Iterator[Box]:
    """Boxes of the straight strokes of one drawing item."""
    if item[0] == "l":
        (x0, y0), (x1, y1) = item[1], item[2]
        yield min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)
    elif item[0] == "re":
        x0, y0, x1, y1 = item[1]
        yield from ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1))


def _shapes(items: Sequence[Sequence[Any]]) -> Iterator[Box]:
    """Bounding boxes of filled shapes: rectangles, and runs of lines that follow each other, as a
    rectangle on a turned page.
    """
    points: list[tuple[float, float]] = []
    for item in items:
        if item[0] == "re":
            yield item[1][:4]
        elif item[0] == "l":
            if points and item[1] != points[-1]:
                yield _bounds(points)
                points = []
            points += [item[1], item[2]]
    if points:
        yield _bounds(points)


def _bounds(points: Sequence[tuple[float, float]]) -> Box:
    x, y = zip(*points, strict=True)
    return min(x), min(y), max(x), max(y)


def join_rules(pieces: Iterable[Rule]) -> tuple[Rule, ...]:
    """The pieces with those that lie in one line and touch made one."""
    levels: list[list[Rule]] = []
    for piece in sorted(pieces, key=lambda piece: piece.at):
        if levels and piece.at - levels[-1][0].at <= JOINT:
            levels[-1].append(piece)
        else:
            levels.append([piece])
    rules = []
    for level in levels:
        level.sort(key=lambda piece: piece.start)
        start, end = level[0].start, level[0].end
        for piece in level[1:]:
            if piece.start > end + JOINT:
                rules.append(Rule(level[0].at, start, end))
                start, end = piece.start, piece.end
            end = max(end, piece.end)
        rules.append(Rule(level[0].at, start, end))
    return tuple(rule for rule in rules if rule.end - rule.start >= SHORTEST)


def _within(
    rules: Iterable[Rule], low: float, high: float, start: float, end: float
) -> tuple[Rule, ...]:
    """Rules at low..high that overlap start..end."""
    return tuple(
        rule for rule in rules if low <= rule.at <= high and rule.start < end and start < rule.end
    )

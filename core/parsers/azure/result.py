"""AnalyzeResult JSON (API 2021 previews to 2024-11-30) -> `azure_model.Result`. Pure.

Inches become points (x 72). Pixels are taken as points, since a result does not say how many of
them make an inch: page and boxes agree, and the file beside it, if given, sets the true size.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass

from core.parsers.azure.json import (
    Box,
    Node,
    child,
    nodes,
    number,
    outline,
    spans,
    text,
    union,
    whole,
)
from core.parsers.azure.model import Cell, Line, Page, Result, TableRead, Word

_POINTS = 72.0
_WIDEST_IN_INCHES = 250.0
"""Where no unit is given, a wider page is in pixels; PDF pages have at most 200 inches."""

_MOST_POINTS = 1e6
_MOST_PAGES = 1_000_000


@dataclass(frozen=True)
class _Sheets:
    """Scale and size of each page, to bring polygons to points on it."""

    scale: dict[int, float]
    size: dict[int, tuple[float, float]]
    starts: list[tuple[int, int]]
    """(offset in the content, page), ascending."""

    def box(self, node: Node, page: int) -> Box | None:
        """Box in points, cut to its page; None without one, or off the page."""
        found = outline(node)
        if found is None:
            return None
        scale = self.scale.get(page, _POINTS)
        width, height = self.size.get(page, (math.nan, math.nan))
        right = width if width > 0 else _MOST_POINTS
        bottom = height if height > 0 else _MOST_POINTS
        x0, y0, x1, y1 = (edge * scale for edge in found)
        if x1 < 0 or y1 < 0 or x0 > right or y0 > bottom:
            return None
        return max(x0, 0.0), max(y0, 0.0), min(x1, right), min(y1, bottom)

    def page_at(self, offset: int | None) -> int | None:
        """Page on which a place in the content stands."""
        if offset is None or not self.starts:
            return None
        at = bisect_right(self.starts, (offset, _MOST_PAGES)) - 1
        return self.starts[max(at, 0)][1]

    def place(self, node: Node, otherwise: int | None = None) -> tuple[int, dict[int, Box]]:
        """Page where something begins, and its box on each of its pages."""
        regions: dict[int, Box] = {}
        first = None
        for region in nodes(node, "bounding_regions"):
            page = whole(region, "page_number", low=1)
            if page not in self.size:
                continue
            first = page if first is None else min(first, page)
            box = self.box(region, page)
            if box is not None:
                regions[page] = union([regions.get(page, box), box])
        if first is None:
            where = spans(node)
            first = self.page_at(where[0][0] if where else None) or otherwise or min(self.size)
        return first, regions


def read_result(result: Node) -> Result:
    """The result in one form. What is missing or wrong in it is left out, never guessed."""
    numbered = _numbered_pages(result)
    sheets = _sheets(numbered)
    tables = [_table(node, sheets) for node in nodes(result, "tables")]
    paragraphs = [_line(node, sheets, text(node, "role")) for node in nodes(result, "paragraphs")]
    pages = [_page(number_, node, sheets) for number_, node in numbered]
    return Result(pages, tables, paragraphs, text(result, "content"))


def _numbered_pages(result: Node) -> list[tuple[int, Node]]:
    """Pages with their numbers; one of its own for a page that has none or another's."""
    numbered: list[tuple[int, Node]] = []
    taken: set[int] = set()
    for at, node in enumerate(nodes(result, "pages"), start=1):
        given = whole(node, "page_number", low=1)
        page = given if given is not None and given <= _MOST_PAGES and given not in taken else at
        while page in taken:
            page = max(taken) + 1
        taken.add(page)
        numbered.append((page, node))
    return sorted(numbered, key=lambda page: page[0]) or [(1, {})]


def _sheets(numbered: list[tuple[int, Node]]) -> _Sheets:
    scale, size = {}, {}
    starts = []
    for page, node in numbered:
        width, height = number(node.get("width")) or 0.0, number(node.get("height")) or 0.0
        scale[page] = 1.0 if _in_pixels(node) else _POINTS
        sides = (width * scale[page], height * scale[page])
        known = all(0 < side <= _MOST_POINTS for side in sides)
        size[page] = sides if known else (math.nan, math.nan)
        starts += [(start, page) for start, _ in spans(node)]
    return _Sheets(scale, size, sorted(starts))


def _in_pixels(node: Node) -> bool:
    unit = text(node, "unit").lower()
    if unit in ("inch", "pixel"):
        return unit == "pixel"
    return (number(node.get("width")) or 0.0) > _WIDEST_IN_INCHES


def _page(page: int, node: Node, sheets: _Sheets) -> Page:
    width, height = sheets.size[page]
    lines = [
        Line(text(line, "content", "text"), page, sheets.box(line, page), spans(line))
        for line in nodes(node, "lines")
    ]
    marks = [
        _word(mark, page, sheets, f":{text(mark, 'state') or 'unselected'}:")
        for mark in nodes(node, "selection_marks")
    ]
    return Page(
        number=page,
        width=width,
        height=height,
        angle=number(node.get("angle")) or 0.0,
        in_pixels=_in_pixels(node),
        spans=spans(node),
        lines=lines,
        words=[
            _word(word, page, sheets, text(word, "content", "text"))
            for word in nodes(node, "words")
        ],
        marks=marks,
    )


def _word(node: Node, page: int, sheets: _Sheets, content: str) -> Word:
    where = spans(node)
    confidence = number(node.get("confidence"))
    sure = confidence is not None and 0 <= confidence <= 1
    return Word(
        content,
        sheets.box(node, page),
        where[0] if where else None,
        confidence if sure and confidence is not None else math.nan,
    )


def _line(node: Node, sheets: _Sheets, role: str = "") -> Line:
    page, regions = sheets.place(node)
    return Line(text(node, "content"), page, regions.get(page), spans(node), role)


def _table(node: Node, sheets: _Sheets) -> TableRead:
    page, _ = sheets.place(node)
    caption = child(node, "caption")
    return TableRead(
        n_rows=whole(node, "row_count") or 0,
        n_columns=whole(node, "column_count") or 0,
        cells=[_cell(cell, sheets, page) for cell in nodes(node, "cells")],
        caption=_line(caption, sheets) if text(caption, "content").strip() else None,
        footnotes=[_line(note, sheets) for note in nodes(node, "footnotes")],
    )


def _cell(node: Node, sheets: _Sheets, page: int) -> Cell:
    begins, regions = sheets.place(node, otherwise=page)
    return Cell(
        text=text(node, "content", "text"),
        row=whole(node, "row_index"),
        column=whole(node, "column_index"),
        row_span=whole(node, "row_span", low=1) or 1,
        column_span=whole(node, "column_span", low=1) or 1,
        kind=text(node, "kind"),
        regions=regions,
        page=begins,
        spans=spans(node),
    )

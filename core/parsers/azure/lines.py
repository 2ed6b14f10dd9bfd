"""Lines and selection marks of a page that stand in no table, each with its place. Pure."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

from core.parsers.azure.cover import Cover
from core.parsers.azure.json import Box, Span, one_line
from core.parsers.azure.model import Line, Page, Result, Word

JUST = 2.0**-11
"""Just before or after a line; less than the step from one place in the content to the next."""

TABLE, TEXT, CAPTION, FOOTNOTE = "table", "text", "caption", "footnote"
HEADER, FOOTER = "page-header", "page-footer"
_CLASSES = {
    "title": "title",
    "sectionHeading": "section-header",
    "pageHeader": HEADER,
    "pageFooter": FOOTER,
    "pageNumber": FOOTER,
    "footnote": FOOTNOTE,
    "formulaBlock": "formula",
}
"""Roles of paragraphs, in the words of the PyMuPDF parser, which the reading knows."""


@dataclass(frozen=True, slots=True)
class Out:
    """A line as it will stand in line_df, its number aside."""

    text: str
    box: Box | None
    confidence: float
    header_hint: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """Lines that stay together, with their place in the reading order of their page."""

    order: float
    key: object
    """Neighbours with the same key make one block."""
    kind: str
    lines: list[Out]
    title: str = ""
    """Text of the whole paragraph."""
    table: int | None = None


@dataclass(frozen=True, slots=True)
class PageLines:
    """What stands on a page outside its tables."""

    placed: list[Placed]
    ordered: list[tuple[float, Line]]
    """All lines of the page with their places, those of tables too."""
    labelled: set[int] = field(default_factory=set)
    """Captions and footnotes that are among the lines, by their place in `Lookup.labels`."""


class Lookup:
    """What is looked up in a result by places in its content."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self.cover = Cover(result.tables)
        self.paragraphs = sorted(
            (paragraph for paragraph in result.paragraphs if paragraph.spans),
            key=lambda paragraph: paragraph.spans[0],
        )
        self.labels = [
            (line, kind)
            for table in result.tables
            for kind, lines in (
                (CAPTION, [table.caption] if table.caption else []),
                (FOOTNOTE, table.footnotes),
            )
            for line in lines
        ]
        """Captions and footnotes of tables, each with its class."""
        self._paragraph_starts = [paragraph.spans[0][0] for paragraph in self.paragraphs]
        parts = ((span, at) for at, (line, _) in enumerate(self.labels) for span in line.spans)
        self._label_parts = sorted(parts)
        self._label_starts = [start for (start, _), _ in self._label_parts]
        self._words = {
            page.number: sorted((word.span, at) for at, word in enumerate(page.words) if word.span)
            for page in result.pages
        }
        self._pages = {page.number: page for page in result.pages}

    def words(self, page: int, spans: Sequence[Span]) -> list[Word]:
        """Words of a page that begin within some spans."""
        words = self._words.get(page, [])
        return [
            self._pages[page].words[at]
            for start, end in spans
            for _, at in words[bisect_left(words, ((start,),)) : bisect_left(words, ((end,),))]
        ]

    def confidence(self, page: int, spans: Sequence[Span]) -> float:
        """Mean confidence of the words in some spans, NaN where none has one."""
        given = [word.confidence for word in self.words(page, spans)]
        known = [confidence for confidence in given if not math.isnan(confidence)]
        return sum(known) / len(known) if known else math.nan

    def paragraph(self, line: Line) -> int | None:
        """The paragraph in which a line begins."""
        if line.start is None:
            return None
        at = bisect_right(self._paragraph_starts, line.start) - 1
        inside = at >= 0 and any(
            start <= line.start < end for start, end in self.paragraphs[at].spans
        )
        return at if inside else None

    def label(self, line: Line) -> int | None:
        """The caption or footnote of a table to which a line belongs."""
        if line.start is not None:
            at = bisect_right(self._label_starts, line.start) - 1
            if at >= 0 and self._label_parts[at][0][1] > line.start:
                return self._label_parts[at][1]
        words = one_line(line.text)
        for at, (label, _) in enumerate(self.labels):
            if not label.spans and words and words in one_line(label.text):
                return at
        return None


def page_to_lines(page: Page, lookup: Lookup) -> PageLines:
    """Lines and selection marks of a page, those that a table's cells hold left out."""
    lines = [line for line in page.lines if line.text.strip()] or _lines_instead(page, lookup)
    ordered: list[tuple[float, Line]] = []
    order = float(page.spans[0][0]) if page.spans else 0.0
    for line in lines:
        order = order + 2 * JUST if line.start is None else float(line.start)
        ordered.append((order, line))
    ordered.sort(key=lambda item: item[0])
    found = PageLines([], ordered)
    for order, line in ordered:
        free = lookup.cover.outside(line, page, lookup.words(page.number, line.spans))
        if free is not None:
            found.placed.append(_placed(order, line, free, page, found, lookup))
    found.placed.extend(_marks(page, ordered, lookup))
    return found


def _placed(
    order: float, line: Line, free: Line, page: Page, found: PageLines, lookup: Lookup
) -> Placed:
    """A line, or what of it is free of tables, with the class of its paragraph."""
    label, paragraph = lookup.label(line), lookup.paragraph(line)
    key: object = ("line", len(found.placed))
    kind, title = TEXT, ""
    if paragraph is not None:
        key, whole = ("paragraph", paragraph), lookup.paragraphs[paragraph]
        kind, title = _CLASSES.get(whole.role, TEXT), one_line(whole.text)
        if whole.role == "pageNumber" and free.box and free.box[3] < page.height / 2:
            kind = HEADER
    if label is not None:
        found.labelled.add(label)
        key, kind = ("label", label), lookup.labels[label][1]
    out = Out(one_line(free.text), free.box, lookup.confidence(page.number, free.spans))
    return Placed(order, key, kind, [out], title)


def _lines_instead(page: Page, lookup: Lookup) -> list[Line]:
    """What stands for the lines of a page without any, as of Office files: its paragraphs, else
    its words, or the content line by line where a result holds nothing else."""
    result = lookup.result
    if result.paragraphs:
        return [
            line for line in result.paragraphs if line.page == page.number and line.text.strip()
        ]
    if page.words:
        text = " ".join(word.text for word in page.words)
        spans = sorted(word.span for word in page.words if word.span is not None)
        return [Line(text, page.number, None, spans)]
    others = any(other.lines or other.words for other in result.pages)
    if others or result.tables or page is not result.pages[0]:
        return []
    content = [line for line in result.content.splitlines() if line.strip()]
    return [Line(line, page.number, None, []) for line in content]


def _marks(page: Page, ordered: Sequence[tuple[float, Line]], lookup: Lookup) -> list[Placed]:
    """Selection marks that no text shows yet, as lines of their own, before what they mark.

    Some versions list them behind the text of the page: there only geometry tells their place.
    """
    glyphs = [
        word.box
        for word in page.words
        if word.box is not None and not any(map(str.isalnum, word.text))
    ]
    starts = [order for order, _ in ordered]
    placed = []
    for at, mark in enumerate(page.marks):
        if lookup.cover.holds(mark.text, mark.span, mark.box, page.number):
            continue
        if _in_line(mark, ordered, starts) or _is_glyph(mark.box, glyphs):
            continue
        order = inf if mark.span is None else float(mark.span[0])
        if order > (starts[-1] if starts else -inf) and mark.box is not None:
            order = _beside(mark.box, ordered, order)
        out = Out(mark.text, mark.box, mark.confidence)
        placed.append(Placed(order, ("mark", at), TEXT, [out]))
    return placed


def _in_line(mark: Word, ordered: Sequence[tuple[float, Line]], starts: Sequence[float]) -> bool:
    """Whether the line around a mark in the content writes it out."""
    if mark.span is None:
        return False
    at = bisect_right(starts, mark.span[0]) - 1
    if at < 0 or mark.text not in ordered[at][1].text:
        return False
    return any(start <= mark.span[0] < end for start, end in ordered[at][1].spans)


def _is_glyph(mark: Box | None, glyphs: Sequence[Box]) -> bool:
    """Whether a mark was also read as a character, such as a ballot box."""
    if mark is None:
        return False
    x, y = (mark[0] + mark[2]) / 2, (mark[1] + mark[3]) / 2
    return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in glyphs)


def _beside(mark: Box, ordered: Sequence[tuple[float, Line]], otherwise: float) -> float:
    """Just before the nearest line right of a mark at its height, or after the nearest left."""
    middle = (mark[1] + mark[3]) / 2
    level = [
        (line.box[0] - mark[0], order)
        for order, line in ordered
        if line.box is not None and line.box[1] <= middle <= line.box[3]
    ]
    right = min(((gap, order) for gap, order in level if gap >= 0), default=None)
    if right is not None:
        return right[1] - JUST
    left = max(level, default=None)
    return left[1] + JUST if left is not None else otherwise

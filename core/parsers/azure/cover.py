"""Which text stands in a table's cells already. Pure.

Lines, words and cells point into the content; where one of them does not, geometry decides. A
word only counts as covered where the cell's text holds it, so that wrong spans cost no text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

from core.parsers.azure.json import Box, Span, union
from core.parsers.azure.model import Cell, Line, Page, TableRead, Word


class Cover:
    """The cells of all tables, by their place in the content and on the page."""

    def __init__(self, tables: Sequence[TableRead]) -> None:
        self._by_span: list[tuple[int, int, Cell]] = sorted(
            (
                (start, end, cell)
                for table in tables
                for cell in table.cells
                for start, end in cell.spans
            ),
            key=lambda part: part[:2],
        )
        self._starts = [start for start, _, _ in self._by_span]
        self._by_page: defaultdict[int, list[tuple[Box, Cell]]] = defaultdict(list)
        self._spanless: defaultdict[int, list[tuple[Box, Cell]]] = defaultdict(list)
        for table in tables:
            for cell in table.cells:
                if not cell.text.strip():
                    continue
                for page, box in cell.regions.items():
                    self._by_page[page].append((box, cell))
                    if not cell.spans:
                        self._spanless[page].append((box, cell))

    def holds(self, content: str, span: Span | None, box: Box | None, page: int) -> bool:
        """Whether a text is that of a cell at the same place."""
        if span is not None:
            at = bisect_right(self._starts, span[0]) - 1
            if at >= 0 and self._by_span[at][1] > span[0] and content in self._by_span[at][2].text:
                return True
        return any(content in cell.text for cell in self._around(box, page, bool(span)))

    def _around(self, box: Box | None, page: int, has_span: bool) -> Iterator[Cell]:
        """Cells around the middle of a box, as far as their place in the content is unknown."""
        if box is None:
            return
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        for (x0, y0, x1, y1), cell in (self._spanless if has_span else self._by_page)[page]:
            if x0 <= x <= x1 and y0 <= y <= y1:
                yield cell

    def outside(self, line: Line, page: Page, words: Sequence[Word]) -> Line | None:
        """What of a line no cell holds: all, None, or the words outside with their box."""
        if not words:
            return None if self._holds_all(line) else line
        free = [
            word for word in words if not self.holds(word.text, word.span, word.box, page.number)
        ]
        if len(free) == len(words):
            return line
        if not free:
            return None
        boxes = [word.box for word in free if word.box is not None]
        return Line(
            text=" ".join(word.text for word in free),
            page=line.page,
            box=union(boxes) if boxes else line.box,
            spans=[word.span for word in free if word.span is not None],
        )

    def _holds_all(self, line: Line) -> bool:
        """Whether the cells at a line's place hold all of it, where words are not given."""
        parts = line.text.split()
        if not parts:
            return True
        cells: list[Cell] = []
        for start, end in line.spans:
            at = max(bisect_right(self._starts, start) - 1, 0)
            while at < len(self._by_span) and self._by_span[at][0] < end:
                if self._by_span[at][1] > start:
                    cells.append(self._by_span[at][2])
                at += 1
        cells += self._around(line.box, line.page, bool(line.spans))
        text = " ".join(cell.text for cell in cells)
        return all(part in text for part in parts)

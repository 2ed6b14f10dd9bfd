"""A result -> blocks of lines in reading order: paragraphs, tables, selection marks. Pure.

Reading order is that of the content, by the places that lines and cells point to; what points
nowhere keeps its place in the list, tables their height on the page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, nan

from core.parsers.azure.json import one_line
from core.parsers.azure.lines import (
    FOOTER,
    HEADER,
    JUST,
    TABLE,
    TEXT,
    Lookup,
    Out,
    PageLines,
    Placed,
    page_to_lines,
)
from core.parsers.azure.model import Line, Result
from core.parsers.azure.table import Row, Rows, table_to_rows


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, or the rows of a table on one page."""

    page: int
    kind: str
    lines: list[Out]
    title: str = ""
    """The whole text of a paragraph."""


def result_to_blocks(result: Result) -> tuple[list[Block], list[str]]:
    """Blocks in reading order, and what the reader should know."""
    lookup = Lookup(result)
    sideways = {page.number: 45 < abs(page.angle) % 180 < 135 for page in result.pages}
    tables = [table_to_rows(table, sideways) for table in result.tables]
    pages = {page.number: page_to_lines(page, lookup) for page in result.pages}
    placed: defaultdict[int, list[Placed]] = defaultdict(list)
    for number, page in pages.items():
        placed[number] += page.placed
    for at, rows in enumerate(tables):
        _place_table(at, rows, lookup, placed, pages)
    _place_labels(lookup, placed, pages)
    blocks: list[Block] = []
    ended: _Ended = None
    assumed: list[int] = []
    for number in sorted(placed):
        in_order = sorted(placed[number], key=lambda item: item.order)
        ended = _add_page(number, in_order, tables, ended, blocks, assumed)
    notes = [note for at, rows in enumerate(tables, start=1) for note in _notes(at, rows)]
    if assumed:
        named = f"Table{'s' if len(assumed) > 1 else ''} {', '.join(map(str, assumed))}"
        notes.append(
            f"{named} of the result: no cell is called a header: the first row is taken as one."
        )
    return blocks, notes


def _place_table(
    at: int,
    rows: Rows,
    lookup: Lookup,
    placed: defaultdict[int, list[Placed]],
    pages: dict[int, PageLines],
) -> None:
    by_page: defaultdict[int, list[Row]] = defaultdict(list)
    for row in rows.rows:
        by_page[row.page].append(row)
    order = inf
    for page, part in by_page.items():
        order = _table_order(part, pages[page].ordered)
        lines = [
            Out(row.pipe, row.box, lookup.confidence(page, row.spans), row.is_header)
            for row in part
        ]
        placed[page].append(Placed(order, ("table", at), TABLE, lines, table=at))
    for number, cell in enumerate(rows.loose):
        if text := one_line(cell.text):
            confidence = lookup.confidence(cell.page, cell.spans)
            out = Out(text, cell.regions.get(cell.page), confidence)
            start = float(cell.spans[0][0]) if cell.spans else order
            placed[cell.page].append(Placed(start, ("loose", at, number), TEXT, [out]))


def _table_order(rows: Sequence[Row], ordered: Sequence[tuple[float, Line]]) -> float:
    """Where the rows stand among the lines of their page."""
    starts = [span[0] for row in rows for span in row.spans]
    if starts:
        return float(min(starts))
    tops = [row.box[1] for row in rows if row.box is not None]
    for order, line in ordered:
        if tops and line.box is not None and (line.box[1] + line.box[3]) / 2 >= min(tops):
            return order - JUST
    return inf


def _place_labels(
    lookup: Lookup, placed: defaultdict[int, list[Placed]], pages: dict[int, PageLines]
) -> None:
    """Captions and footnotes of tables that stand in no line."""
    there = {label for page in pages.values() for label in page.labelled}
    for at, (line, kind) in enumerate(lookup.labels):
        text = one_line(line.text)
        if at in there or not text:
            continue
        order = inf if line.start is None else float(line.start)
        out = Out(text, line.box, lookup.confidence(line.page, line.spans))
        placed[line.page].append(Placed(order, ("label", at), kind, [out]))


_Ended = tuple[int, int] | None
"""The table with which a page ends, furniture aside, as (page, table)."""


def _add_page(
    page: int,
    placed: Sequence[Placed],
    tables: Sequence[Rows],
    ended: _Ended,
    blocks: list[Block],
    assumed: list[int],
) -> _Ended:
    """Add the blocks of one page; `ended` is how the one before ended, `assumed` gets the numbers
    of tables whose header is a guess."""
    key: object = None
    begun = False
    for item in placed:
        if item.table is not None:
            previous = blocks[-1] if blocks else None
            if previous and previous.page == page and previous.kind == TABLE:
                # Pipe lines that touch are one table to a reader; a blank line parts them.
                blocks.append(Block(page, TEXT, [Out("", None, nan)]))
            goes_on = not begun and ended is not None and ended[0] == page - 1
            width = tables[ended[1]].width if goes_on and ended else 0
            lines = _with_separator(page, tables[item.table], item.lines, width)
            blocks.append(Block(page, TABLE, lines))
            if len(lines) > len(item.lines) and not tables[item.table].n_header:
                assumed.append(item.table + 1)
        elif item.key == key:
            blocks[-1].lines.extend(item.lines)
        else:
            blocks.append(Block(page, item.kind, list(item.lines), item.title))
        key = item.key
        if item.kind not in (HEADER, FOOTER):
            begun = True
            ended = None if item.table is None else (page, item.table)
    return ended


def _with_separator(page: int, rows: Rows, lines: list[Out], width_before: int) -> list[Out]:
    """Lines of a table's part on one page, with the separator if it belongs there.

    Its box is the edge below the header, of height 0.
    """
    above = rows.separator_after(continues=width_before == rows.width)
    if not above or rows.rows[above - 1].page != page:
        return lines
    first = next(at for at, row in enumerate(rows.rows) if row.page == page)
    header = lines[above - 1 - first].box
    box = None if header is None else (header[0], header[3], header[2], header[3])
    line = Out("|" + "---|" * rows.width, box, nan)
    return [*lines[: above - first], line, *lines[above - first :]]


def _notes(number: int, rows: Rows) -> list[str]:
    if rows.refused:
        return [f"Table {number} of the result: {rows.refused}."]
    if not rows.loose:
        return []
    return [
        f"Table {number} of the result: {len(rows.loose)} cells have no place in its grid and "
        f"stand as lines of text."
    ]

"""HTML tables among the lines of a document -> rows of cells, spans written out.

Where a table begins and ends is found here, line by line, because a row is cited by the line
its <tr> stands on; what is inside is read by lxml.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from lxml import etree

from core.tables.cells import clean_text
from core.tables.html_grid import Cell, Grid, spread_spans

_BLOCK = "br|p|div|li|ul|ol|tr|td|th|table|caption|hr|h[1-6]|dl|dt|dd|pre|blockquote"
_INLINE = (
    "thead|tbody|tfoot|colgroup|col|b|i|u|s|a|em|strong|span|font|small|big|sub|sup|code|tt|mark|"
    "del|ins|strike|center|q|cite|abbr|label|input|img|wbr|nobr|figure|figcaption"
)
# What is no tag of a table's content is text: "a<b" or "<0.05" must not vanish with the markup.
_ATTRIBUTE = r"""\s+(?:[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+)|nowrap|checked|disabled)"""
_NO_TAG = re.compile(rf"<(?!/?(?:{_BLOCK}|{_INLINE})(?:{_ATTRIBUTE})*\s*/?>|!--)", re.IGNORECASE)
_BEFORE_BLOCK = re.compile(rf"(?=</?(?:{_BLOCK})(?=[\s/>]))", re.IGNORECASE)
_TAG = re.compile(
    r"<!--.*?(?:-->|$)|<(?P<end>/?)(?P<name>table|tr|td|th|caption|thead|tbody|tfoot)(?=[\s/>]|$)",
    re.IGNORECASE | re.DOTALL,
)
_ROW = re.compile(r"<tr(?=[\s/>]|$)", re.IGNORECASE)
_TAG_REST = re.compile(r"[^<>]*>")
_DIGITS = re.compile(r"\s*\+?(\d{1,9})", re.ASCII)
_ROWS = etree.XPath(".//tr[count(ancestor::table) = 1]")
_CAPTION = etree.XPath("string(.//caption[count(ancestor::table) = 1])")


@dataclass(frozen=True)
class HtmlRow:
    """A row and the positions of its first and last line in line_df."""

    line: int
    last: int
    cells: list[str]


@dataclass(frozen=True)
class HtmlTable:
    """One <table>: its rows, all of one width, and what its markup says about them."""

    first: int
    """Position in line_df of the line that opens it."""
    last: int
    rows: list[HtmlRow]
    header_rows: int
    """Leading rows that the markup calls a header: in <thead>, or of <th> alone."""
    caption: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Region:
    """Where a table stands: from one place (line, offset in its text) to another."""

    first: int
    start: int
    last: int
    end: int


def find_html_tables(texts: Sequence[str], starts: Sequence[int]) -> list[HtmlTable]:
    """Tables in the lines of a document, in reading order.

    `starts` holds the positions of the lines that open a table, ascending. What cannot be read
    as a table (nested too deeply, no row) is passed over, so that its lines stay text.
    """
    tables = []
    for region in _find_regions(texts, starts):
        table = _read_region(texts, region)
        if table is not None:
            tables.append(table)
    return tables


def _find_regions(texts: Sequence[str], starts: Sequence[int]) -> list[_Region]:
    regions: list[_Region] = []
    line, offset, may_nest = 0, 0, True
    for start in starts:
        if start > line:
            line, offset = start, 0
        while start == line:
            begin = _opening(texts[line], offset)
            if begin is None:
                break
            region, closed = _region_from(texts, line, begin, may_nest=may_nest)
            if not closed and may_nest:
                # A table never closed must not swallow those below: from here on, each
                # <table> ends the one before. Once only, so that scanning stays linear.
                may_nest = False
                region, _ = _region_from(texts, line, begin, may_nest=False)
            regions.append(region)
            line, offset = region.last, region.end
    return regions


def _opening(text: str, offset: int) -> int | None:
    for tag in _TAG.finditer(text, offset):
        if (tag["name"] or "").lower() == "table" and not tag["end"]:
            return tag.start()
    return None


def _region_from(
    texts: Sequence[str], line: int, begin: int, *, may_nest: bool
) -> tuple[_Region, bool]:
    """The table that opens at (line, begin), and whether its end tag was found."""
    in_cell: list[bool] = []
    last, tag_end = line, begin

    def region() -> _Region:
        rest = _TAG_REST.match(texts[last], tag_end)
        return _Region(line, begin, last, rest.end() if rest else tag_end)

    for at in range(line, len(texts)):
        text = texts[at]
        offset = begin if at == line else 0
        if at > line and not in_cell[-1] and text.strip() and not _TAG.search(text):
            break  # prose outside of any cell: the end tag is missing
        for tag in _TAG.finditer(text, offset):
            name, closes = (tag["name"] or "").lower(), bool(tag["end"])
            if name == "table" and closes:
                in_cell.pop()
            elif name == "table":
                if in_cell and not (may_nest and in_cell[-1]):
                    if text[: tag.start()].strip():
                        return _Region(line, begin, at, tag.start()), True
                    return (_to_line_end(texts, region()) if in_cell[-1] else region()), True
                in_cell.append(False)
            elif name in ("td", "th", "caption", "tr"):
                in_cell[-1] = name != "tr" and not closes
            if name:
                last, tag_end = at, tag.end()
            if not in_cell:
                return region(), True
    if in_cell[-1]:
        return _to_line_end(texts, region()), False
    return region(), len(in_cell) == 1


def _to_line_end(texts: Sequence[str], region: _Region) -> _Region:
    """A cell left open holds the rest of its line."""
    return replace(region, end=len(texts[region.last]))


def _read_region(texts: Sequence[str], region: _Region) -> HtmlTable | None:
    parts = []
    for at in range(region.first, region.last + 1):
        stop = region.end if at == region.last else None
        text = texts[at][region.start if at == region.first else 0 : stop]
        parts.append(_ROW.sub(f"<tr data-line={at}", text.replace("\x00", "")))
    source = _BEFORE_BLOCK.sub(" ", _NO_TAG.sub("&lt;", "\n".join(parts)))
    # No entity is expanded and nothing is fetched: of markup only the tags above reach the parser.
    parser = etree.HTMLParser(remove_comments=True, remove_pis=True, no_network=True)
    root = etree.fromstring(source, parser)
    if root is None or any("depth" in error.message for error in parser.error_log):
        return None
    elements = _ROWS(root)
    cells = [_cells(element) for element in elements]
    if not any(cells):
        return None
    grid = spread_spans(cells, [_group(row) for row in elements], most_repeated=len(source))
    lines = [int(element.get("data-line", region.first)) for element in elements]
    lasts = [max(line, after - 1) for line, after in pairwise(lines)]
    filled = [at for at, row in enumerate(cells) if row]
    rows = list(map(HtmlRow, lines, [*lasts, region.last], grid.rows))
    return HtmlTable(
        first=region.first,
        last=region.last,
        rows=[rows[at] for at in filled],
        header_rows=_header_rows([elements[at] for at in filled], [cells[at] for at in filled]),
        caption=clean_text(_CAPTION(root)),
        notes=tuple(_notes(grid)),
    )


def _cells(row: etree._Element) -> list[Cell]:
    return [
        Cell(
            text=clean_text("".join(cell.itertext())),
            colspan=_span(cell.get("colspan")),
            rowspan=_span(cell.get("rowspan")),
            is_header=cell.tag == "th",
        )
        for cell in row.iterchildren("td", "th")
    ]


def _span(value: str | None) -> int:
    """A span as written; 1 where it is no number."""
    digits = _DIGITS.match(value) if value else None
    return int(digits[1]) if digits else 1


def _group(row: etree._Element) -> int:
    """Number of the row group: a span does not reach out of it."""
    parent = row.getparent()
    return id(parent) if parent is not None else 0


def _header_rows(elements: list[etree._Element], cells: list[list[Cell]]) -> int:
    """Leading rows that are a header by markup; of a table of header rows alone, the first."""
    depth = 0
    for at, (element, row) in enumerate(zip(elements, cells, strict=True)):
        in_head = element.getparent().tag == "thead"
        named = any(cell.is_header for cell in row) and all(
            cell.is_header or not cell.text for cell in row
        )
        # One <th> over the whole width below the labels names a section, not columns.
        if not in_head and (not named or (at > 0 and len(row) == 1)):
            break
        depth = at + 1
    if 0 < depth < len(cells):
        # <th rowspan=2> reaches down: the line of <td> beside it names columns too.
        spans = [cell.rowspan for cell in cells[depth - 1]]
        if max(spans) == 2 and min(spans) == 1 and depth + 1 < len(cells):
            depth += 1
    return depth if depth < len(cells) else min(depth, 1)


def _notes(grid: Grid) -> list[str]:
    notes = ["Read from an HTML table."]
    if grid.repeated:
        notes.append("Cells that span rows or columns are repeated in each.")
    if grid.refused:
        notes.append("Its row and column spans are too large and were left out.")
    return notes

"""DoclingDocument -> line_df, page_df and toc_df. Pure.

Each line stands on the page of its first box, in docling's reading order.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from core.frames import BOX_COLUMNS, TOC_COLUMNS, check_line_df
from core.parsers.base import ParsedDocument
from core.parsers.docling.boxes import NO_BOX, Geometry
from core.parsers.docling.read import Block, Reader, is_pipe_row
from core.parsers.docling.tables import TableLine

if TYPE_CHECKING:
    from docling_core.types.doc import DoclingDocument

METHOD = "docling"

_LAYER_NAMES = {"notes": "speaker notes and comments", "invisible": "hidden parts"}

_LINE_TYPES = {
    "page_num": "int64",
    "line_num": "int64",
    "text": "str",
    **dict.fromkeys(BOX_COLUMNS, "float64"),
    "character_count": "int64",
    "parsing_method": "str",
    "block_num": "int64",
    "block_class": "str",
}


def docling_to_frames(document: DoclingDocument, name: str) -> ParsedDocument:
    """The document as frames. A document without pages has one page without geometry.

    line_df has four columns besides the contract's: character_count, parsing_method,
    block_num and block_class, as `parse_pymupdf` gives them.

    Raises:
        DocumentError: a table larger than `docling_tables.MAX_CELLS`; `name` is for the message.
        Exception: any other, for a damaged document: dangling references, cycles, huge numbers.
    """
    geometry = Geometry.of(document)
    blocks = list(Reader(document, geometry, name).blocks())
    pages: dict[int, list[tuple[Block, list[TableLine]]]] = {}
    current = min(geometry.sizes, default=1)
    for block in blocks:
        for page, line in _with_pages(block.lines, current):
            on_page = pages.setdefault(page, [])
            if not on_page or on_page[-1][0] is not block:
                on_page.append((block, []))
            on_page[-1][1].append(line)
            current = page
    if not pages and not geometry.sizes:
        pages[1] = []
    line_df, headings = _line_df(pages)
    return ParsedDocument(
        line_df=line_df,
        page_df=_page_df(sorted({*pages, *geometry.sizes}), geometry),
        toc_df=_toc_df(headings),
        parser=METHOD,
        notes=tuple(_notes(document, blocks)),
    )


def _with_pages(lines: Sequence[TableLine], current: int) -> Iterator[tuple[int, TableLine]]:
    """Each line with its page; one without stands where the text before it did."""
    for line in lines:
        current = line[0] or current
        yield current, line


def _line_df(
    pages: dict[int, list[tuple[Block, list[TableLine]]]],
) -> tuple[pd.DataFrame, list[tuple[int, str, int, int]]]:
    """line_df and the headings: level, title, page_num and line_num."""
    rows: list[tuple[Any, ...]] = []
    headings = []
    for page_num, blocks in sorted(pages.items()):
        line_num, before = 0, ""
        for block_num, (block, lines) in enumerate(blocks, start=1):
            if is_pipe_row(before) and is_pipe_row(lines[0][1]):
                # Two tables, or text that looks like a row: apart in docling's Markdown too.
                line_num += 1
                rows.append((page_num, line_num, "", *NO_BOX, 0, METHOD, block_num, "text"))
            if block.level:
                title = " ".join(text for _, text, _ in lines)
                headings.append((block.level, title, page_num, line_num + 1))
            for _, text, box in lines:
                line_num += 1
                before = text
                counts = (len(text), METHOD, block_num, block.kind)
                rows.append((page_num, line_num, text, *box, *counts))
    line_df = pd.DataFrame(rows, columns=list(_LINE_TYPES)).astype(_LINE_TYPES)
    return check_line_df(line_df), headings


def _page_df(numbers: Sequence[int], geometry: Geometry) -> pd.DataFrame:
    sizes = [geometry.sizes.get(number, (math.nan, math.nan)) for number in numbers]
    return pd.DataFrame(
        {
            "page_num": pd.Series(numbers, dtype="int64"),
            "width": pd.Series([width for width, _ in sizes], dtype="float64"),
            "height": pd.Series([height for _, height in sizes], dtype="float64"),
            "rotation": pd.Series([0] * len(numbers), dtype="int64"),
        }
    )


def _toc_df(headings: Sequence[tuple[int, str, int, int]]) -> pd.DataFrame:
    types = {"level": "int64", "title": "str", "page_num": "int64", "line_num": "Int64"}
    return pd.DataFrame(list(headings), columns=TOC_COLUMNS).astype(types)


def _notes(document: DoclingDocument, blocks: Sequence[Block]) -> Iterator[str]:
    if not any(block.lines for block in blocks):
        yield "No text was found."
    items = [*document.texts, *document.tables]
    layers = Counter(item.content_layer.value for item in items)
    for layer, count in layers.items():
        if layer not in ("body", "furniture"):
            left_out = "1 item is" if count == 1 else f"{count} items are"
            yield (
                f"{left_out} left out, as in docling's Markdown: "
                f"{_LAYER_NAMES.get(layer, f'layer {layer}')}."
            )

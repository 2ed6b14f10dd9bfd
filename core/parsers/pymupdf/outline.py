"""Outline entries or headings -> toc_df. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from core.frames import TOC_COLUMNS
from core.parsers.pymupdf.blocks import Block

HEADINGS = ("title", "section-header")
MAX_LEVEL = 6

_NUMBERING = re.compile(r"(?:[a-z]|\d+|[ivxlc]+)(?:\.\d+)*[.):]?\s+")
_NOT_TEXT = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark of the PDF; page is 1-based."""

    level: int
    title: str
    page: int


def outline_to_toc(
    outline: Sequence[OutlineEntry], blocks: Mapping[int, Sequence[Block]]
) -> pd.DataFrame:
    """toc_df of the bookmarks that lead to a parsed page.

    line_num is the heading with that title on that page, or else a line that reads the same;
    missing when there is none.
    """
    return _toc_df(
        [
            (entry.level, entry.title.strip(), entry.page, _find(entry.title, blocks[entry.page]))
            for entry in outline
            if entry.page in blocks
        ]
    )


def blocks_to_toc(blocks: Mapping[int, Sequence[Block]]) -> pd.DataFrame:
    """toc_df of the headings themselves; the larger the print, the higher the level."""
    sizes = {
        round(block.size) for page in blocks.values() for block in page if block.kind in HEADINGS
    }
    levels = {size: min(at, MAX_LEVEL) for at, size in enumerate(sorted(sizes)[::-1], start=1)}
    return _toc_df(
        [
            (levels[round(block.size)], _title(block), page_num, line_num)
            for page_num, page in blocks.items()
            for block, line_num in _numbered(page)
            if block.kind in HEADINGS
        ]
    )


def _numbered(page: Sequence[Block]) -> Iterator[tuple[Block, int]]:
    """Each block with the number of its first line."""
    line_num = 1
    for block in page:
        yield block, line_num
        line_num += len(block.lines)


def _find(title: str, page: Sequence[Block]) -> int | None:
    wanted = _key(title)
    others = []
    for block, line_num in _numbered(page):
        if block.kind in HEADINGS and _key(_title(block)) == wanted:
            return line_num
        if block.kind != "table":
            others += [
                at for at, line in enumerate(block.lines, line_num) if _key(line[0]) == wanted
            ]
    return others[0] if others else None


def _title(block: Block) -> str:
    return " ".join(text for text, _ in block.lines)


def _key(title: str) -> str:
    """A title without numbering, case and punctuation: bookmarks often leave them out."""
    folded = title.casefold().strip()
    bare = _NUMBERING.sub("", folded, count=1) if _NUMBERING.match(folded) else folded
    return _NOT_TEXT.sub("", bare) or _NOT_TEXT.sub("", folded)


def _toc_df(rows: Sequence[tuple[int, str, int, int | None]]) -> pd.DataFrame:
    types = {"level": "int64", "title": "str", "page_num": "int64", "line_num": "Int64"}
    return pd.DataFrame(list(rows), columns=TOC_COLUMNS).astype(types)

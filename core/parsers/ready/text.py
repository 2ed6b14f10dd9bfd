"""Markdown or plain text -> lines, one per physical line; headings make the outline. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pandas as pd

from core.frames import BOX_COLUMNS, TOC_COLUMNS

PAGE_BREAK = "\f"
"""A form feed, as pdftotext and printers write it, begins a page."""

_BREAK = re.compile(r"\r\n|\n|\r")
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*\n", re.S)


def text_to_lines(text: str) -> pd.DataFrame:
    """page_num, line_num, text and boxes of NaN.

    Blank lines are kept, since one of them ends a table, and line numbers are those of the file.
    """
    if text.endswith(PAGE_BREAK):
        text = text[: -len(PAGE_BREAK)]
    pages = [_page_lines(page) for page in text.split(PAGE_BREAK)]
    numbers = [np.full(len(page), at, dtype=np.int64) for at, page in enumerate(pages, 1)]
    return pd.DataFrame(
        {
            "page_num": np.concatenate(numbers),
            "line_num": np.concatenate([np.arange(1, len(page) + 1) for page in pages]),
            "text": pd.Series([line for page in pages for line in page], dtype="str"),
            **dict.fromkeys(BOX_COLUMNS, np.nan),
        }
    )


def lines_to_toc(line_df: pd.DataFrame) -> pd.DataFrame:
    """The headings of Markdown lines: level, title, page_num, line_num."""
    text = "\n".join(line_df["text"].tolist())
    # Front matter reads as a heading, for its last line is underlined.
    front = _FRONT_MATTER.match(text)
    after = text[: front.end()].count("\n") if front else 0
    places = line_df[["page_num", "line_num"]].to_numpy()
    rows = [
        (level, title, *places[at].tolist())
        for level, title, at in _headings(text)
        if at >= after and title
    ]
    types = {"level": "int64", "title": "str", "page_num": "int64", "line_num": "int64"}
    return pd.DataFrame(rows, columns=TOC_COLUMNS).astype(types)


def _headings(text: str) -> Iterator[tuple[int, str, int]]:
    """Level, title and 0-based line of each heading outside of code."""
    from markdown_it import MarkdownIt

    # Tables are not asked for, which saves two thirds of the time: a rule below the rows of one
    # makes a "heading" of them, and that is passed over.
    markdown = MarkdownIt("commonmark")
    # Blocks suffice, and reading what stands inside paragraphs takes most of the time.
    markdown.core.ruler.enableOnly(["normalize", "block"])
    for opening, content in pairwise(markdown.parse(text)):
        if opening.type == "heading_open" and opening.map:
            title = " ".join(content.content.replace("\ufffd", " ").split())
            if not title.startswith("|"):
                yield int(opening.tag[1:]), title, opening.map[0]


def _page_lines(text: str) -> list[str]:
    lines = _BREAK.split(text)
    return lines[:-1] if lines and not lines[-1] else lines

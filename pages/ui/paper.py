"""What a page is shown on: its own picture, that of the file beside it, or its lines drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd

from core import ParsedDocument, Table
from core.library import Document, Request
from core.render import PageImage
from core.view.set_out import DRAWN, SET_OUT, has_boxes, set_out
from pages.ui import cached


@dataclass(frozen=True)
class Paper:
    """A page's picture, and the frames whose boxes fit it."""

    image: PageImage
    image_id: str
    page_df: pd.DataFrame
    tables: Sequence[Table]
    row_df: pd.DataFrame
    message: str
    """What the picture is, where it is not the page itself."""
    words: Callable[[], pd.DataFrame]
    """Gives the words on it with their boxes, in points."""


def paper(
    request: Request,
    document: Document,
    parsed: ParsedDocument,
    reading: cached.Reading,
    page_num: int,
) -> Paper:
    """The page as it can be shown; a page that cannot be drawn is shown as its lines."""
    seen = request.doc_id if document.has_pages else request.beside
    page_df, tables, row_df = parsed.page_df, reading.tables, reading.row_df
    problem = ""
    if seen is not None and has_boxes(parsed, page_num):
        image = cached.page_image(seen, page_num, request.password)
        if not isinstance(image, str):
            words = partial(cached.page_words, seen, page_num, request.password)
            return Paper(image, f"{seen}:{page_num}", page_df, tables, row_df, "", words)
        problem = f"{image} "
    image = cached.lines_image(request, page_num)
    image_id = f"{request.doc_id}:{request.parser}:{request.ocr}:{request.beside}:{page_num}"
    cells = partial(cached.lines_cells, request, page_num)
    if has_boxes(parsed, page_num):
        return Paper(image, image_id, page_df, tables, row_df, problem + DRAWN, cells)
    laid = set_out(page_num, *cached.set_out(request, page_num), page_df, tables, row_df)
    return Paper(image, image_id, laid.page_df, laid.tables, laid.row_df, problem + SET_OUT, cells)

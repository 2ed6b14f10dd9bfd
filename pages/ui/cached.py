"""Every cache of the app. Keys are content ids and options, never frames.

What is shared between sessions (cache_resource) is never changed by anyone: core returns new
frames. A rerun that finds everything here does no parsing, reading or indexing.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core import Index, ParsedDocument, Table, build_index, read_tables, serialize_table_rows
from core.errors import RowlensError
from core.kept import Kept
from core.library import Library, Request
from core.lint import Lint, lint_tables
from core.render import PageImage
from core.render_lines import draw_lines, drawn_cells, set_out_lines
from core.render_words import no_words
from core.tokens import DEFAULT_ENCODING, count_tokens
from core.view.notes import lints_by_id
from core.view.set_out import has_boxes
from core.worker import keep_spare_worker

PAGE_DPI = 110

_SPARE_AFTER = 5.0
"""Seconds after the app began."""

_MAX_ROWS = 200_000
"""Rows of all readings kept at a time; an index over them takes about 300 MB."""

HeaderRows = tuple[tuple[str, int | str], ...]
"""Headers set by hand as a key: (table_id, header lines or "key-value") in order of tables."""


@dataclass(frozen=True)
class Reading:
    """A document's tables and rows, ready for questions."""

    tables: list[Table]
    row_df: pd.DataFrame
    index: Index
    lints: dict[str, Lint]
    """What looks wrong, worst first, by id."""


@st.cache_resource(show_spinner=False)
def library() -> Library:
    """The documents of this server; starts loading the token vocabulary beside the first parse."""
    threading.Thread(target=count_tokens, args=([""], DEFAULT_ENCODING), daemon=True).start()
    # A worker that waits makes opening a file quicker; starting one must not slow the first view.
    _after(_SPARE_AFTER, keep_spare_worker)
    return Library()


def parsed(request: Request) -> ParsedDocument:
    """A document's frames; kept by the library, since a parse reports its progress."""
    return library().parsed(request)


def reading(request: Request, strict: bool, header_rows: HeaderRows) -> Reading:
    """Tables, rows, index and lints of a document; another header is read, not parsed, anew."""
    key = (request, strict, header_rows)
    return _readings().get_or_make(key, lambda: _read(request, strict, header_rows))


@st.cache_resource(show_spinner=False)
def _readings() -> Kept[tuple[Request, bool, HeaderRows], Reading]:
    # By weight, not by number: twenty large documents must not stay in memory together.
    return Kept(count=32, weight=_MAX_ROWS, weigh=lambda reading: len(reading.row_df))


def _read(request: Request, strict: bool, header_rows: HeaderRows) -> Reading:
    document = parsed(request)
    line_df, by_hand = document.line_df, dict(header_rows)
    row_df = serialize_table_rows(line_df, strict=strict, header_rows=by_hand)
    tables = read_tables(line_df, strict=strict, header_rows=by_hand)
    lints = lints_by_id(lint_tables(tables, document.page_df))
    return Reading(tables, row_df, build_index(line_df, row_df), lints)


@st.cache_data(max_entries=256, show_spinner=False)
def tokens_of_rows(
    request: Request, strict: bool, header_rows: HeaderRows, table_id: str, encoding: str
) -> int:
    """Tokens of all rows of a table, serialized."""
    row_df = reading(request, strict, header_rows).row_df
    rows = row_df.loc[row_df["table_id"] == table_id, "row_serialized"]
    return sum(count_tokens(rows.tolist(), encoding))


@st.cache_data(max_entries=64, show_spinner=False)
def page_image(doc_id: str, page_num: int, password: str | None) -> PageImage | str:
    """A page of a PDF or image as a picture, or why there is none: a page that hangs is not tried
    again at every redraw."""
    try:
        image = library().page_image(doc_id, page_num, dpi=PAGE_DPI, password=password)
    except RowlensError as problem:
        return str(problem)
    _freeze_libraries()
    return image


@st.cache_data(max_entries=64, show_spinner=False)
def page_words(doc_id: str, page_num: int, password: str | None) -> pd.DataFrame:
    """The words of a page of a PDF with their boxes; none of a page that cannot be read."""
    try:
        return library().page_words(doc_id, page_num, password=password)
    except RowlensError:
        return no_words()


@st.cache_data(max_entries=64, show_spinner=False)
def set_out(request: Request, page_num: int) -> tuple[pd.DataFrame, float, float]:
    """The lines of a page that has no geometry on a made-up page, with its width and height."""
    return set_out_lines(parsed(request).line_df, page_num)


@st.cache_data(max_entries=64, show_spinner=False)
def lines_image(request: Request, page_num: int) -> PageImage:
    """A picture of a page's lines, for a source that has no page to show."""
    return draw_lines(*_lines_to_draw(request, page_num), dpi=PAGE_DPI)


@st.cache_data(max_entries=64, show_spinner=False)
def lines_cells(request: Request, page_num: int) -> pd.DataFrame:
    """The texts of cells on that picture with their boxes, as `page_words` gives words."""
    return drawn_cells(_lines_to_draw(request, page_num)[0])


def _lines_to_draw(request: Request, page_num: int) -> tuple[pd.DataFrame, float, float]:
    """Lines of a page with their boxes, and its width and height."""
    document = parsed(request)
    if has_boxes(document, page_num):
        page = document.page_df[document.page_df["page_num"] == page_num].iloc[0]
        lines = document.line_df[document.line_df["page_num"] == page_num]
        return lines, float(page["width"]), float(page["height"])
    return set_out(request, page_num)


@st.cache_resource(show_spinner=False)
def _freeze_libraries() -> None:
    """Streamlit collects garbage after every run, and looks through whatever libraries hold each
    time, over a second while a page loads. What is loaded at the first page stays: it need not be
    looked at. Once only: what a document brought in must go with it.
    """
    gc.freeze()


def _after(seconds: float, work: Callable[[], None]) -> None:
    timer = threading.Timer(seconds, work)
    timer.daemon = True
    timer.start()

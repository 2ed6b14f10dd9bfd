"""Ready frames: a line_df as Parquet, CSV or JSON, or Markdown text, as somebody's parser left it.

`read`, `csv` and `json` read the file, `columns` maps its columns by what others call them,
`units` checks the boxes against the pages, `text` reads Markdown.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.errors import LimitExceeded, OptionError
from core.frames import TOC_COLUMNS, check_line_df
from core.limits import get_limits
from core.parsers.base import ParsedDocument, ParseOptions, Source
from core.parsers.fit import fit_to_pages, read_pages
from core.parsers.formats import Format, detect_format
from core.parsers.ready.columns import count_from_one, to_line_columns
from core.parsers.ready.pages import page_pixels, to_page_df
from core.parsers.ready.read import check_size, decode, read_frame
from core.parsers.ready.text import lines_to_toc, text_to_lines
from core.parsers.ready.units import Pages, sizes_from_boxes, to_points

METHOD = "frame"


def parse_ready(source: Source, options: ParseOptions) -> ParsedDocument:
    """A line_df from a file, checked; with `options.beside`, its boxes checked against the pages.

    `notes` say which columns were taken for which, and what was numbered, converted or odd.

    Raises:
        DocumentError: damaged, or it holds no frame; LimitExceeded: too many lines or pages.
        LineFrameError: it breaks the contract; names the column and the first offending row.
        OptionError: a page outside the document.
    """
    format_ = detect_format(source)
    if format_ is Format.MARKDOWN:
        document = _parse_text(source)
    else:
        document = _parse_frame(source, format_, options)
    _check_pages(source.name, document)
    document = _choose_pages(source.name, document, options)
    if options.progress:
        options.progress(len(document.page_df), len(document.page_df))
    return document


def _parse_text(source: Source) -> ParsedDocument:
    text, notes = decode(source)
    line_df = text_to_lines(text)
    check_size(source.name, len(line_df))
    checked = _finish(line_df)
    page_nums = range(1, int(line_df["page_num"].max() if len(line_df) else 1) + 1)
    if page_nums[-1] > 1:
        notes.append(f"Form feeds divide the text into {page_nums[-1]:,} pages.")
    return ParsedDocument(
        line_df=checked,
        page_df=sizes_from_boxes(checked, list(page_nums)),
        toc_df=lines_to_toc(checked),
        parser=METHOD,
        notes=tuple(notes),
    )


def _parse_frame(source: Source, format_: Format, options: ParseOptions) -> ParsedDocument:
    raw = read_frame(source, format_)
    notes = list(raw.notes)
    line_df = to_line_columns(raw.line_df, notes)
    line_df, shift = count_from_one(line_df, notes)
    own = None if raw.page_df is None else to_page_df(raw.page_df, shift, notes)
    page_nums = sorted(
        {*line_df["page_num"].tolist(), *([] if own is None else own["page_num"].tolist())}
    )
    page_df = _page_df(own, page_nums)
    toc_df = pd.DataFrame(columns=TOC_COLUMNS)
    if options.beside is not None:
        shown = read_pages(options.beside, options.password)
        first = ParsedDocument(line_df, page_df, toc_df, METHOD)
        fitted = fit_to_pages(first, shown)
        notes += fitted.notes
        line_df, page_df = fitted.line_df, fitted.page_df
        pages = Pages(page_df, page_pixels(options.beside), is_export=raw.is_export)
        line_df = to_points(line_df, pages, notes)
    else:
        line_df = to_points(line_df, Pages(page_df, is_export=raw.is_export), notes)
        if line_df["x1"].notna().any() and page_df["width"].isna().all():
            page_df = sizes_from_boxes(line_df, page_nums)
            notes.append(
                "Page sizes are guessed from the boxes: give the PDF beside it to see more."
            )
    if not len(line_df):
        notes.append("The frame holds no lines.")
    return ParsedDocument(_finish(line_df), page_df, toc_df, METHOD, tuple(notes))


def _finish(line_df: pd.DataFrame) -> pd.DataFrame:
    """Checked by the contract, with the columns every parser sets where the file has none."""
    checked = check_line_df(line_df)
    if "character_count" not in checked.columns:
        checked = checked.assign(character_count=checked["text"].str.len().astype(np.int64))
    if "parsing_method" not in checked.columns:
        method = pd.Series(METHOD, index=checked.index, dtype="str")
        checked = checked.assign(parsing_method=method)
    return checked


def _page_df(own: pd.DataFrame | None, page_nums: list[int]) -> pd.DataFrame:
    """The page sizes of the file for all pages, NaN where it gives none."""
    page_df = pd.DataFrame({"page_num": np.array(page_nums, dtype=np.int64)})
    if own is None:
        return page_df.assign(width=np.nan, height=np.nan, rotation=0)
    known = own.set_index("page_num").reindex(page_nums)
    return page_df.assign(
        width=known["width"].to_numpy(np.float64),
        height=known["height"].to_numpy(np.float64),
        rotation=known["rotation"].fillna(0).to_numpy(np.int64),
    )


def _check_pages(name: str, document: ParsedDocument) -> None:
    most = get_limits().pages
    if len(document.page_df) > most:
        raise LimitExceeded.of(name, f"has {len(document.page_df):,} pages", "pages", most, "pages")


def _choose_pages(name: str, document: ParsedDocument, options: ParseOptions) -> ParsedDocument:
    if options.pages is None:
        return document
    last = int(document.page_df["page_num"].max()) if len(document.page_df) else 0
    outside = [number for number in options.pages if not 1 <= number <= last]
    if outside:
        raise OptionError(
            f"pages holds {outside[0]}, but {name} has pages 1 to {last}. "
            f"Choose among those; pages count from 1."
        )
    line_df, page_df, toc_df = (
        frame[frame["page_num"].isin(list(options.pages))].reset_index(drop=True)
        for frame in (document.line_df, document.page_df, document.toc_df)
    )
    return ParsedDocument(line_df, page_df, toc_df, document.parser, document.notes)

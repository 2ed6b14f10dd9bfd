"""Any document -> frames with docling: PDF, images, Office files, HTML, XML, CSV, Markdown and
saved DoclingDocuments.

This module ties the parts together. `fetch`, `service` and `calls` do the I/O (converter, models,
a service, settings); pure are `read` (document -> blocks), `tables` (table -> Markdown lines),
`boxes` (places -> boxes), `convert` (blocks -> frames) and `fit` beside this folder (boxes -> the
pages shown).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from core.errors import DocumentError, LimitExceeded, OptionError
from core.limits import get_limits
from core.parsers.base import ParsedDocument, ParseOptions, Source
from core.parsers.docling.calls import first_line, quiet
from core.parsers.docling.convert import docling_to_frames
from core.parsers.docling.fetch import fetch_docling, load_docling_json
from core.parsers.fit import fit_to_pages, read_pages
from core.parsers.formats import Format, detect_format


def parse_docling(source: Source, options: ParseOptions) -> ParsedDocument:
    """Parse with docling; arguments and errors as in `core.parsers.parse_document`.

    Tables are lines exactly as docling's Markdown serializer writes them. Sources without pages
    come as page 1 without boxes; a workbook has a page per sheet, a slide deck one per slide.
    line_df has four columns besides the contract's: character_count, parsing_method, block_num
    and block_class. Settings are read from the environment, see `core.parsers.docling.fetch`.

    Raises:
        SourceUnavailable: docling's models are missing (says how to fetch them), or a
            configured docling-serve does not answer or refuses.
    """
    format_ = detect_format(source)
    is_paged = format_ in (Format.PDF, Format.IMAGE)
    shown = source if is_paged else options.beside
    page_df = read_pages(shown, options.password) if shown else None
    if is_paged and page_df is not None:
        _check_pages(options.pages, page_df, source.name)
        _check_sizes(_chosen(page_df, options.pages), source.name)
    no_notes: tuple[str, ...] = ()
    if format_ is Format.DOCLING_JSON:
        document, notes = load_docling_json(source), no_notes
    else:
        document, notes = fetch_docling(source, format_, options)
    try:
        with quiet():
            parsed = docling_to_frames(document, source.name)
    except DocumentError:
        raise
    except Exception as error:  # references, numbers and nesting of a damaged document
        raise DocumentError(
            f"{source.name} is a damaged DoclingDocument: {first_line(error)}. "
            f"Convert the original document again."
        ) from error
    if not is_paged:
        _check_pages(options.pages, parsed.page_df, source.name)
    parsed = _only(parsed, options.pages)
    if page_df is not None:
        parsed = fit_to_pages(parsed, _chosen(page_df, options.pages))
    if options.progress and not is_paged:
        options.progress(len(parsed.page_df), len(parsed.page_df))
    return replace(parsed, notes=(*parsed.notes, *notes))


def _check_pages(pages: Sequence[int] | None, page_df: pd.DataFrame, name: str) -> None:
    limit, n_pages = get_limits().pages, len(page_df if pages is None else pages)
    if n_pages > limit:
        raise LimitExceeded(
            f"{name} is to give {n_pages:,} pages; at most {limit:,.0f} are read at a time. Choose "
            f"some of them (pages=[1, 2, 3]), or set ROWLENS_MAX_PAGES to a larger number."
        )
    known = set(page_df["page_num"])
    outside = [number for number in pages or () if number not in known]
    if outside:
        raise OptionError(
            f"pages holds {outside[0]}, but {name} has pages {min(known, default=0)} to "
            f"{max(known, default=0)}. Choose among those; pages count from 1."
        )


def _check_sizes(page_df: pd.DataFrame, name: str) -> None:
    """Models look at pictures of the pages: a huge page would be a huge picture."""
    limit = get_limits().page_points
    huge = page_df[page_df[["width", "height"]].max(axis=1) > limit]
    if len(huge):
        page = huge.iloc[0]
        what = f"has a page {page['page_num']:.0f} of {page['width']:,.0f} x {page['height']:,.0f}"
        raise LimitExceeded.of(name, f"{what} points", "page_points", limit, "points a side")


def _only(parsed: ParsedDocument, pages: Sequence[int] | None) -> ParsedDocument:
    return replace(
        parsed,
        line_df=_chosen(parsed.line_df, pages),
        page_df=_chosen(parsed.page_df, pages),
        toc_df=_chosen(parsed.toc_df, pages),
    )


def _chosen(frame: pd.DataFrame, pages: Sequence[int] | None) -> pd.DataFrame:
    if pages is None:
        return frame
    return frame[frame["page_num"].isin(list(pages))].reset_index(drop=True)

"""PDF or image -> frames with PyMuPDF and its bundled layout and table models.

`page` and `scan` read a page, the latter from its picture. What is pure lies
beside them, in the order of the work: `words` (characters -> words -> lines),
`rules` (drawings -> rules), `cells` (words, grid and rules -> pipe lines; with
`grid`, `joins` and `spans`), `blocks` (areas -> blocks in
reading order), `outline` and `frames`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from enum import Enum
from typing import Any

from core.errors import DocumentError, LimitExceeded, OptionError
from core.limits import get_limits
from core.parsers.base import ParsedDocument, ParseOptions, Source
from core.parsers.mupdf import LOCK, open_document
from core.parsers.pymupdf.blocks import PageRead, page_to_blocks
from core.parsers.pymupdf.frames import (
    DAMAGED,
    DRAWING,
    METHOD,
    OVERSIZED,
    SCAN,
    blocks_to_line_df,
    reads_to_notes,
    reads_to_page_df,
)
from core.parsers.pymupdf.outline import OutlineEntry, blocks_to_toc, outline_to_toc
from core.parsers.pymupdf.page import read_page_or_note
from core.parsers.pymupdf.scan import read_scan_or_note

_BREATH = 0.001
"""Seconds between two pages: Python's locks are not fair, a waiting render would starve."""


class Recognise(Enum):
    """Which pages are read from their picture."""

    NONE = "none"
    WITHOUT_TEXT = "without text"
    ALL = "all"


def parse_pymupdf(source: Source, options: ParseOptions) -> ParsedDocument:
    """Parse a PDF or an image; arguments and errors as in `core.parsers.parse_document`.

    line_df has four columns besides the contract's: character_count, parsing_method ("ocr" for
    lines read from a picture), block_num (int, 1-based on its page: lines of one paragraph share
    it) and block_class (the layout class: text, table, caption, section-header, page-header, ...).
    Where lines were read from pictures there is a fifth, confidence.
    """
    which = Recognise.WITHOUT_TEXT if options.ocr else Recognise.NONE
    return parse_pages(source, options, which, METHOD)


def parse_pages(
    source: Source, options: ParseOptions, recognise: Recognise, parser: str
) -> ParsedDocument:
    """Parse a PDF or an image, some pages from their picture; `parser` is the name to give."""
    reads = []
    with ExitStack() as opened:

        def open_source() -> Any:
            return opened.enter_context(
                open_document(source, options.password, hold=False, wanted=options.pages)
            )

        shown = open_source()
        work = None if recognise is Recognise.ALL else open_source()
        with LOCK:
            numbers = _chosen(options.pages, shown.page_count, source.name)
            outline = _read_outline(shown)
            if work:
                _drop_document_parts(work)
        for done, number in enumerate(numbers, start=1):
            reads.append(_read(shown, work, number, recognise))
            time.sleep(_BREATH)
            if options.progress:
                options.progress(done, len(numbers))
    _refuse_if_nothing_was_read(reads, source.name)
    blocks = {read.number: page_to_blocks(read) for read in reads}
    return ParsedDocument(
        line_df=blocks_to_line_df(blocks),
        page_df=reads_to_page_df(reads),
        toc_df=outline_to_toc(outline, blocks) if outline else blocks_to_toc(blocks),
        parser=parser,
        notes=reads_to_notes(reads),
    )


def _read(shown: Any, work: Any, number: int, recognise: Recognise) -> PageRead:
    if recognise is Recognise.ALL:
        return read_scan_or_note(shown, number)
    with LOCK:
        read = read_page_or_note(shown, work, number)
    if recognise is Recognise.WITHOUT_TEXT and read.problem in (SCAN, DRAWING):
        return read_scan_or_note(shown, number)
    return read


def _refuse_if_nothing_was_read(reads: Sequence[PageRead], name: str) -> None:
    problems = {read.problem for read in reads}
    if OVERSIZED in problems and problems <= {OVERSIZED, DAMAGED}:
        notes = " ".join(reads_to_notes(reads))
        raise LimitExceeded(f"{name} has no page that can be read. {notes}")
    if problems == {DAMAGED}:
        raise DocumentError(
            f"{name} is damaged: no page can be read. Open it in a PDF viewer and save it again."
        )


def _chosen(pages: Sequence[int] | None, n_pages: int, name: str) -> Sequence[int]:
    limit = get_limits().pages
    if len(range(1, n_pages + 1) if pages is None else pages) > limit:
        chosen = f"has {n_pages:,} pages" if pages is None else f"is to give {len(pages):,} pages"
        raise LimitExceeded(
            f"{name} {chosen}; at most {limit:,.0f} are read at a time. Choose some of them "
            f"(pages=[1, 2, 3]), or set ROWLENS_MAX_PAGES to a larger number."
        )
    if pages is None:
        return range(1, n_pages + 1)
    outside = [number for number in pages if not 1 <= number <= n_pages]
    if outside:
        raise OptionError(
            f"pages holds {outside[0]}, but {name} has pages 1 to {n_pages}. "
            f"Choose among those; pages count from 1."
        )
    return sorted(set(pages))


def _read_outline(document: Any) -> list[OutlineEntry]:
    try:
        entries = document.get_toc(simple=True)
    except Exception:  # a damaged outline must not cost the text
        return []
    return [OutlineEntry(level, title, page) for level, title, page in entries if page >= 1]


def _drop_document_parts(document: Any) -> None:
    """Take out what pymupdf4llm would read again on each call, once per page.

    On forms that is a walk over all pages, so page by page it would be quadratic. The pages'
    own widgets stay and are drawn as before.
    """
    catalog = document.pdf_catalog()
    with suppress(Exception):  # a damaged catalog: then it only takes longer
        document.xref_set_key(catalog, "Outlines", "null")
        if document.xref_get_key(catalog, "AcroForm")[0] != "null":
            document.xref_set_key(catalog, "AcroForm/Fields", "[]")

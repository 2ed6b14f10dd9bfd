"""PDF -> frames with PyMuPDF and its bundled layout and table models. No OCR.

This module does the I/O. What is pure lies beside it, in the order of the work:
`pymupdf_words` (characters -> words -> lines), `pymupdf_rules` (drawings -> rules),
`pymupdf_cells` (words, grid and rules -> pipe lines; with `pymupdf_grid`, `pymupdf_joins` and
`pymupdf_spans`), `pymupdf_blocks` (areas -> blocks in reading order), `pymupdf_outline` and
`pymupdf_frames`.

Two document handles are kept: `shown` is the document as it is, for page sizes; `work` is
turned upright page by page, so that what is parsed has the coordinates of the displayed page.
A page whose text runs sideways is turned once more; its boxes are placed back at the end.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from core.errors import DocumentError, OptionError
from core.parsers.base import ParsedDocument, ParseOptions, Source
from core.parsers.mupdf import LOCK, load_pymupdf, open_pdf
from core.parsers.pymupdf_blocks import Area, PageRead, page_to_blocks
from core.parsers.pymupdf_frames import (
    DAMAGED,
    DRAWING,
    EMPTY,
    METHOD,
    NO_LAYOUT,
    SCAN,
    blocks_to_line_df,
    reads_to_notes,
    reads_to_page_df,
)
from core.parsers.pymupdf_grid import Grid
from core.parsers.pymupdf_outline import OutlineEntry, blocks_to_toc, outline_to_toc
from core.parsers.pymupdf_rules import NO_RULES, drawings_to_rules
from core.parsers.pymupdf_words import Box, blocks_to_turn, blocks_to_words

_DEFAULT_SIZE = 612.0, 792.0
"""Width and height of a page that cannot be read; MuPDF takes the same when MediaBox is missing."""

_BREATH = 0.001
"""Seconds between two pages: Python's locks are not fair, a waiting render would starve."""


def parse_pymupdf(source: Source, options: ParseOptions) -> ParsedDocument:
    """Parse a PDF; arguments and errors as in `core.parsers.parse_document`.

    line_df has four columns besides the contract's: character_count, parsing_method,
    block_num (int, 1-based on its page: lines of one paragraph share it) and block_class
    (the layout class: text, table, caption, section-header, page-header, ...).
    """
    reads = []
    with (
        open_pdf(source, options.password, hold=False) as shown,
        open_pdf(source, options.password, hold=False) as work,
    ):
        with LOCK:
            numbers = _chosen(options.pages, shown.page_count, source.name)
            outline = _read_outline(shown)
            _drop_document_parts(work)
        for done, number in enumerate(numbers, start=1):
            with LOCK:
                reads.append(_read_page_or_note(shown, work, number))
            time.sleep(_BREATH)
            if options.progress:
                options.progress(done, len(numbers))
    if all(read.problem == DAMAGED for read in reads):
        raise DocumentError(
            f"{source.name} is damaged: no page can be read. "
            f"Open it in a PDF viewer and save it again."
        )
    blocks = {read.number: page_to_blocks(read) for read in reads}
    return ParsedDocument(
        line_df=blocks_to_line_df(blocks),
        page_df=reads_to_page_df(reads),
        toc_df=outline_to_toc(outline, blocks) if outline else blocks_to_toc(blocks),
        parser=METHOD,
        notes=reads_to_notes(reads),
    )


def _chosen(pages: Sequence[int] | None, n_pages: int, name: str) -> Sequence[int]:
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


def _read_page_or_note(shown: Any, work: Any, number: int) -> PageRead:
    try:
        return _read_page(shown, work, number)
    except Exception:  # one damaged page must not cost the others
        return PageRead(number, *_DEFAULT_SIZE, 0, problem=DAMAGED)


def _read_page(shown: Any, work: Any, number: int) -> PageRead:
    page = shown.load_page(number - 1)
    read = PageRead(number, page.rect.width, page.rect.height, page.rotation)
    _turn_upright(work, number - 1)
    upright = work.load_page(number - 1)
    scale = read.width / upright.rect.width
    blocks = _read_text(upright)
    turn = blocks_to_turn(blocks)
    if turn:  # a table printed sideways: the models read upright text only
        read = replace(read, turned=turn)
        _turn_upright(work, number - 1, turn)
        upright = work.load_page(number - 1)
        blocks = _read_text(upright)
    words = [word for word in blocks_to_words(blocks, scale) if read.shows(word.box)]
    if not words:
        return replace(read, problem=_why_no_words(upright))
    try:
        areas = _read_areas(work, number - 1, scale)
    except Exception:  # the models may fail on an odd page; its text is still there
        return replace(read, words=words, problem=NO_LAYOUT)
    has_table = any(area.grid for area in areas)
    rules = drawings_to_rules(upright.get_cdrawings(), scale) if has_table else NO_RULES
    return replace(read, words=words, areas=areas, rules=rules)


def _turn_upright(document: Any, index: int, turn: int = 0) -> None:
    """Make the page's own coordinates those of the displayed page, up to a scale, or those of
    the displayed page turned clockwise by `turn` degrees.

    pymupdf4llm calls `remove_rotation()`, which loses the CropBox and does not know UserUnit.
    With the CropBox made the MediaBox first and UserUnit taken out, it moves nothing.
    """
    page = document.load_page(index)
    document.xref_set_key(page.xref, "UserUnit", "null")
    page = document.load_page(index)
    if turn:
        page.set_rotation((page.rotation + turn) % 360)
    if not page.rotation:
        return
    media, crop = page.mediabox, page.cropbox
    page.set_mediabox((crop.x0, media.y1 - crop.y1, crop.x1, media.y1 - crop.y0))
    page.remove_rotation()
    # A CropBox inherited from the page tree would cut the turned page.
    box = " ".join(f"{edge:g}" for edge in page.mediabox)
    document.xref_set_key(page.xref, "CropBox", f"[{box}]")


def _read_text(page: Any) -> list[dict[str, Any]]:
    pymupdf = load_pymupdf()
    flags = (
        pymupdf.TEXT_COLLECT_STYLES
        | pymupdf.TEXT_ACCURATE_BBOXES
        | pymupdf.TEXT_MEDIABOX_CLIP
        | pymupdf.TEXT_IGNORE_ACTUALTEXT
    )
    textpage = page.get_textpage(flags=flags, clip=pymupdf.INFINITE_RECT())
    blocks: list[dict[str, Any]] = textpage.extractRAWDICT()["blocks"]
    return blocks


def _read_areas(document: Any, index: int, scale: float) -> list[Area]:
    """Layout areas in reading order, from pymupdf4llm."""
    from pymupdf4llm.helpers.document_layout import (  # type: ignore[import-untyped]
        parse_document,
    )

    (page,) = parse_document(document, pages=[index], use_ocr=False).pages
    return [
        Area(
            kind=box.boxclass,
            box=(box.x0 * scale, box.y0 * scale, box.x1 * scale, box.y1 * scale),
            grid=_grid(box.table["cells"], scale) if box.table else None,
        )
        for box in page.boxes
    ]


def _grid(cells: list[list[Box]] | None, scale: float) -> Grid | None:
    if not cells:
        return None
    x = [cell[0] for cell in cells[0]] + [cells[0][-1][2]]
    y = [row[0][1] for row in cells] + [cells[-1][0][3]]
    return Grid(tuple(edge * scale for edge in x), tuple(edge * scale for edge in y))


def _why_no_words(page: Any) -> str:
    # A white background is a drawing too: what counts is whether anything shows.
    if page.get_pixmap(dpi=36, colorspace="gray").is_unicolor:
        return EMPTY
    drawn = [kind for kind, *_ in page.get_bboxlog()]
    return SCAN if any("image" in kind for kind in drawn) else DRAWING

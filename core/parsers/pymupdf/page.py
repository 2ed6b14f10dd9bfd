"""One page of an open PDF -> words, layout areas and rules, as PyMuPDF and its models see them.

Two document handles are used: `shown` is the document as it is, for page sizes; `work` is
turned upright page by page, so that what is parsed has the coordinates of the displayed page.
A page whose text runs sideways is turned once more; its boxes are placed back at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from core.parsers.mupdf import is_oversized, load_pymupdf
from core.parsers.pymupdf.blocks import Area, PageRead
from core.parsers.pymupdf.frames import DAMAGED, DRAWING, EMPTY, NO_LAYOUT, OVERSIZED, SCAN
from core.parsers.pymupdf.grid import Grid
from core.parsers.pymupdf.rules import NO_RULES, drawings_to_rules
from core.parsers.pymupdf.words import Box, blocks_to_size, blocks_to_turn, blocks_to_words

DEFAULT_SIZE = 612.0, 792.0
"""Width and height of a page that cannot be read; MuPDF takes the same when MediaBox is missing."""

_USUAL_PAGE, _USUAL_PRINT = (100.0, 3_000.0), (5.0, 30.0)
_PRINT, _LONGEST = 10.0, 10_000.0
"""Points: the longest side of usual pages and their font sizes, and what others are made."""


def read_page_or_note(shown: Any, work: Any, number: int) -> PageRead:
    """A page (1-based) with its text; the caller holds the lock."""
    try:
        return _read_page(shown, work, number)
    except Exception:  # one damaged page must not cost the others
        return PageRead(number, *DEFAULT_SIZE, 0, problem=DAMAGED)


def read_size(shown: Any, number: int) -> PageRead:
    """A page (1-based) with its size alone, and whether it is too large to be read."""
    page = shown.load_page(number - 1)
    problem = OVERSIZED if is_oversized(page) else ""
    return PageRead(number, page.rect.width, page.rect.height, page.rotation, problem=problem)


def _read_page(shown: Any, work: Any, number: int) -> PageRead:
    read = read_size(shown, number)
    if read.problem:
        return read
    _turn_upright(work, number - 1)
    upright = work.load_page(number - 1)
    read = replace(read, unit=read.width / upright.rect.width)
    blocks = _read_text(upright)
    turn = blocks_to_turn(blocks)
    if turn:  # a table printed sideways: the models read upright text only
        read = replace(read, turned=turn)
        _turn_upright(work, number - 1, turn)
        upright = work.load_page(number - 1)
        blocks = _read_text(upright)
    zoom = zoom_to_read(max(upright.rect.width, upright.rect.height), blocks_to_size(blocks))
    if zoom == 1:
        return _read_upright(read, work, number - 1, blocks)
    with _zoomed(work, number - 1, zoom) as document:
        read = replace(read, unit=read.unit / zoom)
        return _read_upright(read, document, 0, _read_text(document[0]))


def _read_upright(
    read: PageRead, document: Any, index: int, blocks: list[dict[str, Any]]
) -> PageRead:
    page = document.load_page(index)
    words = [word for word in blocks_to_words(blocks) if read.shows(word.box)]
    if not words:
        return replace(read, problem=_why_no_words(page))
    try:
        areas = read_areas(document, index)
    except Exception:  # the models may fail on an odd page; its text is still there
        return replace(read, words=words, problem=NO_LAYOUT)
    has_table = any(area.grid for area in areas)
    rules = drawings_to_rules(page.get_cdrawings()) if has_table else NO_RULES
    return replace(read, words=words, areas=areas, rules=rules)


def zoom_to_read(longest: float, print_size: float) -> float:
    """How much to enlarge a page of that longest side and font size, so that models can read it.

    They know pages as people read them. On a poster of 200 inches, or a stamp, they see none.
    """
    usual = _USUAL_PAGE[0] <= longest <= _USUAL_PAGE[1]
    if usual or not print_size or _USUAL_PRINT[0] <= print_size <= _USUAL_PRINT[1]:
        return 1.0
    return min(_PRINT / print_size, _LONGEST / longest)


@contextmanager
def _zoomed(work: Any, index: int, zoom: float) -> Iterator[Any]:
    """A document of that page alone, enlarged."""
    document = load_pymupdf().open()
    try:
        size = work.load_page(index).rect
        page = document.new_page(width=size.width * zoom, height=size.height * zoom)
        page.show_pdf_page(page.rect, work, index, keep_proportion=False)
        yield document
    finally:
        document.close()


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


def read_areas(document: Any, index: int) -> list[Area]:
    """Layout areas of an upright page in reading order, from pymupdf4llm."""
    from pymupdf4llm.helpers.document_layout import (  # type: ignore[import-untyped]
        parse_document,
    )

    (page,) = parse_document(document, pages=[index], use_ocr=False).pages
    return [
        Area(
            kind=box.boxclass,
            box=(box.x0, box.y0, box.x1, box.y1),
            grid=_grid(box.table["cells"]) if box.table else None,
        )
        for box in page.boxes
    ]


def _grid(cells: list[list[Box]] | None) -> Grid | None:
    if not cells:
        return None
    x = [cell[0] for cell in cells[0]] + [cells[0][-1][2]]
    y = [row[0][1] for row in cells] + [cells[-1][0][3]]
    return Grid(tuple(x), tuple(y))


def _why_no_words(page: Any) -> str:
    # A white background is a drawing too: what counts is whether anything shows.
    if page.get_pixmap(dpi=36, colorspace="gray").is_unicolor:
        return EMPTY
    drawn = [kind for kind, *_ in page.get_bboxlog()]
    return SCAN if any("image" in kind for kind in drawn) else DRAWING

"""One page of an open document, read from its picture.

The picture is read, turned upright and made level; a page is made of it that carries the words
as invisible text, and this page goes the way of any other: layout, grid, pipe lines.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import median
from typing import Any

import numpy as np

from core.errors import SourceUnavailable
from core.parsers.mupdf import LOCK, load_pymupdf
from core.parsers.ocr.layer import picture_to_document
from core.parsers.ocr.page import read_picture, reading_to_words
from core.parsers.ocr.rules import picture_to_rules
from core.parsers.pymupdf.blocks import PageRead
from core.parsers.pymupdf.frames import DAMAGED, EMPTY, NO_LAYOUT, UNREADABLE
from core.parsers.pymupdf.page import DEFAULT_SIZE, read_areas, read_size, zoom_to_read

DPI = 200
"""Resolution at which pages are read: print of 6 points is about 17 pixels high."""

LONGEST_SIDE = 3_400
"""Pixels; a larger page is read at a lower resolution. A3 at 200 dpi just fits."""

_POINTS_PER_INCH = 72


def read_scan_or_note(shown: Any, number: int) -> PageRead:
    """A page (1-based) with the text of its picture. Takes the lock only around PyMuPDF.

    Raises:
        SourceUnavailable: RapidOCR is not installed.
    """
    try:
        return _read_scan(shown, number)
    except SourceUnavailable:
        raise
    except Exception:  # one damaged page must not cost the others
        return PageRead(number, *DEFAULT_SIZE, 0, problem=DAMAGED)


def _read_scan(shown: Any, number: int) -> PageRead:
    with LOCK:
        read = read_size(shown, number)
        if read.problem:
            return read
        picture = _draw(shown.load_page(number - 1))
    if picture.min() == picture.max():
        return replace(read, problem=EMPTY)
    reading = read_picture(picture)
    read = replace(read, turned=reading.turn, slope=reading.slope, recognised=True)
    words = reading_to_words(reading, read.frame[2])
    if not words:
        return replace(read, problem=UNREADABLE)
    zoom = zoom_to_read(max(read.frame), median(word.size for word in words))
    if zoom != 1:
        read = replace(read, unit=1 / zoom)
        words = reading_to_words(reading, read.frame[2])
    rules = picture_to_rules(reading.picture, read.frame[2] / reading.picture.shape[1])
    read = replace(read, words=words, rules=rules)
    try:
        with LOCK:
            document = picture_to_document(
                load_pymupdf(), reading.picture, words, rules, read.frame[2:]
            )
            try:
                return replace(read, areas=read_areas(document, 0))
            finally:
                document.close()
    except Exception:  # the models may fail on an odd page; its text is still there
        return replace(read, problem=NO_LAYOUT)


def _draw(page: Any) -> np.ndarray:
    """The page as it is displayed: (height, width, 3) RGB bytes."""
    pymupdf = load_pymupdf()
    longest = max(page.rect.width, page.rect.height)
    zoom = min(DPI / _POINTS_PER_INCH, LONGEST_SIDE / longest)
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), colorspace="rgb", alpha=False)
    pixels = np.frombuffer(pixmap.samples, np.uint8)
    return pixels.reshape(pixmap.height, pixmap.stride)[:, : pixmap.width * 3].reshape(
        pixmap.height, pixmap.width, 3
    )

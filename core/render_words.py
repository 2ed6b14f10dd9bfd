"""The words of a page with their boxes, on the page as `core.render` shows it.

For lighting single cells on the picture. A page without text, as a scan, has none.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.frames import BOX_COLUMNS
from core.parsers.base import Source
from core.parsers.formats import Format, detect_format
from core.parsers.mupdf import load_pymupdf
from core.render import open_page

MAX_WORDS = 50_000
"""A page with more is not looked at: no one reads it."""


def page_words(data: bytes, page_num: int, *, password: str | None = None) -> pd.DataFrame:
    """Words of one page (1-based) of a PDF: text, x0, y0, x1, y1, in MuPDF's order.

    Boxes are those of the ink, in points of the displayed page: after /Rotate, CropBox and
    UserUnit. Pictures have no words.

    Raises:
        as `core.render.render_page`.
    """
    if detect_format(Source("The document", data)) is Format.IMAGE:
        return no_words()
    pymupdf = load_pymupdf()
    # As the parser reads them, so that cells are spelt the same.
    flags = (
        pymupdf.TEXT_ACCURATE_BBOXES | pymupdf.TEXT_MEDIABOX_CLIP | pymupdf.TEXT_IGNORE_ACTUALTEXT
    )
    with open_page(data, page_num, password) as page:
        width, height, rotation = page.rect.width, page.rect.height, page.rotation
        found = page.get_text("words", flags=flags)
    if len(found) > MAX_WORDS:
        return no_words()
    boxes = np.array([word[:4] for word in found], dtype=float).reshape(-1, 4)
    return words_frame([word[4] for word in found], _turned(boxes, rotation, width, height))


def words_frame(texts: list[str], boxes: np.ndarray) -> pd.DataFrame:
    """Words and their boxes, (n, 4), as a frame; those without a place are left out."""
    placed = np.isfinite(boxes).all(axis=1) if len(boxes) else np.zeros(0, dtype=bool)
    frame = pd.DataFrame({"text": pd.Series(texts, dtype=object)})
    frame[BOX_COLUMNS] = boxes.reshape(-1, 4)
    return frame[placed].reset_index(drop=True)


def no_words() -> pd.DataFrame:
    """The words of a page that has none."""
    return words_frame([], np.zeros((0, 4)))


def _turned(boxes: np.ndarray, rotation: int, width: float, height: float) -> np.ndarray:
    """Boxes of the page before /Rotate on the displayed page of that size.

    Not by PyMuPDF's `rotation_matrix`, which does not know UserUnit.
    """
    x0, y0, x1, y1 = boxes.T
    turned = {
        90: (width - y1, x0, width - y0, x1),
        180: (width - x1, height - y1, width - x0, height - y0),
        270: (y0, height - x1, y1, height - x0),
    }.get(rotation, (x0, y0, x1, y1))
    return np.column_stack(turned)

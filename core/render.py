"""A page of a PDF or an image as a PNG, the way a viewer shows it: rotated and cropped as the
file says."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from core.errors import DocumentError, LimitExceeded, OptionError
from core.parsers.base import Source
from core.parsers.mupdf import is_oversized, load_pymupdf, open_document, oversized

MAX_PIXELS = 16_000_000
"""A larger picture is rendered at a lower resolution: 16 million pixels take 48 MB."""

POINTS_PER_INCH = 72


@dataclass(frozen=True)
class PageImage:
    """A rendered page. Boxes in points scale to pixels by width_px / width."""

    png: bytes
    width_px: int
    height_px: int
    width: float
    """Points of the displayed page, as in page_df."""
    height: float


def render_page(
    data: bytes, page_num: int, *, dpi: float = 110, password: str | None = None
) -> PageImage:
    """Render one page (1-based) of a PDF, or frame of an image, at a resolution in dots per inch.

    A page that would exceed `MAX_PIXELS` comes smaller.

    Raises:
        OptionError: page_num outside the document, or dpi not above 0.
        PasswordRequired: encrypted, and the password is missing or wrong.
        LimitExceeded: the page, or the image, is larger than `core.limits` allows.
        DocumentError: neither PDF nor image, or damaged.
    """
    if not (math.isfinite(dpi) and dpi > 0):
        raise OptionError(f"dpi is {dpi}. Give a resolution above 0, such as 110.")
    with open_page(data, page_num, password) as page:
        return draw_page(page, dpi)


@contextmanager
def open_page(data: bytes, page_num: int, password: str | None) -> Iterator[Any]:
    """A page (1-based) of a PDF or an image as a `pymupdf.Page`; the lock is held throughout.

    Raises:
        as `render_page`; DocumentError also for whatever is raised within.
    """
    with open_document(Source("The document", data), password, wanted=(page_num,)) as document:
        if not 1 <= page_num <= document.page_count:
            raise OptionError(
                f"page_num is {page_num}, but the document has pages 1 to {document.page_count}."
            )
        try:
            page = document.load_page(page_num - 1)
            if is_oversized(page):
                raise oversized(f"Page {page_num}", page)
            yield page
        except LimitExceeded:
            raise
        except Exception as error:  # PyMuPDF raises several unrelated types here
            raise DocumentError(
                f"Page {page_num} cannot be drawn ({error}). "
                f"Open the document in a PDF viewer and save it again."
            ) from error


def draw_page(page: Any, dpi: float) -> PageImage:
    """A `pymupdf.Page` as a picture; the caller holds the lock."""
    width, height = page.rect.width, page.rect.height
    zoom = min(dpi / POINTS_PER_INCH, _largest_zoom(width, height))
    pixmap = page.get_pixmap(matrix=load_pymupdf().Matrix(zoom, zoom), alpha=False)
    return PageImage(pixmap.tobytes("png"), pixmap.width, pixmap.height, width, height)


def _largest_zoom(width: float, height: float) -> float:
    """Pixels per point at which (width + 1) * (height + 1) pixels reach MAX_PIXELS.

    The 1 is for the rounding up of each side.
    """
    around, area = width + height, width * height
    return (math.sqrt(around**2 + 4 * area * (MAX_PIXELS - 1)) - around) / (2 * area)

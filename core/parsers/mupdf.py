"""The one place that opens PDFs and images with PyMuPDF, and the lock around every use of it.

An image is opened as a PDF document of its frames, so sizes and boxes of both agree everywhere.
PyMuPDF must not run in two threads at once: it may take the Python process down with it.
"""

from __future__ import annotations

import threading
from collections.abc import Container, Iterator
from contextlib import contextmanager
from typing import Any

from core.errors import DocumentError, LimitExceeded, PasswordRequired
from core.limits import get_limits
from core.parsers.base import Source
from core.parsers.formats import Format, detect_format
from core.parsers.pymupdf.images import image_to_pdf

LOCK = threading.RLock()
"""Held around every call into PyMuPDF, from any module."""

_HEADER_WITHIN = 1024
"""PDF readers accept the %PDF- mark anywhere in the first 1024 bytes."""


MOST_POINTS = 1_000_000.0
"""Sides of a page as displayed, beyond any sense: UserUnit may multiply those in the file."""


@contextmanager
def open_document(
    source: Source,
    password: str | None = None,
    *,
    hold: bool = True,
    wanted: Container[int] | None = None,
) -> Iterator[Any]:
    """A PDF or an image as an open `pymupdf.Document` with at least one page, closed afterwards.

    The lock is held throughout. A long job passes hold=False: then only opening and closing
    hold it, and the job takes `LOCK` around each use, so that others get in between. That is
    safe because a document handle is never shared, only MuPDF itself is. Of an image only the
    pages `wanted` (1-based; None for all) get their picture; all have their size.

    Raises:
        PasswordRequired: encrypted, and the password is missing or wrong. A file that only
            restricts printing or copying (owner password) just opens.
        LimitExceeded: an image with more pixels than `core.limits` allows.
        DocumentError: neither PDF nor image, broken, or without pages.
    """
    format_ = detect_format(source)
    if format_ not in (Format.PDF, Format.IMAGE):
        raise DocumentError(
            f"{source.name} is neither a PDF nor an image. "
            f"Save or print it as PDF, or use a parser that reads this format."
        )
    with LOCK:
        if format_ is Format.PDF:
            document = _open(source, password)
        else:
            document = image_to_pdf(source, load_pymupdf(), wanted)
    try:
        if hold:
            with LOCK:
                yield document
        else:
            yield document
    finally:
        with LOCK:
            document.close()


def is_oversized(page: Any) -> bool:
    """Whether a page is beyond `core.limits.page_points` in its own units, or beyond any sense."""
    limit = get_limits().page_points
    own = max(page.cropbox.width, page.cropbox.height)
    shown = max(page.rect.width, page.rect.height)
    return not (own <= limit and shown <= max(limit, MOST_POINTS))


def oversized(name: str, page: Any) -> LimitExceeded:
    """The error for a page that `is_oversized`."""
    what = f"is {page.rect.width:,.0f} x {page.rect.height:,.0f} points"
    return LimitExceeded.of(name, what, "page_points", get_limits().page_points, "points a side")


@contextmanager
def open_pdf(source: Source, password: str | None = None, *, hold: bool = True) -> Iterator[Any]:
    """As `open_document`, for PDFs only.

    Raises:
        PasswordRequired, DocumentError: as there; also for an image.
    """
    if b"%PDF-" not in source.data[:_HEADER_WITHIN] and source.data:
        raise DocumentError(
            f"{source.name} is not a PDF: it does not start with %PDF-. "
            f"Save or print it as PDF, or use a parser that reads this format."
        )
    with open_document(source, password, hold=hold) as document:
        yield document


def load_pymupdf() -> Any:
    """The pymupdf module, its own error printing switched off; untyped, hence Any."""
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    return pymupdf


def _open(source: Source, password: str | None) -> Any:
    name = source.name
    try:
        document = load_pymupdf().open(stream=source.data, filetype="pdf")
    except Exception as error:  # PyMuPDF raises several unrelated types here
        raise DocumentError(_broken(name, error)) from error
    try:
        _unlock(document, name, password)
        n_pages = _count_pages(document, name)
    except DocumentError:
        document.close()
        raise
    if n_pages == 0:
        repaired = " that can be read: the file is damaged" if document.is_repaired else ""
        document.close()
        raise DocumentError(f"{name} has no pages{repaired}. Export the document to PDF again.")
    return document


def _unlock(document: Any, name: str, password: str | None) -> None:
    if not document.needs_pass:
        return
    if not password:
        raise PasswordRequired(f"{name} is encrypted. Enter the password that opens it.")
    if not document.authenticate(password):
        raise PasswordRequired(
            f"The password does not open {name}. Check capitals and spaces, and try again."
        )


def _count_pages(document: Any, name: str) -> int:
    try:
        return int(document.page_count)
    except Exception as error:
        raise DocumentError(_broken(name, error)) from error


def _broken(name: str, error: Exception) -> str:
    return (
        f"{name} is damaged and cannot be opened ({error}). "
        f"Open it in a PDF viewer and save it again, or download it once more."
    )

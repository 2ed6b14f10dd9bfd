"""The one place that opens PDFs with PyMuPDF, and the lock around every use of it.

PyMuPDF must not run in two threads at once: it may take the Python process down with it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from core.errors import DocumentError, PasswordRequired
from core.parsers.base import Source

LOCK = threading.RLock()
"""Held around every call into PyMuPDF, from any module."""

_HEADER_WITHIN = 1024
"""PDF readers accept the %PDF- mark anywhere in the first 1024 bytes."""


@contextmanager
def open_pdf(source: Source, password: str | None = None, *, hold: bool = True) -> Iterator[Any]:
    """The PDF as an open `pymupdf.Document` with at least one page, closed afterwards.

    The lock is held throughout. A long job passes hold=False: then only opening and closing
    hold it, and the job takes `LOCK` around each use, so that others get in between. That is
    safe because a document handle is never shared, only MuPDF itself is.

    Raises:
        PasswordRequired: encrypted, and the password is missing or wrong. A file that only
            restricts printing or copying (owner password) just opens.
        DocumentError: not a PDF, broken, or without pages.
    """
    with LOCK:
        document = _open(source, password)
    try:
        if hold:
            with LOCK:
                yield document
        else:
            yield document
    finally:
        with LOCK:
            document.close()


def load_pymupdf() -> Any:
    """The pymupdf module, its own error printing switched off; untyped, hence Any."""
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    return pymupdf


def _open(source: Source, password: str | None) -> Any:
    name = source.name
    if not source.data:
        raise DocumentError(f"{name} is empty (0 bytes). Check the file, or upload it again.")
    if b"%PDF-" not in source.data[:_HEADER_WITHIN]:
        raise DocumentError(
            f"{name} is not a PDF: it does not start with %PDF-. "
            f"Save or print it as PDF, or use a parser that reads this format."
        )
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

"""Parsers by name. Each is imported when it is first used, so that importing core stays light."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from operator import index
from pathlib import Path

from core.errors import DocumentError, OptionError, UnknownParserError
from core.parsers.base import ParsedDocument, Parser, Progress, Source

PARSERS = {"pymupdf": "core.parsers.pymupdf_layout:parse_pymupdf"}
"""Parser name -> "module:function" of a `base.Parser`."""

__all__ = ["PARSERS", "ParsedDocument", "Source", "get_parser", "parse_document"]


def parse_document(
    source: str | Path | bytes | Source,
    parser: str = "pymupdf",
    *,
    pages: Iterable[int] | None = None,
    password: str | None = None,
    progress: Progress | None = None,
) -> ParsedDocument:
    """Read a document into frames: text lines, page sizes and outline.

    Args:
        source: a path, the file's bytes, or a `Source` (bytes with a name for messages).
        parser: a name in `PARSERS`.
        pages: 1-based page numbers; None reads all. Order and repeats do not matter.
        password: opens an encrypted document.
        progress: called as progress(pages_done, pages_in_all) after each page.

    Raises:
        UnknownParserError: no parser of that name.
        DocumentError: the file is missing, unreadable or broken.
        PasswordRequired: the document is encrypted, and the password is missing or wrong.
        OptionError: a page number outside the document.
    """
    parse = get_parser(parser)
    chosen = None if pages is None else _page_numbers(pages)
    return parse(_read(source), pages=chosen, password=password, progress=progress)


def get_parser(name: str) -> Parser:
    """The parser registered under a name, imported now.

    Raises:
        UnknownParserError: no parser of that name; lists the known ones.
    """
    if name not in PARSERS:
        known = ", ".join(sorted(PARSERS))
        raise UnknownParserError(f"There is no parser {name!r}. Choose one of: {known}.")
    module, function = PARSERS[name].split(":")
    parse: Parser = getattr(import_module(module), function)
    return parse


def _page_numbers(pages: Iterable[int]) -> list[int]:
    try:
        numbers = sorted({index(number) for number in pages})
    except TypeError as error:
        raise OptionError(
            f"pages is {pages!r}. Give whole 1-based page numbers such as [1, 2], or None for all."
        ) from error
    if not numbers:
        raise OptionError("pages is empty. Give 1-based page numbers, or None for all pages.")
    return numbers


def _read(source: str | Path | bytes | Source) -> Source:
    if isinstance(source, Source):
        return source
    try:
        return Source.of(source)
    except FileNotFoundError as error:
        raise DocumentError(f"There is no file {str(source)!r}. Check the path.") from error
    except OSError as error:
        raise DocumentError(
            f"{str(source)!r} cannot be read ({error.strerror}). "
            f"Check that it is a file and that you may read it."
        ) from error

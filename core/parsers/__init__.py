"""Document -> line_df. `parse_document` reads here and now; `core.worker` does it in a process
of its own, with limits, as the app and the command line do."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from pathlib import Path

from core.errors import DocumentError, OptionError
from core.parsers.base import ParsedDocument, ParseOptions, Progress, Source
from core.parsers.checks import check_source
from core.parsers.formats import Format, detect_format
from core.parsers.registry import (
    AUTO,
    PARSERS,
    choose_parser,
    get_parser,
    parsers_for,
    sends_to,
)

__all__ = [
    "AUTO",
    "PARSERS",
    "Format",
    "ParseOptions",
    "ParsedDocument",
    "Source",
    "detect_format",
    "get_parser",
    "parse_document",
    "parsers_for",
    "sends_to",
]


def parse_document(
    source: str | Path | bytes | Source,
    parser: str = "pymupdf",
    *,
    pages: Iterable[int] | None = None,
    password: str | None = None,
    beside: str | Path | bytes | Source | None = None,
    ocr: bool = False,
    progress: Progress | None = None,
) -> ParsedDocument:
    """Read a document into frames: text lines, page sizes and outline.

    Args:
        source: a path, the file's bytes, or a `Source` (bytes with a name for messages).
        parser: a name in `PARSERS`, or "auto" for the first that reads this kind of file.
        pages: 1-based page numbers; None reads all. Order and repeats do not matter.
        password: opens an encrypted document.
        beside: the PDF or image that a saved parser output or frame describes.
        ocr: recognise the text of pages that are pictures only.
        progress: called as progress(pages_done, pages_in_all) after each page.

    Raises:
        UnknownParserError: no parser of that name.
        DocumentError: the file is missing, unreadable or broken, of a kind that this parser does
            not read, or beyond `core.limits`.
        PasswordRequired: the document is encrypted, and the password is missing or wrong.
        OptionError: a page number outside the document.
    """
    options = ParseOptions(
        pages=None if pages is None else page_numbers(pages),
        password=password,
        beside=None if beside is None else read_source(beside),
        ocr=ocr,
        progress=progress,
    )
    if parser != AUTO:
        get_parser(parser)
    document = read_source(source)
    format_ = detect_format(document)
    name = choose_parser(parser, format_, document.name)
    check_source(document, format_)
    if options.beside:
        check_source(options.beside, detect_format(options.beside))
    return get_parser(name)(document, options)


def read_source(source: str | Path | bytes | Source) -> Source:
    """A path, bytes or a `Source` as a `Source`.

    Raises:
        DocumentError: no such file, or it cannot be read.
        OptionError: something that names no file.
    """
    if isinstance(source, Source):
        return source
    try:
        return Source.of(source)
    except (TypeError, ValueError) as error:  # ValueError: a path with a zero byte
        raise OptionError(
            f"The document is given as {type(source).__name__} ({error}). "
            f"Give a path, the file's bytes, or a Source."
        ) from error
    except FileNotFoundError as error:
        raise DocumentError(f"There is no file {str(source)!r}. Check the path.") from error
    except OSError as error:
        raise DocumentError(
            f"{str(source)!r} cannot be read ({error.strerror}). "
            f"Check that it is a file and that you may read it."
        ) from error


def page_numbers(pages: Iterable[int]) -> list[int]:
    """Pages as asked for: sorted, each once.

    Raises:
        OptionError: none, or no whole numbers.
    """
    try:
        numbers = sorted({index(number) for number in pages})
    except TypeError as error:
        raise OptionError(
            f"pages is {pages!r}. Give whole 1-based page numbers such as [1, 2], or None for all."
        ) from error
    if not numbers:
        raise OptionError("pages is empty. Give 1-based page numbers, or None for all pages.")
    return numbers

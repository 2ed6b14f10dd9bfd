"""The parsers by name, and which formats each reads. Each is imported when it is first used."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib import import_module

from core.errors import DocumentError, UnknownParserError
from core.parsers.base import Parser
from core.parsers.formats import NAMES, Format

AUTO = "auto"
"""Instead of a parser's name: the first one that reads the file."""


DOCLING_SERVE_VARIABLE = "ROWLENS_DOCLING_SERVE_URL"
"""Names a docling-serve that converts instead of this machine."""


@dataclass(frozen=True)
class ParserInfo:
    """A parser as it is registered."""

    title: str
    """Its name before people."""
    target: str
    """"module:function" of a `base.Parser`."""
    reads: tuple[Format, ...]
    package: str
    """The package whose version decides what it writes, besides our own."""


PARSERS = {
    "pymupdf": ParserInfo(
        title="PyMuPDF layout",
        target="core.parsers.pymupdf.layout:parse_pymupdf",
        reads=(Format.PDF, Format.IMAGE),
        package="pymupdf",
    ),
    "ocr": ParserInfo(
        title="OCR of each page (RapidOCR)",
        target="core.parsers.ocr.parse:parse_ocr",
        reads=(Format.PDF, Format.IMAGE),
        package="rapidocr",
    ),
    "docling": ParserInfo(
        title="Docling",
        target="core.parsers.docling:parse_docling",
        reads=(
            Format.DOCLING_JSON,
            Format.DOCX,
            Format.PPTX,
            Format.XLSX,
            Format.HTML,
            Format.XML,
            Format.CSV,
            Format.MARKDOWN,
            Format.PDF,
            Format.IMAGE,
        ),
        package="docling",
    ),
    "azure_layout": ParserInfo(
        title="Azure Document Intelligence",
        target="core.parsers.azure:parse_azure",
        reads=(Format.AZURE_JSON, Format.PDF, Format.IMAGE, Format.DOCX, Format.PPTX, Format.XLSX),
        package="azure-ai-documentintelligence",
    ),
    "frame": ParserInfo(
        title="Lines as given (ready frame)",
        target="core.parsers.ready:parse_ready",
        reads=(Format.PARQUET, Format.FRAME_CSV, Format.FRAME_JSON, Format.MARKDOWN),
        package="pandas",
    ),
}

_FIRST_CHOICE = {Format.IMAGE: "ocr", Format.MARKDOWN: "frame"}
"""Where the first parser in order is not the one to begin with."""


def get_parser(name: str) -> Parser:
    """The parser registered under a name, imported now.

    Raises:
        UnknownParserError: no parser of that name; lists the known ones.
    """
    module, function = _info(name).target.split(":")
    parse: Parser = getattr(import_module(module), function)
    return parse


def parsers_for(format_: Format) -> list[str]:
    """Names of the parsers that read a format, the one to begin with first."""
    names = [name for name, info in PARSERS.items() if format_ in info.reads]
    first = _FIRST_CHOICE.get(format_)
    return sorted(names, key=lambda name: name != first)


def choose_parser(name: str, format_: Format, document: str) -> str:
    """The parser to use for a document: the one named, or for "auto" the first that reads it.

    Raises:
        UnknownParserError: no parser of that name.
        DocumentError: it does not read this format; names those that do.
    """
    able = parsers_for(format_)
    if name == AUTO:
        return able[0]
    if format_ not in _info(name).reads:
        raise DocumentError(
            f"{document} is a file of the kind {NAMES[format_]}, which the parser {name!r} does "
            f"not read. Use {' or '.join(map(repr, able))} instead."
        )
    return name


def sends_to(name: str, format_: Format) -> str | None:
    """The service a document leaves this machine for under a parser, None if it stays here."""
    if name == "azure_layout" and format_ is not Format.AZURE_JSON:
        return "Azure Document Intelligence"
    if name == "docling" and format_ is not Format.DOCLING_JSON:
        url = os.environ.get(DOCLING_SERVE_VARIABLE, "").strip()
        return "the docling-serve that is set up" if url else None
    return None


def _info(name: str) -> ParserInfo:
    if name not in PARSERS:
        known = ", ".join(sorted(PARSERS))
        raise UnknownParserError(f"There is no parser {name!r}. Choose one of: {known}.")
    return PARSERS[name]

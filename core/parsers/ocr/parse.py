"""Every page read from its picture, whatever text the file holds: for scans, for images, and
for PDFs whose text layer is broken."""

from __future__ import annotations

from core.parsers.base import ParsedDocument, ParseOptions, Source
from core.parsers.pymupdf.frames import OCR
from core.parsers.pymupdf.layout import Recognise, parse_pages


def parse_ocr(source: Source, options: ParseOptions) -> ParsedDocument:
    """Read a PDF or an image with RapidOCR; arguments and errors as in
    `core.parsers.parse_document`.

    line_df has the columns of `core.parsers.pymupdf.layout.parse_pymupdf`, with confidence: the
    mean over the words of a line, 0 to 1; NaN for the separator of a table.

    Raises:
        SourceUnavailable: RapidOCR is not installed; says how to install it.
    """
    return parse_pages(source, options, Recognise.ALL, OCR)

"""What kind of file some bytes are: by their content; the name decides only between plain texts."""

from __future__ import annotations

import io
import re
import zipfile
from enum import StrEnum
from pathlib import PurePath

import filetype  # type: ignore[import-untyped]

from core.errors import DocumentError
from core.parsers.base import Source
from core.parsers.column_names import is_row_df, map_columns, split_header


class Format(StrEnum):
    """A kind of file some parser reads."""

    PDF = "pdf"
    IMAGE = "image"
    DOCX = "docx"
    PPTX = "pptx"
    XLSX = "xlsx"
    HTML = "html"
    XML = "xml"
    CSV = "csv"
    MARKDOWN = "markdown"
    DOCLING_JSON = "docling_json"
    AZURE_JSON = "azure_json"
    FRAME_JSON = "frame_json"
    FRAME_CSV = "frame_csv"
    PARQUET = "parquet"


NAMES = {
    Format.PDF: "PDF",
    Format.IMAGE: "image",
    Format.DOCX: "Word document",
    Format.PPTX: "PowerPoint file",
    Format.XLSX: "Excel workbook",
    Format.HTML: "HTML page",
    Format.XML: "XML file",
    Format.CSV: "CSV file",
    Format.MARKDOWN: "Markdown or plain text",
    Format.DOCLING_JSON: "DoclingDocument (JSON)",
    Format.AZURE_JSON: "Azure AnalyzeResult (JSON)",
    Format.FRAME_JSON: "line_df as JSON",
    Format.FRAME_CSV: "line_df as CSV",
    Format.PARQUET: "line_df as Parquet",
}
"""How a format is called before people."""

_PDF_MARK_WITHIN = 1024
"""PDF readers accept the %PDF- mark anywhere in the first 1024 bytes."""

_OFFICE_PARTS = {"word/": Format.DOCX, "ppt/": Format.PPTX, "xl/": Format.XLSX}
_HTML = re.compile(
    r"(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|main|article|table|div|p|h[1-6])\b",
    re.I | re.S,
)
_DOCLING_KEY = re.compile(rb'"schema_name"\s*:\s*"DoclingDocument"')
_AZURE_KEY = re.compile(
    rb'"(?:analyzeResult|analyze_result|apiVersion|api_version|readResults|read_results'
    rb'|modelId|model_id)"\s*:'
)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_TABULAR = {".csv", ".tsv"}
_JSON = {".json", ".jsonl", ".ndjson"}
_JSON_START = re.compile(r"\{\s*[\"}]|\[")
_LINK_START = re.compile(r"\[[^\]\n]{0,999}\][(:\[ ]")
"""A Markdown text that begins with a link or a footnote, not a JSON list."""
_EXPORT = b'"rowlens:{'
"""In the header of our CSV exports, whose texts are kept to the last control character."""


def detect_format(source: Source) -> Format:
    """The format of a file.

    Raises:
        DocumentError: empty, or of no kind that any parser reads.
    """
    data, name = source.data, source.name
    if not data:
        raise DocumentError(f"{name} is empty (0 bytes). Check the file, or upload it again.")
    if _is_pdf(data):
        return Format.PDF
    if data[:4] == b"PAR1":
        return Format.PARQUET
    if data[:4] == b"PK\x03\x04":
        return _zip_format(source)
    if filetype.image_match(data[:8192]) is not None:
        return Format.IMAGE
    return _text_format(source, _as_text(source))


def _is_pdf(data: bytes) -> bool:
    """Whether the mark stands at the beginning, or behind something that is no mere text that
    speaks of it."""
    at = data[:_PDF_MARK_WITHIN].find(b"%PDF-")
    if at <= 0:
        return at == 0
    return data[at - 1 : at] in b"\r\n\0" or bool(_CONTROL.search(data[:65_536]))


def _zip_format(source: Source) -> Format:
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise DocumentError(
            f"{source.name} is a damaged Office or zip file ({error}). "
            f"Open it in its program and save it again."
        ) from error
    if "[Content_Types].xml" in names:
        for folder, format_ in _OFFICE_PARTS.items():
            if any(name.startswith(folder) for name in names):
                return format_
    raise DocumentError(
        f"{source.name} is a zip file, but no Word, PowerPoint or Excel document. "
        f"Unpack it and open the files inside."
    )


def _as_text(source: Source) -> str:
    """The beginning of a text file.

    Raises:
        DocumentError: the bytes are no text.
    """
    start = source.data[:65_536]
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return start.decode("utf-16", "ignore")
    # A zero byte or two may stand in an odd text; a file of them is no text.
    if _EXPORT not in start and len(_CONTROL.findall(start)) > 4 + len(start) // 100:
        raise DocumentError(
            f"{source.name} is no kind of file that Rowlens reads. It reads "
            f"{', '.join(dict.fromkeys(NAMES.values()))}."
        )
    return start.decode("utf-8-sig", "replace")


def _text_format(source: Source, text: str) -> Format:
    start = text.lstrip("\ufeff \t\r\n")
    suffix = PurePath(source.name).suffix.lower()
    if suffix in _JSON or (_JSON_START.match(start) and not _LINK_START.match(start)):
        return _json_format(source.data)
    if _HTML.match(start):
        return Format.HTML
    if start.startswith("<?xml"):
        return Format.HTML if re.search(r"<html\b", start) else Format.XML
    if _is_frame_csv(start):
        return Format.FRAME_CSV
    return Format.CSV if suffix in _TABULAR else Format.MARKDOWN


def _json_format(data: bytes) -> Format:
    """By the keys that only one of them has; a key inside a text has its quotes escaped."""
    if _DOCLING_KEY.search(data):
        return Format.DOCLING_JSON
    return Format.AZURE_JSON if _AZURE_KEY.search(data) else Format.FRAME_JSON


def _is_frame_csv(text: str) -> bool:
    """Whether its header names the columns of a line_df, or of a row_df: `frame` says the rest."""
    names, _ = split_header(text)
    return map_columns(names).is_lines or is_row_df(names)

"""Files made to break things: each ends in an error of ours, and the app answers on.

Every file goes through the worker, as in the app and on the command line.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pymupdf
import pytest
from PIL import Image

from core import parse_document, retrieve, serialize_table_rows
from core.errors import (
    DocumentError,
    LimitExceeded,
    LineFrameError,
    OptionError,
    PasswordRequired,
    RowlensError,
)
from core.library import SAMPLES, Library, Request
from core.parsers import Source
from core.parsers.formats import detect_format
from core.parsers.registry import PARSERS, choose_parser, parsers_for
from core.scratch import sweep_scratch
from core.store import Store
from core.worker import parse_in_worker
from tests.documents import table_pdf

THEFT = "What is the cap for vehicle theft?"
TABLE = table_pdf(["Vehicle", "Depot"], [["Van", "Lyon"], ["Tram", "Porto"]])
EXTENSIONS = [
    *("pdf", "png", "jpg", "tiff", "docx", "pptx", "xlsx", "html", "xml", "csv", "md", "json"),
    *("parquet", "txt", "zip", ""),
]
SECONDS = 60
"""No fault may take longer to be found out, however busy the machine is."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return Library(Store(tmp_path_factory.mktemp("store")))


def open_in(library: Library, name: str, data: bytes) -> None:
    """Open a file as the app does."""
    document = library.add(name, data)
    library.parsed(Request(document.doc_id, parsers_for(document.format)[0]))


def still_answers(library: Library) -> bool:
    """Whether the first sample's theft question brings back its row."""
    line_df = library.parsed(Request(SAMPLES[0].doc_id)).line_df
    answer = retrieve(THEFT, line_df, serialize_table_rows(line_df))
    return len(answer.matches) == 1 and "25,000 EUR" in answer.context


def pdf(objects: str, *, root: str = "1 0 R") -> bytes:
    return f"%PDF-1.4\n{objects}\ntrailer<</Root {root}>>\n%%EOF".encode()


def big_page(side: float) -> bytes:
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((72, 72), "A word.")
        document.xref_set_key(page.xref, "MediaBox", f"[0 0 {side} {side}]")
        data: bytes = document.tobytes()
        return data


def empty_pages(count: int) -> bytes:
    kids = " ".join(f"{number} 0 R" for number in range(3, count + 3))
    pages = "\n".join(
        f"{number} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj"
        for number in range(3, count + 3)
    )
    return pdf(
        f"1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        f"2 0 obj<</Type/Pages/Kids[{kids}]/Count {count}>>endobj\n{pages}"
    )


def locked() -> bytes:
    with pymupdf.open(stream=TABLE) as document:
        data: bytes = document.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="x")
        return data


def zipped(parts: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        for name, data in parts.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def huge_image() -> bytes:
    """A PNG that says it has 10^10 pixels."""
    buffer = io.BytesIO()
    Image.new("1", (8, 8)).save(buffer, "PNG")
    data = bytearray(buffer.getvalue())
    data[16:24] = (100_000).to_bytes(4, "big") * 2
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4, "big")
    return bytes(data)


def parquet(frame: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    return buffer.getvalue()


ENTITIES = (
    b"""<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "boom"><!ENTITY y "&x;&x;&x;">]><a>&y;</a>"""
)
NESTED = b"[" * 100_000 + b"]" * 100_000

FAULTS: dict[str, tuple[str, Callable[[], bytes], type[RowlensError]]] = {
    "truncated": ("a.pdf", lambda: TABLE[:300], DocumentError),
    "encrypted": ("a.pdf", locked, PasswordRequired),
    "empty": ("a.pdf", lambda: b"", DocumentError),
    "zero pages": (
        "a.pdf",
        lambda: pdf(
            "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
            "2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj"
        ),
        DocumentError,
    ),
    "cyclic page tree": (
        "a.pdf",
        lambda: pdf(
            "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
            "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
            "3 0 obj<</Type/Pages/Parent 2 0 R/Kids[2 0 R]/Count 1>>endobj"
        ),
        DocumentError,
    ),
    "ten thousand pages": ("a.pdf", lambda: empty_pages(10_000), LimitExceeded),
    "a page of 20,000 points": ("a.pdf", lambda: big_page(20_000), LimitExceeded),
    "deep JSON": ("a.json", lambda: NESTED, DocumentError),
    "deep Docling": (
        "a.json",
        lambda: b'{"schema_name": "DoclingDocument", "body": ' + NESTED + b"}",
        DocumentError,
    ),
    "deep Azure": ("a.json", lambda: b'{"analyzeResult": ' + NESTED + b"}", DocumentError),
    "a number as JSON": ("a.json", lambda: b"[7]", LineFrameError),
    "Docling of the wrong types": (
        "a.json",
        lambda: b'{"schema_name": "DoclingDocument", "texts": 7, "pages": "none"}',
        DocumentError,
    ),
    "Azure of the wrong types": (
        "a.json",
        lambda: b'{"analyzeResult": {"pages": {"a": 1}, "tables": "none"}}',
        DocumentError,
    ),
    "Azure that failed": (
        "a.json",
        lambda: json.dumps({"status": "failed", "analyzeResult": None}).encode(),
        DocumentError,
    ),
    "parquet with wrong columns": (
        "a.parquet",
        lambda: parquet(pd.DataFrame({"a": [1], "b": [2]})),
        RowlensError,
    ),
    "parquet with wrong types": (
        "a.parquet",
        lambda: parquet(
            pd.DataFrame({"page_num": ["x"], "line_num": ["y"], "text": ["z"]}).assign(x0=None)
        ),
        RowlensError,
    ),
    "parquet cut off": ("a.parquet", lambda: b"PAR1" + b"\x00" * 99, DocumentError),
    "zip bomb": (
        "a.docx",
        lambda: zipped({"word/document.xml": b"0" * 60_000_000}),
        DocumentError,
    ),
    "XML entities in Word": (
        "a.docx",
        lambda: zipped({"word/document.xml": ENTITIES}),
        DocumentError,
    ),
    "XML entities": ("a.xml", lambda: ENTITIES, DocumentError),
    "no Word document inside": ("a.docx", lambda: zipped({"readme": b"hello"}), DocumentError),
    "an empty Word document": ("a.docx", lambda: zipped({"word/document.xml": b""}), DocumentError),
    "an image beyond sense": ("a.png", huge_image, LimitExceeded),
    "an image cut off": ("a.png", lambda: huge_image()[:40], DocumentError),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_ends_in_its_error(fault: str, library: Library) -> None:
    name, make, error = FAULTS[fault]
    begun = time.monotonic()
    with pytest.raises(error) as caught:
        open_in(library, name, make())
    assert time.monotonic() - begun < SECONDS
    assert name in str(caught.value) or "line_df" in str(caught.value)
    assert "Traceback" not in str(caught.value)
    assert still_answers(library)


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_random_bytes_are_no_document_by_whatever_name(extension: str, library: Library) -> None:
    noise = np.random.default_rng(7).bytes(4_096)
    with pytest.raises(DocumentError, match=r"noise"):
        library.add(f"noise.{extension}", noise)
    assert still_answers(library)


@pytest.mark.parametrize("parser", PARSERS)
def test_random_bytes_behind_the_mark_of_each_format(parser: str) -> None:
    """What passes for a PDF, a workbook or a frame by its first bytes, and is none."""
    noise = np.random.default_rng(8).bytes(2_048)
    heads = {
        "pdf": b"%PDF-1.7\n",
        "parquet": b"PAR1",
        "png": b"\x89PNG\r\n\x1a\n",
        "zip": b"PK\x03\x04",
    }
    for name, head in heads.items():
        with pytest.raises(DocumentError):
            parse_in_worker(Source(f"a.{name}", head + noise), parser)


def test_the_type_is_read_from_the_content_not_from_the_name() -> None:
    source = Source("letter.docx", TABLE)
    assert choose_parser("auto", detect_format(source), source.name) == "pymupdf"
    assert len(parse_in_worker(source, "auto").line_df) > 0


def test_zero_bytes_in_a_text_pass_as_text(library: Library) -> None:
    markdown = b"| Item | Price |\n|---|---|\n| Pen\x00cil | 2 |\n"
    document = library.add("a.md", markdown)
    line_df = library.parsed(Request(document.doc_id, "frame")).line_df
    rows = serialize_table_rows(line_df)
    assert list(rows["row_serialized"]) == ["Item: Pencil | Price: 2"]


def test_a_full_disk_ends_in_an_error_and_what_was_open_stays(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(DocumentError, match=r"No space left.*Make room"):
        library.add("a.pdf", TABLE)
    with pytest.raises(DocumentError, match=r"No space left.*Make room"):
        parse_in_worker(TABLE)
    assert still_answers(library)


@pytest.mark.parametrize("source", [None, 7, ["a.pdf"], io.BytesIO(TABLE), "a\x00b.pdf"])
@pytest.mark.parametrize("parse", [parse_document, parse_in_worker])
def test_what_names_no_file_is_said(source: object, parse: Callable[..., object]) -> None:
    with pytest.raises(OptionError, match=r"The document is given as .* Give a path"):
        parse(source)


def test_a_text_that_speaks_of_pdf_is_a_text() -> None:
    assert detect_format(Source("a.md", b"# Notes\n\nA file begins with %PDF-1.7.")) == "markdown"
    # What a server or a scanner wrote before the mark does not matter.
    assert detect_format(Source("a.pdf", b"HTTP/1.1 200 OK\r\n\r\n" + TABLE)) == "pdf"


def test_what_a_killed_process_left_behind_is_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left, other = tmp_path / f"rowlens-{ended.pid}-abc", tmp_path / "rowlens-notes"
    mine = tmp_path / f"rowlens-{os.getpid()}-abc"
    for folder in (left, other, mine):
        folder.mkdir()
    sweep_scratch()
    assert {path.name for path in tmp_path.iterdir()} == {other.name, mine.name}

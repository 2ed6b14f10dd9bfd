"""Parses on disk: the same frames come back, and only for the same bytes and version."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from core import ParsedDocument, parse_document, store
from core.library import PARSED_SAMPLES, SAMPLES, Library, Sample
from core.store import load_parse, save_parse
from tests.documents import text_pdf

DATA = b"%PDF the bytes decide"


@pytest.fixture
def document() -> ParsedDocument:
    line_df = pd.DataFrame(
        {"page_num": [1], "line_num": [1], "text": ["| a | b |"]}
        | {"x0": [0.5], "y0": [0.5], "x1": [9.25], "y1": [9.25]}
    )
    page_df = pd.DataFrame({"page_num": [1], "width": [595.0], "height": [842.0], "rotation": [0]})
    toc_df = pd.DataFrame(
        {
            "level": pd.Series([1], dtype="Int64"),
            "title": ["Scope"],
            "page_num": pd.Series([1], dtype="Int64"),
            "line_num": pd.Series([pd.NA], dtype="Int64"),
        }
    )
    return ParsedDocument(line_df, page_df, toc_df, "pymupdf", ("Page 2 is empty.",))


def assert_same(one: ParsedDocument, other: ParsedDocument) -> None:
    for frame in ("line_df", "page_df", "toc_df"):
        pd.testing.assert_frame_equal(getattr(one, frame), getattr(other, frame))
    assert (one.parser, one.notes) == (other.parser, other.notes)


def test_a_parse_comes_back_as_it_was(tmp_path: Path, document: ParsedDocument) -> None:
    folder = save_parse(tmp_path, "contract.pdf", DATA, document)
    assert (folder / "parsing" / "line_df_pymupdf.parquet").exists()
    loaded = load_parse(tmp_path, "contract.pdf", DATA, "pymupdf")
    assert loaded is not None
    assert_same(loaded, document)


def test_other_bytes_are_another_document(tmp_path: Path, document: ParsedDocument) -> None:
    save_parse(tmp_path, "contract.pdf", DATA, document)
    assert load_parse(tmp_path, "contract.pdf", DATA + b".", "pymupdf") is None


def test_another_version_of_the_parser_is_not_trusted(
    tmp_path: Path, document: ParsedDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_parse(tmp_path, "contract.pdf", DATA, document)
    monkeypatch.setattr(store, "ADAPTER_VERSION", store.ADAPTER_VERSION + 1)
    assert load_parse(tmp_path, "contract.pdf", DATA, "pymupdf") is None


@pytest.mark.parametrize("frame", ["line_df", "page_df", "toc_df"])
def test_a_damaged_entry_is_as_if_it_were_not_there(
    tmp_path: Path, document: ParsedDocument, frame: str
) -> None:
    folder = save_parse(tmp_path, "contract.pdf", DATA, document)
    (folder / "parsing" / f"{frame}_pymupdf.parquet").write_bytes(b"PAR1 cut off")
    assert load_parse(tmp_path, "contract.pdf", DATA, "pymupdf") is None


def test_a_hostile_name_stays_inside_the_root(tmp_path: Path, document: ParsedDocument) -> None:
    root = tmp_path / "root"
    folder = save_parse(root, "../../etc/passwd\x00.pdf", DATA, document)
    assert folder.resolve().parent == root.resolve()


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.doc_id)
def test_the_parses_kept_for_the_samples_are_those_of_today(sample: Sample) -> None:
    data = sample.path.read_bytes()
    kept = load_parse(PARSED_SAMPLES, sample.doc_id, data, "pymupdf")
    assert kept is not None, "run `python -m assets.parse_samples`"
    assert_same(kept, parse_document(data))


def test_a_document_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library()
    document = library.add("letter.pdf", text_pdf("One page of text."))
    assert library.add("again.pdf", document.data).doc_id == document.doc_id
    pages: list[tuple[int, int]] = []
    first = library.parsed(
        document.doc_id, progress=lambda done, total: pages.append((done, total))
    )
    assert library.parsed(document.doc_id) is first
    assert pages == [(1, 1)]

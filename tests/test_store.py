"""Parses on disk: the same frames come back, and only for the same bytes, version and settings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from core import ParsedDocument, parse_document, serialize_table_rows, store
from core.library import PARSED_SAMPLES, SAMPLES, Sample
from core.store import Settings, Store

DATA = b"%PDF the bytes decide"
PYMUPDF = Settings("pymupdf")
ROOT = Path(__file__).parents[1]


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


def assert_same(one: ParsedDocument, other: ParsedDocument | None) -> None:
    assert other is not None
    for frame in ("line_df", "page_df", "toc_df"):
        pd.testing.assert_frame_equal(getattr(one, frame), getattr(other, frame))
    assert (one.parser, one.notes) == (other.parser, other.notes)


def test_a_parse_comes_back_as_it_was(tmp_path: Path, document: ParsedDocument) -> None:
    rows = serialize_table_rows(document.line_df)
    folder = Store(tmp_path).save("contract.pdf", DATA, PYMUPDF, document, rows)
    assert folder is not None
    assert folder.name.startswith("contract-")
    files = {path.name for path in (folder / "parsing").iterdir()}
    assert {"line_df_pymupdf.parquet", "row_df_pymupdf.parquet"} <= files
    assert_same(document, Store(tmp_path).load(DATA, PYMUPDF))


def test_the_same_bytes_under_another_name_are_found(
    tmp_path: Path, document: ParsedDocument
) -> None:
    store_ = Store(tmp_path)
    first = store_.save("contract.pdf", DATA, PYMUPDF, document)
    assert_same(document, store_.load(DATA, PYMUPDF))
    assert store_.save("copy.pdf", DATA, PYMUPDF, document) == first


def test_other_bytes_are_another_document(tmp_path: Path, document: ParsedDocument) -> None:
    Store(tmp_path).save("contract.pdf", DATA, PYMUPDF, document)
    assert Store(tmp_path).load(DATA + b".", PYMUPDF) is None


@pytest.mark.parametrize(
    "settings",
    [Settings("docling"), Settings("pymupdf", ocr=True), Settings("pymupdf", beside="abc")],
)
def test_other_settings_are_another_parse(
    tmp_path: Path, document: ParsedDocument, settings: Settings
) -> None:
    Store(tmp_path).save("contract.pdf", DATA, PYMUPDF, document)
    assert Store(tmp_path).load(DATA, settings) is None
    Store(tmp_path).save("contract.pdf", DATA, settings, document)
    assert Store(tmp_path).load(DATA, PYMUPDF) is not None


def test_another_version_of_the_parser_is_not_trusted(
    tmp_path: Path, document: ParsedDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store(tmp_path).save("contract.pdf", DATA, PYMUPDF, document)
    monkeypatch.setattr(store, "ADAPTER_VERSION", store.ADAPTER_VERSION + 1)
    assert Store(tmp_path).load(DATA, PYMUPDF) is None


@pytest.mark.parametrize("frame", ["line_df", "page_df", "toc_df"])
@pytest.mark.parametrize("damage", [b"PAR1 cut off", b"", b"\x00" * 4096])
def test_a_damaged_entry_is_rebuilt(
    tmp_path: Path, document: ParsedDocument, frame: str, damage: bytes
) -> None:
    folder = Store(tmp_path).save("contract.pdf", DATA, PYMUPDF, document)
    assert folder is not None
    (folder / "parsing" / f"{frame}_pymupdf.parquet").write_bytes(damage)
    assert Store(tmp_path).load(DATA, PYMUPDF) is None
    Store(tmp_path).save("contract.pdf", DATA, PYMUPDF, document)
    assert_same(document, Store(tmp_path).load(DATA, PYMUPDF))


def test_a_parquet_of_somebody_else_is_not_taken_for_a_parse(
    tmp_path: Path, document: ParsedDocument
) -> None:
    folder = Store(tmp_path).save("contract.pdf", DATA, PYMUPDF, document)
    assert folder is not None
    document.line_df.to_parquet(folder / "parsing" / "line_df_pymupdf.parquet")
    assert Store(tmp_path).load(DATA, PYMUPDF) is None


def test_a_hostile_name_stays_inside_the_root(tmp_path: Path, document: ParsedDocument) -> None:
    root = tmp_path / "root"
    folder = Store(root).save("../../etc/passwd\x00.pdf", DATA, PYMUPDF, document)
    assert folder is not None
    assert folder.resolve().parent == root.resolve()


def test_a_full_disk_costs_the_entry_not_the_parse(
    tmp_path: Path, document: ParsedDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq, "write_table", full)
    assert Store(tmp_path).save("contract.pdf", DATA, PYMUPDF, document) is None
    assert list(tmp_path.rglob("*.parquet*")) == []


def test_a_root_that_cannot_be_written_costs_the_entry_not_the_parse(
    tmp_path: Path, document: ParsedDocument
) -> None:
    (tmp_path / "file").write_text("in the way")
    store_ = Store(tmp_path / "file")
    assert store_.save("contract.pdf", DATA, PYMUPDF, document) is None
    assert store_.load(DATA, PYMUPDF) is None
    assert store_.size() == 0


def test_what_was_used_longest_ago_makes_room(
    tmp_path: Path, document: ParsedDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_ = Store(tmp_path)
    store_.save("a.pdf", b"a", PYMUPDF, document)
    one = store_.size()
    store_.save("b.pdf", b"b", PYMUPDF, document)
    assert store_.load(b"a", PYMUPDF) is not None
    monkeypatch.setenv("ROWLENS_MAX_CACHE_MB", str(2.5 * one / 1e6))
    store_.save("c.pdf", b"c", PYMUPDF, document)
    assert [store_.load(data, PYMUPDF) is not None for data in (b"a", b"b", b"c")] == [
        True,
        False,
        True,
    ]


def test_clearing_takes_its_own_entries_only(tmp_path: Path, document: ParsedDocument) -> None:
    (tmp_path / "letters").mkdir()
    store_ = Store(tmp_path)
    store_.save("a.pdf", b"a", PYMUPDF, document)
    assert store_.size() > 0
    store_.clear()
    assert store_.size() == 0
    assert [path.name for path in tmp_path.iterdir()] == ["letters"]


def test_the_root_comes_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROWLENS_CACHE", str(tmp_path / "parses"))
    assert Store().root == tmp_path / "parses"
    monkeypatch.delenv("ROWLENS_CACHE")
    assert Store().root.name == "rowlens"


_SAVE_OFTEN = """
import sys
from pathlib import Path
import pandas as pd
from core.parsers import ParsedDocument
from core.store import Settings, Store
import core.frames
root, data = Path(sys.argv[1]), b"the same document"
line_df = core.frames.empty_line_df()
page_df = pd.DataFrame({"page_num": [1], "width": [1.0], "height": [1.0], "rotation": [0]})
toc_df = pd.DataFrame(columns=["level", "title", "page_num", "line_num"])
document = ParsedDocument(line_df, page_df, toc_df, "pymupdf", ("a note",))
store, wrong = Store(root), 0
for _ in range(30):
    assert store.save("a.pdf", data, Settings("pymupdf"), document, line_df) is not None
    wrong += store.load(data, Settings("pymupdf")) is None
print(wrong)
"""


def test_processes_may_share_a_root(tmp_path: Path) -> None:
    """Two processes that keep and read one document at a time never see half of it."""
    command = [sys.executable, "-c", _SAVE_OFTEN, str(tmp_path)]
    both = [
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    assert [process.communicate(timeout=120)[0].strip() for process in both] == ["0", "0"]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.doc_id)
def test_the_parses_kept_for_the_samples_are_those_of_today(sample: Sample) -> None:
    data = sample.path.read_bytes()
    kept = Store(PARSED_SAMPLES).load(data, PYMUPDF)
    assert kept is not None, "run `python -m assets.parse_samples`"
    assert_same(kept, parse_document(data))

"""A parser that hangs, dies or balloons ends in one clear error, and nothing else is lost."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from core import parse_document
from core.errors import (
    DocumentError,
    LimitExceeded,
    OptionError,
    ParseCancelled,
    PasswordRequired,
)
from core.library import SAMPLES, Job, Library, Request
from core.store import Store
from core.worker import Renderer, Worker, _Spare, parse_in_worker
from tests.documents import table_pdf, text_pdf

Workers = Callable[[], list[psutil.Process]]

ROOT = Path(__file__).parents[1]
_MODULE = "core.worker_process"
TABLE = table_pdf(["Vehicle", "Depot"], [["Van", "Lyon"], ["Tram", "Porto"]])


def children() -> list[psutil.Process]:
    """The children of this process that do such jobs, dead ones left out."""
    found = []
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if child.status() != psutil.STATUS_ZOMBIE and _MODULE in child.cmdline():
                found.append(child)
    return found


@pytest.fixture
def workers() -> Callable[[], list[psutil.Process]]:
    """Gives those that were started since the test began: the app of other tests keeps some."""
    before = children()
    return lambda: [child for child in children() if child not in before]


def test_a_worker_gives_what_parsing_here_gives() -> None:
    here, there = parse_document(TABLE), parse_in_worker(TABLE)
    for frame in ("line_df", "page_df", "toc_df"):
        assert getattr(here, frame).equals(getattr(there, frame))
    assert (here.parser, here.notes) == (there.parser, there.notes)


def test_page_numbers_may_be_those_of_a_frame() -> None:
    pages = parse_document(TABLE).line_df["page_num"]
    assert parse_in_worker(TABLE, pages=pages).page_df["page_num"].tolist() == [1]


def test_progress_comes_per_page() -> None:
    seen: list[tuple[int, int]] = []
    parse_in_worker(TABLE, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 1)]


@pytest.mark.parametrize(
    ("data", "options", "error"),
    [
        (b"", {}, DocumentError),
        (b"%PDF-1.7 and nothing else", {}, DocumentError),
        (TABLE, {"pages": [7]}, OptionError),
        (TABLE, {"parser": "docling_json"}, ValueError),
    ],
)
def test_errors_are_those_of_parsing_here(
    data: bytes, options: dict, error: type[Exception]
) -> None:
    with pytest.raises(error) as here:
        parse_document(data, **options)
    with pytest.raises(error) as there:
        parse_in_worker(data, **options)
    assert (type(here.value), str(here.value)) == (type(there.value), str(there.value))


def test_a_worker_that_is_killed_ends_in_an_error_that_says_so(workers: Workers) -> None:
    killed = threading.Event()

    def kill() -> None:
        while not (found := workers()):
            time.sleep(0.01)
        for worker in found:
            worker.send_signal(signal.SIGKILL)
        killed.set()

    threading.Thread(target=kill).start()
    with pytest.raises(DocumentError, match=r"was killed.*Nothing else is lost"):
        parse_in_worker(text_pdf(*["One page of text."] * 5))
    assert killed.wait(5)


@pytest.fixture(autouse=True)
def _no_spare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test starts its own workers, whatever the app of other tests keeps ready."""
    monkeypatch.setattr("core.worker._spare", _Spare())


def test_cancel_stops_the_process(workers: Workers) -> None:
    cancel = threading.Event()
    threading.Timer(0.3, cancel.set).start()
    begun = time.monotonic()
    with pytest.raises(ParseCancelled, match="was cancelled"):
        parse_in_worker(many_pages(300), cancel=cancel)
    assert time.monotonic() - begun < 10
    assert workers() == []


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("ROWLENS_MAX_SECONDS", "0.5", r"not read after .*ROWLENS_MAX_SECONDS"),
        ("ROWLENS_MAX_IDLE_SECONDS", "0.05", r"hangs.*ROWLENS_MAX_IDLE_SECONDS"),
        ("ROWLENS_MAX_MEMORY_MB", "20", r"MB of memory.*ROWLENS_MAX_MEMORY_MB"),
        ("ROWLENS_MAX_PAGES", "3", r"ROWLENS_MAX_PAGES"),
        ("ROWLENS_MAX_FILE_MB", "0.001", r"ROWLENS_MAX_FILE_MB"),
    ],
)
def test_limits(
    monkeypatch: pytest.MonkeyPatch, workers: Workers, variable: str, value: str, message: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(LimitExceeded, match=message):
        parse_in_worker(many_pages(300))
    assert workers() == []


def test_a_limit_that_is_no_number_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROWLENS_MAX_PAGES", "many")
    with pytest.raises(OptionError, match="ROWLENS_MAX_PAGES is 'many'"):
        parse_document(TABLE)


def test_what_a_worker_leaves_behind_is_cleared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    parse_in_worker(TABLE)
    with pytest.raises(DocumentError):
        parse_in_worker(b"%PDF-1.7 and nothing else")
    assert list(tmp_path.iterdir()) == []


def test_a_worker_ends_with_its_parent() -> None:
    """A child whose standard input ends stops by itself, whatever it is doing."""
    worker = Worker()
    process = psutil.Process(worker._process.pid)
    assert worker._process.stdin is not None
    worker._process.stdin.close()
    assert process.wait(20) == 0
    worker.close()


def test_pages_are_drawn_by_a_process_that_stays_and_is_replaced(
    tmp_path: Path, workers: Workers
) -> None:
    path = tmp_path / "table.pdf"
    path.write_bytes(TABLE)
    renderer = Renderer()
    first = renderer.render_page(path, "table.pdf", 1, dpi=72)
    assert (first.width_px, first.height_px) == (595, 842)
    (worker,) = workers()
    assert renderer.render_page(path, "table.pdf", 1, dpi=36).width_px == 298
    assert workers() == [worker]
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait(5)
    assert renderer.render_page(path, "table.pdf", 1, dpi=72).png == first.png
    with pytest.raises(OptionError, match="pages 1 to 1"):
        renderer.render_page(path, "table.pdf", 2, dpi=72)
    for worker in workers():
        worker.kill()


# ------------------------------------------------------------------------------- the library


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(Store(tmp_path))


def finished(job: Job) -> Job:
    assert job.wait(60)
    return job


def test_a_document_is_read_once(library: Library) -> None:
    document = library.add("letter.pdf", text_pdf("One page of text."))
    assert library.add("again.pdf", document.data).doc_id == document.doc_id
    request = Request(document.doc_id)
    job = library.start(request)
    assert library.start(request) is job
    first = finished(job).result()
    assert job.progress == (1, 1)
    assert library.parsed(request) is first


def test_a_second_look_comes_from_the_store(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = library.add("letter.pdf", text_pdf("One page of text."))
    request = Request(document.doc_id)
    first = library.parsed(request)
    monkeypatch.setattr("core.library.parse_in_worker", None)
    other = Library(library.store)
    other.add("letter.pdf", document.data)
    assert other.parsed(request).line_df.equals(first.line_df)


def test_what_failed_is_not_tried_again_until_it_is_asked_for(library: Library) -> None:
    request = Request(library.add("bad.pdf", b"%PDF-1.7 and nothing else").doc_id)
    job = finished(library.start(request))
    with pytest.raises(DocumentError, match="damaged"):
        job.result()
    assert library.start(request) is job
    library.forget(request)
    assert library.start(request) is not job


def test_a_password_is_asked_for_and_neither_it_nor_the_text_is_stored(
    library: Library,
) -> None:
    document = library.add("secret.pdf", locked_pdf("The words inside.", "open sesame"))
    with pytest.raises(PasswordRequired):
        library.parsed(Request(document.doc_id))
    opened = library.parsed(Request(document.doc_id, password="open sesame"))
    assert list(opened.line_df["text"]) == ["The words inside."]
    with pytest.raises(PasswordRequired, match="does not open"):
        library.parsed(Request(document.doc_id, password="guess"))
    with pytest.raises(PasswordRequired):
        library.parsed(Request(document.doc_id))
    assert library.store.size() == 0
    assert "sesame" not in repr(Request(document.doc_id, password="open sesame"))


def test_a_cancelled_job_says_so_and_can_be_started_again(library: Library) -> None:
    request = Request(library.add("long.pdf", many_pages(200)).doc_id)
    job = library.start(request)
    job.cancel()
    with pytest.raises(ParseCancelled):
        finished(job).result()
    library.forget(request)
    again = library.start(request)
    assert again is not job
    again.cancel()
    assert again.wait(20)


def test_samples_are_at_hand_without_a_worker(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.library.parse_in_worker", None)
    for sample in SAMPLES:
        assert len(library.parsed(Request(sample.doc_id)).line_df) > 0


def many_pages(count: int) -> bytes:
    import pymupdf

    with pymupdf.open() as document:
        for number in range(count):
            document.new_page().insert_text((72, 72), f"Page {number + 1} of many.")
        data: bytes = document.tobytes()
        return data


def locked_pdf(text: str, password: str) -> bytes:
    import pymupdf

    with pymupdf.open(stream=text_pdf(text)) as document:
        data: bytes = document.tobytes(
            encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw=password, owner_pw="owner"
        )
        return data

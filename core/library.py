"""The documents at hand: samples and uploads by content, and their parses, kept in bounds."""

from __future__ import annotations

import atexit
import hashlib
import shutil
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from core.errors import DocumentError, RowlensError
from core.kept import Kept
from core.parsers import ParsedDocument, Source
from core.parsers.base import Progress
from core.parsers.checks import check_source
from core.parsers.formats import Format, detect_format
from core.recent import RecentDocument, document_id, find_document, keep_document, recent_documents
from core.render import PageImage
from core.scratch import scratch_prefix, sweep_scratch
from core.store import Settings, Store
from core.tables import serialize_table_rows
from core.worker import Renderer, parse_in_worker

ASSETS = Path(__file__).parents[1] / "assets"

PARSED_SAMPLES = ASSETS / "parsed"

MAX_DOCUMENTS = 64
MAX_DOCUMENT_BYTES = 2_000_000_000
"""Uploads kept on disk while the app runs."""

MAX_PARSES = 16
MAX_PARSED_LINES = 300_000
"""Parses kept in memory; what goes is still in the store, but for encrypted documents."""

MAX_FAILURES = 64


@dataclass(frozen=True)
class Document:
    """A document by content."""

    doc_id: str
    """The sample's name, or the first 20 hex digits of the SHA-256 of the bytes."""
    name: str
    path: Path = field(repr=False)
    format: Format
    questions: tuple[str, ...] = ()
    """Questions worth asking, for samples."""

    @property
    def data(self) -> bytes:
        """The bytes, read from disk."""
        return self.path.read_bytes()

    @property
    def has_pages(self) -> bool:
        """Whether its pages can be seen: a PDF or an image."""
        return self.format in (Format.PDF, Format.IMAGE)


@dataclass(frozen=True)
class Request:
    """A document to be read, and how. The password lives in memory only."""

    doc_id: str
    parser: str = "pymupdf"
    ocr: bool = False
    beside: str | None = None
    """Id of the PDF or image that a saved output describes."""
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Sample:
    """A document that comes with the program."""

    doc_id: str
    name: str
    questions: tuple[str, ...]

    @property
    def path(self) -> Path:
        """Where its PDF lies."""
        return ASSETS / f"{self.doc_id}.pdf"


SAMPLES = (
    Sample(
        "motor_insurance",
        "Sample: motor insurance contract",
        (
            "What is the cap for vehicle theft?",
            "Which events are covered?",
            "Summarise the vehicle-theft cap and compare it with the fire cap",
        ),
    ),
    Sample(
        "motor_insurance_extract",
        "Sample: guarantees at a glance",
        ("What is the cap for vehicle theft?", "Which events are covered?"),
    ),
    Sample(
        "attention_report",
        "Sample: technical report",
        (
            "What is the complexity of self-attention per layer?",
            "What layer types are compared?",
            "How does GNMT + RL score on EN-DE?",
        ),
    ),
)


class Job:
    """A document being read in a thread of its own; it goes on while nobody watches."""

    def __init__(self, library: Library, request: Request) -> None:
        self.progress: tuple[int, int] | None = None
        """Pages done and pages in all, once it is known."""
        self._cancel = threading.Event()
        self._done = threading.Event()
        self._parsed: ParsedDocument | None = None
        self._error: RowlensError | None = None
        self._work = (library, request)
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> Job:
        """Begin."""
        self._thread.start()
        return self

    def cancel(self) -> None:
        """Stop it; `result` then raises ParseCancelled."""
        self._cancel.set()

    def wait(self, seconds: float) -> bool:
        """Wait so long at most; whether it is done."""
        return self._done.wait(seconds)

    def result(self) -> ParsedDocument:
        """The frames, once done.

        Raises:
            RowlensError: what went wrong.
        """
        self._done.wait()
        if self._error is not None:
            raise self._error
        assert self._parsed is not None
        return self._parsed

    def _run(self) -> None:
        library, request = self._work
        try:
            self._parsed = library.read(request, self._on_progress, self._cancel)
        except RowlensError as error:
            self._error = error
        except Exception as error:  # a fault of ours must not leave anyone waiting
            self._error = DocumentError(
                f"The document cannot be read: {type(error).__name__}: {error}. Please report this."
            )
        finally:
            self._done.set()

    def _on_progress(self, done: int, total: int) -> None:
        self.progress = done, total


class Library:
    """Documents and parses shared by all sessions of one server; safe to use from threads.

    A parse runs once per request; whoever asks meanwhile waits for it.
    """

    def __init__(self, store: Store | None = None) -> None:
        self.store = store or Store()
        self._samples = Store(PARSED_SAMPLES)
        sweep_scratch()
        self._folder = Path(tempfile.mkdtemp(prefix=scratch_prefix()))
        atexit.register(shutil.rmtree, self._folder, ignore_errors=True)
        self._lock = threading.Lock()
        self._renderer = Renderer()
        self._documents: Kept[str, Document] = Kept(
            count=MAX_DOCUMENTS,
            weight=MAX_DOCUMENT_BYTES,
            weigh=lambda document: document.path.stat().st_size,
        )
        self._parses: Kept[Request, ParsedDocument] = Kept(
            count=MAX_PARSES,
            weight=MAX_PARSED_LINES,
            weigh=lambda parsed: len(parsed.line_df),
        )
        self._jobs: dict[Request, Job] = {}
        self._failed: Kept[Request, Job] = Kept(count=MAX_FAILURES)

    def add(self, name: str, data: bytes) -> Document:
        """Keep an upload; the same bytes again are the same document.

        Raises:
            DocumentError: it is of no kind that is read, or beyond the limits.
        """
        source = Source(name, data)
        format_ = detect_format(source)
        check_source(source, format_)
        doc_id = document_id(data)
        path = self._folder / doc_id
        try:
            path.write_bytes(data)
        except OSError as error:
            raise DocumentError(
                f"{name} cannot be kept ({error.strerror}). Make room on the disk and try again."
            ) from error
        document = Document(doc_id, name, path, format_)
        for old in self._documents.put(doc_id, document):
            old.path.unlink(missing_ok=True)
        return document

    def get(self, doc_id: str) -> Document:
        """A sample or an upload.

        Raises:
            DocumentError: no such document is at hand (any more).
        """
        for sample in SAMPLES:
            if sample.doc_id == doc_id:
                return Document(doc_id, sample.name, sample.path, Format.PDF, sample.questions)
        document = self._documents.get(doc_id) or self._reopen(doc_id)
        if document is None:
            raise DocumentError(
                "The document this link names is not at hand here. Open the file, and the view "
                "that the link describes comes back."
            )
        return document

    def recent(self) -> list[RecentDocument]:
        """Documents opened before, by whatever session, the last first."""
        return recent_documents(self.store)

    def _reopen(self, doc_id: str) -> Document | None:
        """A document that was opened before this server began."""
        known = find_document(self.store, doc_id)
        try:
            document = None if known is None else self.add(known.name, known.path.read_bytes())
        except (OSError, DocumentError):
            return None
        return document if document is not None and document.doc_id == doc_id else None

    def start(self, request: Request) -> Job:
        """Read a document, or watch whoever does already. One that failed is not tried again
        before `forget`."""
        with self._lock:
            job = self._jobs.get(request) or self._failed.get(request)
            if job is None:
                job = self._jobs[request] = Job(self, request)
                job.start()
            return job

    def parsed(self, request: Request) -> ParsedDocument:
        """The document's frames, parsed at most once.

        Raises:
            DocumentError: it is not at hand, or cannot be parsed.
        """
        return self._parses.get(request) or self.start(request).result()

    def is_parsed(self, request: Request) -> bool:
        """Whether the document's frames are at hand without work."""
        return request in self._parses

    def is_busy(self) -> bool:
        """Whether any document is being read."""
        return bool(self._jobs)

    def forget(self, request: Request) -> None:
        """Let a request that failed be tried again."""
        self._failed.drop(request)

    def page_image(
        self, doc_id: str, page_num: int, *, dpi: float, password: str | None = None
    ) -> PageImage:
        """A page of a PDF or image as a picture, drawn in a process of its own.

        Raises:
            DocumentError: the page cannot be drawn.
        """
        document = self.get(doc_id)
        return self._renderer.render_page(
            document.path, document.name, page_num, dpi=dpi, password=password
        )

    def page_words(
        self, doc_id: str, page_num: int, *, password: str | None = None
    ) -> pd.DataFrame:
        """The words of a page of a PDF with their boxes: text, x0, y0, x1, y1; none of an image.

        Raises:
            DocumentError: the page cannot be read.
        """
        document = self.get(doc_id)
        return self._renderer.page_words(document.path, document.name, page_num, password=password)

    def read(self, request: Request, progress: Progress, cancel: threading.Event) -> ParsedDocument:
        """Do what a job does: take a parse from a store, or make one and keep it."""
        job = self._jobs.get(request)
        try:
            parsed = self._read(request, progress, cancel)
            self._parses.put(request, parsed)
            return parsed
        except RowlensError:
            if job is not None:
                self._failed.put(request, job)
            raise
        finally:
            with self._lock:
                self._jobs.pop(request, None)

    def _read(
        self, request: Request, progress: Progress, cancel: threading.Event
    ) -> ParsedDocument:
        document = self.get(request.doc_id)
        beside = self.get(request.beside) if request.beside else None
        parsed = parse_stored(
            Source(document.name, document.data),
            request.parser,
            stores=[self._samples, self.store],
            password=request.password,
            beside=None if beside is None else Source(beside.name, beside.data),
            ocr=request.ocr,
            progress=progress,
            cancel=cancel,
        )
        if not request.password:
            self._keep(document)
            if beside is not None:
                self._keep(beside)
        return parsed

    def _keep(self, document: Document) -> None:
        """For another day; samples are always there."""
        if document.path.parent == self._folder:
            keep_document(self.store, document.name, document.data)


def parse_stored(
    source: Source,
    parser: str,
    *,
    stores: list[Store],
    password: str | None = None,
    beside: Source | None = None,
    ocr: bool = False,
    progress: Progress | None = None,
    cancel: threading.Event | None = None,
) -> ParsedDocument:
    """All pages of a document, from the first store that has them, else parsed in a worker and
    kept in the last one.

    What a password opened is not kept: the next one to come must know it too.

    Raises:
        as `core.worker.parse_in_worker`.
    """
    settings = Settings(
        parser, ocr, "" if beside is None else hashlib.sha256(beside.data).hexdigest()
    )
    if not password:
        for store in stores:
            if (parsed := store.load(source.data, settings)) is not None:
                return parsed
    parsed = parse_in_worker(
        source,
        parser,
        password=password,
        beside=beside,
        ocr=ocr,
        progress=progress,
        cancel=cancel,
    )
    if not password:
        rows = serialize_table_rows(parsed.line_df)
        stores[-1].save(source.name, source.data, settings, parsed, rows)
    return parsed

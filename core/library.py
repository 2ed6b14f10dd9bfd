"""The documents at hand: samples and uploads by content, and their parses, kept in bounds."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from core.errors import DocumentError
from core.parsers import ParsedDocument, Source, parse_document
from core.parsers.base import Progress
from core.store import load_parse

Key = TypeVar("Key")
Value = TypeVar("Value")

ASSETS = Path(__file__).parents[1] / "assets"

PARSED_SAMPLES = ASSETS / "parsed"

MAX_DOCUMENTS = 32
"""Uploads and parses kept at a time; the one used longest ago goes first."""


@dataclass(frozen=True)
class Document:
    """A document by content."""

    doc_id: str
    """The sample's name, or the first 20 hex digits of the SHA-256 of the bytes."""
    name: str
    data: bytes = field(repr=False)
    questions: tuple[str, ...] = ()
    """Questions worth asking, for samples."""


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


class Library:
    """Documents and parses shared by all sessions of one server; safe to use from threads.

    A parse runs once per document and parser; whoever asks meanwhile waits for it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._documents: OrderedDict[str, Document] = OrderedDict()
        self._parses: OrderedDict[tuple[str, str], ParsedDocument] = OrderedDict()
        self._parsing: dict[tuple[str, str], threading.Lock] = {}

    def add(self, name: str, data: bytes) -> Document:
        """Keep an upload; the same bytes again are the same document."""
        document = Document(hashlib.sha256(data).hexdigest()[:20], name, data)
        with self._lock:
            _keep(self._documents, document.doc_id, document)
        return document

    def get(self, doc_id: str) -> Document:
        """A sample or an upload.

        Raises:
            DocumentError: no such document is at hand (any more).
        """
        for sample in SAMPLES:
            if sample.doc_id == doc_id:
                return Document(doc_id, sample.name, sample.path.read_bytes(), sample.questions)
        with self._lock:
            if doc_id in self._documents:
                self._documents.move_to_end(doc_id)
                return self._documents[doc_id]
        raise DocumentError(
            "The document this link names is not at hand here: uploads are kept only while the "
            "app runs. Upload the file again to see the same state."
        )

    def parsed(
        self, doc_id: str, parser: str = "pymupdf", progress: Progress | None = None
    ) -> ParsedDocument:
        """The document's frames, parsed at most once.

        Raises:
            DocumentError: it is not at hand, or cannot be parsed.
        """
        key = (doc_id, parser)
        with self._lock:
            if key in self._parses:
                self._parses.move_to_end(key)
                return self._parses[key]
            turn = self._parsing.setdefault(key, threading.Lock())
        with turn:
            if key not in self._parses:
                document = self.get(doc_id)
                parsed = load_parse(
                    PARSED_SAMPLES, doc_id, document.data, parser
                ) or parse_document(Source(document.name, document.data), parser, progress=progress)
                with self._lock:
                    _keep(self._parses, key, parsed)
            return self._parses[key]

    def is_parsed(self, doc_id: str, parser: str = "pymupdf") -> bool:
        """Whether the document's frames are at hand without work."""
        return (doc_id, parser) in self._parses


def _keep(kept: OrderedDict[Key, Value], key: Key, value: Value) -> None:
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > MAX_DOCUMENTS:
        kept.popitem(last=False)

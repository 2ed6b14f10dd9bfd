"""Documents that were opened before, kept in the store beside their parses.

A link names a document by its content; with its bytes kept, it opens after a restart, too. What a
password opened is not kept. ROWLENS_RECENT=off keeps and lists none, as a server for others wants.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import uuid
from dataclasses import dataclass
from pathlib import Path

from core.store import Store

SWITCH_VARIABLE = "ROWLENS_RECENT"
MOST_RECENT = 12
DOC_ID_LENGTH = 20

_BYTES = "document"
_ABOUT = "document.json"


@dataclass(frozen=True)
class RecentDocument:
    """A document that was opened before."""

    doc_id: str
    """The first 20 hex digits of the SHA-256 of the bytes."""
    name: str
    path: Path


def keeps_documents() -> bool:
    """Whether documents are kept at all."""
    return os.environ.get(SWITCH_VARIABLE, "").strip().lower() not in {"off", "0", "false", "no"}


def keep_document(store: Store, name: str, data: bytes) -> None:
    """Keep the bytes of a document; a disk that refuses is no trouble."""
    if not keeps_documents():
        return
    folder = store.folder_of(name, data)
    about = {"doc_id": document_id(data), "name": name}
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / _BYTES).exists():
            _write(folder / _BYTES, data)
        _write(folder / _ABOUT, json.dumps(about).encode())


def recent_documents(store: Store) -> list[RecentDocument]:
    """The documents used last, newest first, at most MOST_RECENT."""
    if not keeps_documents():
        return []
    found = (_read(folder) for folder in store.folders_by_use())
    return [document for document in found if document is not None][:MOST_RECENT]


def find_document(store: Store, doc_id: str) -> RecentDocument | None:
    """The document of that id, if it is kept."""
    if not keeps_documents() or len(doc_id) != DOC_ID_LENGTH:
        return None
    found = (_read(folder) for folder in store.folders_of(doc_id))
    return next((one for one in found if one is not None and one.doc_id == doc_id), None)


def document_id(data: bytes) -> str:
    """The name by which the app and its links know a document."""
    return hashlib.sha256(data).hexdigest()[:DOC_ID_LENGTH]


def _read(folder: Path) -> RecentDocument | None:
    """What is kept in a folder; whatever is damaged is not there."""
    try:
        about = json.loads((folder / _ABOUT).read_bytes())
        document = RecentDocument(str(about["doc_id"]), str(about["name"]), folder / _BYTES)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return document if document.path.is_file() else None


def _write(path: Path, data: bytes) -> None:
    """Beside first and then into place: several processes may share a store."""
    beside = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        beside.write_bytes(data)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)

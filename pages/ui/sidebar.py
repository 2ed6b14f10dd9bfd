"""The sidebar: which document, which parser, and how to retrieve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import Retrieval, Table
from core.errors import DocumentError, RowlensError
from core.library import SAMPLES, Document
from core.parsers import PARSERS
from core.retrieval import SHAPES
from core.tokens import ENCODINGS
from core.view.decision import SHAPE_NAMES
from core.view.document import default_table
from pages.ui import cached, messages, state
from pages.ui.choice import choice

_PARSER_NAMES = {"pymupdf": "PyMuPDF layout"}
_ROW_LEVEL = {"on": True, "off": False}


@dataclass(frozen=True)
class Choices:
    """What the sidebar is set to."""

    document: Document
    parser: str
    strict: bool
    use_row_level: bool | None
    shape: str | None
    encoding: str
    table_slot: DeltaGenerator
    """Place for the choice of a table, which waits for the document to be read."""


def draw(progress_slot: DeltaGenerator) -> Choices:
    """Draw the sidebar; an upload is parsed here, with its progress in the slot given."""
    with st.sidebar:
        _upload(progress_slot)
        document = _document()
        table_slot = st.container()
        parser = choice("Parser", state.PARSER, {name: _PARSER_NAMES[name] for name in PARSERS})
        settings = st.expander(
            "Reading and retrieval",
            icon=":material/tune:",
            key="inspect.settings",
            on_change="rerun",
        )
        if settings.open:
            with settings:
                _settings()
    return Choices(
        document=document,
        parser=parser,
        strict=state.setting(state.STRICT) == "true",
        use_row_level=_ROW_LEVEL.get(state.setting(state.ROW_LEVEL)),
        shape=shape if (shape := state.setting(state.SHAPE)) in SHAPES else None,
        encoding=encoding
        if (encoding := state.setting(state.ENCODING)) in ENCODINGS
        else ENCODINGS[0],
        table_slot=table_slot,
    )


def _settings() -> None:
    """What few people change; drawn only while it is open, its values stand in the URL."""
    choice("Reading", state.STRICT, {"false": "Safe (default)", "true": "Strict: four rules only"})
    choice("Row level", state.ROW_LEVEL, {"auto": "Auto: by shape", "on": "On", "off": "Off"})
    choice("Question shape", state.SHAPE, {"auto": "Auto", **SHAPE_NAMES})
    choice("Count tokens as", state.ENCODING, {name: name for name in ENCODINGS})


def choose_table(
    choices: Choices, tables: Sequence[Table], retrieval: Retrieval | None, page_num: int
) -> Table | None:
    """The table chosen by hand, else the one the answer touches, else one of the page."""
    if not tables:
        return None
    by_id = {table.table_id: table for table in tables}
    names = {table_id: f"{table_id}  {table.caption}" for table_id, table in by_id.items()}
    with choices.table_slot:
        chosen = choice("Table", state.TABLE, {state.ALL_TABLES: "All tables", **names})
    return by_id.get(chosen) or default_table(tables, retrieval, page_num)


def _upload(progress_slot: DeltaGenerator) -> None:
    """Take an upload; only a document that could be parsed replaces the one that is open."""
    upload = st.file_uploader("Open a PDF", type="pdf", key=state.UPLOAD)
    if upload is None or not state.upload_is_new(upload.file_id):
        return
    document = cached.library().add(upload.name, upload.getvalue())
    try:
        with progress_slot:
            parse_with_progress(document, next(iter(PARSERS)))
    except RowlensError as problem:
        messages.error(problem, title="This file cannot be opened")
    else:
        state.open_document(document.doc_id)


def parse_with_progress(document: Document, parser: str) -> None:
    """Parse a document unless that is done, showing how far it is."""
    if cached.library().is_parsed(document.doc_id, parser):
        return
    bar = st.progress(0.0, "Opening the document …")

    def progress(done: int, total: int) -> None:
        bar.progress(done / total, f"Read page {done} of {total}")

    cached.parsed(document.doc_id, parser, progress)
    bar.empty()


def _document() -> Document:
    linked = state.linked_document()
    known = [sample.doc_id for sample in SAMPLES]
    missing = None
    if linked and linked not in known:
        try:
            cached.library().get(linked)
            state.remember_document(linked)
        except DocumentError as problem:
            missing = problem
    names = {
        doc_id: cached.library().get(doc_id).name for doc_id in [*state.opened_documents(), *known]
    }
    doc_id = choice("Document", state.DOCUMENT, names, default=known[0], on_change=state.reset_view)
    if missing:
        messages.error(missing, title="Document not at hand")
    return cached.library().get(doc_id)

"""The sidebar: which document, which parser, and how to retrieve."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core.errors import DocumentError, RowlensError
from core.library import SAMPLES, Document
from core.parsers import PARSERS
from core.tokens import ENCODINGS
from core.view.decision import SHAPE_NAMES
from pages.ui import cached, messages, state
from pages.ui.choice import choice

_PARSER_NAMES = {"pymupdf": "PyMuPDF layout"}
_AUTO = "auto"
_ROW_LEVEL = {"Auto": None, "On": True, "Off": False}


@dataclass(frozen=True)
class Choices:
    """What the sidebar is set to."""

    document: Document
    parser: str
    strict: bool
    use_row_level: bool | None
    shape: str | None
    encoding: str


def draw(progress_slot: st.delta_generator.DeltaGenerator) -> Choices:
    """Draw the sidebar; an upload is parsed here, with its progress in the slot given."""
    with st.sidebar:
        _upload(progress_slot)
        document = _document()
        parser = choice("Parser", state.PARSER, {name: _PARSER_NAMES[name] for name in PARSERS})
        strict = st.toggle(
            "Strict reading",
            key=state.STRICT,
            bind="query-params",
            help="Read tables by exactly the four rules, without repairs, to see what they change.",
        )
        with st.expander("Retrieval", icon=":material/tune:"):
            row_level = st.segmented_control(
                "Row level",
                list(_ROW_LEVEL),
                default="Auto",
                required=True,
                key=state.ROW_LEVEL,
                bind="query-params",
                help="Auto lets the shape of the question decide.",
            )
            shape = choice("Question shape", state.SHAPE, {_AUTO: "Auto", **SHAPE_NAMES})
            encoding = choice(
                "Count tokens as", state.ENCODING, {encoding: encoding for encoding in ENCODINGS}
            )
    return Choices(
        document=document,
        parser=parser,
        strict=bool(strict),
        use_row_level=_ROW_LEVEL.get(str(row_level)),
        shape=None if shape == _AUTO else shape,
        encoding=encoding,
    )


def _upload(progress_slot: st.delta_generator.DeltaGenerator) -> None:
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

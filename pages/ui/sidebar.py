"""The sidebar: which document, which parser, and how to retrieve."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import Index, Retrieval, Table
from core.errors import DocumentError
from core.library import SAMPLES, Document, Request
from core.parsers import PARSERS, Format, parsers_for
from core.view.document import default_table
from core.view.notes import table_names
from pages.ui import cached, messages, opening, retrieval_settings, state
from pages.ui.asking import Settings
from pages.ui.choice import choice
from pages.ui.copy_link import copy_link
from pages.ui.shortcuts import help_button

_SAVED = {
    Format.DOCLING_JSON,
    Format.AZURE_JSON,
    Format.PARQUET,
    Format.FRAME_CSV,
    Format.FRAME_JSON,
}
"""Formats that may describe the pages of another file."""

_OCR_PARSERS = {"pymupdf", "docling"}
"""Parsers that can leave OCR out."""

_TABLES_NAMED = 3
_SAMPLE_IDS = {sample.doc_id for sample in SAMPLES}


@dataclass(frozen=True)
class Choices:
    """What the sidebar is set to."""

    document: Document
    request: Request
    """How the document is to be read."""
    can_recognise: bool
    """Whether OCR is off and could be switched on."""
    strict: bool
    settings: Settings
    """How to retrieve."""
    table_slot: DeltaGenerator
    """Place for the choice of a table, which waits for the document to be read."""
    export_slot: DeltaGenerator
    """Place for the downloads, which wait for it too."""

    def ask(self, index: Index, question: str, threshold: float) -> Retrieval | None:
        """The answer under these settings; None without a question."""
        if not question:
            return None
        return self.settings.ask(index, question, threshold)

    @property
    def encoding(self) -> str:
        """Vocabulary for token counts."""
        return self.settings.encoding


def draw(progress_slot: DeltaGenerator) -> Choices:
    """Draw the sidebar; an upload is parsed here, with its progress in the slot given."""
    with st.sidebar:
        opening.upload(progress_slot)
        document = _document()
        wanted = state.wanted_document()
        if wanted is not None:
            with progress_slot:
                messages.document_wanted(wanted.name, wanted.doc_id, give_up=state.forget_wanted)
        beside = state.beside(document.doc_id)
        state.link_beside(beside)
        if document.format in _SAVED:
            opening.pages_beside(document, beside, progress_slot)
        table_slot = st.container()
        parser = choice(
            "Parser",
            state.PARSER,
            {name: PARSERS[name].title for name in parsers_for(document.format)},
            on_change=state.reset_reading,
        )
        may_recognise = document.has_pages and parser in _OCR_PARSERS
        ocr = may_recognise and _ocr()
        settings = st.expander(
            "Reading and retrieval",
            icon=":material/tune:",
            key="inspect.settings",
            on_change="rerun",
        )
        if settings.open:
            with settings:
                _settings()
        export_slot = st.container()
        copy_link("" if document.doc_id in _SAMPLE_IDS else document.name, key="link.copy")
        help_button()
    return Choices(
        document=document,
        request=Request(
            document.doc_id,
            parser,
            ocr=ocr,
            beside=state.beside(document.doc_id),
            password=state.password(document.doc_id),
        ),
        can_recognise=may_recognise and not ocr,
        strict=state.setting(state.STRICT) == "true",
        settings=retrieval_settings.chosen(),
        table_slot=table_slot,
        export_slot=export_slot,
    )


def _ocr() -> bool:
    return st.toggle(
        "Recognise scans (OCR)",
        key=state.OCR,
        bind="query-params",
        help="Reads the text of pages that are pictures only, a few seconds each.",
        on_change=state.reset_reading,
    )


def _settings() -> None:
    """What few people change; drawn only while it is open, its values stand in the URL."""
    choice(
        "Reading",
        state.STRICT,
        {"false": "Safe (default)", "true": "Strict: four rules only"},
        on_change=state.reset_reading,
    )
    retrieval_settings.draw()
    store = cached.library().store
    st.button(
        f"Clear stored parses ({store.size() / 1e6:,.1f} MB)",
        key="store.clear",
        type="tertiary",
        icon=":material/delete_sweep:",
        help=f"Parses are kept in {store.root}, so that a second look at a file is instant.",
        on_click=store.clear,
    )


def choose_table(
    choices: Choices,
    reading: cached.Reading,
    header_rows: Mapping[str, int | str],
    retrieval: Retrieval | None,
    page_num: int,
) -> Table | None:
    """The table chosen by hand, else the one the answer touches, else one of the page."""
    if not reading.tables:
        return None
    by_id = {table.table_id: table for table in reading.tables}
    names = table_names(reading.tables, reading.lints, header_rows)

    def turn_to_it() -> None:
        table = by_id.get(state.setting(state.TABLE))
        if table is not None and page_num not in table.pages:
            state.set_page(table.pages[0])

    with choices.table_slot:
        chosen = choice(
            "Table",
            state.TABLE,
            {state.ALL_TABLES: "All tables", **names},
            on_change=turn_to_it,
        )
        if header_rows:
            _reset_headers(header_rows)
    return by_id.get(chosen) or default_table(reading.tables, retrieval, page_num)


def _reset_headers(header_rows: Mapping[str, int | str]) -> None:
    few = len(header_rows) <= _TABLES_NAMED
    which = ", ".join(header_rows) if few else f"{len(header_rows)} tables"
    st.button(
        f"Reset header of {which}",
        key="headers.reset_all",
        type="tertiary",
        icon=":material/undo:",
        help="Forget every header set by hand (✎).",
        on_click=state.reset_headers,
    )


def _document() -> Document:
    linked = state.linked_document()
    library = cached.library()
    samples = {sample.doc_id: sample.name for sample in SAMPLES}
    if linked and linked not in samples:
        try:
            library.get(linked)
            state.remember_document(linked)
        except DocumentError:
            state.want_document(linked)
            state.reset_view()
            state.unlink_document()
    opened = {doc_id: library.get(doc_id).name for doc_id in state.opened_documents()}
    recent = {document.doc_id: document.name for document in library.recent()}
    doc_id = choice(
        "Document",
        state.DOCUMENT,
        {**opened, **{doc_id: name for doc_id, name in recent.items() if doc_id not in opened}}
        | samples,
        default=next(iter(samples)),
        on_change=state.reset_view,
    )
    if doc_id not in opened and doc_id not in samples:
        state.remember_document(doc_id)
    return library.get(doc_id)

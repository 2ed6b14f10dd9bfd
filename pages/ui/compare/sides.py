"""The two sides: what each reads and how, chosen at the top of its card, and what it found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core import ParsedDocument
from core.errors import DocumentError, RowlensError
from core.library import Document, Request
from core.parsers import Format
from core.view.compare import (
    SETTINGS,
    Side,
    default_other,
    settings_of,
    side_card,
    side_names,
    side_options,
    side_request,
)
from pages.ui import cached, messages, state
from pages.ui.compare import side_card as card
from pages.ui.compare.waiting import read_side
from pages.ui.sidebar import Choices
from pages.ui.state import compare

_SAVED = {
    Format.DOCLING_JSON,
    Format.AZURE_JSON,
    Format.PARQUET,
    Format.FRAME_CSV,
    Format.FRAME_JSON,
}


@dataclass(frozen=True)
class Shown:
    """A side that could be read."""

    letter: str
    name: str
    request: Request
    document: Document
    parsed: ParsedDocument
    reading: cached.Reading
    key: cached.ReadingKey


@dataclass(frozen=True)
class _Offer:
    """The sides that a document has."""

    choices: Choices
    options: Mapping[Side, str]
    documents: Mapping[str, Document]
    """What they read, by id; "" for the document that is open."""


def draw(choices: Choices) -> tuple[Shown | None, Shown | None]:
    """Draw both cards; a side that is being read, or cannot be, is None and says so."""
    offer = _offer(choices)
    compare.begin(choices.document.doc_id)
    own = _own_side(choices)
    one = _possible(compare.side("a", own), own, offer)
    first = default_other(one, offer.options, offer.documents)
    other = _possible(compare.side("b", first), first, offer)
    compare.link_sides(one, other)
    names = side_names(one, other)
    columns = st.columns(2, gap="medium")
    shown = []
    for letter, side, name, column in zip("AB", (one, other), names, columns, strict=True):
        with column, st.container(border=True, gap="small"):
            _pick(letter, side, offer)
            shown.append(_read(letter, side, name, offer))
    _more(one, other, choices)
    return shown[0], shown[1]


def _own_side(choices: Choices) -> Side:
    """What Inspect shows."""
    return Side(
        choices.request.parser,
        strict=choices.strict,
        ocr=choices.request.ocr,
        headers=compare.has_headers(),
    )


def _offer(choices: Choices) -> _Offer:
    document = choices.document
    beside = choices.request.beside
    pages = _at_hand(beside) if beside and not document.has_pages else None
    outputs = [found for name in compare.outputs(document.doc_id) if (found := _at_hand(name))]
    outputs = [output for output in outputs if output.doc_id != beside]
    documents = {"": document} | {d.doc_id: d for d in [*outputs, *([pages] if pages else [])]}
    return _Offer(choices, side_options(document, outputs, pages), documents)


def _at_hand(doc_id: str) -> Document | None:
    try:
        return cached.library().get(doc_id)
    except DocumentError:
        return None


def _possible(side: Side, default: Side, offer: _Offer) -> Side:
    """The side without settings that mean nothing to it; the default where its parser does not
    read its document. One of a document that is not at hand stays, and is said to be missing."""
    if side.doc_id not in offer.documents:
        return side
    if side.with_settings([]) not in offer.options:
        side = default
    return side.with_settings([name for name in side.settings if name in _settings(side, offer)])


def _settings(side: Side, offer: _Offer) -> list[str]:
    own = offer.choices.request.parser == side.parser and not side.doc_id
    return settings_of(
        side,
        offer.documents[side.doc_id],
        headers=own and compare.has_headers(),
    )


def _pick(letter: str, side: Side, offer: _Offer) -> None:
    """The list of readings, and the settings of the one that is chosen."""
    name = letter.lower()
    reading_key, settings_key = f"compare.{name}.reading", f"compare.{name}.settings"
    options = list(offer.options)
    plain = side.with_settings([])
    missing = plain not in options

    def choose() -> None:
        reading = compare.widget(reading_key)
        settings = compare.widget(settings_key)
        chosen = reading if isinstance(reading, Side) else plain
        kept = settings if isinstance(settings, list) else []
        compare.choose_side(name, chosen.with_settings(kept))

    compare.prepare(reading_key, plain)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        card.badge(letter)
        st.selectbox(
            f"Side {letter} reads by",
            [plain, *options] if missing else options,
            key=reading_key,
            format_func=lambda option: offer.options.get(option, "An output that is not at hand"),
            on_change=choose,
            label_visibility="collapsed",
            filter_mode=None,
        )
        possible = [] if missing else _settings(side, offer)
        if possible:
            compare.prepare(settings_key, [one for one in side.settings if one in possible])
            st.pills(
                f"Settings of side {letter}",
                possible,
                selection_mode="multi",
                key=settings_key,
                format_func=lambda setting: SETTINGS[setting],
                on_change=choose,
                label_visibility="collapsed",
            )


def _read(letter: str, side: Side, name: str, offer: _Offer) -> Shown | None:
    document = offer.documents.get(side.doc_id)
    if document is None:
        messages.failed(
            "This output is not at hand here",
            "Uploads are kept only while the app runs. Add the file again to see the same state.",
        )
        return None
    passwords = {doc_id: state.password(doc_id) for doc_id in offer.documents}
    request = side_request(side, document, offer.choices.request, passwords)
    parsed = read_side(letter, request)
    if parsed is None:
        return None
    key = _reading_key(side, request)
    reading = cached.reading(*key)
    card.draw(
        side_card(
            letter,
            reading.tables,
            reading.lints.values(),
            cached.parse_seconds(request),
            len(parsed.page_df),
            timing=cached.is_timing(request),
        ),
        key=f"compare.card.{letter}",
        on_time=partial(cached.time_again, request),
    )
    if cached.is_timing(request):
        _watch_timing(letter, request)
    messages.parser_notes(parsed.notes)
    return Shown(letter, name, request, document, parsed, reading, key)


@st.fragment(run_every=0.5)
def _watch_timing(letter: str, request: Request) -> None:
    """Show the time once it is known."""
    if not cached.is_timing(request):
        st.rerun()


def _reading_key(side: Side, request: Request) -> cached.ReadingKey:
    if not side.headers:
        return request, side.strict, ()
    automatic = cached.reading(request, side.strict, ())
    choices = {table.table_id: state.header_choice(table.table_id) for table in automatic.tables}
    by_hand = tuple(
        (table_id, choice if choice == state.BY_KEYS else int(choice))
        for table_id, choice in choices.items()
        if choice != state.AUTO
    )
    return request, side.strict, by_hand


def _more(one: Side, other: Side, choices: Choices) -> None:
    """Exchange the sides, and add an output of another parser."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "Exchange A and B",
            key="compare.exchange",
            type="tertiary",
            icon=":material/swap_horiz:",
            on_click=compare.exchange,
            args=(one, other),
        )
        with st.popover(
            "Add another parser's output", icon=":material/upload_file:", type="tertiary"
        ):
            _upload(choices)


def _keep(file: UploadedFile) -> Document | None:
    try:
        return cached.library().add(file.name, file.getvalue())
    except RowlensError as problem:
        messages.error(problem, title="This file cannot be opened")
        return None


def _upload(choices: Choices) -> None:
    st.caption(
        "A saved output of the same document: DoclingDocument or Azure JSON, or line_df as "
        "Parquet, CSV or JSON. It becomes side B."
    )
    doc_id = choices.document.doc_id
    file = st.file_uploader(
        "Output of another parser",
        key=state.upload_key(f"compare.{doc_id}"),
        label_visibility="collapsed",
    )
    if file is None or not state.upload_is_new(file.file_id):
        return
    output = _keep(file)
    if output is None:
        return
    if output.format not in _SAVED:
        messages.failed(
            "This is no saved output",
            f"{file.name} is a document of its own. Open it in the sidebar instead.",
        )
        return
    compare.add_output(doc_id, output.doc_id)
    parser = next(iter(side_options(output, (), None))).parser
    compare.choose_side("b", Side(parser, output.doc_id))
    st.rerun()

"""Every session_state and URL key of the app, and what may stand in them.

Most widgets bind themselves to the URL by their key. A select box would write the label it
shows there, and page and row have no widget of their own, so these are read and written here.
Whatever comes from a URL is checked before it is used.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from core.library import Request
from core.retrieval import DEFAULT_THRESHOLD
from core.tables.headers import KEY_VALUE, MAX_HEADER_ROWS
from core.tokens import ENCODINGS
from core.view.rows import MATCHED_FIRST, PAGE_ORDER

DOCUMENT = "doc"
PARSER = "parser"
TABLE = "table"
QUESTION = "q"
THRESHOLD = "threshold"
ROW_LEVEL = "rows"
SHAPE = "shape"
ENCODING = "encoding"
WORDS = "words"
MEANING = "meaning"
HEADINGS = "headings"
STRICT = "strict"
TAB = "tab"
ORDER = "order"
UNIT = "unit"
ALL_LINES = "lines"
OCR = "ocr"
UPLOAD = "inspect.upload"

ALL_TABLES = "all"
OFF = "off"
"""A switch in the URL; one that is on is not there."""

AUTO = "auto"
BY_KEYS = KEY_VALUE
HEADER_CHOICES = (AUTO, *map(str, range(MAX_HEADER_ROWS + 1)), BY_KEYS)
"""How a table's header may be set, as it stands in the URL: "t2.3,t5.key-value"."""

_SWITCHES = (WORDS, MEANING, HEADINGS)
_UNDRAWN = {ROW_LEVEL: AUTO, SHAPE: AUTO, ENCODING: ENCODINGS[0], STRICT: "false"}
"""Choices that are drawn only while the settings are open, and their defaults."""
TABS = ("Rows", "Table", "Headers", "Lines", "Context", "Notes")
UNITS = ("tokens", "characters")
_BOUND = {TAB: TABS, ORDER: (MATCHED_FIRST, PAGE_ORDER), UNIT: UNITS}
"""Choices that Streamlit itself keeps in the URL."""
_KEPT = (
    *(DOCUMENT, PARSER, TABLE, QUESTION, THRESHOLD, OCR, ALL_LINES),
    *(*_SWITCHES, *_UNDRAWN),
)
"""Values of widgets that another page need not draw."""

_PAGE = "page"
_ROW = "row"
_NOTE = "note"
_HEADERS = "headers"
_OPENED = "inspect.opened"
_READ_UPLOADS = "inspect.read_uploads"
_UPLOADS = "inspect.uploads"
_ANSWERED = "inspect.answered"
_PENDING = "inspect.pending"
_PASSWORDS = "inspect.passwords"
_SHOWN = "inspect.shown"
_BESIDE = "beside"
_SENT = "inspect.sent"
_WANTED = "inspect.wanted"
_HELP = "help"
_THRESHOLD = "kept.threshold"
_NAME = "name"
_MAX_NAME = 120
_FAILED = "inspect.failed"

_DOC_ID = re.compile(r"[a-z0-9_]{1,40}")
_HEADER_CHOICE = re.compile(rf"(t\d{{1,6}})\.([0-{MAX_HEADER_ROWS}]|{BY_KEYS})")
_MAX_LINKED_HEADERS = 100


def keep() -> None:
    """At the start of every run: let settings outlive their widgets, which a page may not draw,
    and stand in the URL of every page.

    Streamlit forgets the value of a widget that a run did not draw, and empties the URL when
    another page is opened; what is written here anew counts as the session's own.
    """
    if THRESHOLD not in st.session_state:
        # A fragment's slider does not outlive its page; what it was set to does.
        st.session_state[THRESHOLD] = st.session_state.get(_THRESHOLD, _linked_threshold())
    for key in _KEPT:
        if key not in st.session_state and key in _UNDRAWN and key in st.query_params:
            st.session_state[key] = st.query_params[key]
        if key in st.session_state:
            st.session_state[key] = st.session_state[key]
    for key in _SWITCHES:
        st.session_state[key] = is_on(key)
        link_switch(key)
    for key, default in _UNDRAWN.items():
        _link(key, str(st.session_state.get(key, "")), default)
    link_threshold()


def link_threshold() -> None:
    """Keep the widening threshold in the URL where it is not the default."""
    st.session_state[_THRESHOLD] = threshold()
    _link(THRESHOLD, f"{threshold():g}", f"{DEFAULT_THRESHOLD:g}")


def threshold() -> float:
    """The widening threshold of all pages."""
    value = st.session_state.get(THRESHOLD, DEFAULT_THRESHOLD)
    return min(1.0, max(0.0, float(value))) if isinstance(value, int | float) else DEFAULT_THRESHOLD


def set_threshold(value: float) -> None:
    """Widen from this coverage on; before its slider is drawn in this run, or in a callback."""
    st.session_state[THRESHOLD] = min(1.0, max(0.0, float(value)))


def _linked_threshold() -> float:
    try:
        value = float(st.query_params.get(THRESHOLD, ""))
    except ValueError:
        return DEFAULT_THRESHOLD
    return value if 0.0 <= value <= 1.0 else DEFAULT_THRESHOLD


def _link(key: str, value: str, default: str) -> None:
    if value in {"", default}:
        st.query_params.pop(key, None)
    elif st.query_params.get(key) != value:
        st.query_params[key] = value


def prepare_choice(key: str, values: Sequence[str], default: str) -> None:
    """Before a select box is drawn: give it the value of the session, or of the URL, if there is
    such a one."""
    value = st.session_state.get(key, st.query_params.get(key))
    st.session_state[key] = value if value in values else default


def link_choice(key: str, values: Sequence[str], default: str) -> str:
    """After a select box is drawn: its value, kept in the URL unless it is the default."""
    value = st.session_state[key]
    if value not in values or value == default:
        st.query_params.pop(key, None)
        return default
    st.query_params[key] = value
    return str(value)


def setting(key: str) -> str:
    """Value of a select box that may not be drawn now, from the session or the URL."""
    return str(st.session_state.get(key) or st.query_params.get(key, ""))


def prepare_switch(key: str) -> None:
    """Before a switch is drawn that is on by default: set it as the session, or the URL, says."""
    st.session_state[key] = is_on(key)


def link_switch(key: str) -> None:
    """After a switch is drawn: keep it in the URL where it is off."""
    if st.session_state[key]:
        st.query_params.pop(key, None)
    else:
        st.query_params[key] = OFF


def is_on(key: str) -> bool:
    """Whether a switch is on that may not be drawn now."""
    value = st.session_state.get(key)
    return value if isinstance(value, bool) else st.query_params.get(key) != OFF


def failure(what: str, question: str) -> str | None:
    """Why a model could not be used for a question, if so; it is not asked again by itself."""
    asked, problem = st.session_state.get(_FAILED, {}).get(what, ("", None))
    return problem if asked == question else None


def set_failure(what: str, question: str, problem: str) -> None:
    """Remember that a model failed for a question."""
    st.session_state[_FAILED] = {**st.session_state.get(_FAILED, {}), what: (question, problem)}


def forget_failure(what: str) -> None:
    """Let a model be asked again."""
    failed = st.session_state.get(_FAILED, {})
    st.session_state[_FAILED] = {name: kept for name, kept in failed.items() if name != what}


def all_tables() -> bool:
    """Whether no table is chosen; to be asked after the list of tables is drawn."""
    return st.session_state.get(TABLE, ALL_TABLES) == ALL_TABLES


def opened_documents() -> list[str]:
    """Ids of documents this session uploaded or followed a link to, in that order."""
    return st.session_state.setdefault(_OPENED, [])


def remember_document(doc_id: str) -> None:
    """Offer a document in the list from now on."""
    if doc_id not in opened_documents():
        st.session_state[_OPENED] = [*opened_documents(), doc_id]


def open_document(doc_id: str, beside: str | None = None) -> None:
    """Show a document from its first page; before its list is drawn in this run."""
    remember_document(doc_id)
    st.session_state[DOCUMENT] = doc_id
    if beside:
        set_beside(doc_id, beside)
    reset_view()


def pending() -> Request | None:
    """The upload that is being read, and not yet shown."""
    request: Request | None = st.session_state.get(_PENDING)
    return request


def set_pending(request: Request | None) -> None:
    """Read an upload next, or none."""
    st.session_state[_PENDING] = request


def shown(request: Request) -> Request | None:
    """How the same document was last shown in this session."""
    last: Request | None = st.session_state.get(_SHOWN)
    return last if last is not None and last.doc_id == request.doc_id else None


def set_shown(request: Request) -> None:
    """Remember how a document is shown, to go back to when another way fails."""
    st.session_state[_SHOWN] = request


def password(doc_id: str) -> str | None:
    """The password given for a document in this session; it is in memory only."""
    passwords: dict[str, str] = st.session_state.get(_PASSWORDS, {})
    return passwords.get(doc_id)


def take_password(key: str, doc_id: str) -> str | None:
    """Move a password from its field to where `password` finds it."""
    given = str(st.session_state.pop(key, "") or "") or None
    kept: dict[str, str] = st.session_state.get(_PASSWORDS, {})
    st.session_state[_PASSWORDS] = {**kept, doc_id: given} if given else kept
    return given


def beside(doc_id: str) -> str | None:
    """Id of the PDF or image beside a document, from the session or, for the linked document,
    from the URL."""
    known: dict[str, str] = st.session_state.get(_BESIDE, {})
    linked = st.query_params.get(_BESIDE, "") if linked_document() == doc_id else ""
    return known.get(doc_id) or (linked if _DOC_ID.fullmatch(linked) else None)


def set_beside(doc_id: str, pages: str) -> None:
    """Say which PDF or image a document describes."""
    st.session_state[_BESIDE] = {**st.session_state.get(_BESIDE, {}), doc_id: pages}


def link_beside(pages: str | None) -> None:
    """Keep it in the URL while its document is shown."""
    if pages:
        st.query_params[_BESIDE] = pages
    else:
        st.query_params.pop(_BESIDE, None)


def may_send(doc_id: str, parser: str) -> bool:
    """Whether it was allowed in this session to send a document to a parser's service."""
    return (doc_id, parser) in st.session_state.get(_SENT, ())


def allow_sending(doc_id: str, parser: str) -> None:
    """Let a document go to a parser's service."""
    st.session_state[_SENT] = (*st.session_state.get(_SENT, ()), (doc_id, parser))


def drop_beside(doc_id: str) -> None:
    """Let a document have no pages beside it."""
    st.session_state[_BESIDE] = {**st.session_state.get(_BESIDE, {}), doc_id: ""}
    link_beside(None)


def recognise() -> None:
    """Switch OCR on."""
    st.session_state[OCR] = True
    reset_reading()


def linked_document() -> str | None:
    """Document id in the URL, if it has the form of one."""
    doc_id = st.query_params.get(DOCUMENT, "")
    return doc_id if _DOC_ID.fullmatch(doc_id) else None


@dataclass(frozen=True)
class Wanted:
    """The document of a link, which is not at hand, and what the link says of it."""

    doc_id: str
    name: str
    link: dict[str, str]


def want_document(doc_id: str) -> None:
    """Remember a link whose document must be opened first."""
    link = {key: st.query_params[key] for key in st.query_params}
    name = link.pop(_NAME, "")[:_MAX_NAME]
    st.session_state[_WANTED] = Wanted(doc_id, name, link)


def wanted_document() -> Wanted | None:
    """The link that still waits for its document."""
    wanted: Wanted | None = st.session_state.get(_WANTED)
    return wanted


def forget_wanted() -> None:
    """The link is given up."""
    st.session_state.pop(_WANTED, None)


def follow_wanted() -> None:
    """The document is there: everything is as the link says; before any widget is drawn."""
    wanted = wanted_document()
    if wanted is None:
        return
    forget_wanted()
    for key in (*_KEPT, _THRESHOLD, _PAGE, _ROW, _NOTE, _HEADERS, _ANSWERED, TAB):
        st.session_state.pop(key, None)
    remember_document(wanted.doc_id)
    st.session_state[DOCUMENT] = wanted.doc_id
    for key, value in wanted.link.items():
        # What a widget is bound to may be set through its value only.
        if key == QUESTION or value in _BOUND.get(key, ()):
            st.session_state[key] = value
        elif key == OCR:
            st.session_state[key] = value == "true"
        elif key not in _BOUND:
            st.query_params[key] = value
    keep()


def unlink_document() -> None:
    """Take the document out of the URL: it is not the one that is shown."""
    st.query_params.pop(DOCUMENT, None)
    st.session_state.pop(DOCUMENT, None)


def reset_view() -> None:
    """Forget what belongs to the document shown before: parser, page, row, table and headers. A
    parser may send a document away, so that each begins with the one that suits it here."""
    st.session_state.pop(PARSER, None)
    st.query_params.pop(PARSER, None)
    set_page(None)
    link_beside(None)
    st.session_state[TABLE] = ALL_TABLES
    reset_reading()


def reset_reading() -> None:
    """Forget what belongs to one reading of a document: another one numbers its tables anew."""
    select_row(None)
    reset_headers()


def ask(question: str) -> None:
    """Put a question into the question box."""
    st.session_state[QUESTION] = question


def ask_for_help() -> None:
    """Show the help at the end of this run."""
    st.session_state[_HELP] = True


def take_help() -> bool:
    """Whether the help was asked for; True once."""
    return bool(st.session_state.pop(_HELP, False))


def question_is_new(document: str, question: str) -> bool:
    """Whether this question was not yet answered in this session; True once."""
    asked = (document, question)
    before = st.session_state.get(_ANSWERED)
    st.session_state[_ANSWERED] = asked
    return before is not None and before != asked


def upload_key(of: str = "") -> str:
    """Key of an uploader: of the one that opens documents, or of the one beside a document."""
    return f"{UPLOAD}.{of}" if of else f"{UPLOAD}.{st.session_state.get(_UPLOADS, 0)}"


def next_upload() -> None:
    """Empty the uploader that opens documents, from the next run on."""
    st.session_state[_UPLOADS] = st.session_state.get(_UPLOADS, 0) + 1


def upload_is_new(file_id: str) -> bool:
    """Whether an upload was not yet read; True once."""
    read: tuple[str, ...] = st.session_state.get(_READ_UPLOADS, ())
    st.session_state[_READ_UPLOADS] = read if file_id in read else (*read, file_id)
    return file_id not in read


def page(pages: Collection[int]) -> int | None:
    """Page to show: the one turned to, else the one in the URL, if the document has it."""
    if _PAGE not in st.session_state:
        asked = st.query_params.get(_PAGE, "")
        st.session_state[_PAGE] = int(asked) if asked.isdecimal() and len(asked) < 10 else None
    number = st.session_state[_PAGE]
    return number if number in pages else None


def set_page(number: int | None) -> None:
    """Turn to a page, or with None back to the document's first view."""
    st.session_state[_PAGE] = number
    if number is None:
        st.query_params.pop(_PAGE, None)
    else:
        st.query_params[_PAGE] = str(number)


def selected_row(rows: Collection[str]) -> str | None:
    """Id of the selected row, if it is one of `rows`."""
    if _ROW not in st.session_state:
        st.session_state[_ROW] = st.query_params.get(_ROW)
    row_id = st.session_state[_ROW]
    return row_id if row_id in rows else None


def select_row(row_id: str | None, page_num: int | None = None) -> None:
    """Select a row, and turn to its page; None or "" selects nothing. Either way no note is."""
    _set_note(None)
    st.session_state[_ROW] = row_id or None
    if row_id:
        st.query_params[_ROW] = row_id
    else:
        st.query_params.pop(_ROW, None)
    if row_id and page_num:
        set_page(page_num)


def note() -> str | None:
    """Id of the note whose place is lit, as it is known; it may be of another reading."""
    if _NOTE not in st.session_state:
        st.session_state[_NOTE] = st.query_params.get(_NOTE)
    note_id: str | None = st.session_state[_NOTE]
    return note_id


def show_note(note_id: str | None, row_id: str | None = None, page_num: int | None = None) -> None:
    """Light the place of a note: turn to its page, and select its row if it is about one."""
    select_row(row_id)
    _set_note(note_id)
    if note_id and page_num:
        set_page(page_num)


def _set_note(note_id: str | None) -> None:
    st.session_state[_NOTE] = note_id
    if note_id:
        st.query_params[_NOTE] = note_id
    else:
        st.query_params.pop(_NOTE, None)


def header_rows(table_ids: Collection[str]) -> dict[str, int | str]:
    """Header lines as set by hand, per table; what names no table is forgotten."""
    known = {table_id: value for table_id, value in _headers().items() if table_id in table_ids}
    if known != _headers():
        _set_headers(known)
    return {
        table_id: KEY_VALUE if known[table_id] == BY_KEYS else int(known[table_id])
        for table_id in sorted(known, key=lambda table_id: int(table_id[1:]))
    }


def header_choice(table_id: str) -> str:
    """How a table's header is set: one of HEADER_CHOICES."""
    return _headers().get(table_id, AUTO)


def choose_header(table_id: str, value: str | None = None) -> None:
    """Set a table's header by hand, or with AUTO back to what the reading finds.

    The table becomes the chosen one, so that what it changes stays in sight. Without `value` the
    control of this table has it.
    """
    value = value or st.session_state.get(header_key(table_id)) or AUTO
    kept = {other: count for other, count in _headers().items() if other != table_id}
    _set_headers(kept if value == AUTO else {**kept, table_id: value})
    st.session_state[TABLE] = table_id
    # Its rows are numbered anew.
    if str(st.session_state.get(_ROW) or "").startswith(f"{table_id}:"):
        select_row(None)
    _set_note(None)


def reset_headers() -> None:
    """Forget every header set by hand."""
    _set_headers({})


def header_key(table_id: str) -> str:
    """Key of the control that sets a table's header."""
    return f"headers.{table_id}"


def prepare_header(table_id: str) -> None:
    """Before the control is drawn: show how the header is set."""
    st.session_state[header_key(table_id)] = header_choice(table_id)


def _headers() -> Mapping[str, str]:
    if _HEADERS not in st.session_state:
        linked = st.query_params.get(_HEADERS, "").split(",")[:_MAX_LINKED_HEADERS]
        found = filter(None, map(_HEADER_CHOICE.fullmatch, linked))
        st.session_state[_HEADERS] = {match[1]: match[2] for match in found}
    headers: Mapping[str, str] = st.session_state[_HEADERS]
    return headers


def _set_headers(headers: Mapping[str, str]) -> None:
    st.session_state[_HEADERS] = dict(headers)
    if headers:
        ordered = sorted(headers.items(), key=lambda item: int(item[0][1:]))
        st.query_params[_HEADERS] = ",".join(f"{table}.{value}" for table, value in ordered)
    else:
        st.query_params.pop(_HEADERS, None)


def get(key: str, default: object = None) -> object:
    """Value of a widget that may not have been drawn yet."""
    return st.session_state.get(key, default)

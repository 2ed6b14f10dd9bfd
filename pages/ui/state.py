"""Every session_state and URL key of the app, and what may stand in them.

Most widgets bind themselves to the URL by their key. A select box would write the label it
shows there, and page and row have no widget of their own, so these are read and written here.
Whatever comes from a URL is checked before it is used.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import streamlit as st

DOCUMENT = "doc"
PARSER = "parser"
TABLE = "table"
QUESTION = "q"
THRESHOLD = "threshold"
ROW_LEVEL = "rows"
SHAPE = "shape"
ENCODING = "encoding"
STRICT = "strict"
TAB = "tab"
ORDER = "order"
UNIT = "unit"
ALL_LINES = "lines"
UPLOAD = "inspect.upload"

ALL_TABLES = "all"

_PAGE = "page"
_ROW = "row"
_OPENED = "inspect.opened"
_READ_UPLOAD = "inspect.read_upload"
_ANSWERED = "inspect.answered"

_DOC_ID = re.compile(r"[a-z0-9_]{1,40}")


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


def opened_documents() -> list[str]:
    """Ids of documents this session uploaded or followed a link to, in that order."""
    return st.session_state.setdefault(_OPENED, [])


def remember_document(doc_id: str) -> None:
    """Offer a document in the list from now on."""
    if doc_id not in opened_documents():
        st.session_state[_OPENED] = [*opened_documents(), doc_id]


def open_document(doc_id: str) -> None:
    """Show a document from its first page; before its list is drawn in this run."""
    remember_document(doc_id)
    st.session_state[DOCUMENT] = doc_id
    reset_view()


def linked_document() -> str | None:
    """Document id in the URL, if it has the form of one."""
    doc_id = st.query_params.get(DOCUMENT, "")
    return doc_id if _DOC_ID.fullmatch(doc_id) else None


def reset_view() -> None:
    """Forget page, row and table, which belong to the document shown before."""
    set_page(None)
    select_row(None)
    st.session_state[TABLE] = ALL_TABLES


def ask(question: str) -> None:
    """Put a question into the question box."""
    st.session_state[QUESTION] = question


def question_is_new(document: str, question: str) -> bool:
    """Whether this question was not yet answered in this session; True once."""
    asked = (document, question)
    before = st.session_state.get(_ANSWERED)
    st.session_state[_ANSWERED] = asked
    return before is not None and before != asked


def upload_is_new(file_id: str) -> bool:
    """Whether an upload was not yet read; True once."""
    new = st.session_state.get(_READ_UPLOAD) != file_id
    st.session_state[_READ_UPLOAD] = file_id
    return new


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
    """Select a row, and turn to its page; None or "" selects nothing."""
    st.session_state[_ROW] = row_id or None
    if row_id:
        st.query_params[_ROW] = row_id
    else:
        st.query_params.pop(_ROW, None)
    if row_id and page_num:
        set_page(page_num)


def get(key: str, default: object = None) -> object:
    """Value of a widget that may not have been drawn yet."""
    return st.session_state.get(key, default)

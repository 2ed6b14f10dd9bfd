"""What the app says when there is nothing to show, each case in its own words.

Text that may hold a document's or file's own words goes through st.text, which draws it as it
is; Markdown would interpret it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.errors import RowlensError

ASK = "Ask something"
NOTHING_MATCHED = "Nothing matched"
NO_TABLES = "No tables in this document"
_MOST_NOTES = 20
SCAN = "This page is a scan without text"


def error(problem: RowlensError, *, title: str) -> None:
    """An error of ours: what was wrong, where, and what to do next."""
    with st.container(border=True):
        st.error(title, icon=":material/error:")
        st.text(str(problem))


def failed(title: str, text: str) -> None:
    """Something the user tried that cannot be."""
    with st.container(border=True):
        st.warning(title, icon=":material/warning:")
        st.text(text)


def document_wanted(name: str, doc_id: str, *, give_up: Callable[[], None]) -> None:
    """A link to a document that is not here."""
    with st.container(border=True):
        st.markdown(":material/link: **This link needs its document**")
        st.text(
            f"Open {name or 'the file'} with “Open a document”, and what the link shows comes "
            f"back: page, question and settings. Its content is known as {doc_id}, whatever its "
            "name."
        )
        st.button("Never mind", key="link.give_up", type="tertiary", on_click=give_up)


def parser_notes(notes: Sequence[str]) -> None:
    """What the parser has to say of the document, the first of it in sight."""
    if not notes:
        return
    with st.expander(f"Notes of the parser ({len(notes)})", icon=":material/info:"):
        for note in notes[:_MOST_NOTES]:
            st.text(note)
        if len(notes) > _MOST_NOTES:
            st.text(f"… and {len(notes) - _MOST_NOTES} more")


def ask_something() -> None:
    """No question yet."""
    _empty(
        ":material/chat:",
        ASK,
        "Type a question above, or take one of the samples: the rows that answer it light up on "
        "the page, and this panel says what was returned and what it saves.",
    )


def no_questions() -> None:
    """A question set that is empty."""
    _empty(
        ":material/quiz:",
        "No questions yet",
        "Load a set as CSV or JSONL, type some in above, or ask in Inspect and say there what you "
        "expect: the curves over the threshold then stand here.",
    )


def nothing_matched(notes: list[str]) -> None:
    """The question found nothing; never a guess."""
    _empty(
        ":material/search_off:",
        NOTHING_MATCHED,
        "No table and no paragraph holds enough of this question, so nothing is returned.",
    )
    for note in notes:
        st.text(note)


def without_model(title: str, problem: str, *, key: str, again: Callable[[], None]) -> None:
    """A model that was set up could not be used, and the answer does without it."""
    with st.container(border=True):
        st.warning(title, icon=":material/warning:")
        st.text(problem)
        st.button("Try again", key=key, type="tertiary", icon=":material/refresh:", on_click=again)


def no_tables() -> None:
    """The document has no tables."""
    _empty(
        ":material/table_chart_view:",
        NO_TABLES,
        "The parser wrote no pipe table. Questions are answered from paragraphs, without rows.",
    )


def scan(recognise: Callable[[], None] | None = None) -> None:
    """The shown page has no text; `recognise` switches OCR on, where that can be done."""
    _empty(
        ":material/document_scanner:",
        SCAN,
        "The parser sees a picture only, so there is nothing to match until OCR has read it.",
    )
    if recognise is not None:
        st.button(
            "Recognise its text (OCR)",
            key="scan.recognise",
            icon=":material/document_scanner:",
            on_click=recognise,
        )


def all_well(what: str) -> None:
    """No rule has anything to say about what is named."""
    _empty(
        ":material/check_circle:",
        f"Nothing looks wrong with {what}",
        "Labels, row borders, cells and boxes are as the retriever needs them.",
    )


def _empty(icon: str, title: str, text: str) -> None:
    with st.container(border=True):
        st.markdown(f"{icon} **{title}**")
        st.caption(text)


def paragraphs(count: int) -> None:
    """The answer came from paragraphs, without rows."""
    _empty(
        ":material/article:",
        "Answered from paragraphs",
        f"{_lines(count)} of text, found as if there were no row index. See the tab Context.",
    )


def no_row(count: int) -> None:
    """Paragraphs answer, and no row does."""
    _empty(
        ":material/search_off:",
        "No row matched",
        f"{_lines(count)} of text are returned, and no table. See the tab Context.",
    )


def _lines(count: int) -> str:
    return f"{count} line{'s' if count != 1 else ''}"

"""The tab Notes: what looks wrong with tables, each note a way to its place on the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core import Table
from core.lint import Lint
from core.view.notes import (
    MAX_NOTES,
    note_row,
    notes_in_words,
    notes_to_list,
    reading_notes,
)
from pages.ui import messages, state
from pages.ui.notes_view import notes_view


def draw(lints: Mapping[str, Lint], tables: Sequence[Table], what: str) -> None:
    """Notes about the tables given, worst first, and below them how they were read."""
    notes, said = notes_to_list(lints, tables), notes_in_words(lints, tables)
    if not notes:
        messages.all_well(what)

    def open_note(note_id: str) -> None:
        lint = lints.get(note_id)
        if lint is None:
            state.show_note(None)
        else:
            state.show_note(note_id, note_row(lint), lint.page_num)

    reading = reading_notes(tables)
    if notes or reading:
        notes_view(
            notes,
            summary=f"{said} in {what}" if said else "",
            reading=reading,
            name_tables=len(tables) > 1,
            selected=state.note(),
            key="inspect.notes",
            on_open=open_note,
        )
    if len(notes) == MAX_NOTES:
        st.caption(f"The worst {MAX_NOTES} are listed; choose a table to see all of its own.")

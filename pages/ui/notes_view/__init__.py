"""Notes about tables as a list, worst first; a click opens the place a note is about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent

_mount = st.components.v2.component(
    "rowlens_notes_view",
    html="<section class='notes'></section>",
    css=(_HERE / "notes_view.css").read_text(encoding="utf-8"),
    js=(_HERE / "notes_view.js").read_text(encoding="utf-8"),
)


def notes_view(
    notes: Sequence[dict[str, Any]],
    *,
    summary: str,
    reading: Sequence[dict[str, Any]],
    name_tables: bool,
    selected: str | None,
    key: str,
    on_open: Callable[[str], object],
) -> None:
    """List notes to choose from.

    Args:
        notes: from `core.view.notes.notes_to_list`. Their text is shown as text only.
        summary: a line above the list.
        reading: from `core.view.notes.reading_notes`, listed below the notes.
        name_tables: whether each note says which table it is about.
        selected: id of the note whose place is lit.
        key: unique key of this component.
        on_open: called before the next run with the id of the note that was clicked, or "" when
            the one that is open was clicked again.
    """
    ids = {note["id"] for note in notes}

    def open_note() -> None:
        note_id = st.session_state[key].open
        if isinstance(note_id, str) and (not note_id or note_id in ids):
            on_open(note_id)

    _mount(
        data={
            "notes": list(notes),
            "summary": summary,
            "reading": list(reading),
            "name_tables": name_tables,
            "selected": selected,
        },
        key=key,
        height="content",
        on_open_change=open_note,
    )

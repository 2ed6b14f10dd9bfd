"""Keys that work anywhere on a page, and the dialog that lists them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st

from pages.ui import state

_HERE = Path(__file__).parent

_KEYS = {
    "?": "help",
    "n": "next",
    "N": "previous",
    "ArrowRight": "page_forward",
    "ArrowLeft": "page_back",
}
"""Keys by what they do; "/" goes to the question and Esc in it clears it, without being listed."""

_ABOUT = (
    ("Anywhere", (("/", "to the question"), ("?", "this help"))),
    ("In the question", (("Enter", "asks"), ("Esc", "clears it"))),
    (
        "In Inspect",
        (
            ("n", "next matched row"),
            ("Shift n", "matched row before"),
            ("← →", "turn pages"),
            ("Tab", "on to the page view, its rows, the result and its tabs"),
        ),
    ),
    (
        "On the page and in lists of rows",
        (
            ("↑ ↓", "row by row"),
            ("Home End", "first and last row"),
            ("Enter", "selects the row, and again lets it go"),
            ("Esc", "selects nothing"),
            ("+ −", "zoom, 0 fits the page"),
        ),
    ),
)

_COLOURS = (
    "**Amber** rows are matched, their cells that were hit stand out more; a dashed amber frame is "
    "a table returned whole. **Violet** outlines are tables, **blue** rows are headers. Rows have "
    "the same numbers on the page and in the list."
)

_mount = st.components.v2.component(
    "rowlens_shortcuts", js=(_HERE / "shortcuts.js").read_text(encoding="utf-8")
)


def shortcuts(actions: Mapping[str, Callable[[], object]], *, key: str) -> None:
    """Listen for keys.

    Args:
        actions: what to call before the next run, by name: any of "clear", "next", "previous",
            "page_forward", "page_back". "help" is there by itself.
        key: unique key of this component.
    """
    known = {**actions, "help": state.ask_for_help}

    def pressed() -> None:
        action = known.get(str(st.session_state[key].pressed))
        if action:
            action()

    keys = {name: action for name, action in _KEYS.items() if action in known}
    _mount(data={"keys": keys}, key=key, on_pressed_change=pressed)


def help_button() -> None:
    """Opens the same dialog."""
    st.button(
        "Keys and colours",
        key="help.open",
        type="tertiary",
        icon=":material/keyboard:",
        on_click=state.ask_for_help,
    )


def show_help() -> None:
    """The dialog, if it was asked for; once a run."""
    if state.take_help():
        _help()


@st.dialog("Keys and colours", icon=":material/keyboard:")
def _help() -> None:
    for place, keys in _ABOUT:
        st.markdown(f"**{place}**")
        st.markdown(
            "\n".join(
                f"- {' '.join(f'`{one}`' for one in names.split())} {about}"
                for names, about in keys
            )
        )
    st.markdown(_COLOURS)

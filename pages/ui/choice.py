"""A select box whose value, not its label, stands in the URL."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from pages.ui import state


def choice(
    label: str,
    key: str,
    names: Mapping[str, str],
    *,
    default: str | None = None,
    on_change: Callable[[], None] | None = None,
    show_label: bool = True,
) -> str:
    """Let one of the values be chosen by its name; the first is the default."""
    values = list(names)
    first = default or values[0]
    state.prepare_choice(key, values, first)
    st.selectbox(
        label,
        values,
        key=key,
        format_func=lambda value: names.get(value, value),
        on_change=on_change or "rerun",
        label_visibility="visible" if show_label else "collapsed",
    )
    return state.link_choice(key, values, first)

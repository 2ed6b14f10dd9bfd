"""What Compare shows: its two sides, the pair of tables, and how the page is drawn.

All of it stands in the URL while the page is open, and in the session while it is not.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import streamlit as st

from core.view.compare import Side, code_to_side, side_to_code

PAIR = "pair"
VIEW = "view"
CHANGES = "changes"

BOTH, ONE, OTHER, BESIDE = "both", "a", "b", "beside"
VIEWS = (BOTH, ONE, OTHER, BESIDE)

ALL_LINES = "all"
_SIDES = ("a", "b")
_SHOWN = "compare.shown"
_CHOSEN = "compare.chosen"
_OUTPUTS = "compare.outputs"


def begin(document: str) -> None:
    """At the start of a run: what was chosen for another document is forgotten."""
    before = st.session_state.get(_SHOWN)
    if before is not None and before != document:
        st.session_state[_CHOSEN] = {}
    elif before is None:
        names = (*_SIDES, PAIR, VIEW, CHANGES)
        linked = {name: st.query_params[name] for name in names if name in st.query_params}
        st.session_state[_CHOSEN] = linked
    st.session_state[_SHOWN] = document


def side(name: str, default: Side) -> Side:
    """Side "a" or "b" as chosen or linked, else the default."""
    return code_to_side(_chosen(name)) or default


def link_sides(one: Side, other: Side) -> None:
    """Keep both in the URL: which they are is what a link is for, default or not."""
    for name, chosen in zip(_SIDES, (one, other), strict=True):
        st.query_params[name] = side_to_code(chosen)


def choose_side(name: str, chosen: Side) -> None:
    """Set a side by hand; the pairs of tables are others then."""
    _choose(name, side_to_code(chosen))
    _choose(PAIR, "")


def exchange(one: Side, other: Side) -> None:
    """A becomes B, and B becomes A."""
    choose_side("a", other)
    choose_side("b", one)


def pair(pairs: Sequence[str]) -> str | None:
    """The pair of tables that is shown: the one chosen if there is such a one, else the first."""
    chosen = _chosen(PAIR)
    return chosen if chosen in pairs else next(iter(pairs), None)


def choose_pair(pair_id: str) -> None:
    """Show another pair of tables."""
    _choose(PAIR, pair_id)


def view(possible: Collection[str]) -> str:
    """How the page is drawn: one of VIEWS that is possible."""
    chosen = _chosen(VIEW)
    first = next(name for name in VIEWS if name in possible)
    return chosen if chosen in possible else first


def is_beside() -> bool:
    """Whether two pages are drawn, one per side."""
    return _chosen(VIEW) == BESIDE


def choose_view(name: str) -> None:
    """Draw the page otherwise."""
    _choose(VIEW, name)


def only_changes() -> bool:
    """Whether lines that are the same are left out."""
    return _chosen(CHANGES) != ALL_LINES


def choose_changes(only: bool) -> None:
    """Leave out what is the same, or show it."""
    _choose(CHANGES, "" if only else ALL_LINES)


def link(pair_id: str | None, view_name: str) -> None:
    """Keep in the URL what is not the default."""
    values = {
        PAIR: pair_id if pair_id and _chosen(PAIR) == pair_id else "",
        VIEW: "" if view_name == BOTH else view_name,
        CHANGES: "" if only_changes() else ALL_LINES,
    }
    for name, value in values.items():
        if value:
            st.query_params[name] = value
        else:
            st.query_params.pop(name, None)


def outputs(document: str) -> tuple[str, ...]:
    """Ids of the saved outputs of other parsers that were added for a document."""
    known: dict[str, tuple[str, ...]] = st.session_state.get(_OUTPUTS, {})
    linked = (code_to_side(_chosen(name)) for name in _SIDES)
    others = [one.doc_id for one in linked if one and one.doc_id and one.doc_id != document]
    return tuple(dict.fromkeys([*known.get(document, ()), *others]))


def add_output(document: str, output: str) -> None:
    """Offer a saved output as a side of a document."""
    known: dict[str, tuple[str, ...]] = st.session_state.get(_OUTPUTS, {})
    if output not in known.get(document, ()):
        st.session_state[_OUTPUTS] = {**known, document: (*known.get(document, ()), output)}


def widget(key: str) -> object:
    """Value of a widget of the page, in its callback."""
    return st.session_state.get(key)


def prepare(key: str, value: object) -> None:
    """Before a widget is drawn: what it shows."""
    st.session_state[key] = value


def _chosen(name: str) -> str:
    chosen: dict[str, str] = st.session_state.get(_CHOSEN, {})
    return str(chosen.get(name, ""))


def _choose(name: str, value: str) -> None:
    st.session_state[_CHOSEN] = {**st.session_state.get(_CHOSEN, {}), name: value}


def has_headers() -> bool:
    """Whether any header was set by hand in Inspect."""
    return bool(st.session_state.get("headers") or st.query_params.get("headers"))

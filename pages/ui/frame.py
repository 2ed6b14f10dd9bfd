"""Navigation, and the guard that keeps a deep link from running a page without it.

Streamlit runs a file under pages/ by itself, instead of app.py, when it is opened by its URL on
a server that has not called st.navigation yet. `require` notices that and starts over.
"""

from functools import partial

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.ui import state
from pages.ui.shortcuts import show_help

_ACTIVE = "frame.active"


def run() -> None:
    """Draw the navigation and run the page that was asked for; called once, by app.py."""
    state.keep()
    page = st.navigation(_pages(), position="top")
    st.session_state[_ACTIVE] = True
    try:
        page.run()
        show_help()
    finally:
        st.session_state[_ACTIVE] = False


def require() -> None:
    """Start over through app.py if it did not run this time; the first call in every page."""
    if not st.session_state.get(_ACTIVE):
        st.navigation(_pages(), position="hidden")  # from now on pages/ is not run by itself
        st.rerun()


def _pages() -> list[StreamlitPage]:
    inspect = partial(
        st.Page, "pages/inspector.py", title="Inspect", icon=":material/search_insights:"
    )
    return [
        inspect(url_path="inspect", default=True),
        # The default page answers at "/" only; the name of its file is a likely link too.
        inspect(url_path="inspector", visibility="hidden"),
        st.Page("pages/tune.py", title="Tune", icon=":material/tune:", url_path="tune"),
        st.Page("pages/compare.py", title="Compare", icon=":material/compare:", url_path="compare"),
    ]

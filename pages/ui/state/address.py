"""The query of the app's URL, which restores what is shown."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st


def query() -> str:
    """What stands behind the app's address now, as "?q=…&page=2"; "" where it is bare."""
    values = st.query_params.to_dict()
    return f"?{urlencode(values)}" if values else ""

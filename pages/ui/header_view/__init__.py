"""How a table got its labels: the verdict, what a header set by hand changes, column by column."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent

_mount = st.components.v2.component(
    "rowlens_header_view",
    html="<section class='headers'></section>",
    css=(_HERE / "header_view.css").read_text(encoding="utf-8"),
    js=(_HERE / "header_view.js").read_text(encoding="utf-8"),
)


def header_view(parts: dict[str, Any], *, key: str) -> None:
    """Draw parts from `core.view.headers`, in this order; their text is shown as text only.

    Args:
        parts: "verdict" from `header_verdict`, "effect" from `override_effect` and "fold" from
            `header_columns`; each may be left out.
        key: unique key of this component.
    """
    _mount(data=parts, key=key, height="content")

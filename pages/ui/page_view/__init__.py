"""The page as a picture, with a box per table and row drawn over it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from pages.ui.courier import CHANNEL_JS, deliver, deliver_bytes

_HERE = Path(__file__).parent

_mount = st.components.v2.component(
    "rowlens_page_view",
    html=(_HERE / "page_view.html").read_text(encoding="utf-8"),
    css=(_HERE / "page_view.css").read_text(encoding="utf-8"),
    js=CHANNEL_JS + (_HERE / "page_view.js").read_text(encoding="utf-8"),
)


def page_view(
    view: dict[str, Any],
    *,
    image: bytes,
    image_id: str,
    key: str,
    on_select: Callable[[str], object],
    on_turn: Callable[[int], object],
    height: int = 760,
) -> None:
    """Draw a page with its tables and rows.

    Args:
        view: what to draw, from `core.view.page.page_overlay`. Its text is shown as text only.
        image: the page as PNG; without one the boxes stand on an empty sheet.
        image_id: names the picture; another id means another picture.
        key: unique key of this component.
        on_select: called before the next run with the id of the row that was chosen, or "" when
            the selected row was chosen again or Esc pressed.
        on_turn: called before the next run with the number of the page that was asked for.
        height: most pixels to take; a low window gets less.
    """
    rows = {row["id"] for row in view["rows"]}
    pages = {page["num"] for page in view["pages"]}

    def select() -> None:
        row_id = st.session_state[key].select
        if isinstance(row_id, str) and (not row_id or row_id in rows):
            on_select(row_id)

    def turn() -> None:
        page_num = st.session_state[key].turn
        if isinstance(page_num, int) and page_num in pages:
            on_turn(page_num)

    overlay = {name: part for name, part in view.items() if name not in ("selected", "focus")}
    chosen = {"page": view["page"]["num"], "row": view["selected"], "focus": view["focus"]}
    with st.container(gap=None):
        deliver_bytes(key, "image", image, content_id=image_id, mime="image/png")
        deliver(key, "overlay", {**overlay, "image_id": image_id})
        deliver(key, "selected", chosen)
        _mount(
            data={"channel": key, "height": height},
            key=key,
            on_select_change=select,
            on_turn_change=turn,
        )

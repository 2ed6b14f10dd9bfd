"""A page with the tables and rows of both sides: A in solid lines, B in dashed ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from pages.ui.courier import CHANNEL_JS, deliver, deliver_bytes
from pages.ui.state import compare

_HERE = Path(__file__).parent

_mount = st.components.v2.component(
    "rowlens_both_page",
    html=(_HERE / "both_page.html").read_text(encoding="utf-8"),
    css=(_HERE / "both_page.css").read_text(encoding="utf-8"),
    js=CHANNEL_JS + (_HERE / "both_page.js").read_text(encoding="utf-8"),
)


def both_page(
    view: dict[str, Any],
    *,
    image: bytes,
    image_id: str,
    key: str,
    on_turn: Callable[[int], object],
    height: int = 760,
) -> None:
    """Draw a page with both sides.

    Args:
        view: from `core.view.compare_page.both_overlay`. Its text is shown as text only.
        image: the page as PNG.
        image_id: names the picture; another id means another picture.
        key: unique key of this component.
        on_turn: called before the next run with the number of the page that was asked for.
        height: most pixels to take.
    """
    pages = {page["num"] for page in view["pages"]}

    def turn() -> None:
        page_num = getattr(compare.widget(key), "turn", None)
        if isinstance(page_num, int) and page_num in pages:
            on_turn(page_num)

    with st.container(gap=None):
        deliver_bytes(key, "image", image, content_id=image_id, mime="image/png")
        deliver(key, "overlay", {**view, "image_id": image_id})
        _mount(data={"channel": key, "height": height}, key=key, on_turn_change=turn)

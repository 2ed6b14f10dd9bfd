"""The verdict at a glance: the ratio in large type, k of n on a track with the threshold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent

_mount = st.components.v2.component(
    "rowlens_decision_card",
    html="<section class='card'></section>",
    css=(_HERE / "decision_card.css").read_text(encoding="utf-8"),
    js=(_HERE / "decision_card.js").read_text(encoding="utf-8"),
)


def decision_card(data: dict[str, Any], *, key: str) -> None:
    """Draw the card from `core.view.decision.decision_card_data`."""
    _mount(data=data, key=key, height="content")

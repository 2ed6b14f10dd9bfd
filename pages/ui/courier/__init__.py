"""Sends the parts of a component's data in messages of their own.

Streamlit sends a component as one message: markup, style, script and data. It keeps messages of
10 KB and more in the browser and does not send one again that is the same to the byte. So a
component draws nothing it was mounted with; it listens on a channel, and each part of its data is
delivered by an empty mount. A selected row then costs a message of 2 KB, not one with the page's
picture in it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent

CHANNEL_JS = (_HERE / "channel.js").read_text(encoding="utf-8")
"""Goes in front of the script of a component that listens on a channel."""

_mount = st.components.v2.component(
    "rowlens_courier", js=CHANNEL_JS + (_HERE / "courier.js").read_text(encoding="utf-8")
)


def deliver(channel: str, part: str, value: Any) -> None:
    """Bring JSON-ready data to the component listening on `channel`."""
    _mount(data={"channel": channel, "part": part, "value": value}, key=f"{channel}.{part}")


def deliver_bytes(channel: str, part: str, content: bytes, *, content_id: str, mime: str) -> None:
    """Bring bytes, which the component gets as {"id": content_id, "blob": Blob}."""
    head = {"channel": channel, "part": part, "id": content_id, "type": mime}
    _mount(data=json.dumps(head).encode() + b"\n" + content, key=f"{channel}.{part}")

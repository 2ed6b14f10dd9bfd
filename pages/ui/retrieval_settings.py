"""How to retrieve, as the sidebar has it: by words or meaning, row level, shape, token counts."""

from __future__ import annotations

import re

import streamlit as st

from core.retrieval import SHAPES
from core.retrieval.llm_shape import ShapeModel
from core.tokens import ENCODINGS
from core.view.decision import SHAPE_NAMES
from pages.ui import asking, state
from pages.ui.asking import BY_MODEL, Settings
from pages.ui.choice import choice

_ROW_LEVEL = {"on": True, "off": False}
_SERVICE = "openai:"
"""Start of the name of an embedder that texts are sent to."""


def draw() -> None:
    """The controls; what they are set to stands in the URL, for when they are not drawn."""
    st.caption("Search by")
    _switch("Words", state.WORDS, "Words, numbers and dates of the question, typos among them.")
    _switch("Meaning", state.MEANING, "Embeddings: near in meaning, though no word agrees.")
    if state.is_on(state.MEANING):
        _embedder()
    _switch(
        "Headings and captions",
        state.HEADINGS,
        "Tables and paragraphs are found by what stands above them, too.",
    )
    choice("Row level", state.ROW_LEVEL, {"auto": "Auto: by shape", "on": "On", "off": "Off"})
    _shape()
    choice("Count tokens as", state.ENCODING, {name: name for name in ENCODINGS})


def chosen() -> Settings:
    """What they are set to; whatever a URL says wrongly is the default."""
    shape, encoding = state.setting(state.SHAPE), state.setting(state.ENCODING)
    return Settings(
        use_keywords=state.is_on(state.WORDS),
        use_dense=state.is_on(state.MEANING),
        use_toc=state.is_on(state.HEADINGS),
        use_row_level=_ROW_LEVEL.get(state.setting(state.ROW_LEVEL)),
        shape=shape if shape in SHAPES else None,
        shape_by_model=shape == BY_MODEL,
        encoding=encoding if encoding in ENCODINGS else ENCODINGS[0],
    )


def _embedder() -> None:
    name = asking.embedder_name()
    sent = (
        ". Questions and the document's text are sent there." if name.startswith(_SERVICE) else ""
    )
    st.caption(f"Embedder: {_escaped(name)}{sent}")


def _shape() -> None:
    model = asking.shape_model()
    by_model = {BY_MODEL: f"By {model.name}"} if isinstance(model, ShapeModel) else {}
    choice("Question shape", state.SHAPE, {"auto": "Auto: by rules", **by_model, **SHAPE_NAMES})
    if isinstance(model, str):
        st.caption(_escaped(model))
    elif state.setting(state.SHAPE) == BY_MODEL:
        st.caption("The question is sent to the model, and nothing of the document.")


def _switch(label: str, key: str, about: str) -> None:
    state.prepare_switch(key)
    st.toggle(label, key=key, help=about)
    state.link_switch(key)


def _escaped(text: str) -> str:
    """Text of a setting or a service as a caption shows it: Markdown in it means nothing."""
    return re.sub(r"([^\w\s])", r"\\\1", text, flags=re.ASCII)

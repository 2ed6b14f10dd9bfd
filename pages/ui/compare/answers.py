"""The question under both sides: decisions and tokens side by side."""

from __future__ import annotations

import streamlit as st

from core import Retrieval
from core.compare import Comparison
from core.compare.summary import Names
from core.view.compare_answer import answer_sentence
from core.view.decision import decision_card_data
from pages.ui import messages
from pages.ui.compare.sides import Shown
from pages.ui.compare.verdict import verdict
from pages.ui.decision_card import decision_card


def draw(
    comparison: Comparison | None,
    shown: list[Shown],
    answers: list[Retrieval | None],
) -> None:
    """Both decisions, and above them what is the same about them."""
    given = [answer for answer in answers if answer is not None]
    if not given:
        return
    if comparison is not None and len(given) == 2:
        names = Names(shown[0].name, shown[1].name)
        verdict(answer_sentence(comparison, names, *given), key="compare.answer", large=False)
    for column, side, answer in zip(st.columns(2, gap="medium"), shown, given, strict=False):
        with column, st.container(border=True):
            _decision(side, answer)


def _decision(side: Shown, answer: Retrieval) -> None:
    tokens = answer.tokens.context.tokens
    counted = f"{tokens:,} token{'s' if tokens != 1 else ''} of context"
    verdict(
        f"{side.letter} · {side.name} · {counted}", key=f"compare.of.{side.letter}", large=False
    )
    if not answer.found:
        messages.nothing_matched(answer.notes)
    elif answer.decisions:
        decision_card(decision_card_data(answer), key=f"compare.decision.{side.letter}")
    else:
        messages.paragraphs(len(answer.context_lines))

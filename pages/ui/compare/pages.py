"""The page under both sides: both on one picture, one of them, or each on its own."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core import Retrieval
from core.compare import Comparison, TableDiff
from core.view.compare_page import both_overlay
from core.view.page import page_overlay
from pages.ui import state
from pages.ui.compare.both_page import both_page
from pages.ui.compare.sides import Shown
from pages.ui.page_view import page_view
from pages.ui.paper import Paper, paper
from pages.ui.state import compare

_NAMES = {
    compare.BOTH: "Both on one page",
    compare.ONE: "A",
    compare.OTHER: "B",
    compare.BESIDE: "Side by side",
}
_KEY = "compare.view"


@dataclass(frozen=True)
class _Sheet:
    side: Shown
    paper: Paper
    answer: Retrieval | None

    def overlay(self, page_num: int) -> dict[str, object]:
        return page_overlay(
            page_num,
            self.paper.page_df,
            self.paper.tables,
            self.paper.row_df,
            self.answer,
            message=self.paper.message,
            words=self.paper.words,
        )


def draw(
    shown: list[Shown],
    answers: list[Retrieval | None],
    comparison: Comparison | None,
    diff: TableDiff | None,
    page_num: int,
) -> str:
    """Draw the page as chosen; returns how."""
    sheets = [
        _Sheet(
            side, paper(side.request, side.document, side.parsed, side.reading, page_num), answer
        )
        for side, answer in zip(shown, answers, strict=True)
        if page_num in side.parsed.page_df["page_num"].to_numpy()
    ]
    views = _possible(sheets)
    if not views:
        return compare.BOTH
    view = compare.view(views)
    if len(views) > 1:
        compare.prepare(_KEY, view)
        st.segmented_control(
            "Show on the page",
            views,
            key=_KEY,
            required=True,
            format_func=lambda name: _NAMES[name],
            on_change=lambda: compare.choose_view(str(compare.widget(_KEY))),
            label_visibility="collapsed",
        )
    if view == compare.BOTH and comparison is not None:
        _both(sheets, comparison, diff, page_num)
    elif view == compare.BESIDE:
        for sheet, column in zip(sheets, st.columns(len(sheets), gap="small"), strict=True):
            with column:
                _one(sheet, page_num, 620)
    else:
        _one(next(s for s in sheets if s.side.letter.lower() == view), page_num, 760)
    return view


def _possible(sheets: list[_Sheet]) -> list[str]:
    """Which ways there are: both on one picture only if it is one."""
    if len(sheets) < 2:
        return [sheet.side.letter.lower() for sheet in sheets]
    same = sheets[0].paper.image_id == sheets[1].paper.image_id
    return [name for name in compare.VIEWS if same or name != compare.BOTH]


def _both(
    sheets: list[_Sheet], comparison: Comparison, diff: TableDiff | None, page_num: int
) -> None:
    first, second = sheets
    pair = diff.pair if diff else None
    lit = [f"a:{name}" for name in pair.a] + [f"b:{name}" for name in pair.b] if pair else []
    both_page(
        both_overlay(
            first.overlay(page_num),
            second.overlay(page_num),
            comparison,
            (first.side.name, second.side.name),
            lit,
        ),
        image=first.paper.image.png,
        image_id=first.paper.image_id,
        key="compare.both",
        on_turn=state.set_page,
    )


def _one(sheet: _Sheet, page_num: int, height: int) -> None:
    letter = sheet.side.letter
    page_view(
        sheet.overlay(page_num),
        image=sheet.paper.image.png,
        image_id=sheet.paper.image_id,
        key=f"compare.page.{letter}",
        on_select=lambda _row_id: None,
        on_turn=state.set_page,
        height=height,
    )

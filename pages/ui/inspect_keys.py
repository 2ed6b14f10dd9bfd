"""What keys do in Inspect."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from core import Retrieval
from core.view.rows import next_match
from pages.ui import state
from pages.ui.shortcuts import shortcuts


def listen(retrieval: Retrieval | None, rows: Collection[str], pages: Sequence[int]) -> None:
    """Go to the next match, turn pages, clear the question.

    Row and page are asked for when a key is pressed: it may come before a run is done.
    """

    def select(step: int) -> Callable[[], None]:
        def select_it() -> None:
            found = next_match(retrieval, state.selected_row(rows), step)
            if found:
                state.select_row(*found)

        return select_it

    def turn(step: int) -> Callable[[], None]:
        def turn_to_it() -> None:
            at = pages.index(state.page(pages) or pages[0]) + step
            if 0 <= at < len(pages):
                state.set_page(pages[at])

        return turn_to_it

    shortcuts(
        {
            "clear": lambda: state.ask(""),
            "next": select(1),
            "previous": select(-1),
            "page_forward": turn(1),
            "page_back": turn(-1),
        },
        key="inspect.keys",
    )

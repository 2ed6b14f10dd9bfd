"""Taking the comparison away: a report to read, and every aligned cell as a table."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial

import streamlit as st

from core import Retrieval
from core.compare import Comparison, TableDiff
from core.compare.report import Finding, comparison_report, diff_frame
from core.compare.summary import Names
from core.export import frame_to_bytes
from core.parsers import PARSERS
from core.view.compare import side_card
from core.view.compare_answer import answer_sentence
from core.view.compare_page import both_overlay
from core.view.decision import decision_card_data
from core.view.document import file_stem
from core.view.page import page_overlay
from pages.ui import cached
from pages.ui.compare.sides import Shown
from pages.ui.paper import paper
from pages.ui.sidebar import Choices
from pages.ui.state import address

_MOST_PAGES = 3


def draw(
    choices: Choices,
    sides: tuple[Shown, Shown],
    comparison: Comparison,
    diff: TableDiff | None,
    places: dict[str, str],
    question: str,
    answers: list[Retrieval | None],
    page_num: int,
) -> None:
    """A menu of downloads; a file is made when its button is pressed, not before."""
    stem = file_stem(choices.document.name)
    report = partial(
        _report,
        choices,
        sides,
        comparison,
        diff,
        places,
        question,
        answers,
        page_num,
        address.query(),
    )
    files: dict[str, tuple[str, Callable[[], bytes | str]]] = {
        "Report (HTML)": (f"{stem}-comparison.html", report),
        "All cells (CSV)": (f"{stem}-comparison.csv", partial(_frame, comparison, "csv")),
        "All cells (JSON)": (f"{stem}-comparison.json", partial(_frame, comparison, "json")),
    }
    with st.popover("Export", icon=":material/download:", width="stretch"):
        for label, (name, make) in files.items():
            st.download_button(
                label, make, name, key=f"compare.export.{name}", on_click="ignore", type="tertiary"
            )


def _frame(comparison: Comparison, form: str) -> bytes:
    return frame_to_bytes(diff_frame(comparison), form)


def _report(
    choices: Choices,
    sides: tuple[Shown, Shown],
    comparison: Comparison,
    diff: TableDiff | None,
    places: dict[str, str],
    question: str,
    answers: list[Retrieval | None],
    page_num: int,
    query: str,
) -> str:
    names = Names(sides[0].name, sides[1].name)
    given = [answer for answer in answers if answer is not None]
    return comparison_report(
        Finding(
            document=choices.document.name,
            content_hash=hashlib.sha256(choices.document.data).hexdigest(),
            comparison=comparison,
            names=names,
            places=places,
            cards=[_card(side) for side in sides],
            settings=[_settings(side) for side in sides],
            question=question if len(given) == 2 else "",
            answers=[
                {
                    **decision_card_data(answer),
                    "tokens": answer.tokens.context.tokens,
                    "found": answer.found,
                }
                for answer in given
            ],
            answer_sentence=answer_sentence(comparison, names, *given) if len(given) == 2 else "",
            pages=_pages(sides, comparison, diff, given, page_num, names),
            query=query,
            notes=[side.parsed.notes for side in sides],
        )
    )


def _card(side: Shown) -> dict[str, object]:
    return side_card(
        side.letter,
        side.reading.tables,
        side.reading.lints.values(),
        cached.parse_seconds(side.request),
        len(side.parsed.page_df),
    )


def _settings(side: Shown) -> dict[str, str]:
    _, strict, header_rows = side.key
    settings = {
        "Parser": PARSERS[side.request.parser].title + (", with OCR" if side.request.ocr else ""),
        "Reads": side.document.name,
        "Reading": "strict, four rules only" if strict else "safe (default)",
        "Headers set by hand": ", ".join(f"{table}: {value}" for table, value in header_rows),
    }
    return {name: value for name, value in settings.items() if value}


def _pages(
    sides: tuple[Shown, Shown],
    comparison: Comparison,
    diff: TableDiff | None,
    answers: list[Retrieval],
    page_num: int,
    names: Names,
) -> list[tuple[bytes, dict[str, object]]]:
    """The page that is shown, and those of the pair, where both sides stand on one picture."""
    of_pair = [line.page_num for row in diff.rows for line in row.a] if diff else []
    of_both: list[Retrieval | None] = [*answers] if len(answers) == 2 else [None, None]
    found: list[tuple[bytes, dict[str, object]]] = []
    for number in list(dict.fromkeys([page_num, *filter(None, of_pair)]))[:_MOST_PAGES]:
        if any(number not in side.parsed.page_df["page_num"].to_numpy() for side in sides):
            continue
        papers = [paper(s.request, s.document, s.parsed, s.reading, number) for s in sides]
        if papers[0].image_id != papers[1].image_id:
            continue
        overlays = [
            page_overlay(number, sheet.page_df, sheet.tables, sheet.row_df, answer)
            for sheet, answer in zip(papers, of_both, strict=True)
        ]
        both = both_overlay(overlays[0], overlays[1], comparison, (names.a, names.b))
        found.append((papers[0].image.png, both))
    return found

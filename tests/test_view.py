"""What the app draws, as data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from core import build_index, read_tables, serialize_table_rows
from core.retrieval import Decision
from core.view.context import context_with_citations
from core.view.decision import decision_card_data, ratio_text, table_verdict
from core.view.figures import baseline_alt, baseline_bars
from core.view.headers import header_steps, table_grid
from core.view.page import page_overlay
from core.view.rows import MATCHED_FIRST, MAX_ROWS, PAGE_ORDER, row_to_segments, rows_to_list
from tests.frames import lines

DEPOTS = lines("""
    | Depot | Gates | |
    |---|---|---|
    | | North | South |
    | Aurora | 4 | 1 |
    | Boreal | 2 | 0 |
    === 2
    | Depot | Gates | |
    |---|---|---|
    | | North | South |
    | Cedar | 5 | 5 |
""")
DEPOTS = DEPOTS.assign(
    x0=50.0, x1=300.0, y0=DEPOTS["line_num"] * 20.0, y1=DEPOTS["line_num"] * 20.0 + 15.0
)
ROWS = serialize_table_rows(DEPOTS)
TABLES = read_tables(DEPOTS)
INDEX = build_index(DEPOTS, ROWS)
PAGES = pd.DataFrame({"page_num": [1, 2], "width": 600.0, "height": 800.0, "rotation": 0})


def test_the_overlay_marks_matches_on_their_page() -> None:
    answer = INDEX.retrieve("How many gates has Cedar?")
    first, second = (page_overlay(page, PAGES, TABLES, ROWS, answer, "t1:2") for page in (1, 2))
    assert [row["matched"] for row in first["rows"]] == [False, False]
    assert [(row["id"], row["number"], row["matched"]) for row in second["rows"]] == [
        ("t1:2", 3, True)
    ]
    assert first["tables"][0]["state"] == second["tables"][0]["state"] == "matched"
    assert [page["matched"] for page in first["pages"]] == [0, 1]
    assert len(first["tables"][0]["header_boxes"]) == 2
    assert second["selected"] == "t1:2"


def test_a_widened_table_is_framed_on_all_its_pages() -> None:
    answer = INDEX.retrieve("Which depots are there?")
    for page in (1, 2):
        overlay = page_overlay(page, PAGES, TABLES, ROWS, answer)
        assert [table["state"] for table in overlay["tables"]] == ["widened"]


def test_rows_without_a_box_are_not_drawn_and_counted() -> None:
    boxless = ROWS.assign(x0=np.where(ROWS["row_index"] == 0, np.nan, ROWS["x0"]))
    overlay = page_overlay(1, PAGES, TABLES, boxless)
    assert [row["id"] for row in overlay["rows"]] == ["t1:1"]
    assert overlay["message"].startswith("1 row on this page cannot be drawn")


def test_segments_joined_are_the_serialized_row() -> None:
    for headers, cells, text in zip(
        ROWS["column_headers"], ROWS["row_cells"], ROWS["row_serialized"], strict=True
    ):
        assert "".join(part for part, _ in row_to_segments(headers, cells, {"cedar"})) == text


def test_segments_tell_a_label_hit_from_a_value_hit() -> None:
    assert row_to_segments(["Gate", ""], ["Gate 4", "x"], {"gate"}) == [
        ("Gate", "label-hit"),
        (": ", "label"),
        ("Gate", "value-hit"),
        (" 4", "value"),
        (" | ", "sep"),
        ("x", "value"),
    ]


def test_the_list_puts_matches_first_or_keeps_page_order() -> None:
    answer = INDEX.retrieve("Cedar")
    first = rows_to_list(ROWS, answer, order=MATCHED_FIRST)
    assert [row["id"] for row in first] == ["t1:2", "t1:0", "t1:1"]
    assert [row["matched"] for row in first] == [True, False, False]
    in_order = rows_to_list(ROWS, answer, order=PAGE_ORDER)
    assert [row["id"] for row in in_order] == ["t1:0", "t1:1", "t1:2"]


def test_a_long_list_stands_around_the_selected_row() -> None:
    text = "\n".join(["| a | b |", "|---|---|", *(f"| r{at} | {at} |" for at in range(900))])
    row_df = serialize_table_rows(lines(text))
    listed = rows_to_list(row_df, None, order=PAGE_ORDER, selected="t1:800")
    assert len(listed) <= MAX_ROWS
    assert "t1:800" in [row["id"] for row in listed]


def test_header_steps_show_raw_filled_and_folded() -> None:
    steps = header_steps(TABLES[0])
    assert steps.to_dict("list") == {
        "Column": [1, 2, 3],
        "Line 1": ["Depot", "Gates", ""],
        "Line 2": ["", "North", "South"],
        "Line 1, filled": ["Depot", "Gates", "Gates"],
        "Label": ["Depot", "Gates North", "Gates South"],
    }


def test_a_grid_has_unique_column_names() -> None:
    table = read_tables(
        lines("""
        | a | a | |
        |---|---|---|
        | 1 | 2 | 3 | 4 |
    """)
    )[0]
    assert table_grid(table).columns.tolist() == ["a", "a (2)", "(column 3)", "(column 4)"]


@pytest.mark.parametrize(
    ("ratio", "text"),
    [(None, "–"), (0.934, "0.93×"), (1.0, "1.00×"), (26.59, "26.6×"), (1234.5, "1,234×")],
)
def test_ratios_are_shown_as_they_are(ratio: float | None, text: str) -> None:
    assert ratio_text(ratio) == text


@pytest.mark.parametrize(
    ("decision", "count", "verdict", "margin"),
    [
        (Decision("t1", 1, 40, 0.6), "1 of 40 rows", "Row-level", "23 more rows would widen."),
        (Decision("t1", 23, 40, 0.6), "23 of 40 rows", "Row-level", "1 more row would widen."),
        (Decision("t1", 24, 40, 0.6), "24 of 40 rows", "Widened", "Just enough rows to widen."),
        (
            Decision("t1", 30, 40, 0.6),
            "30 of 40 rows",
            "Widened",
            "6 rows more than widening takes.",
        ),
        (
            Decision("t1", 1, 1, 0.6),
            "1 of 1 row",
            "Row-level",
            "The table has one row; it is shown as it is.",
        ),
    ],
)
def test_a_verdict_says_what_would_change_it(
    decision: Decision, count: str, verdict: str, margin: str
) -> None:
    said = table_verdict(decision)
    assert (said["count"], said["verdict"], said["margin"]) == (count, verdict, margin)


def test_the_card_and_the_chart_tell_the_same_numbers() -> None:
    answer = INDEX.retrieve("How many gates has Cedar?")
    data = decision_card_data(answer)
    assert data["tables"][0]["count"] == "1 of 3 rows"
    bars = baseline_bars(answer.tokens).data[0]
    assert bars.x[0] == answer.tokens.context.tokens
    assert f"context {answer.tokens.context.tokens:,}" in baseline_alt(answer.tokens)


def test_each_context_line_carries_its_citation() -> None:
    answer = INDEX.retrieve("How many gates has Cedar?")
    assert context_with_citations(answer) == (
        "[p. 2, l. 4]    Depot: Cedar | Gates North: 5 | Gates South: 5"
    )

"""What the app draws, as data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core import build_index, read_tables, serialize_table_rows
from core.frames import BOX_COLUMNS
from core.lint import Lint
from core.retrieval import Decision
from core.view.context import context_with_citations
from core.view.decision import decision_card_data, ratio_text, table_verdict
from core.view.document import lines_for_display
from core.view.figures import baseline_alt, baseline_bars
from core.view.headers import header_columns, header_verdict, override_effect, table_grid
from core.view.match import why_row
from core.view.notes import lints_by_id, note_focus, notes_in_words, notes_to_list, table_names
from core.view.page import page_overlay
from core.view.paragraphs import LONGEST, paragraphs_to_list
from core.view.rows import (
    MATCHED_FIRST,
    MAX_ROWS,
    PAGE_ORDER,
    Marks,
    row_to_segments,
    rows_to_list,
)
from core.view.set_out import set_out
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
BY_HAND = read_tables(DEPOTS, header_rows={"t1": 1})[0]
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
        for matched in (True, False):
            segments = row_to_segments(headers, cells, Marks(values={"cedar"}), matched=matched)
            assert "".join(part for part, _ in segments) == text


def test_segments_tell_a_label_hit_from_a_value_hit() -> None:
    marks = Marks(values={"gate"}, labels={"gate"})
    assert row_to_segments(["Gate", ""], ["Gate 4", "x"], marks) == [
        ("Gate", "label-hit"),
        (": ", "label"),
        ("Gate", "value-hit"),
        (" 4", "value"),
        (" | ", "sep"),
        ("x", "value"),
    ]


def test_a_key_is_marked_only_where_it_hits() -> None:
    in_cells, in_labels = Marks(values={"gate"}), Marks(labels={"gate"})
    assert row_to_segments(["Gate"], ["Gate 4"], in_cells)[0] == ("Gate", "label")
    assert row_to_segments(["Gate"], ["Gate 4"], in_labels)[-1] == ("Gate 4", "value")


def test_the_cell_that_chose_a_matched_row_is_marked_as_a_whole() -> None:
    marks = Marks(values={"gate"})
    assert row_to_segments(["", ""], ["Gate 4", "x"], marks, matched=True) == [
        ("Gate", "value-hit"),
        (" 4", "cell"),
        (" | ", "sep"),
        ("x", "value"),
    ]


def test_what_a_typo_and_initials_were_taken_for_is_marked() -> None:
    frame = lines("""
        | Item | Sum |
        |---|---|
        | Cost per available seat mile | 11 |
        | Fuel | 12 |
    """)
    row_df = serialize_table_rows(frame)
    index = build_index(frame, row_df)
    typo = rows_to_list(row_df, index.retrieve("sum of the fuell", use_dense=False))
    assert typo[0]["segments"][2] == ("Fuel", "value-hit")
    initials = rows_to_list(row_df, index.retrieve("sum of CASM", use_dense=False))
    assert initials[0]["segments"][2] == ("Cost per available seat mile", "value-hit")


def test_matched_rows_have_a_rank_and_a_score_where_rows_are_told_apart() -> None:
    told = rows_to_list(ROWS, INDEX.retrieve("gates of Cedar"))
    assert [(row["id"], row["rank"], row["score"] > 0) for row in told[:1]] == [("t1:2", 1, True)]
    assert [(row["rank"], row["score"]) for row in told[1:]] == [(None, None)] * 2
    whole = rows_to_list(ROWS, INDEX.retrieve("Which depots are there?"))
    assert [row["rank"] for row in whole] == [None] * 3


def test_a_selected_row_says_why_it_is_in_or_out() -> None:
    answer = INDEX.retrieve("gates of Cedar", use_dense=False)
    found = why_row(answer, ROWS, "t1:2")
    assert found is not None
    assert [found[key] for key in ("question", "row", "verdict", "tone", "rank")] == [
        "Why this row?",
        "Row 3 of t1",
        "Matched",
        "matched",
        "#1",
    ]
    assert found["reason"] == "It holds “Cedar”, all that any row holds of the question."
    assert [(term["text"], term["where"], term["kind"]) for term in found["terms"]] == [
        ("gates", "label “Gates North”", "label"),
        ("Cedar", "in the row's name", "value"),
    ]
    assert sum(part["share"] for part in found["parts"]) == pytest.approx(1)
    assert found["line"] == pytest.approx(0.6)

    other = why_row(answer, ROWS, "t1:0")
    assert other is not None
    assert (other["question"], other["verdict"]) == ("Why not this row?", "Left out")
    assert [(term["text"], term["where"], term["kind"]) for term in other["terms"]] == [
        ("gates", "label “Gates North”", "label"),
        ("Cedar", "not here", "none"),
    ]


def test_without_a_selected_row_the_first_one_is_explained() -> None:
    first = why_row(INDEX.retrieve("gates of Cedar"), ROWS, None)
    assert first is not None
    assert first["row"] == "Row 3 of t1"
    assert why_row(INDEX.retrieve("Who painted the Night Watch?"), ROWS, None) is None
    assert why_row(None, ROWS, "t1:2") is None
    for nonsense in ("t9:1", "t1:77", "t1:-1", "t1", "", "t1:" + "9" * 40):
        assert why_row(INDEX.retrieve("Cedar"), ROWS, nonsense or "x") is None


def test_what_a_term_was_taken_for_is_said() -> None:
    frame = lines("""
        | Item | Season | Restricted stock |
        |---|---|---|
        | Cost per available seat mile | 2019/20 | 11 |
        | Fuel | 2020/21 | 12 |
    """)
    row_df = serialize_table_rows(frame)
    index = build_index(frame, row_df)

    def said(question: str, row_id: str) -> list[str]:
        found = why_row(index.retrieve(question, use_dense=False), row_df, row_id)
        assert found is not None
        return [f"{term['text']} {term['found']} {term['where']}" for term in found["terms"]]

    assert said("CASM", "t1:0") == [
        "CASM = initials of “Cost per available seat mile” in the row's name"
    ]
    assert said("fuell", "t1:1") == ["fuell ~ “Fuel” (typo) in the row's name"]
    assert said("2019", "t1:0") == ["2019 ~ “2019/20” under “Season”"]


def test_a_paragraph_stands_with_its_page_lines_and_hits() -> None:
    frame = lines("""
        Opening hours
        The depot at Aurora opens at seven.
        It closes when the last lorry is in.

        | Depot | Gates |
        |---|---|
        | Cedar | 4 |
    """)
    index = build_index(frame, serialize_table_rows(frame))
    answer = index.retrieve("When does the depot at Aurora open?", use_dense=False)
    found = paragraphs_to_list(answer, index.line_df, lambda _: np.array([1, 2]))
    assert found[0] | {"segments": []} == {
        "page": 1,
        "cite": "p. 1, l. 2–3",
        "share": "3 of 3 words",
        "segments": [],
    }
    assert [text for text, kind in found[0]["segments"] if kind == "text-hit"] == [
        "depot",
        "Aurora",
        "opens",
    ]


def test_a_long_paragraph_is_cut_around_its_first_hit() -> None:
    text = f"{'before ' * 200}Aurora{' after' * 200}."
    frame = lines(f"Depot at Aurora.\n{text}")
    index = build_index(frame, serialize_table_rows(lines("| a | b |\n|---|---|\n| x | 1 |")))
    answer = index.retrieve("Aurora", use_dense=False)
    shown = paragraphs_to_list(answer, frame, lambda _: np.array([1]))[0]["segments"]
    assert ("Aurora", "text-hit") in shown
    assert (shown[0], shown[-1]) == (("…", "text"), ("…", "text"))
    assert sum(len(part) for part, _ in shown) == LONGEST + 2


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


def test_each_column_shows_its_cells_and_what_became_of_them() -> None:
    fold = header_columns(TABLES[0])
    assert fold["lines"] == [
        {"name": "Line 1", "place": "p. 1, l. 1"},
        {"name": "Line 2", "place": "p. 1, l. 3"},
    ]
    assert [
        [(cell["raw"], cell["filled"], cell["kind"]) for cell in column["cells"]]
        for column in fold["columns"]
    ] == [
        [("Depot", "Depot", "printed"), ("", "", "blank")],
        [("Gates", "Gates", "printed"), ("North", "North", "printed")],
        [("", "Gates", "carried"), ("South", "South", "printed")],
    ]
    assert [(column["label"], column["value"]) for column in fold["columns"]] == [
        ("Depot", "Aurora"),
        ("Gates North", "4"),
        ("Gates South", "1"),
    ]


def test_a_label_printed_again_is_shared_to_the_right_and_repeated_below() -> None:
    table = read_tables(
        lines("""
        | Depot | Gates | Gates |
        |---|---|---|
        | Depot | North | South |
        | Aurora | 4 | 1 |
    """)
    )[0]
    kinds = [
        [cell["kind"] for cell in column["cells"]] for column in header_columns(table)["columns"]
    ]
    assert kinds == [["printed", "repeated"], ["printed", "printed"], ["shared", "printed"]]


def test_a_label_that_stands_twice_names_its_first_column() -> None:
    table = read_tables(lines("| Year | Sum | Sum |\n|---|---|---|\n| 2023 | 4 | 1 |"))[0]
    assert [column["same_as"] for column in header_columns(table)["columns"]] == [None, None, 2]


def test_a_header_set_by_hand_shows_what_each_label_was() -> None:
    columns = header_columns(BY_HAND, TABLES[0])["columns"]
    assert [(column["label"], column.get("was")) for column in columns] == [
        ("Depot", None),
        ("Gates", "Gates North"),
        ("", "Gates South"),
    ]


def test_a_verdict_keeps_the_rule_beside_what_is_set_by_hand() -> None:
    automatic = header_verdict(TABLES[0], TABLES[0])
    assert automatic["rule"] == "Sub-header below the separator"
    assert automatic["depth"] == "2 lines"
    assert automatic["evidence"]
    one_line = read_tables(lines("| a | b |\n|---|---|\n| 1 | 2 |"))[0]
    said = header_verdict(one_line, one_line)
    assert (said["rule"], said["depth"]) == ("One header line", "")
    assert header_verdict(TABLES[0], BY_HAND) == {
        **automatic,
        "by_hand": "Set by hand to 1 header line",
    }


def test_the_effect_of_a_header_counts_rows_matches_and_tokens() -> None:
    rows = serialize_table_rows(DEPOTS, header_rows={"t1": 1})
    question = "What stands North?"
    answers = (
        INDEX.retrieve(question, use_row_level=True),
        build_index(DEPOTS, rows).retrieve(question, use_row_level=True),
    )
    assert override_effect(TABLES[0], BY_HAND, tokens=(1_030, 44), retrievals=answers) == [
        {"name": "Header lines", "before": "2", "after": "1"},
        {"name": "Rows", "before": "3", "after": "5"},
        {"name": "Tokens of its rows", "before": "1,030", "after": "44"},
        {"name": "Matched", "before": "3 of 3, widened", "after": "2 of 5, row-level"},
    ]


def test_the_effect_without_a_question_counts_no_matches() -> None:
    names = [pair["name"] for pair in override_effect(TABLES[0], BY_HAND, tokens=(1, 2))]
    assert names == ["Header lines", "Rows", "Tokens of its rows"]


def test_a_grid_has_unique_column_names() -> None:
    table = read_tables(
        lines("""
        | a | a | |
        |---|---|---|
        | 1 | 2 | 3 | 4 |
    """)
    )[0]
    assert table_grid(table).columns.tolist() == ["a", "a (2)", "(column 3)", "(column 4)"]


def test_a_grid_shows_the_section_of_each_row() -> None:
    table = read_tables(
        lines("""
        | Item | 2023 | Section |
        |---|---|---|
        | Assets | | |
        | Cash | 4 | 1 |
        | Stock | 2 | 0 |
        | Debts | | |
        | Loans | 2 | 0 |
    """)
    )[0]
    assert table_grid(table).to_dict("list") == {
        "Section (2)": ["Assets", "Assets", "Debts"],
        "Item": ["Cash", "Stock", "Loans"],
        "2023": ["4", "2", "2"],
        "Section": ["1", "0", "0"],
    }


def lint(code: str, severity: str, **place: Any) -> Lint:
    """A finding about t1; only its place matters."""
    said = {"message": f"{code}!", "why": "Why.", "remedy": "Remedy."}
    where = {"table_id": "t1", "page_num": 1, "line_num": 1, "role": "header"}
    return Lint(code=code, severity=severity, **{**said, **where, **place})


ROW_ON_PAGE_2 = lint("short-rows", "error", page_num=2, line_num=4, role="row", row_index=2)
NO_LABEL = lint("empty-label", "warning", column=2)
WIDE = lint("wide", "info")


def test_lints_are_named_worst_first_and_numbered_where_a_rule_speaks_twice() -> None:
    again = lint("empty-label", "warning", column=1)
    named = lints_by_id([WIDE, NO_LABEL, again, ROW_ON_PAGE_2])
    assert named == {
        "t1.short-rows": ROW_ON_PAGE_2,
        "t1.empty-label": NO_LABEL,
        "t1.empty-label.2": again,
        "t1.wide": WIDE,
    }
    assert list(named) == ["t1.short-rows", "t1.empty-label", "t1.empty-label.2", "t1.wide"]


def test_notes_are_those_of_the_tables_given_and_say_where() -> None:
    named = lints_by_id([NO_LABEL, ROW_ON_PAGE_2, lint("wide", "info", table_id="t2")])
    assert [
        (note["id"], note["word"], note["place"], note["cite"])
        for note in notes_to_list(named, TABLES)
    ] == [
        ("t1.short-rows", "Error", "Row 3", "p. 2, l. 4"),
        ("t1.empty-label", "Warning", "Header, column 3 “Gates South”", "p. 1, l. 1"),
    ]
    assert notes_in_words(named, TABLES) == "1 error, 1 warning"
    assert notes_in_words({}, TABLES) == ""


def test_a_note_lights_its_row_or_its_line() -> None:
    assert note_focus(ROW_ON_PAGE_2, TABLES) == {
        "page": 2,
        "box": [50.0, 80.0, 300.0, 95.0],
        "label": "Row 3",
        "severity": "error",
    }
    header = note_focus(NO_LABEL, TABLES)
    assert header is not None
    assert (header["page"], header["box"]) == (1, [50.0, 20.0, 300.0, 35.0])


def test_a_note_without_a_box_or_a_table_lights_nothing() -> None:
    boxless = read_tables(DEPOTS.assign(x0=np.nan, y0=np.nan, x1=np.nan, y1=np.nan))
    unplaced = note_focus(ROW_ON_PAGE_2, boxless)
    assert unplaced is not None
    assert unplaced["box"] is None
    assert note_focus(ROW_ON_PAGE_2, []) is None


def test_the_overlay_lights_a_note_on_its_own_page_only() -> None:
    focus = note_focus(ROW_ON_PAGE_2, TABLES)
    first, second = (page_overlay(page, PAGES, TABLES, ROWS, focus=focus) for page in (1, 2))
    assert first["focus"] is None
    assert second["focus"] == focus


def test_the_overlay_says_that_a_note_has_no_box() -> None:
    focus = {"page": 1, "box": None, "label": "Header", "severity": "info"}
    overlay = page_overlay(1, PAGES, TABLES, ROWS, focus=focus)
    assert overlay["focus"] is None
    assert "cannot be lit" in overlay["message"]


def test_the_list_of_tables_counts_alarms_and_marks_what_is_set_by_hand() -> None:
    named = lints_by_id([ROW_ON_PAGE_2, NO_LABEL, WIDE])
    captioned = [replace(TABLES[0], caption="Depots and their gates")]
    assert table_names(TABLES, {}, {}) == {"t1": "t1"}
    assert table_names(captioned, named, {"t1": 1}) == {"t1": "t1 ⚠ 2 ✎ 1 · Depots and their gates"}
    assert table_names(TABLES, lints_by_id([WIDE]), {}) == {"t1": "t1"}


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


def test_how_surely_a_line_was_recognised_stands_before_its_text() -> None:
    assert list(lines_for_display(DEPOTS).columns) == list(DEPOTS.columns)
    unread = DEPOTS.assign(confidence=np.nan)
    assert list(lines_for_display(unread).columns) == list(unread.columns)
    recognised = lines_for_display(DEPOTS.assign(confidence=0.9))
    assert list(recognised.columns[:4]) == ["page_num", "line_num", "confidence", "text"]
    assert recognised.shape == (len(DEPOTS), len(DEPOTS.columns) + 1)


def test_a_page_without_boxes_is_set_out_for_the_eye_only() -> None:
    bare = DEPOTS.assign(**dict.fromkeys(BOX_COLUMNS, np.nan))
    tables, rows = read_tables(bare), serialize_table_rows(bare)
    page_df = PAGES.assign(width=np.nan, height=np.nan)
    placed = DEPOTS[DEPOTS["page_num"] == 1]
    laid = set_out(1, placed, 400.0, 300.0, page_df, tables, rows)
    assert laid.page_df["width"].tolist()[0] == 400
    here = laid.row_df["page_num"] == 1
    boxes = laid.row_df.loc[here, BOX_COLUMNS].to_numpy().tolist()
    assert boxes == [[50.0, 80.0, 300.0, 95.0], [50.0, 100.0, 300.0, 115.0]]
    assert laid.row_df.loc[~here, BOX_COLUMNS].isna().all(axis=None)
    assert laid.tables[0].boxes == {1: (50.0, 20.0, 300.0, 115.0)}
    # The frames that retrieval and exports see are as they were.
    assert rows[BOX_COLUMNS].isna().all(axis=None)
    assert laid.row_df.drop(columns=BOX_COLUMNS).equals(rows.drop(columns=BOX_COLUMNS))

"""Compare without a browser: what stands on the page, what a link restores, what is exported."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core import build_index, serialize_table_rows
from core.compare import compare_tables
from core.compare.report import Finding, comparison_report, diff_frame
from core.compare.summary import Names, table_name
from core.export import frame_to_bytes
from core.library import Request
from core.view.compare import Side, code_to_side, side_card, side_names, side_to_code
from core.view.compare_answer import answer_sentence
from core.view.compare_rows import diff_table
from pages.ui import cached
from tests.test_compare import GUARANTEES, only_diff, tables, tables_frame

ROOT = Path(__file__).parents[1]
EXTRACT = "motor_insurance_extract"
THEFT = "What is the cap for vehicle theft?"
NAMES = Names("PyMuPDF", "Docling")


def open_compare(**query: str) -> AppTest:
    """Compare as a link opens it, through Inspect."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update(query)
    app.run()
    app.switch_page("pages/compare.py")
    app.query_params.update(query)
    return ran(app)


def ran(app: AppTest) -> AppTest:
    """Run the app, as often as its own clock would, and fail if it raised anything."""
    app.run()
    while any(button.label == "Cancel" for button in app.button):  # it watches a job
        while cached.library().is_busy():
            time.sleep(0.05)
        app.run()
    assert not app.exception, [problem.message for problem in app.exception]
    return app


def drawn(app: AppTest, key: str) -> dict[str, Any]:
    """What came to the component of a key."""
    for element in app.get("bidi_component"):
        if element.proto.id.endswith(f"-{key}"):
            data: dict[str, Any] = json.loads(element.proto.json)
            return data.get("value", data)
    raise AssertionError(f"{key} is not drawn")


def param(app: AppTest, name: str) -> str:
    """A parameter of the URL."""
    value: str | list[str] = app.query_params[name]
    return value if isinstance(value, str) else value[0]


def is_drawn(app: AppTest, key: str) -> bool:
    return any(element.proto.id.endswith(f"-{key}") for element in app.get("bidi_component"))


def merged_output() -> bytes:
    """Lines of the extract as another parser could give them: Fire and theft in one row."""
    line_df = cached.parsed(Request(EXTRACT)).line_df
    text = line_df["text"]
    (fire,), (theft,) = (
        line_df.index[text.str.startswith(f"| {name}")].tolist() for name in ("Fire |", "Vehicle")
    )
    both = [
        f"{one.strip()} {other.strip()}"
        for one, other in zip(
            text[fire].strip("|").split("|"), text[theft].strip("|").split("|"), strict=True
        )
    ]
    changed = line_df.assign(text=text.where(line_df.index != fire, f"| {' | '.join(both)} |"))
    return frame_to_bytes(changed.drop(index=theft), "csv")


def test_the_sides_begin_with_what_inspect_shows_and_the_strict_reading() -> None:
    app = open_compare(doc="motor_insurance")
    assert drawn(app, "compare.summary")["sentence"] == (
        "PyMuPDF (strict) cuts Table 1 into 2 tables."
    )
    card_a, card_b = (drawn(app, f"compare.card.{letter}") for letter in "AB")
    assert card_a["numbers"] == [["4", "tables"], ["68", "rows"]]
    assert card_b["numbers"] == [["5", "tables"], ["68", "rows"]]
    assert (param(app, "a"), param(app, "b")) == ("pymupdf", "pymupdf.strict")


def test_the_table_shows_differences_and_with_the_switch_everything() -> None:
    app = open_compare(doc="motor_insurance")
    (line,) = drawn(app, "compare.diff.table")["lines"]
    assert (line["relation"], line["mark"]) == ("only_b", "header only in B")
    app.toggle(key="compare.changes").set_value(False)
    ran(app)
    assert len(drawn(app, "compare.diff.table")["lines"]) == 42
    assert param(app, "changes") == "all"


def test_a_link_restores_sides_pair_and_view() -> None:
    app = open_compare(
        doc="motor_insurance", a="pymupdf.strict", b="pymupdf", pair="t3-t2", view="beside"
    )
    assert drawn(app, "compare.summary")["sentence"] == (
        "PyMuPDF (strict) cuts Table 1 into 2 tables."
    )
    assert app.selectbox(key="compare.pair").value == "t3-t2"
    assert is_drawn(app, "compare.page.A.overlay")
    assert is_drawn(app, "compare.page.B.overlay")
    assert not is_drawn(app, "compare.both.overlay")
    assert param(app, "view") == "beside"


@pytest.mark.parametrize("wrong", ["../../etc", "pymupdf.bold", "nobody", "docling@no such", ""])
def test_a_link_that_names_no_side_is_the_default(wrong: str) -> None:
    app = open_compare(doc=EXTRACT, a=wrong, b=wrong, pair=wrong, view=wrong, changes=wrong)
    assert drawn(app, "compare.summary")["sentence"] == (
        "PyMuPDF and PyMuPDF (strict) read the one table the same."
    )


def test_an_output_that_is_not_at_hand_leaves_the_other_side_in_use() -> None:
    app = open_compare(doc=EXTRACT, b="frame@0123456789abcdef0123")
    assert "This output is not at hand here" in [str(problem.value) for problem in app.warning]
    assert drawn(app, "compare.card.A")["numbers"][0] == ["1", "table"]
    assert not is_drawn(app, "compare.summary")


def test_exchanging_the_sides_exchanges_what_is_said() -> None:
    app = open_compare(doc="motor_insurance")
    app.button(key="compare.exchange").click()
    ran(app)
    assert (param(app, "a"), param(app, "b")) == ("pymupdf.strict", "pymupdf")
    assert drawn(app, "compare.summary")["sentence"] == (
        "PyMuPDF (strict) cuts Table 1 into 2 tables."
    )


def test_both_answers_stand_side_by_side() -> None:
    app = open_compare(doc="motor_insurance", q=THEFT)
    assert drawn(app, "compare.answer")["sentence"].startswith("Both bring back the same row.")
    for letter in "AB":
        (table,) = drawn(app, f"compare.decision.{letter}")["tables"]
        assert table["verdict"] == "Row-level"
    hits = [line for line in drawn(app, "compare.diff.table")["lines"] if line["hit_a"]]
    assert hits == []  # the row is the same on both sides, and left out
    sides = drawn(app, "compare.both.overlay")["sides"]
    assert [[row["number"] for row in side["rows"] if row["matched"]] for side in sides] == [
        [11],
        [11],
    ]


def test_an_uploaded_output_becomes_side_b() -> None:
    app = open_compare(doc=EXTRACT)
    next(box for box in app.file_uploader if "another parser" in box.label).upload(
        "other.csv", merged_output()
    )
    ran(app)
    assert drawn(app, "compare.summary")["sentence"] == (
        "Ready frame merges 2 rows of Table 1 into 1."
    )
    (line,) = drawn(app, "compare.diff.table")["lines"]
    assert (line["a"], line["b"], line["mark"]) == ("3–4", "3", "2 in A, 1 in B")
    assert re.fullmatch(r"frame@[0-9a-f]{20}", param(app, "b"))
    assert is_drawn(app, "compare.both.overlay")  # on the page of the document itself


def test_headers_set_by_hand_are_a_setting_of_a_side() -> None:
    app = open_compare(doc=EXTRACT, headers="t1.0", a="pymupdf", b="pymupdf.headers")
    assert drawn(app, "compare.summary")["sentence"].startswith(
        "PyMuPDF (headers by hand) takes a header line for a row in Table 1"
    )


# Plain data ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "code"),
    [
        (Side("pymupdf"), "pymupdf"),
        (Side("pymupdf", strict=True, ocr=True), "pymupdf.strict.ocr"),
        (Side("docling", "0f3a", headers=True), "docling@0f3a.headers"),
    ],
)
def test_a_side_in_a_link_and_back(side: Side, code: str) -> None:
    assert side_to_code(side) == code
    assert code_to_side(code) == side


def test_sides_never_have_the_same_name() -> None:
    assert side_names(Side("pymupdf"), Side("ocr")) == ("PyMuPDF", "OCR")
    assert side_names(Side("docling"), Side("docling", "0f")) == ("Docling", "Docling (saved)")
    assert side_names(Side("ocr"), Side("ocr")) == ("OCR (A)", "OCR (B)")


def test_answers_are_compared_by_aligned_rows() -> None:
    a = tables(GUARANTEES)
    frames = [tables_frame(GUARANTEES), tables_frame([GUARANTEES[0], *GUARANTEES[2:]])]
    ask = "What is the cap for broken windscreen?"
    one, other = (build_index(frame, serialize_table_rows(frame)).retrieve(ask) for frame in frames)
    shorter = tables([GUARANTEES[0], *GUARANTEES[2:]])
    said = answer_sentence(compare_tables(a, shorter), NAMES, one, other)
    assert said.startswith("Both bring back the same row. Each costs ")


def test_lines_beyond_the_most_are_counted() -> None:
    other = [[row[0], row[1], "1 EUR"] for row in GUARANTEES]
    shown = diff_table(only_diff(GUARANTEES, other), NAMES, only_changes=True, most=2)
    assert (len(shown["lines"]), shown["beyond"], shown["left_out"]) == (2, 3, 0)


def test_the_frame_holds_every_cell_and_its_csv_no_formula() -> None:
    other = [list(row) for row in GUARANTEES]
    other[1][1] = "=1+1"
    frame = diff_frame(compare_tables(tables(GUARANTEES), tables(other)))
    assert len(frame) == 15
    (changed,) = frame[frame["state"] == "changed"].to_dict("records")
    assert (changed["rows_a"], changed["column_a"], changed["a"], changed["b"]) == (
        "1",
        "Cap",
        "25,000 EUR",
        "=1+1",
    )
    assert b'"\'=1+1"' in frame_to_bytes(frame, "csv")


def test_the_report_is_one_file_of_text() -> None:
    nasty = "<script>alert(1)</script>"
    a = tables(GUARANTEES)
    b = tables([*GUARANTEES[:2], [nasty, "40,000 EUR", "300 EUR"], *GUARANTEES[3:]])
    comparison = compare_tables(a, b)
    card = side_card("A", a, [], 1.25, 5)
    html = comparison_report(
        Finding(
            document=f"{nasty}.pdf",
            content_hash="0" * 64,
            comparison=comparison,
            names=NAMES,
            places={table.table_id: table_name(table) for table in a},
            cards=[card, card],
            settings=[{"Parser": "PyMuPDF"}, {"Parser": nasty}],
        )
    )
    assert (
        "<h1>1 row of table t1 is only in PyMuPDF; 1 row of table t1 is only in Docling.</h1>"
        in html
    )
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "<script" not in html
    assert not re.search(r"(?:src|href)=[\"']?https?:", html)
    assert "default-src 'none'" in html

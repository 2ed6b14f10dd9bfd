"""The Inspect page without a browser: what each panel says, empty or filled."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.documents import scan_pdf, text_pdf

ROOT = Path(__file__).parents[1]
THEFT = "What is the cap for vehicle theft?"
THEFT_ROW = (
    "Covered event: Vehicle theft | Cap: 25,000 EUR | Deductible: 500 EUR | "
    "Eligibility condition: Tracker installed and active"
)


@pytest.fixture
def app() -> AppTest:
    """The app on its first sample."""
    return ran(AppTest.from_file(str(ROOT / "app.py"), default_timeout=60))


def ran(app: AppTest) -> AppTest:
    """Run the app, and fail if it raised anything."""
    app.run()
    assert not app.exception, [problem.message for problem in app.exception]
    return app


def ask(app: AppTest, question: str) -> AppTest:
    app.text_input(key="q").set_value(question)
    return ran(app)


def open_tab(app: AppTest, name: str) -> AppTest:
    app.session_state["tab"] = name
    return ran(app)


def upload(app: AppTest, name: str, data: bytes) -> AppTest:
    app.file_uploader(key="inspect.upload").upload(name, data)
    return ran(app)


def words(app: AppTest) -> str:
    """Everything the page says in its native elements."""
    elements = [*app.markdown, *app.caption, *app.text, *app.error, *app.code]
    return "\n".join(str(element.value) for element in elements)


def test_before_a_question_the_panel_asks_for_one(app: AppTest) -> None:
    assert "Ask something" in words(app)
    assert [button.label for button in app.button] == [
        THEFT,
        "Which events are covered?",
        "Summarise the vehicle-theft cap and compare it with the fire cap",
    ]


def test_a_sample_question_is_one_click_away(app: AppTest) -> None:
    app.button[0].click()
    ran(app)
    assert app.text_input(key="q").value == THEFT
    assert "Ask something" not in words(app)
    assert "Break-even: 26 of 40 rows" in words(app)


def test_the_context_tab_holds_what_generation_gets(app: AppTest) -> None:
    ask(open_tab(app, "Context"), THEFT)
    assert app.code[0].value == THEFT_ROW
    assert THEFT_ROW in app.code[1].value
    assert app.code[1].value.startswith("[p. 2, l. ")


def test_the_context_tab_is_empty_before_a_question(app: AppTest) -> None:
    assert words(open_tab(app, "Context")).count("Ask something") == 2


def test_the_threshold_decides_anew(app: AppTest) -> None:
    ask(open_tab(app, "Context"), THEFT)
    app.slider(key="threshold").set_value(0.0)
    ran(app)
    assert len(app.code[0].value.splitlines()) == 42  # header, separator and 40 rows


def test_nothing_matched_is_said_and_nothing_returned(app: AppTest) -> None:
    ask(open_tab(app, "Context"), "Who painted the Night Watch?")
    assert words(app).count("Nothing matched") == 2
    assert "“painted”" in words(app)
    assert not app.code


def test_the_headers_tab_shows_each_step(app: AppTest) -> None:
    app.session_state["table"] = "t3"
    open_tab(app, "Headers")
    steps = app.dataframe[0].value
    assert steps.columns.tolist() == [
        "Column",
        "Line 1",
        "Line 2",
        "Line 1, filled",
        "Label",
    ]
    assert steps["Label"].tolist()[1] == "Annual premium (EUR) Standard"
    assert "Rule: sub-header" in words(app)


def test_the_table_tab_shows_the_rows_under_their_labels(app: AppTest) -> None:
    grid = open_tab(app, "Table").dataframe[0].value
    assert grid.shape == (40, 4)
    assert grid["Cap"].tolist()[10] == "25,000 EUR"


def test_the_lines_tab_shows_the_page_as_parsed(app: AppTest) -> None:
    lines = open_tab(app, "Lines").dataframe[0].value
    assert set(lines["page_num"]) == {2}
    assert lines["text"].str.startswith("|").sum() == 33  # header, separator and 31 rows


def test_a_document_without_tables_says_so(app: AppTest) -> None:
    upload(app, "letter.pdf", text_pdf("Dear reader,", "The notice period is three months."))
    assert app.selectbox(key="doc").value not in ("motor_insurance", None)
    assert "No tables in this document" in words(app)
    ask(app, "How long is the notice period?")
    assert "Answered from paragraphs" in words(app)
    for tab in ("Rows", "Table", "Headers"):
        assert words(open_tab(app, tab)).count("No tables in this document") == 2
    assert "The notice period is three months." in open_tab(app, "Context").code[0].value


def test_a_scan_says_so(app: AppTest) -> None:
    upload(app, "scan.pdf", scan_pdf())
    assert "This page is a scan without text" in words(app)


def test_a_broken_file_keeps_what_was_open(app: AppTest) -> None:
    ask(app, THEFT)
    upload(app, "*broken*.pdf", b"%PDF-1.7 and then nothing of use")
    assert "This file cannot be opened" in words(app)
    assert "*broken*.pdf" in words(app)
    assert app.selectbox(key="doc").value == "motor_insurance"
    assert "Break-even: 26 of 40 rows" in words(app)


@pytest.mark.parametrize(
    "link",
    [
        {"doc": "0123456789abcdef0123"},
        {"doc": "../../etc/passwd"},
        {"page": "99"},
        {"page": "two"},
        {"row": "t9:1"},
        {"table": "t77"},
        {"threshold": "7"},
        {"tab": "Nothing"},
        {"parser": "none"},
    ],
)
def test_a_link_that_names_nothing_opens_the_first_view(link: dict[str, str]) -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for key, value in link.items():
        app.query_params[key] = value
    ran(app)
    assert app.selectbox(key="doc").value == "motor_insurance"
    assert "Ask something" in words(app)


def test_a_link_to_an_upload_that_is_gone_says_what_to_do() -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params["doc"] = "0123456789abcdef0123"
    assert "Document not at hand" in words(ran(app))


def test_every_page_opens_from_the_app() -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    ran(app)
    app.switch_page("pages/inspector.py")
    assert "Ask something" in words(ran(app))

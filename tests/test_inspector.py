"""The Inspect page without a browser: what each panel says, empty or filled."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any, NoReturn

import pytest
from streamlit.testing.v1 import AppTest

from core.library import Library
from pages.ui import cached
from tests.documents import scan_pdf, text_pdf

ROOT = Path(__file__).parents[1]
THEFT = "What is the cap for vehicle theft?"
THEFT_ROW = (
    "Covered event: Vehicle theft | Cap: 25,000 EUR | Deductible: 500 EUR | "
    "Eligibility condition: Tracker installed and active"
)

EN_DE = "How does GNMT + RL score on EN-DE?"
SCORES = [
    "BLEU EN-DE",
    "BLEU EN-FR",
    "Training Cost (FLOPs) EN-DE",
    "Training Cost (FLOPs) EN-FR",
]


@pytest.fixture
def app() -> AppTest:
    """The app on its first sample."""
    return ran(AppTest.from_file(str(ROOT / "app.py"), default_timeout=60))


def ran(app: AppTest) -> AppTest:
    """Run the app, as often as its own clock would, and fail if it raised anything."""
    app.run()
    while any(button.label == "Cancel" for button in app.button):  # it watches a job
        while cached.library().is_busy():
            time.sleep(0.05)
        app.run()
    assert not app.exception, [problem.message for problem in app.exception]
    return app


def ask(app: AppTest, question: str) -> AppTest:
    app.text_input(key="q").set_value(question)
    return ran(app)


def open_tab(app: AppTest, name: str) -> AppTest:
    app.query_params["tab"] = name  # once a tab stands in the URL, that is what counts
    ran(app)
    assert app.session_state["tab"] == name
    return app


def upload(app: AppTest, name: str, data: bytes) -> AppTest:
    app.file_uploader[0].upload(name, data)
    return ran(app)


def drawn(app: AppTest, component: str) -> dict[str, Any]:
    """What our components of a name draw, all parts in one."""
    parts: dict[str, Any] = {}
    for element in app.get("bidi_component"):
        if element.proto.component_name == f"rowlens_{component}":
            parts |= json.loads(element.proto.json)
    return parts


def chosen(app: AppTest) -> dict[str, Any]:
    """Page, row and note that the page view shows."""
    return brought(app)["selected"]


def brought(app: AppTest) -> dict[str, Any]:
    """What comes to our components by their channels, by the name of the part."""
    parts = [
        json.loads(element.proto.json)
        for element in app.get("bidi_component")
        if element.proto.component_name == "rowlens_courier" and element.proto.json
    ]
    return {data["part"]: data["value"] for data in parts if "value" in data}


def words(app: AppTest) -> str:
    """Everything the page says in its native elements."""
    elements = [*app.markdown, *app.caption, *app.text, *app.error, *app.code]
    return "\n".join(str(element.value) for element in elements)


def test_before_a_question_the_panel_asks_for_one(app: AppTest) -> None:
    assert "Ask something" in words(app)
    asking = [button.label for button in app.button if str(button.key).startswith("ask.")]
    assert asking == [
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


def labels(app: AppTest) -> list[str]:
    """Labels in the open tab Headers."""
    return [column["label"] for column in drawn(app, "header_view")["fold"]["columns"]]


def count(app: AppTest) -> str:
    """What the decision says of the first table it touches: "1 of 40 rows"."""
    return str(drawn(app, "decision_card")["tables"][0]["count"])


def choose_header(app: AppTest, table_id: str, value: str) -> AppTest:
    app.button_group(key=f"headers.{table_id}").set_value(value)
    return ran(app)


@pytest.fixture
def report() -> AppTest:
    """The tab Headers of the report's second table, whose header has two lines, with an answer."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    link = {"doc": "attention_report", "table": "t2", "tab": "Headers", "q": EN_DE}
    for key, value in link.items():
        app.query_params[key] = value
    return ran(app)


def test_the_headers_tab_shows_each_step(app: AppTest) -> None:
    app.session_state["table"] = "t3"
    parts = drawn(open_tab(app, "Headers"), "header_view")
    assert parts["verdict"]["rule"] == "Sub-header below the separator"
    assert [
        ([cell["filled"] for cell in column["cells"]], column["label"])
        for column in parts["fold"]["columns"]
    ] == [
        (["Vehicle class", ""], "Vehicle class"),
        (["Annual premium (EUR)", "Standard"], "Annual premium (EUR) Standard"),
        (["Annual premium (EUR)", "Reduced"], "Annual premium (EUR) Reduced"),
        (["Instalments (EUR)", "Quarterly"], "Instalments (EUR) Quarterly"),
        (["Instalments (EUR)", "Monthly"], "Instalments (EUR) Monthly"),
    ]


def test_a_header_set_by_hand_changes_labels_rows_and_decision(report: AppTest) -> None:
    assert labels(report) == ["Model", *SCORES]
    assert count(report) == "2 of 10 rows"
    choose_header(report, "t2", "1")
    assert labels(report) == ["Model", "BLEU", "BLEU", *["Training Cost (FLOPs)"] * 2]
    assert count(report) == "3 of 11 rows"
    assert report.query_params["headers"] == "t2.1"
    effect = {pair["name"]: pair for pair in drawn(report, "header_view")["effect"]}
    assert effect["Rows"] == {"name": "Rows", "before": "10", "after": "11"}
    assert effect["Matched"]["after"] == "3 of 11, row-level"


def test_a_header_set_by_hand_outlasts_questions_and_pages(report: AppTest) -> None:
    choose_header(report, "t2", "1")
    ask(report, "What layer types are compared?")
    assert chosen(report)["page"] == 1
    assert count(report) == "4 of 4 rows"
    ask(report, EN_DE)
    assert chosen(report)["page"] == 2
    assert count(report) == "3 of 11 rows"
    assert report.query_params["headers"] == "t2.1"


def test_the_header_of_one_table_is_reset_without_the_others(report: AppTest) -> None:
    choose_header(report, "t2", "1")
    report.selectbox(key="table").set_value("t1")
    choose_header(ran(report), "t1", "0")
    assert report.query_params["headers"] == "t1.0,t2.1"
    report.button(key="headers.reset").click()
    assert labels(ran(report))[0] == "Layer Type"
    assert report.query_params["headers"] == "t2.1"
    assert count(report) == "3 of 11 rows"


def test_all_headers_set_by_hand_are_reset_at_once(report: AppTest) -> None:
    choose_header(report, "t2", "key-value")
    report.selectbox(key="table").set_value("t1")
    choose_header(ran(report), "t1", "0")
    reset = report.button(key="headers.reset_all")
    assert reset.label == "Reset header of t1, t2"
    reset.click()
    assert count(ran(report)) == "2 of 10 rows"
    assert "headers" not in report.query_params
    assert "headers.reset_all" not in [button.key for button in report.button]


def test_what_a_link_says_rightly_of_headers_is_kept() -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params["doc"] = "attention_report"
    app.query_params["headers"] = "t9.1,nonsense,t2.1,t1.7"
    assert ran(app).query_params["headers"] == "t2.1"
    assert not app.error


def test_a_rerun_reads_nothing_anew(report: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    choose_header(report, "t2", "1")

    def again(*_: object, **__: object) -> NoReturn:
        raise AssertionError("read anew")

    for work in (
        "serialize_table_rows",
        "read_tables",
        "build_index",
        "lint_tables",
    ):
        monkeypatch.setattr(cached, work, again)
    monkeypatch.setattr(Library, "page_image", again)
    open_tab(report, "Notes")
    open_tab(report, "Headers")
    ask(report, "How does ByteNet score on EN-DE?")
    choose_header(report, "t2", "auto")  # as it was read before
    assert labels(report) == ["Model", *SCORES]


def test_notes_say_what_looks_wrong_and_light_it(report: AppTest) -> None:
    choose_header(report, "t2", "1")
    notes = drawn(open_tab(report, "Notes"), "notes_view")["notes"]
    assert [note["severity"] for note in notes] == ["error", "warning", "info"]

    # As a click does; AppTest cannot click on a component.
    report.session_state["note"] = notes[0]["id"]
    focus = chosen(ran(report))["focus"]
    assert focus["page"] == 2
    assert focus["label"].startswith("Row 1")


def test_the_samples_raise_no_alarm(app: AppTest) -> None:
    for sample in ("motor_insurance", "motor_insurance_extract", "attention_report"):
        app.selectbox(key="doc").set_value(sample)
        open_tab(app, "Notes")
        assert "Nothing looks wrong with" in words(app)
        assert not [name for name in app.selectbox(key="table").options if "⚠" in name]


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
    assert "PyMuPDF layout could not read this" in words(app)
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
    app.query_params["name"] = "claims <b>2024</b>.pdf"
    ran(app)
    assert "This link needs its document" in words(app)
    assert "claims <b>2024</b>.pdf" in words(app)
    app.button(key="link.give_up").click()
    assert "This link needs its document" not in words(ran(app))


def test_every_page_opens_from_the_app() -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    ran(app)
    app.switch_page("pages/inspector.py")
    assert "Ask something" in words(ran(app))

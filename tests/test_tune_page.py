"""The Tune page without a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import FileUploader

from tests.test_inspector import THEFT, ask, ran, words

ROOT = Path(__file__).parents[1]


@pytest.fixture
def inspect() -> AppTest:
    return ran(AppTest.from_file(str(ROOT / "app.py"), default_timeout=120))


@pytest.fixture
def tune(inspect: AppTest) -> AppTest:
    return open_tune(inspect)


def open_tune(app: AppTest) -> AppTest:
    app.switch_page("pages/tune.py")
    return ran(app)


def uploader(app: AppTest) -> FileUploader:
    """What opens documents."""
    return next(one for one in app.file_uploader if str(one.key).startswith("inspect.upload"))


def card(app: AppTest) -> dict[str, Any]:
    """What the verdict says."""
    (found,) = [
        element
        for element in app.get("bidi_component")
        if element.proto.component_name == "rowlens_tune_verdict"
    ]
    data: dict[str, Any] = json.loads(found.proto.json)
    return data


def values(app: AppTest) -> list[str]:
    return [tile["value"] for tile in card(app)["tiles"]]


def test_the_sample_set_is_there_with_a_recommendation(tune: AppTest) -> None:
    assert "20 questions, 20 with an expectation" in words(tune)
    assert card(tune)["threshold"] == "0.60"
    assert values(tune) == ["85%", "82%", "134", "3"]
    advice = card(tune)["recommendation"]
    assert advice["value"] == "0.20"
    assert "19 of 20 questions get all they expect" in advice["reason"]
    assert advice["plateau"] == "The same holds above 0.125, up to 0.20."
    assert "only 20 questions" in advice["sure"]


def test_the_recommended_threshold_becomes_the_setting_of_all_pages(tune: AppTest) -> None:
    tune.button(key="tune.use").click()
    ran(tune)
    assert card(tune)["threshold"] == "0.20"
    assert values(tune) == ["95%", "75%", "157", "8"]
    tune.switch_page("pages/inspector.py")
    ran(tune)
    ask(tune, "Which territories need a certificate on board?")
    assert tune.slider(key="threshold").value == 0.2


def test_a_weight_changes_the_rule(tune: AppTest) -> None:
    tune.toggle(key="tune.by_weight").set_value(True)
    ran(tune)
    tune.slider(key="tune.weight").set_value(2.0)
    ran(tune)
    advice = card(tune)["recommendation"]
    assert "2 times the share of the tokens" in advice["reason"]
    assert float(advice["value"]) > 0.5


def test_what_inspect_expects_stands_in_the_set(inspect: AppTest) -> None:
    ask(inspect, "What is the cap for keys lost?")
    inspect.session_state["row"] = "t1:12"
    ran(inspect)
    inspect.button(key="expect.row").click()
    ran(inspect)
    assert "21 questions, 21 with an expectation" in words(open_tune(inspect))


def test_a_question_of_the_set_says_what_it_expects(inspect: AppTest) -> None:
    ask(inspect, THEFT)
    inspect.button(key="expect.nothing").click()
    ran(inspect)
    open_tune(inspect)
    assert "20 questions, 20 with an expectation" in words(inspect)
    assert values(inspect)[0] == "80%"


def test_a_set_is_loaded_and_given_back(tune: AppTest) -> None:
    tune.file_uploader(key="tune.upload.motor_insurance").upload(
        "mine.csv", b"question,expect\nCap for hail?,Hail\nWhat of zeppelins?,Zeppelin\n"
    )
    ran(tune)
    assert "mine.csv" in words(tune)
    assert "2 questions, 2 with an expectation" in words(tune)
    assert "only 1 questions" not in words(tune)
    tune.button(key="tune.reset").click()
    assert "20 questions" in words(ran(tune))


def test_a_bad_set_says_what_is_wrong_and_changes_nothing(tune: AppTest) -> None:
    tune.file_uploader(key="tune.upload.motor_insurance").upload("bad.csv", b"name,age\nx,1\n")
    ran(tune)
    assert "no column “question”" in words(tune)
    assert "20 questions" in words(tune)


def test_a_document_without_questions_or_tables_says_so(tune: AppTest) -> None:
    uploader(tune).upload("plain.md", b"# A title\n\nNothing but prose here.\n")
    ran(tune)
    assert "No tables in this document" in words(tune)
    uploader(tune).upload("fleet.md", b"| Vehicle | Depot |\n|---|---|\n| Van | Lyon |\n")
    ran(tune)
    assert "No questions yet" in words(tune)

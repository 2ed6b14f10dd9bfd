"""Retrieval as the sidebar sets it, and models that fail: said in words, never a traceback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.openai_server import KEY, Answer, Request, Service, refusal, running
from tests.test_inspector import ROOT, THEFT, app, ask, brought, count, drawn, ran, words

__all__ = ["app"]


def opened(app: AppTest) -> AppTest:
    """With the settings open."""
    app.session_state["inspect.settings"] = True
    return ran(app)


def switch(app: AppTest, key: str) -> AppTest:
    app.toggle(key=key).set_value(not app.toggle(key=key).value)
    return ran(app)


def test_words_meaning_and_headings_are_switched_and_kept_in_the_link(app: AppTest) -> None:
    opened(app)
    assert [app.toggle(key=key).value for key in ("words", "meaning", "headings")] == [True] * 3
    assert not {"words", "meaning", "headings"} & set(app.query_params)
    switch(app, "words")
    switch(app, "headings")
    assert app.query_params["words"] == "off"
    assert app.query_params["headings"] == "off"
    switch(app, "words")
    assert "words" not in app.query_params
    assert not app.toggle(key="headings").value


def test_a_link_switches_words_off_though_the_settings_are_closed() -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params["words"] = "off"
    app.query_params["meaning"] = "off"
    ask(ran(app), THEFT)
    assert "Nothing matched" in words(app)
    assert "words" in app.query_params
    assert opened(app).toggle(key="words").value is False
    switch(app, "words")
    assert count(app) == "1 of 40 rows"


def test_words_alone_do_without_embeddings(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROWLENS_EMBEDDER", "nonsense")
    app.query_params["meaning"] = "off"
    ask(app, THEFT)
    assert count(app) == "1 of 40 rows"
    assert "could not be asked" not in words(app)


def test_a_wrong_embedder_is_a_message_and_words_answer(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROWLENS_EMBEDDER", "nonsense*bold*")
    ask(app, THEFT)
    assert "Answered by words alone: meaning could not be asked" in warnings(app)
    assert "Embedder 'nonsense*bold*' does not exist" in words(app)
    assert count(app) == "1 of 40 rows"
    assert r"Embedder 'nonsense" not in " ".join(str(one.value) for one in app.markdown)

    opened(app)
    assert not warnings(switch(app, "meaning"))  # nobody asks for it
    assert warnings(switch(app, "meaning"))

    monkeypatch.delenv("ROWLENS_EMBEDDER")
    assert warnings(ran(app))  # it is not asked again by itself
    app.button(key="again.meaning").click()
    assert not warnings(ran(app))


def test_a_service_that_is_down_is_asked_once_for_a_question(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(lambda _: refusal(401)) as service:
        monkeypatch.setenv("ROWLENS_EMBEDDER", "openai:down")
        monkeypatch.setenv("ROWLENS_EMBEDDER_URL", service.url)
        monkeypatch.setenv("ROWLENS_EMBEDDER_KEY", KEY)
        ask(app, THEFT)
        asked = len(service.requests)
        assert asked
        assert count(app) == "1 of 40 rows"
        assert KEY not in words(app)
        app.slider(key="threshold").set_value(0.3)
        ran(app)
        assert len(service.requests) == asked
        assert "sent there" in words(opened(app))
        ask(app, "What is the cap for fire?")
        assert len(service.requests) > asked


@contextmanager
def shape_model(monkeypatch: pytest.MonkeyPatch, content: object, name: str) -> Iterator[Service]:
    """A model that says it, set up."""

    def answer(_: Request) -> Answer:
        if isinstance(content, Answer):
            return content
        return Answer({"choices": [{"message": {"content": json.dumps(content)}}]})

    with running(answer) as service:
        monkeypatch.setenv("ROWLENS_SHAPE_MODEL", name)
        monkeypatch.setenv("ROWLENS_SHAPE_URL", service.url)
        monkeypatch.setenv("ROWLENS_SHAPE_KEY", KEY)
        yield service


def test_no_model_is_offered_for_the_shape_unless_one_is_set_up(app: AppTest) -> None:
    opened(app)
    assert [*app.selectbox(key="shape").options] == [
        "Auto: by rules",
        "Targeted lookup",
        "Synthesis",
        "Mixed",
    ]


def test_a_link_to_a_model_that_is_not_set_up_goes_by_the_rules() -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params["shape"] = "model"
    ask(ran(app), THEFT)
    assert drawn(app, "decision_card")["shape_reason"] == "Names one item of a table."


def test_a_model_tells_the_shape_once_for_a_question(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {"shape": "synthesis", "reason": "It asks for everything."}
    with shape_model(monkeypatch, said, "mini") as service:
        ask(opened(app), THEFT)
        assert not service.requests  # off by default
        app.selectbox(key="shape").set_value("model")
        card = drawn(ran(app), "decision_card")
        assert card["shape"] == "Synthesis"
        assert card["shape_reason"].startswith("It asks for everything. (by mini at 127.0.0.1:")
        assert count(app) == "40 of 40 rows"
        app.slider(key="threshold").set_value(0.3)
        ran(app)
        assert len(service.requests) == 1
    assert app.query_params["shape"] == "model"


def test_a_model_that_fails_leaves_the_shape_to_the_rules(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    with shape_model(monkeypatch, refusal(401), "broken") as service:
        app.query_params["shape"] = "model"
        ask(app, THEFT)
        assert warnings(app) == ["Shape by the rules: the model could not be asked"]
        assert "refuses the key" in words(app)
        assert drawn(app, "decision_card")["shape_reason"] == "Names one item of a table."
        ran(app)
        assert len(service.requests) == 1


def test_a_selected_row_is_explained_above_the_list(app: AppTest) -> None:
    ask(app, THEFT)
    assert brought(app)["why"]["why"]["row"] == "Row 11 of t1"
    app.query_params["row"] = "t1:4"
    app.session_state["row"] = "t1:4"
    why = brought(ran(app))["why"]["why"]
    assert (why["question"], why["row"], why["verdict"]) == (
        "Why not this row?",
        "Row 5 of t1",
        "Left out",
    )
    assert why["reason"].startswith("It holds “vehicle” but not “theft”, and its score ")


def test_before_a_question_nothing_is_explained(app: AppTest) -> None:
    assert brought(app)["why"] == {"row": None, "why": None, "hint": ""}
    ask(app, "Who painted the Night Watch?")
    assert brought(app)["why"]["hint"] == "Choose a row to see why it is not returned."


def test_rows_that_score_alike_stand_beside_the_decision(app: AppTest) -> None:
    ask(app, "What is the deductible for collision?")
    assert drawn(app, "decision_card")["ambiguity"] == (
        "2 rows score nearly the same: Collision with another vehicle, Collision with an animal."
    )


def test_a_paragraph_that_answers_better_comes_first(app: AppTest) -> None:
    ask(app, "What happens to a stolen vehicle that is found within thirty days?")
    first, *_ = paragraphs(app)
    assert first["headline"] == "A paragraph answers better (page 3)"
    assert first["paragraphs"][0]["page"] == 3
    text = "".join(part for part, _ in first["paragraphs"][0]["segments"])
    assert "A stolen vehicle that is found within thirty days is returned" in text


def test_paragraphs_that_are_no_better_wait_in_their_own_place(app: AppTest) -> None:
    ask(app, THEFT)
    assert [part["headline"] for part in paragraphs(app)] == [""]


def paragraphs(app: AppTest) -> list[dict[str, Any]]:
    return [
        json.loads(element.proto.json)
        for element in app.get("bidi_component")
        if element.proto.component_name == "rowlens_paragraph_list"
    ]


def warnings(app: AppTest) -> list[str]:
    return [str(one.value) for one in app.warning]

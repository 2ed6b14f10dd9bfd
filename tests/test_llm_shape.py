"""The shape by a language model: off by default, sent the question alone, believed little."""

from __future__ import annotations

import json
import logging
import traceback
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.embedding import ModelError
from core.embedding.service import read_service
from core.errors import OptionError
from core.retrieval.llm_shape import ShapeModel, choose_shape_model, content_to_shape
from core.retrieval.shape import SHAPES
from tests.openai_server import KEY, Answer, Request, Service, refusal, running

QUESTION = "What is the cap for vehicle theft?"
LOOKUP = {"shape": "targeted_lookup", "reason": "It names one event."}


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MODEL", "URL"):
        monkeypatch.delenv(f"ROWLENS_SHAPE_{name}", raising=False)
    monkeypatch.setenv("ROWLENS_SHAPE_KEY", KEY)


def said(content: Any) -> Answer:
    """A chat completion that says it."""
    text = content if isinstance(content, str) else json.dumps(content)
    message = {"role": "assistant", "content": text}
    return Answer({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})


def model_of(
    service: Service, monkeypatch: pytest.MonkeyPatch, *, seconds: float = 10
) -> ShapeModel:
    monkeypatch.setenv("ROWLENS_SHAPE_URL", service.url)
    settings = read_service("ROWLENS_SHAPE", "mini", "unset ROWLENS_SHAPE_MODEL")
    return ShapeModel(settings, seconds=seconds)


def test_off_by_default() -> None:
    assert choose_shape_model() is None


def test_half_a_setting_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROWLENS_SHAPE_MODEL", "mini")
    with pytest.raises(OptionError, match="ROWLENS_SHAPE_URL is not set"):
        choose_shape_model()
    monkeypatch.delenv("ROWLENS_SHAPE_MODEL")
    monkeypatch.setenv("ROWLENS_SHAPE_URL", "https://models.example/v1")
    with pytest.raises(OptionError, match="ROWLENS_SHAPE_MODEL is not set"):
        choose_shape_model()


def test_it_asks_for_one_question_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with running(lambda asked: said(LOOKUP)) as service:
        monkeypatch.setenv("ROWLENS_SHAPE_MODEL", "mini")
        monkeypatch.setenv("ROWLENS_SHAPE_URL", service.url)
        model = choose_shape_model()
        assert model is not None
        assert choose_shape_model() is model
        assert model.name == f"mini at {service.url[7:-3]}"
        assert model.ask(QUESTION) == ("targeted_lookup", "It names one event.")
        assert model.ask(f" {QUESTION} ") == ("targeted_lookup", "It names one event.")
        (request,) = service.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    system, user = request.body["messages"]
    assert (system["role"], user) == ("system", {"role": "user", "content": QUESTION})
    assert request.body["model"] == "mini"
    assert request.body["temperature"] == 0
    assert request.body["max_tokens"] <= 200
    assert request.body["response_format"] == {"type": "json_object"}


def test_the_model_s_word_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(request: Request) -> Answer:
        asked = request.body["messages"][1]["content"]
        return said({"shape": "synthesis" if "all" in asked else "mixed", "reason": asked})

    with running(answer) as service:
        model = model_of(service, monkeypatch)
        assert model.ask("all of them") == ("synthesis", "all of them")
        assert model.ask("A or B") == ("mixed", "A or B")


def test_a_model_that_takes_no_options_is_asked_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(request: Request) -> Answer:
        plain = set(request.body) == {"model", "messages"}
        return said(LOOKUP) if plain else refusal(400, "Unsupported parameter: max_tokens")

    with running(answer) as service:
        model = model_of(service, monkeypatch)
        assert model.ask("one") == model.ask("two") == ("targeted_lookup", "It names one event.")
        assert len(service.requests) == 3


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (refusal(401), "refuses the key (status 401). Set ROWLENS_SHAPE_KEY"),
        (refusal(400), "(status 400: Incorrect API key provided: ***.)"),
        (refusal(429), "takes no more requests (status 429)"),
        (refusal(500), "fails (status 500)"),
        (Answer(b"nonsense"), "(no JSON)"),
        (Answer({"choices": []}), "(no message)"),
        (Answer([1]), "(no message)"),
        (said("It is a lookup."), "(a message that is no JSON)"),
        (said({"shape": "whole", "reason": KEY}), "(a shape that does not exist)"),
    ],
)
def test_faults_are_told_and_the_key_is_not(
    answer: Answer, says: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with running(lambda asked: answer) as service:
        model = model_of(service, monkeypatch)
        with pytest.raises(ModelError) as caught:
            model.ask(QUESTION)
        with pytest.raises(ModelError):
            model.ask(QUESTION)
        assert len(service.requests) in (2, 3)  # faults are not kept, and not tried again
    told = str(caught.value)
    assert says in told
    assert "unset ROWLENS_SHAPE_MODEL" in told
    shown = [told, repr(caught.value), repr(model), caplog.text]
    shown += traceback.format_exception(caught.value)
    assert [text for text in shown if KEY in text] == []


@pytest.mark.parametrize("answer", [Answer({}, wait=30), Answer(b" " * 1000, drip=0.05)])
def test_slow_services_are_left(answer: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(lambda asked: answer) as service:
        model = model_of(service, monkeypatch, seconds=0.3)
        with pytest.raises(ModelError, match="does not answer in time"):
            model.ask(QUESTION)


def test_endless_and_broken_questions_are_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    with running(lambda asked: said(LOOKUP)) as service:
        model_of(service, monkeypatch).ask("\ud800" + "x" * 5000)
        sent = service.requests[0].body["messages"][1]["content"]
    assert sent == "?" + "x" * 1999


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "no JSON"),
        ("[]", "not exactly"),
        ("[" * 2000, "no JSON"),
        ('```json\n{"shape": "mixed", "reason": "Two."}\n```', "no JSON"),
        ('{"shape": "mixed"}', "not exactly"),
        ('{"shape": "mixed", "reason": "Two.", "rows": [1]}', "not exactly"),
        ('{"shape": "MIXED", "reason": "Two."}', "a shape that does not exist"),
        ('{"shape": ["mixed"], "reason": "Two."}', "a shape that does not exist"),
        ('{"shape": "mixed", "reason": ""}', "no reason"),
        ('{"shape": "mixed", "reason": 2}', "no reason"),
        ('{"shape": "mixed", "reason": "' + "x" * 2000 + '"}', "too long"),
        ('{"shape": "mixed", "reason": "<b>Two</b>"}', "no plain text"),
        ('{"shape": "mixed", "reason": "[Two](x)"}', "no plain text"),
        ('{"shape": "mixed", "reason": "**Two**"}', "no plain text"),
        ('{"shape": "mixed", "reason": "_Two_"}', "no plain text"),
        ('{"shape": "mixed", "reason": "# Two"}', "no plain text"),
        ('{"shape": "mixed", "reason": "$x$"}', "no plain text"),
        ('{"shape": "mixed", "reason": ":red[Two]"}', "no plain text"),
        ('{"shape": "mixed", "reason": "See https://a.example"}', "no plain text"),
    ],
)
def test_messages_of_another_kind_are_refused(content: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        content_to_shape(content)


def test_reasons_are_one_short_line() -> None:
    content = json.dumps(
        {"shape": "mixed", "reason": " Two\nrows,\u202e $5 > 3,\ttargeted_lookup "}
    )
    assert content_to_shape(content) == ("mixed", "Two rows, $5 > 3, targeted_lookup")
    shape, reason = content_to_shape(json.dumps({"shape": "mixed", "reason": "word " * 100}))
    assert (shape, len(reason), reason[-2:]) == ("mixed", 200, "…") or reason.endswith("…")
    assert len(reason) == 200


@given(
    st.one_of(
        st.text(max_size=50),
        st.builds(
            lambda shape, reason: json.dumps({"shape": shape, "reason": reason}),
            st.sampled_from([*SHAPES, "other"]),
            st.text(max_size=300),
        ),
    )
)
def test_whatever_a_model_says_a_shape_and_a_line_come_out(content: str) -> None:
    try:
        shape, reason = content_to_shape(content)
    except ValueError:
        return
    assert shape in SHAPES
    assert 0 < len(reason) <= 200
    assert reason.isprintable()

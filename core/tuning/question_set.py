"""Question sets as files: CSV, JSONL, JSON.

One question a line with what it should bring back, in the words of `core.tuning.expectations`.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.errors import OptionError
from core.export_codec import escape_formula, unescape_formula

MOST_QUESTIONS = 10_000
MOST_CHARACTERS = 2_000

_QUESTION_NAMES = ("question", "q", "query", "text", "prompt")
_EXPECT_NAMES = ("expect", "expected", "expectation", "rows", "gold", "answer")


@dataclass(frozen=True)
class TuneQuestion:
    """A question, and what it should bring back, as it was written."""

    question: str
    expect: str = ""
    """Several rows stand on lines of their own; "" where nobody said."""


QuestionSet = tuple[TuneQuestion, ...]


def read_questions(name: str, data: bytes) -> QuestionSet:
    """The questions of a file; blank ones are left out.

    Args:
        name: of the file; its ending tells JSONL and JSON from CSV.
        data: UTF-8, with or without a byte order mark.

    Raises:
        OptionError: it cannot be read as such; says where and what to do.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise OptionError(
            f"{name} is no UTF-8 text (byte {error.start}). Save it as UTF-8."
        ) from None
    is_json = name.lower().endswith((".jsonl", ".ndjson", ".json")) or text.lstrip()[:1] in "[{"
    rows = _json_rows(name, text) if is_json and text.strip() else _csv_rows(name, text)
    questions = tuple(
        question for number, row in rows if (question := _question(name, number, row)).question
    )
    if not questions:
        raise OptionError(f"{name} holds no question. Give a column “question” and lines below it.")
    if len(questions) > MOST_QUESTIONS:
        raise OptionError(
            f"{name} holds {len(questions):,} questions; at most {MOST_QUESTIONS:,} are taken."
        )
    return questions


def questions_to_csv(questions: Sequence[TuneQuestion]) -> str:
    """The set as CSV, in which nothing is a formula; `read_questions` reads it back."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(["question", "expect"])
    writer.writerows(
        [escape_formula(one.question), escape_formula(one.expect)] for one in questions
    )
    return out.getvalue()


def questions_to_jsonl(questions: Sequence[TuneQuestion]) -> str:
    """The set as JSON lines."""
    lines = (
        json.dumps({"question": one.question, "expect": one.expect}, ensure_ascii=False)
        for one in questions
    )
    return "".join(f"{line}\n" for line in lines)


def _json_rows(name: str, text: str) -> list[tuple[int, Mapping[str, object]]]:
    try:
        whole = json.loads(text)
    except ValueError:
        whole = None
    if isinstance(whole, list):
        found = list(enumerate(whole, start=1))
    elif isinstance(whole, dict):
        found = [(1, whole)]
    else:
        found = []
        for number, line in enumerate(text.splitlines(), start=1):
            if not line.strip():
                continue
            try:
                found.append((number, json.loads(line)))
            except ValueError as error:
                raise OptionError(f"{name}, line {number}: no JSON ({error}).") from None
    for number, one in found:
        if not isinstance(one, dict):
            raise OptionError(
                f"{name}, line {number}: give an object such as "
                '{"question": "…", "expect": "nothing"}.'
            )
    return found


def _csv_rows(name: str, text: str) -> list[tuple[int, Mapping[str, object]]]:
    first = text.lstrip("\n\r").split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise OptionError(f"{name} is no CSV: {error}.") from None
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    if not rows:
        return []
    header = [cell.strip().lower() for cell in rows[0]]
    if not set(header) & set(_QUESTION_NAMES):
        if len(header) > 1:
            raise OptionError(
                f"{name} has no column “question” but {', '.join(header[:6])}. Name one so."
            )
        rows, header = [["question"], *rows], ["question"]  # a plain list of questions
    return [
        (number, {key: unescape_formula(cell) for key, cell in zip(header, row, strict=False)})
        for number, row in enumerate(rows[1:], start=2)
    ]


def _question(name: str, number: int, row: Mapping[str, object]) -> TuneQuestion:
    by_name = {str(key).strip().lower(): value for key, value in row.items()}
    question = _text(next((by_name[key] for key in _QUESTION_NAMES if key in by_name), ""))
    expect = _text(next((by_name[key] for key in _EXPECT_NAMES if key in by_name), ""))
    for text in (question, expect):
        if len(text) > MOST_CHARACTERS:
            raise OptionError(
                f"{name}, line {number}: {len(text):,} characters; at most {MOST_CHARACTERS:,}."
            )
    return TuneQuestion(" ".join(question.split()), expect)


def _text(value: object) -> str:
    if isinstance(value, list):
        return "\n".join(map(_text, value))
    return "" if value is None else str(value).strip()

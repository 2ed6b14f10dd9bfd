"""The shape of a question: one row, the whole table or a few named rows, by plain rules."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from core.errors import OptionError
from core.retrieval.terms import text_to_keys

TARGETED, SYNTHESIS, MIXED = "targeted_lookup", "synthesis", "mixed"
SHAPES = (TARGETED, SYNTHESIS, MIXED)

_COMPARISON = re.compile(
    r"\b(compar\w*|versus|vs|difference between|differs? from|both|respectively)\b"
)
_SUPERLATIVE = re.compile(
    r"\b(most|least|fewest|highest|lowest|largest|smallest|biggest|best|worst|greatest|longest|"
    r"shortest|cheapest|oldest|newest|latest|earliest|youngest|fastest|slowest|strongest|weakest|"
    r"heaviest|lightest|richest|poorest|maximum|minimum|max|min|top|rank\w*)\b"
)
_AGGREGATE = re.compile(
    r"\b(total|sum|average|the mean|mean of|median|overall|altogether|how many|count|number of)\b"
)
_WHOLE = re.compile(r"\b(all|every|each|list|overview|summar\w+|(?:which|what)\b.*\bare)\b")
_PAIR = re.compile(r"\b(and|or)\b|[,;/&]")


@dataclass(frozen=True)
class Shape:
    """The shape and the sentence that says why."""

    name: str
    reason: str


def question_to_shape(question: str, *, named_items: int, label_keys: set[str]) -> Shape:
    """Shape of a question by the first rule that applies.

    Args:
        named_items: how many different rows (or groups of equal rows) the question names.
        label_keys: keys of terms that are column labels; "maximum" in "Maximum Path Length"
            is a name, no superlative.
    """
    text = question.casefold()
    if named_items >= 2 and (word := _found(_COMPARISON, text)):
        return Shape(MIXED, f"“{word}” and {named_items} named items: the rows of each.")
    if word := _found(_SUPERLATIVE, text, label_keys):
        return Shape(SYNTHESIS, f"“{word}” can only be told from all rows.")
    if (word := _found(_AGGREGATE, text, label_keys)) and not (word == "how many" and named_items):
        return Shape(SYNTHESIS, f"“{word}” needs every row.")
    if named_items >= 2 and _PAIR.search(text):
        return Shape(MIXED, f"{named_items} items are named side by side.")
    if not named_items and (word := _found(_WHOLE, text)):
        return Shape(SYNTHESIS, f"“{_shortened(word)}” asks for the whole table.")
    if named_items:
        return Shape(TARGETED, "Names one item of a table.")
    return Shape(TARGETED, "No word asks for the whole table.")


def shape_by_hand(name: str) -> Shape:
    """The shape the caller set.

    Raises:
        OptionError: no shape has that name.
    """
    if name not in SHAPES:
        raise OptionError(f"Shape {name!r} does not exist; use {', '.join(SHAPES)}.")
    return Shape(name, "Set by hand.")


def _found(pattern: re.Pattern[str], text: str, label_keys: Collection[str] = frozenset()) -> str:
    """First match that is no label of a table, or ""."""
    for match in pattern.finditer(text):
        if set(label_keys).isdisjoint(text_to_keys(match.group(1))):
            return match.group(1)
    return ""


def _shortened(words: str) -> str:
    first, *rest = words.split()
    return words if len(rest) < 2 else f"{first} … {rest[-1]}"

"""The shape of a question: one row, the whole table or a few named rows, by plain rules.

The rules read the question's words and ask the evidence two things: which of them are names in
this document (labels and row names are no instructions), and how many items are named.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from core.errors import OptionError
from core.words import text_to_keys

TARGETED, SYNTHESIS, MIXED = "targeted_lookup", "synthesis", "mixed"
SHAPES = (TARGETED, SYNTHESIS, MIXED)

_SUPERLATIVE = re.compile(
    r"\b(most|least|fewest|highest|lowest|largest|smallest|biggest|best|worst|greatest|longest|"
    r"shortest|cheapest|oldest|newest|latest|earliest|youngest|fastest|slowest|strongest|weakest|"
    r"heaviest|lightest|richest|poorest|maximum|minimum|max|min|top|bottom|rank\w*)\b"
)
_RELATION = (
    r"\b(more|less|fewer|greater|higher|lower|larger|smaller|longer|shorter|older|younger|better|"
    r"worse|cheaper|faster|slower|exceed\w*|equal|same|increase\w*|decrease\w*|than)\b"
)
_CLAIM = re.compile(
    rf"(?:^\W*|, *)(?:is|are|was|were|does|do|did|has|have|had|can|will)\b.*?{_RELATION}"
)
_BOUND = re.compile(
    r"\b(?:than|exceeds?|exceeded|above|below|over|under|at least|at most)\b(?: or equal to)?"
    r"\W*\d[\d.,]*\W*(?:%|percent)?\W*$"
)
_COMPARISON = re.compile(
    r"\b(compar\w*|versus|vs|difference between|differs? from|both|respectively)\b"
)
_AGGREGATE = re.compile(
    r"\b(total|totals|sum|average|mean|median|overall|altogether|combined|how many|count|"
    r"number of)\b"
)
_ALL_OF = re.compile(r"\b(across|in total|all|every|each|listed|grand total)\b")
_WHOLE = re.compile(r"\b(all|every|each|list|across|overview|summar\w+|(?:which|what)\b.*\bare)\b")
_FOR_EACH = re.compile(r"\b((?:for|per|in|of|over) (?:each|every))\b")
_PAIR = re.compile(r"\b(and|or)\b|[,;/&]")


@dataclass(frozen=True)
class Shape:
    """The shape and the sentence that says why."""

    name: str
    reason: str


def question_to_shape(question: str, *, named_items: int, names: Collection[str]) -> Shape:
    """Shape of a question by the first rule that applies.

    Args:
        named_items: how many different rows (or groups of equal rows) the question names.
        names: keys of terms that are column labels or row names; "maximum" in "Maximum Path
            Length" is a name, no superlative.
    """
    text = question.casefold()
    if word := _found(_SUPERLATIVE, text, names):
        return Shape(SYNTHESIS, f"“{word}” can only be told from all rows.")
    if claim := _CLAIM.search(text):
        if named_items == 1 and _BOUND.search(text):
            return Shape(TARGETED, "Asks whether one item's value is beyond a number.")
        return Shape(SYNTHESIS, f"A claim (“{claim.group(1)}”) is checked against the whole table.")
    if word := _found(_FOR_EACH, text):
        return Shape(SYNTHESIS, f"“{word}” needs every row.")
    if named_items >= 2 and (word := _found(_COMPARISON, text)):
        return Shape(MIXED, f"“{word}” and {named_items} named items: the rows of each.")
    if word := _found(_AGGREGATE, text, names):
        if not named_items:
            return Shape(SYNTHESIS, f"“{word}” needs every row.")
        if more := _found(_ALL_OF, text, names):
            return Shape(SYNTHESIS, f"“{word}” of “{more}” needs every row.")
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


def _found(pattern: re.Pattern[str], text: str, names: Collection[str] = frozenset()) -> str:
    """First match that is no name in the document, or ""."""
    for match in pattern.finditer(text):
        if set(names).isdisjoint(text_to_keys(match.group(1))):
            return match.group(1)
    return ""


def _shortened(words: str) -> str:
    first, *rest = words.split()
    return words if len(rest) < 2 else f"{first} … {rest[-1]}"

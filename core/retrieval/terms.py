"""Text -> terms: what a question asks for, and what a cell says, in comparable form."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import Stemmer
from bm25s.stopwords import STOPWORDS_EN_PLUS

WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[^\W_]+")
"""A number with its separators, or a run of letters."""

_THOUSANDS = re.compile(r"[,.](?=\d{3}(?:\D|$))")
# What tells a reader to do something names nothing in a table.
_INSTRUCTIONS = (
    "compare compared compares describe explain find give list please show summarise summarize "
    "tell versus vs per many much one"
)
STOPWORDS = frozenset(STOPWORDS_EN_PLUS) | frozenset(_INSTRUCTIONS.split())

_stem = Stemmer.Stemmer("english").stemWord


@dataclass(frozen=True)
class Term:
    """One content word of a question."""

    text: str
    """As typed."""
    key: str
    """As compared: case folded and stemmed, numbers without thousands separators."""


@lru_cache(maxsize=200_000)
def word_to_key(word: str) -> str:
    """The form in which a word is compared: "Events" and "event" agree, "25,000" and "25000"."""
    if word[0].isdigit():
        return _THOUSANDS.sub("", word)
    return _stem(word.casefold())


def text_to_keys(text: str) -> list[str]:
    """Keys of all words of a text, stopwords included, in order."""
    return [word_to_key(word) for word in WORD.findall(text)]


def question_to_terms(question: str) -> list[Term]:
    """Content words of a question, each once, in order."""
    words = (word for word in WORD.findall(question) if word.casefold() not in STOPWORDS)
    return list({word_to_key(word): Term(word, word_to_key(word)) for word in words}.values())


def keys_of(texts: Iterable[str]) -> set[str]:
    """All keys that occur in the texts."""
    return {key for text in texts for key in text_to_keys(text)}

"""Words of a question that name nothing in a table, in the question's language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from bm25s import stopwords

from core.words.folding import fold
from core.words.lists import read_lists

_SNOWBALL = {
    "en": stopwords.STOPWORDS_EN_PLUS,
    "fr": stopwords.STOPWORDS_FRENCH,
    "de": stopwords.STOPWORDS_GERMAN,
    "es": stopwords.STOPWORDS_SPANISH,
    "it": stopwords.STOPWORDS_ITALIAN,
    "pt": stopwords.STOPWORDS_PORTUGUESE,
    "nl": stopwords.STOPWORDS_DUTCH,
    "ru": stopwords.STOPWORDS_RUSSIAN,
    "sv": stopwords.STOPWORDS_SWEDISH,
}
"""Snowball's lists (BSD), as bm25s ships them; its English list is the longer one of NLTK."""
_OWN_SCRIPT = ("ru", "ar", "he", "el", "hi")


@cache
def stopword_lists() -> dict[str, frozenset[str]]:
    """Language -> its folded stopwords, question words and verbs of instruction; English first."""
    return {
        language: frozenset(map(fold, (*_SNOWBALL.get(language, ()), *words)))
        for language, words in read_lists("question_words").items()
    }


ENGLISH = stopword_lists()["en"]
"""The English list, by which labels and captions are read too."""


def question_language(words: Sequence[str]) -> str:
    """The language whose stopwords cover most of the folded words; English where none covers more.

    A list is used as a whole or not at all, so that "die" and "was" of an English question are
    never judged by the German list. One stopword of another Latin-script language is no proof.
    """
    counts = {
        language: sum(word in stopwords for word in words)
        for language, stopwords in stopword_lists().items()
    }
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] > 1 or best in _OWN_SCRIPT else "en"

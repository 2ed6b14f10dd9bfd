"""Key -> keys of a vocabulary that mean the same word: typos, and inflections no stem joins.

Meant for keys that occur nowhere: where a question's word stands in the document as it was typed,
its neighbours are other words.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Iterable
from functools import cache, lru_cache

import numpy as np
import regex
import Stemmer
from rapidfuzz import process
from rapidfuzz.distance import OSA

MAX_FOUND = 10
"""Keys given at most."""
INFLECTED, WITH_CLITIC = 0.85, 0.9
"""Similarity of another ending of the same word, and of the word with a clitic before it."""
SHORTENED = 0.75
"""Similarity of a stem to a word it begins: a mistyped ending is not stripped."""
REPLACED = 0.05
"""Taken off where one letter of a five-letter word stands for another."""
_MIN_STEM, _MAX_ENDING = 5, 4
"""Letters an ending must leave, so that "corner" is no form of "corn", and may have."""
_LANGUAGES = ("german", "french", "spanish", "italian", "portuguese", "dutch", "swedish")
_CLITICS = {"Hebrew": "הובלמשכ", "Arabic": "وفبلك"}
_CLITIC_SCRIPT = regex.compile(r"(?P<Hebrew>\p{Hebrew})|(?P<Arabic>\p{Arabic})")
_WORD = regex.compile(
    r"[[\p{L}\p{M}]--[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}ー]]+", regex.V1
)


def max_edits(length: int) -> int:
    """Edits (insert, delete, replace, swap neighbours) that leave a word of that length the same.

    None up to three letters, one up to seven, two beyond: stricter than Lucene's "AUTO", which
    lets "minimum" pass for "maximum".
    """
    return 0 if length <= 3 else 1 if length <= 7 else 2


class FuzzyVocabulary:
    """Keys filed by their first letter and length; built once, asked often."""

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self.keys = frozenset(key for key in vocabulary if len(key) > 2 and key.isalpha())
        self._sorted = sorted(self.keys)
        self._filed: dict[tuple[str, int], list[str]] = {}
        for key in self._sorted:
            self._filed.setdefault((key[0], len(key)), []).append(key)

    def near(self, key: str, reach: int) -> list[str]:
        """Keys with the same first letter and up to `reach` letters more or fewer, from four."""
        lengths = range(max(4, len(key) - reach), len(key) + reach + 1)
        return [other for n in lengths for other in self._filed.get((key[0], n), ())]

    def starting_with(self, start: str) -> list[str]:
        """Keys that start with some letters."""
        first = bisect_left(self._sorted, start)
        return self._sorted[first : bisect_left(self._sorted, start + chr(sys.maxunicode), first)]


def closest_keys(key: str, vocabulary: FuzzyVocabulary) -> list[tuple[str, float]]:
    """Keys that mean the same word, with a similarity above 0 and below 1, the best first.

    Ways that lead to a key: few edits after the first letter (optimal string alignment distance),
    the same Snowball stem in one of seven languages, a mistyped ending after the whole key, or a
    Hebrew or Arabic clitic before it.
    The key itself is left out; numbers, codes and n-grams have no others.
    """
    if len(key) <= 3 or not _WORD.fullmatch(key):
        return []
    found: dict[str, float] = {}
    for way in (_clitics, _typos, _inflections):
        for other, similarity in way(key, vocabulary).items():
            found[other] = max(similarity, found.get(other, 0.0))
    found.pop(key, None)
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))[:MAX_FOUND]


def _typos(key: str, vocabulary: FuzzyVocabulary) -> dict[str, float]:
    edits = max_edits(len(key))
    others = vocabulary.near(key, edits)
    if not others:
        return {}
    distances = process.cdist(
        [key], others, scorer=OSA.distance, score_cutoff=edits, dtype=np.uint8, workers=1
    )[0]
    near = np.flatnonzero(distances <= edits).tolist()
    return {
        others[at]: similarity
        for at in near
        if (similarity := _similarity(key, others[at], int(distances[at])))
    }


def _similarity(key: str, other: str, edits: int) -> float:
    """1 less the share of edited letters, 0 where short words are rather two words.

    In four letters only a swap or a doubled letter is a slip: "cost" is not "coat", nor "last"
    "least". In five, one letter for another counts a little less: "stage" and "state".
    """
    share = 1 - edits / max(len(key), len(other))
    shorter = min(len(key), len(other))
    swapped = sorted(key) == sorted(other)
    doubled = len(key) != len(other) and set(key) == set(other)
    if shorter > 5 or swapped or doubled:
        return share
    if shorter == 4:
        return 0.0
    return share - REPLACED * (len(key) == len(other))


def _inflections(key: str, vocabulary: FuzzyVocabulary) -> dict[str, float]:
    if len(key) < _MIN_STEM or not key.isascii():
        return {}
    found = {
        key[:length]: SHORTENED
        for length in range(max(_MIN_STEM, len(key) - _MAX_ENDING), len(key))
        if key[:length] in vocabulary.keys
    }
    stems = _stems(key)
    for other in vocabulary.starting_with(key[:_MIN_STEM]):
        if abs(len(other) - len(key)) <= _MAX_ENDING and not stems.isdisjoint(_stems(other)):
            found[other] = INFLECTED
    return found


@lru_cache(maxsize=10_000)
def _stems(key: str) -> frozenset[tuple[str, str]]:
    stems = ((language, _stemmer(language).stemWord(key)) for language in _LANGUAGES)
    return frozenset(stem for stem in stems if len(stem[1]) >= _MIN_STEM)


@cache
def _stemmer(language: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(language)


def _clitics(key: str, vocabulary: FuzzyVocabulary) -> dict[str, float]:
    script = _CLITIC_SCRIPT.match(key)
    if script is None:
        return {}
    letters = _CLITICS[script.lastgroup or ""]
    others = [letter + key for letter in letters]
    if key[0] in letters and len(key) > 3:
        others.append(key[1:])
    return {other: WITH_CLITIC for other in others if other in vocabulary.keys}

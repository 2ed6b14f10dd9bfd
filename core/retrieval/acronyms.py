"""Acronyms both ways: a question's "CASM" in "Cost per available seat mile", its "restricted stock
units" in "RSUs"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
import pandas as pd

from core.words import Term
from core.words.stopwords import ENGLISH

_SHORTEST, _LONGEST = 3, 6
"""Letters of an acronym; two would be found in every other name."""
_MOST_NAMES = 50_000
"""Different row names up to which acronyms are looked for."""
_WORD = re.compile(r"[^\W\d_]+")


def initials(text: str) -> Iterator[tuple[str, str]]:
    """(words, acronym) for every run of three to six content words of a text."""
    words = [word for word in _WORD.findall(text) if word.casefold() not in ENGLISH]
    for start in range(len(words)):
        for end in range(start + _SHORTEST, min(start + _LONGEST, len(words)) + 1):
            run = words[start:end]
            yield " ".join(run), "".join(word[0] for word in run).casefold()


class Acronyms:
    """Initials of the words of row names."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    def rows(self, term: Term) -> np.ndarray:
        """Rows whose name spells the term by its initials, ascending."""
        text = term.text
        letters = text.removesuffix("s") if text[:-1].isupper() else text
        shortest = _SHORTEST if letters.isupper() else _SHORTEST + 1
        if not shortest <= len(letters) <= _LONGEST or not letters.isalpha():
            return np.empty(0, dtype=np.int64)
        return np.array(self._spelt.get(letters.casefold(), []), dtype=np.int64)

    def spelt_in(self, rows: np.ndarray, key: str) -> bool:
        """Whether the name of the first of these rows has the key in capitals, as acronyms are."""
        return any(
            word.casefold() in (key, f"{key}s") and word[:-1].isupper()
            for row in rows[:1].tolist()
            for word in _WORD.findall(self._names[row])
        )

    @cached_property
    def _spelt(self) -> dict[str, list[int]]:
        if not self._names or _more_than(_MOST_NAMES, self._names):
            return {}
        number, names = pd.factorize(np.array(self._names, dtype=object))
        order = np.argsort(number, kind="stable")
        parts = np.split(order, np.cumsum(np.bincount(number, minlength=len(names)))[:-1])
        spelt: defaultdict[str, set[int]] = defaultdict(set)
        for name, rows in zip(names.tolist(), parts, strict=True):
            for _, acronym in initials(name):
                spelt[acronym].update(rows.tolist())
        return {acronym: sorted(rows) for acronym, rows in spelt.items()}


def _more_than(count: int, names: Sequence[str]) -> bool:
    """Whether there are more different names; a million are not all read to know."""
    seen: set[str] = set()
    for start in range(0, len(names), count):
        seen.update(names[start : start + count])
        if len(seen) > count:
            return True
    return False

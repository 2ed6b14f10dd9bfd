"""Cells and lines as texts to compare: what is the same but for blanks, and how alike two are."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np
from rapidfuzz import fuzz, process

from core.compare.model import HEADER, Line

MAX_LETTERS = 240
"""Letters of a line that count for its likeness; the cost of a comparison grows with them."""

_BLANKS = re.compile(r"[\s\u00ad\u200b-\u200f\u2060\ufeff]+")
_LETTER = re.compile(r"[^\W\d_]")

_NAME, _TEXT = 0.4, 0.6
"""Weights of a row's name, its first cell with content, and of all its text."""
_LOST_NAME = 0.15
"""Taken off where the text alone is alike: a parser may lose the column of names."""
_OTHER_KIND = 0.06
"""Taken off where one is a header and the other is not: only if nothing better is there."""


def without_blanks(text: str) -> str:
    """The text without blanks and invisible characters, in one Unicode form: "ﬁ" is "fi", but
    10¹⁹ is not 1019."""
    if not text.isascii():
        parts = _raised().split(text)
        parts[::2] = [unicodedata.normalize("NFKC", part) for part in parts[::2]]
        text = "".join(parts)
    return _BLANKS.sub("", text)


@cache
def _raised() -> re.Pattern[str]:
    """Characters whose place is what they say: superscripts, subscripts, fractions."""
    found = (
        chr(code)
        for code in range(0x80, 0x10000)
        if unicodedata.decomposition(chr(code)).startswith(("<super>", "<sub>", "<fraction>"))
    )
    return re.compile(f"([{re.escape(''.join(found))}]+)")


def folded(text: str) -> str:
    """The text for finding what belongs together: one form, no case, single blanks."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return " ".join(_BLANKS.split(text.casefold())).strip()


def line_text(cells: Sequence[str]) -> str:
    """A line as one folded text."""
    return folded(" ".join(cell for cell in cells if cell))


def alikeness(a: Sequence[Line], b: Sequence[Line]) -> np.ndarray:
    """How alike lines are: (len(a), len(b)) of 0 to 1.

    The better of the texts as they stand and with their words in order, so that a moved column
    costs little; and the names of the rows, since numbers look alike by chance. Names without
    letters, as years, are the same or not.
    """
    texts_a, texts_b = _texts(a), _texts(b)
    text = np.maximum(_ratios(texts_a, texts_b), _ratios(_sorted(texts_a), _sorted(texts_b)))
    names_a, names_b = _names(a), _names(b)
    name = _ratios(names_a, names_b)
    bare_a, bare_b = _without_letters(names_a), _without_letters(names_b)
    equal = np.array(names_a, dtype=object)[:, None] == np.array(names_b, dtype=object)[None, :]
    name = np.where(bare_a[:, None] | bare_b[None, :], equal, name)
    likeness = np.maximum(_NAME * name + _TEXT * text, text - _LOST_NAME)
    # A name that one side repeats in every row of its group, and the other prints once.
    blank_a, blank_b = _without_first(a), _without_first(b)
    if blank_a.any() or blank_b.any():
        rest = _ratios(_texts(a, 1), _texts(b, 1)) - _LOST_NAME
        one_blank = blank_a[:, None] != blank_b[None, :]
        likeness = np.where(one_blank, np.maximum(likeness, rest), likeness)
    header_a = np.array([line.kind == HEADER for line in a], dtype=bool)
    header_b = np.array([line.kind == HEADER for line in b], dtype=bool)
    return np.clip(likeness - _OTHER_KIND * (header_a[:, None] != header_b[None, :]), 0.0, 1.0)


def text_ratio(a: str, b: str) -> float:
    """How alike two folded texts are, whatever the order of their words; 0 to 1."""
    a, b = a[: 2 * MAX_LETTERS], b[: 2 * MAX_LETTERS]
    return max(fuzz.ratio(a, b), fuzz.token_sort_ratio(a, b)) / 100.0


def contained(part: str, whole: str) -> float:
    """How much of a folded text stands within another one, as a piece of it or word by word;
    0 to 1."""
    if not part or len(part) > len(whole) + 2:
        return 0.0
    words = Counter(part.split())
    share = (words & Counter(whole.split())).total() / words.total()
    piece = fuzz.partial_ratio(part[:MAX_LETTERS], whole[: 4 * MAX_LETTERS]) / 100.0
    return max(share, piece)


def _texts(lines: Sequence[Line], first: int = 0) -> list[str]:
    """Texts of lines from a column on."""
    return [line_text(line.cells[first:])[:MAX_LETTERS] for line in lines]


def _without_first(lines: Sequence[Line]) -> np.ndarray:
    return np.array([not line.cells or not line.cells[0].strip() for line in lines], dtype=bool)


def _sorted(texts: Sequence[str]) -> list[str]:
    return [" ".join(sorted(text.split())) for text in texts]


def _names(lines: Sequence[Line]) -> list[str]:
    return [folded(next(filter(None, line.cells), ""))[:MAX_LETTERS] for line in lines]


def _without_letters(names: Sequence[str]) -> np.ndarray:
    return np.array([not _LETTER.search(name) for name in names], dtype=bool)


def _ratios(a: Sequence[str], b: Sequence[str]) -> np.ndarray:
    ratios = process.cdist(a, b, scorer=fuzz.ratio, dtype=np.float32)
    return np.asarray(ratios, dtype=np.float64) / 100.0

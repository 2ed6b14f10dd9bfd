"""Word -> key: folded, known by one of its names, and stemmed as its script asks."""

from __future__ import annotations

from functools import cache, lru_cache

import regex
import Stemmer

from core.words.folding import fold
from core.words.lists import read_lists
from core.words.names import word_aliases

_STEMMERS = {
    "Latin": "english",
    "Cyrillic": "russian",
    "Greek": "greek",
    "Arabic": "arabic",
    "Devanagari": "hindi",
    "Armenian": "armenian",
    "Tamil": "tamil",
}
"""Script -> Snowball stemmer. A cell seldom tells its language, and a question must meet it: so
the script decides, never the language. English endings do German, French or Spanish words no
harm, since both sides lose the same ones; what they leave apart, `closest_keys` joins."""
_SCRIPT = regex.compile("|".join(rf"(?P<{script}>\p{{{script}}})" for script in _STEMMERS))
_MEN = regex.compile("(?<=^[a-z]{3,})men$")
"""Plural of any "-man" or "-woman"; that "specimen" goes the same way does no harm."""
_ARTICLE = regex.compile("^ال(?=..)")
_RAISED = regex.compile(r"(?<!^(?:[kcdhmµ]?m|ft|in|mi|yd|s))[²³¹⁰⁴-⁹]+$")
"""A raised digit is a note's number, except after a unit: "Revenue¹", but "km²"."""


def word_to_key(word: str) -> str:
    """The form in which a word is compared: "Events" and "event" agree, "Women" and "woman".

    Returns "" for what has no letter left, such as a lone combining mark.
    """
    folded = fold(_RAISED.sub("", word))
    alias = word_aliases().get(folded)
    return alias or _stem(irregular_forms().get(folded) or _MEN.sub("man", folded))


@lru_cache(maxsize=1)
def irregular_forms() -> dict[str, str]:
    """Irregular English form -> its base form: "women" -> "woman", "won" -> "win"."""
    return {form: base for base, forms in read_lists("irregular").items() for form in forms}


@cache
def _stemmer(script: str) -> Stemmer.Stemmer:
    # Without its own cache: pieces are cached as a whole.
    return Stemmer.Stemmer(_STEMMERS[script], 0)


def _stem(word: str) -> str:
    if word.isascii():
        return _stemmer("Latin").stemWord(word) if len(word) > 2 else word
    found = _SCRIPT.search(word)
    if found is None:
        return word
    stem = _stemmer(found.lastgroup).stemWord(word)
    # Snowball leaves the Arabic article on short words.
    return _ARTICLE.sub("", stem)

"""Word -> folded word: one spelling for letters that differ only in case, accents or width."""

from __future__ import annotations

import unicodedata

import regex

MAX_LETTERS = 64
"""Letters of a word that count. No language needs more; a megabyte without a space is one word."""

DIGIT = "[0-9٠-٩۰-۹०-९০-৯๐-๙０-９]"
"""Decimal digits as a character class: ASCII, Arabic, Persian, Devanagari, Bengali, Thai, wide.
A closed set, since patterns and `unicodedata` may know different versions of Unicode."""

_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)
"""Letters with a stroke, ligatures: Unicode gives them no decomposition."""
_ARABIC = str.maketrans({"آ": "ا", "أ": "ا", "إ": "ا", "ٱ": "ا", "ى": "ي", "ی": "ي", "ک": "ك"})
"""Alef variants, and Persian letters that look the same, as in Lucene's ArabicNormalizer."""
_DECORATION = regex.compile(r"(?<=[\p{Latin}\p{Greek}\p{Hebrew}\p{Arabic}])\p{M}+|[\p{Cf}ـ]")
"""Accents, vowel points, tatweel and invisible characters. Elsewhere marks are spelling:
vowel signs in Devanagari, voicing in Kana, the breve of й."""


def fold(word: str) -> str:
    """The word without case, width, accents and vowel points, of at most 64 letters.

    "Québec" and "QUEBEC" agree, "Straße" and "Strasse", "ＡＢＣ" and "abc", "ё" and "е".
    """
    word = word[:MAX_LETTERS]
    if word.isascii():
        return word.lower()
    composed = unicodedata.normalize("NFKC", word).casefold().replace("ё", "е")
    if _DECORATION.search(unicodedata.normalize("NFD", composed)):
        parts = _DECORATION.sub("", unicodedata.normalize("NFD", composed))
        composed = unicodedata.normalize("NFC", parts)
    return composed.translate(_UNDECOMPOSED).translate(_ARABIC)[:MAX_LETTERS]


def ascii_digits(text: str) -> str:
    """The text with the decimal digits of every script written 0 to 9."""
    if text.isascii():
        return text
    return "".join(
        str(unicodedata.decimal(letter)) if letter.isdecimal() else letter for letter in text
    )

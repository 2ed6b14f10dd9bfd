"""Text -> pieces: where a word, a number or a date begins and ends, in any script.

A piece is what one alternative of the pattern takes from the text in small letters. Each takes a
bounded stretch or never gives back, so time is linear in the text. Texts in ASCII are read by
`re`, whose classes are faster; all others by `regex`, which knows scripts. Both patterns are
written from the same alternatives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import Any

import regex

from core.words.folding import DIGIT
from core.words.names import CURRENCY_SIGNS, SCALE_LETTERS, month_spellings, scale_names

UNSPACED = (
    r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
    "\u30fc\uff70\uff9e\uff9f"
)
"""Scripts that write no spaces between words, or whose words take endings no stemmer knows."""
SPACE = " \t\r\n\u00a0\u2007\u2009\u202f"
"""What may stand between the words of one piece."""
_YEAR = r"(?:1[5-9]|2[01])\d\d"
_PART = r"\d{1,2}"
_DASH = r"[-‐‑‒–—]"
_SIGN = rf"(?:us\$|[{CURRENCY_SIGNS}])"
_END = r"(?![ANY\d])"
_NO_MORE = r"(?![\d/]|[-.,:]\d)"
_NUMBER = (
    r"(?:\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3}(?!\d))++(?:[.,]\d++)?"
    r"|\d++(?:[.,'’＇，．٬٫]\d++)*+)"
)
_LETTER_SCALE = f"[{SCALE_LETTERS}]"
_OF_YEAR = rf"(?:\s?,\s?|\s|[-.])(?:(?:de|of)\s)?{_YEAR}(?!\d|[.,/-]\d)"
_DAY = rf"{_PART}(?:st|nd|rd|th|er|\.|º|ª)?(?:\s{{1,2}}|[-.])(?:(?:of|de|di)\s)?"

_WITH_DIGITS = {
    "numeric_date": "|".join(
        rf"{_YEAR}{by}{_PART}{by}{_PART}{_NO_MORE}|{_PART}{by}{_PART}{by}{_YEAR}{_NO_MORE}"
        for by in ("-", "/", r"\.")
    )
    + r"|(?:\d{4}\s?[年년]\s?)?\d{1,2}\s?[月월](?:\s?\d{1,2}\s?[日号號일])?",
    "named_date": rf"{_DAY}(?:SHORT\.?{_OF_YEAR}|MONTH{_END})"
    r"|(?=[ANY]{3,12}+[.,BLANK-]{1,3}\d|[ANY]{3,12}+\.?\s(?:de|of))MONTH(?:"
    rf"\.?\s{{1,2}}{_PART}(?:st|nd|rd|th)?(?![ANY\d]|[.,:/]\d|\s?[%％])"
    rf"(?:(?:\s?,\s?|\s){_YEAR}(?!\d|[.,/-]\d))?"
    rf"|\.?(?:\s?,\s?|\s|-)(?:(?:of|de)\s)?{_YEAR}(?![\d%]|[.,/–-]\d))",
    "years": rf"{_YEAR}(?:\s?{_DASH}\s?|/){_YEAR}(?![ANY\d]|[-/.,–]\d)"
    rf"|{_YEAR}(?:{_DASH}|/)\d\d(?![ANY\d]|[-/.,–:]\d)",
    "quarter": r"(?:19|20)\d\d\s?-?q[1-4](?!\w)|[1-4]q\s?'?(?:(?:19|20)\d\d|\d\d)(?!\w)"
    r"|[1-4](?:st|nd|rd|th)[ -]quarter(?!\w)",
    "decade": r"(?:\d\d)?\d0['’]?s(?!\w)",
    "ordinal": r"\d{1,6}(?:st|nd|rd|th|er|ère|ème|º|ª)(?!\w)",
    "clock": r"\d{1,3}(?::\d\d)++(?:[.,]\d++)?+",
    "money": rf"{_SIGN}\s?{_NUMBER}\s?{_LETTER_SCALE}{_END}|{_NUMBER}\s?{_LETTER_SCALE}\s?{_SIGN}",
    "scaled": rf"{_NUMBER}(?:(?:\s{{0,2}}SCALE|{_LETTER_SCALE}){_END}(?![²³])\.?"
    r"|\s?[千万萬만亿億억兆])",
    "exponent": r"\d++(?:[.]\d++)?e[-+−]\d++|\d++[.]\d++e\d++",
    "fraction": r"(?:\d++\s?)?[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]",
    "code": r"\d++[LATIN]++\d(?<!\dm[23])(?<!\d[kcdm]m[23])[LATIN\d]*+|[LATIN]++\d[LATIN\d]*+",
    "hyphened_number": r"(?<![ANY\d][-‐‑])[LATIN][-‐‑]\d{1,3}(?![ANY\d])",
    "number": rf"(?<![ANY\d])\.\d++(?![.,]\d)|{_NUMBER}",
}
_WITHOUT_DIGITS = {
    "quarter_word": r"(?:first|second|third|fourth)[ -]quarter(?!\w)",
    "per_cent": r"(?:per|pour|por|pro)\s{1,2}cent(?:o|age)?(?![ANY])|por\s{1,2}ciento(?![ANY])",
    "acronym": r"[ALPHABET](?:\.[ALPHABET]){1,9}+\.?(?![ANY])",
    "ampersand": r"[ALPHABET]{1,3}&[ALPHABET]{1,3}(?![ANY\d])",
    "hyphened": r"(?<![ANY\d][-‐‑])[LATIN][-‐‑][LATIN]{3,}+",
    "sign": rf"{_SIGN}|[%％٪‰]|°[cf](?![ANY])|[℃℉]",
    "word": "LETTER++(?:['’ʼ＇]LETTER++)*+[²³¹⁰⁴-⁹]*+",
    "unspaced": r"UNSPACED[UNSPACED_MARKS]*+",
}
"""Kind of piece -> how it is written; the first that fits takes it. Words in capitals stand for
classes and lists of names."""
_CLASSES = {
    "UNSPACED_MARKS": rf"{UNSPACED}\p{{M}}",
    "UNSPACED": f"[{UNSPACED}]",
    "LETTER": rf"[[\p{{L}}\p{{M}}\p{{Nl}}₀-₉\u00ad\u200c\u200d\u2060]--[{UNSPACED}]]",
    "ALPHABET": r"\p{Latin}\p{Greek}\p{Cyrillic}",
    "LATIN": r"\p{Latin}",
    "ANY": r"\p{L}\p{M}",
    r"\d": DIGIT,
}
_ASCII = {"LETTER": "[a-z]", "ALPHABET": "a-z", "LATIN": "a-z", "ANY": "a-z"}
_HAS_DIGIT = re.compile(f"{DIGIT}|[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]")


def small_letters(text: str) -> str:
    """The text in small letters, every letter where it was."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)


def scan(text: str) -> list[str]:
    """The pieces of a text, in small letters, in order."""
    lowered = small_letters(text)
    return _pattern(lowered.isascii(), _HAS_DIGIT.search(lowered) is not None).findall(lowered)


def scan_spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each piece of a text, in order."""
    lowered = small_letters(text)
    pattern = _pattern(lowered.isascii(), _HAS_DIGIT.search(lowered) is not None)
    return (match.span() for match in pattern.finditer(lowered))


def kind_of(piece: str) -> str:
    """The kind of a piece in small letters, "" where it is none."""
    if piece.isascii() and piece.isalpha():
        return "word"
    match = _kinds(piece.isascii()).fullmatch(piece)
    return match.lastgroup or "" if match else ""


@lru_cache(maxsize=1)
def over_spaces() -> str:
    """An RE2 pattern of every text in which a piece may reach over a space, and few more."""
    _, short = month_spellings()
    marks = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞年년月월日号號일千万萬만亿億억兆" + CURRENCY_SIGNS.replace("$", r"\$")
    space, digit, dash = f"[{SPACE}]", r"\p{Nd}", _DASH
    return "|".join(
        (
            rf"(?i){digit}{space}{digit}{{3}}",
            rf"(?:{any_of(short)})(?:[^\p{{L}}]|$)",
            rf"{digit}{space}{{1,2}}(?:{any_of(scale_names())})",
            rf"{space}{dash}|{dash}{space}|[{marks}]",
            rf"q{space}|{space}-?q[1-4]|quarter",
            rf"(?:per|pour|por|pro){space}",
        )
    )


@lru_cache(maxsize=4)
def _pattern(ascii_only: bool, with_digits: bool) -> Any:
    """The pattern of all pieces; texts without a digit need only half of it."""
    kinds = [*_WITH_DIGITS.items()] * with_digits + [*_WITHOUT_DIGITS.items()]
    return _compile([pattern for _, pattern in kinds_for(kinds, ascii_only)], ascii_only)


@lru_cache(maxsize=2)
def _kinds(ascii_only: bool) -> Any:
    kinds = kinds_for([*_WITH_DIGITS.items(), *_WITHOUT_DIGITS.items()], ascii_only)
    return _compile([f"(?P<{kind}>{pattern})" for kind, pattern in kinds], ascii_only)


def kinds_for(kinds: Iterable[tuple[str, str]], ascii_only: bool) -> list[tuple[str, str]]:
    """The kinds that a text in ASCII, or any text, can have."""
    return [(kind, pattern) for kind, pattern in kinds if not (ascii_only and kind == "unspaced")]


def _compile(alternatives: list[str], ascii_only: bool) -> Any:
    months, short = month_spellings()
    scales = {name for name in scale_names() if len(name) > 1}
    names = {"SHORT": short, "MONTH": months, "SCALE": scales}
    pattern = "|".join(alternatives).replace(r"\s", f"[{SPACE}]")
    pattern = pattern.replace("BLANK", SPACE)
    for name, words in names.items():
        pattern = pattern.replace(name, any_of(w for w in words if w.isascii() or not ascii_only))
    for name, letters in (_ASCII if ascii_only else _CLASSES).items():
        pattern = pattern.replace(name, letters)
    if ascii_only:
        return re.compile(pattern, re.ASCII)
    return regex.compile(pattern, regex.V1)


def any_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first, that reads each letter once."""
    ordered = sorted(set(words))
    branches = []
    for first, group in groupby(filter(None, ordered), key=lambda word: word[0]):
        branches.append(re.escape(first) + any_of(word[1:] for word in group))
    if not branches:
        return ""
    joined = (
        branches[0] if len(branches) == 1 and "" not in ordered else f"(?:{'|'.join(branches)})"
    )
    return f"{joined}?" if "" in ordered else joined

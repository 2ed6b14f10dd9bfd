"""Text -> keys: each piece of a text in comparable form.

The keys of a piece depend on the piece alone, not on where it stands, so that a column can be
keyed by its distinct pieces (`core.words.bulk`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import regex

from core.words.dates import named_date_to_keys, numeric_date_to_keys, years_to_keys
from core.words.folding import MAX_LETTERS, ascii_digits, fold
from core.words.names import CURRENCY_SIGNS, PERCENT, word_aliases
from core.words.numbers import exponent_to_keys, fraction_to_keys, number_to_keys, scaled_to_keys
from core.words.pieces import kind_of, scan, scan_spans, small_letters
from core.words.stems import word_to_key

_SCRIPT_RUN = regex.compile(
    r"[\p{Han}々]+|[\p{Hiragana}ー]+|[\p{Katakana}ー]+|\p{Hangul}+|"
    r"[^\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]+"
)
_ELISION = regex.compile(
    r"^(?:l|d|j|m|t|s|n|c|qu|lorsqu|puisqu|jusqu|dell|dall|nell|sull|all|un)['’ʼ＇](?=.)", regex.I
)
"""French and Italian small words that lean on the next: "l'événement", "dell'anno"."""
_POSSESSIVE = regex.compile(r"['’ʼ＇]s?$", regex.I)
_APOSTROPHES = regex.compile(r"['’ʼ＇]")
_JOINED_NUMBER = regex.compile(r"(\p{L}+)((?:19|20)[0-9]{2})|(\p{L}{4,})([0-9]+)")
"""A word that a year or a note's number stands against: "FY2019", "COVID19", "universities4"."""
_QUARTERS = {"first": "1", "second": "2", "third": "3", "fourth": "4"}


@dataclass(frozen=True)
class Piece:
    """A stretch of a text that has keys of its own."""

    start: int
    end: int
    text: str
    kind: str
    keys: tuple[str, ...]


def text_to_keys(text: str) -> list[str]:
    """Keys of all words of a text, stopwords included, in order."""
    return [key for piece in scan(text) for key in piece_to_keys(piece)[1]]


def text_to_pieces(text: str) -> Iterator[Piece]:
    """The pieces of a text that have keys, with where they stand, in order."""
    lowered = small_letters(text)
    for start, end in scan_spans(text):
        kind, keys = piece_to_keys(lowered[start:end])
        if keys:
            yield Piece(start, end, text[start:end], kind, keys)


def piece_to_keys(piece: str) -> tuple[str, tuple[str, ...]]:
    """Kind and keys of one piece in small letters."""
    # A megabyte without a space would stay in memory.
    return _piece_to_keys(piece) if len(piece) <= MAX_LETTERS else _read_piece(piece)


def _read_piece(piece: str) -> tuple[str, tuple[str, ...]]:
    kind = kind_of(piece)
    return kind, tuple(filter(None, _KEYS[kind](piece))) if kind else ()


_piece_to_keys = lru_cache(maxsize=100_000)(_read_piece)


def word_to_keys(word: str) -> list[str]:
    """Keys of a word with its apostrophes: "vehicle's" gives vehicl, "l'événement" the noun."""
    return [word_to_key(_APOSTROPHES.sub("", bare_word(word)))]


def bare_word(word: str) -> str:
    """The word without what leans on it: "vehicle's" gives vehicle, "l'événement" événement."""
    return _POSSESSIVE.sub("", _ELISION.sub("", word[: 2 * MAX_LETTERS]))


def unspaced_to_keys(run: str) -> list[str]:
    """Overlapping n-grams of a run in a script that writes no spaces between words.

    Bigrams for Han, Kana and Hangul, as in Lucene's CJKBigramFilter, but within one script;
    trigrams for Thai, Lao, Khmer and Burmese, whose vowels are letters of their own. A run that
    is shorter is one key, and the name of a currency is its key.
    """
    keys: list[str] = []
    for part in _SCRIPT_RUN.findall(unicodedata.normalize("NFKC", run).casefold()):
        size = 2 if _CJK.match(part) else 3
        alias = word_aliases().get(part) if len(part) < MAX_LETTERS else None
        keys += [alias] if alias else _ngrams(part, size)
    return keys


_CJK = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}ー々]")


def _ngrams(part: str, size: int) -> list[str]:
    return [part[at : at + size] for at in range(max(1, len(part) - size + 1))]


def _code_to_keys(code: str) -> list[str]:
    folded = fold(ascii_digits(code))
    joined = _JOINED_NUMBER.fullmatch(folded)
    if joined is None:
        return [folded]
    word, number = filter(None, joined.groups())
    return [word_to_key(word), number]


def _quarter_to_keys(written: str) -> list[str]:
    folded = ascii_digits(written).casefold()
    if "quarter" in folded:
        word = regex.split("[ -]", folded)[0]
        number = _QUARTERS.get(word, word[0])
        return [word_to_key(word) if word in _QUARTERS else number, "quarter", f"q{number}"]
    digits = regex.findall("[0-9]+", folded)
    number, year = digits if len(digits[0]) == 1 else digits[::-1]
    return [f"q{number}", year if len(year) == 4 else f"20{year}"]


def _money_to_keys(written: str) -> list[str]:
    sign = regex.search(rf"us\$|[{CURRENCY_SIGNS}]", written)
    amount = written.replace(sign.group(), "").strip() if sign else written
    return [scaled_to_keys(amount)[0], word_to_key(sign.group()) if sign else ""]


def _hyphened_to_keys(written: str) -> list[str]:
    letter, _, rest = ascii_digits(written).replace("‐", "-").replace("‑", "-").partition("-")
    return [word_to_key(letter + rest), word_to_key(rest)]


def _decade_to_keys(written: str) -> list[str]:
    return [f"{''.join(filter(str.isdigit, ascii_digits(written)))}s"]


_KEYS: dict[str, Callable[[str], list[str]]] = {
    "numeric_date": numeric_date_to_keys,
    "named_date": named_date_to_keys,
    "years": years_to_keys,
    "quarter": _quarter_to_keys,
    "quarter_word": _quarter_to_keys,
    "decade": _decade_to_keys,
    "ordinal": lambda written: regex.findall("[0-9]+", ascii_digits(written)),
    "clock": lambda written: [ascii_digits(written)[:MAX_LETTERS]],
    "money": _money_to_keys,
    "scaled": scaled_to_keys,
    "exponent": exponent_to_keys,
    "fraction": fraction_to_keys,
    "code": _code_to_keys,
    "hyphened_number": _hyphened_to_keys,
    "number": number_to_keys,
    "per_cent": lambda written: [PERCENT],
    "acronym": lambda written: [word_to_key(written.replace(".", ""))],
    "ampersand": lambda written: [fold(written)],
    "hyphened": _hyphened_to_keys,
    "sign": lambda written: [word_to_key(written)],
    "word": word_to_keys,
    "unspaced": unspaced_to_keys,
}

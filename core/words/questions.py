"""Question -> terms: what it asks for, in comparable form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from core.words.dates import ends_of, numeric_date_readings
from core.words.folding import fold
from core.words.lists import read_lists
from core.words.names import date_months, month_keys
from core.words.numbers import scaled_to_parts
from core.words.segment import Piece, bare_word, text_to_keys, text_to_pieces, unspaced_to_keys
from core.words.stopwords import question_language, stopword_lists
from core.words.unspaced import content_runs

_ORDINALS = read_lists("number_words")["ordinals"]
_CARDINALS = read_lists("number_words")["cardinals"]
_WORD_NUMBERS = {
    word: str(number) for words in (_ORDINALS, _CARDINALS) for number, word in enumerate(words, 1)
}
_MONTHS = {key: month for month, key in month_keys().items()}
_YEAR = regex.compile("(?:1[5-9]|2[01])[0-9]{2}")
_QUOTES = (
    ("“", "”"), ("„", "“"), ("„", "”"), ("”", "”"), ("«", "»"), ("»", "«"), ("‹", "›"), ("›", "‹"),
    ("‘", "’"), ("‚", "‘"), ("「", "」"), ("『", "』"), ("《", "》"), ("〈", "〉"), ("＂", "＂"),
)  # fmt: skip
_QUOTED = regex.compile(
    "|".join(
        [
            r'"([^"]{0,200})"',
            # A straight or a single curly quote may be an apostrophe: only around whole words.
            r"(?<!\w)'([^']{0,200})'(?!\w)",
            *(rf"(?<!\w){a}([^{a}{b}]{{0,200}}){b}(?!\w)" for a, b in _QUOTES if a in "‘‚"),
            *(f"{a}([^{a}{b}]{{0,200}}){b}" for a, b in _QUOTES if a not in "‘‚"),
        ]
    )
)


@dataclass(frozen=True)
class Term:
    """One content word, number or date of a question."""

    text: str
    """As typed."""
    key: str
    """As compared: what `text_to_keys` gives for a cell that says the same."""
    alternatives: tuple[str, ...] = ()
    """Keys of cells that say nearly the same: weaker evidence than `key`, for when it fails.

    "2019" may be meant by 2019/2020, "2019/20" by 2019, "3 May 2021" by the day of any year,
    "1.5 million" by 1.5 under a label that says "in millions", "first" by 1, "two" by 2.
    """


def question_to_terms(question: str) -> list[Term]:
    """Content words of a question, each key once, in order.

    Stopwords, question words and verbs of instruction of the question's language are left out.
    A word in capitals is kept whatever it spells ("WHO", "IT", "vitamin A"), unless the whole
    question is in capitals.
    """
    pieces = list(text_to_pieces(question))
    words = [piece for piece in pieces if piece.kind == "word"]
    shouted = question.upper() == question and len(words) > 3
    telling = [word.text for word in words if _is_telling(word, question, shouted)]
    # An elided "l'" tells French, as "don't" tells English.
    parts = [fold(part) for text in telling for part in regex.split("['’]", text)]
    stopwords = stopword_lists()[question_language(parts)]
    terms: dict[str, Term] = {}
    for piece in pieces:
        if not _is_stopword(piece, stopwords, shouted):
            for term in _piece_to_terms(piece):
                terms.setdefault(term.key, term)
    return list(terms.values())


def _is_telling(word: Piece, question: str, shouted: bool) -> bool:
    """Whether a word tells the language: neither capitals nor a part of "en-de" does."""
    around = question[max(0, word.start - 1) : word.start] + question[word.end : word.end + 1]
    return not regex.search("[-‐‑]", around) and (shouted or not word.text.isupper())


def _is_stopword(piece: Piece, stopwords: frozenset[str], shouted: bool) -> bool:
    word = fold(piece.text.replace("’", "'"))
    if piece.kind != "word" or stopwords.isdisjoint((word, bare_word(word))):
        return False
    name = piece.text.isupper() and not shouted and piece.text != "I"
    return not (name and (len(piece.text) > 1 or piece.start > 0))


def phrases(question: str) -> list[str]:
    """Texts the user put in quotation marks, of any language, in order, each once."""
    found = (next(filter(None, match.groups()), "") for match in _QUOTED.finditer(question))
    return [text for text in dict.fromkeys(map(str.strip, found)) if text_to_keys(text)]


def _piece_to_terms(piece: Piece) -> Iterator[Term]:
    text, keys = piece.text, piece.keys
    match piece.kind:
        case "unspaced":
            for run in content_runs(text):
                yield from (Term(key, key) for key in unspaced_to_keys(run))
        case "numeric_date" if len(keys) == 2 and keys[0].count("/") == 2:
            yield Term(text, keys[0], tuple(numeric_date_readings(text)))
            yield Term(keys[1], keys[1], _years_around(keys[1]))
        case "numeric_date" | "named_date":
            yield from _date_to_terms(text, keys)
        case "years":
            ends = ends_of(keys)
            yield Term(text, keys[0], ends) if ends else Term(text, keys[0])
            yield from (Term(key, key) for key in keys[1:] if key not in ends)
        case "scaled" | "money":
            plain = tuple(scaled_to_parts(text))
            yield Term(text, keys[0], tuple(key for key in plain if key != keys[0]))
            yield from (Term(key, key) for key in keys[1:] if key not in plain and len(key) > 1)
        case "quarter" | "quarter_word" if "quarter" in keys:
            first, rest = text.replace("-", " ").split(" ", 1)
            yield Term(text, keys[2], (keys[0],))
            yield Term(rest or first, keys[1])
        case "decade":
            yield Term(text, keys[0], (keys[0][:-1],))
        case "hyphened":
            yield Term(text, keys[0], keys[1:])
        case "hyphened_number":
            yield Term(text, keys[0])
        case "ordinal":
            number = int(keys[0])
            yield Term(text, keys[0], (_ORDINALS[number - 1],) if 1 <= number <= 10 else ())
        case _:
            yield from _plain_terms(text, keys)


def _plain_terms(text: str, keys: tuple[str, ...]) -> Iterator[Term]:
    for key in keys:
        word = text if len(keys) == 1 else key
        yield Term(word, key, _years_around(key) or _other_number(fold(text), key))


def _date_to_terms(text: str, keys: tuple[str, ...]) -> Iterator[Term]:
    full = [key for key in keys if "-" in key]
    if full:
        yield Term(text, full[0], tuple(full[1:]))
    for key in keys:
        # A month in digits was not asked for by name.
        if key not in full and (key not in _MONTHS or regex.search(r"\p{L}", text)):
            yield Term(_part_as_typed(text, key), key, _years_around(key))


def _part_as_typed(text: str, key: str) -> str:
    """The word or number of a date that gives this key, the key where there is none such."""
    for word in regex.findall(r"[\p{L}\p{M}]+|\d+", text):
        if key in text_to_keys(word) or date_months().get(fold(word)) == _MONTHS.get(key, -1):
            return word
    return key


def _years_around(key: str) -> tuple[str, ...]:
    """A year may be either end of a season: 2019 of 2019/2020 and of 2018/2019."""
    if not _YEAR.fullmatch(key):
        return ()
    year = int(key)
    return f"{year}/{year + 1}", f"{year - 1}/{year}"


def _other_number(word: str, key: str) -> tuple[str, ...]:
    if word in _WORD_NUMBERS:
        return (_WORD_NUMBERS[word],)
    if key.isdecimal() and len(key) <= 2 and 1 < int(key) <= len(_CARDINALS):
        return (_CARDINALS[int(key) - 1],)
    return ()

"""Names of months, currencies, scales and per cent, in the languages of common documents."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from babel import Locale

from core.words.folding import fold
from core.words.lists import read_lists

_DATE_LOCALES = (
    "en",
    "fr",
    "de",
    "es",
    "it",
    "pt",
    "nl",
    "sv",
    "da",
    "nb",
    "pl",
    "ru",
    "uk",
    "ar",
    "he",
)
_WORD_LOCALES = ("en", "fr", "de", "es", "it", "pt", "nl", "ru")
_PLANETS = {"mars"}
"""A French month that is an English name: a month only inside a date."""

CURRENCY_SIGNS = "$€£¥₹₽₩￥￡"
PERCENT = "%"
SCALE_LETTERS = "kmb"
"""Scales of one letter, which count only against the number: "25k", never "25 k"."""


@lru_cache(maxsize=1)
def date_months() -> dict[str, int]:
    """Folded name or abbreviation -> month 1 to 12, where all languages agree (Unicode CLDR)."""
    found: dict[str, set[int]] = {}
    for locale in _DATE_LOCALES:
        for name, month in _names(locale, ("wide", "abbreviated")):
            found.setdefault(fold(name), set()).add(month)
    found.setdefault("sept", set()).add(9)
    return {name: months.pop() for name, months in found.items() if len(months) == 1}


@lru_cache(maxsize=1)
def month_spellings() -> tuple[frozenset[str], frozenset[str]]:
    """Spellings that name a month beside a day or a year, and those that need both.

    Abbreviations other than English need both: "1 set" is no day of September.
    """
    spellings = [
        {name.lower() for locale in locales for name, _ in _names(locale, widths)} | more
        for locales, widths, more in (
            (_DATE_LOCALES, ("wide",), set()),
            (("en",), ("abbreviated",), {"sept"}),
            (_DATE_LOCALES, ("abbreviated",), set()),
        )
    ]
    full, english, short = (
        frozenset(s for name in names for s in (name, fold(name)) if fold(name) in date_months())
        for names in spellings
    )
    return full | english, short | full | english


@lru_cache(maxsize=1)
def word_aliases() -> dict[str, str]:
    """Folded word -> the key it shares with its other names: "jan" and "janvier", "€" and "eur".

    Months go by their full names, and by abbreviations in English alone: "set", "out" and "ago"
    are months only inside a date.
    """
    aliases = {
        fold(name): month_keys()[month]
        for locale in _WORD_LOCALES
        for name, month in _names(locale, ("wide",))
        if fold(name) not in _PLANETS
    }
    aliases |= {fold(name): month_keys()[month] for name, month in _names("en", ("abbreviated",))}
    aliases["sept"] = month_keys()[9]
    for key, names in read_lists("measures").items():
        if not key.isdecimal():
            aliases |= dict.fromkeys(map(fold, (key, *names)), key)
    return aliases


@lru_cache(maxsize=1)
def month_keys() -> dict[int, str]:
    """Month 1 to 12 -> the key of its name, which is its English name."""
    return {month: fold(name) for name, month in _names("en", ("wide",))}


def scale_names() -> set[str]:
    """Names of scales as written and without accents."""
    lists = read_lists("measures")
    written = {name.lower() for key, names in lists.items() if key.isdecimal() for name in names}
    return written | scale_factors().keys()


@lru_cache(maxsize=1)
def scale_factors() -> dict[str, int]:
    """Folded name of a scale -> its factor."""
    lists = read_lists("measures")
    factors = {int(key): names for key, names in lists.items() if key.isdecimal()}
    return {fold(name): factor for factor, names in factors.items() for name in names}


def is_unit(key: str) -> bool:
    """Whether the key is a currency or per cent: it says how a value is written, not which."""
    return not key.isdecimal() and key in read_lists("measures")


def _names(locale: str, widths: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    months = Locale.parse(locale).months
    for context in ("format", "stand-alone"):
        for width in widths:
            for month, name in months[context][width].items():
                yield name.rstrip("."), int(month)

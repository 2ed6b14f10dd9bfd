"""What a cell's text looks like: a number, a period, a unit, a placeholder, nothing at all.

Patterns, not vocabularies, wherever a pattern will do; the few word lists hold what tables in
English, German, French, Spanish and Italian print as units and calendar words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_FOOTNOTE = r"(?:\s*(?:\(\w\)|\[\w{1,3}\]|[*†‡§]+|\^\w{1,3}))*"
_MONTH = (
    r"(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|märz|mai|juni|juli|okt(?:ober)?|"
    r"dez(?:ember)?|janv(?:ier)?|févr(?:ier)?|mars|avr(?:il)?|juin|juil(?:let)?|août|septembre|"
    r"octobre|novembre|déc(?:embre)?|enero|febrero|marzo|abril|mayo|junio|julio|agosto|"
    r"septiembre|octubre|noviembre|dic(?:iembre|embre)?|gennaio|febbraio|maggio|giugno|luglio|"
    r"settembre|ottobre)\.?"
)
_YEAR = r"(?:1[5-9]|20)\d\d"
_PERIOD = re.compile(
    rf"(?:fy|cy|year|q[1-4]|h[12]|[1-4]q|{_MONTH})?[\s,'’/-]*(?:\d{{1,2}}[\s,./-]*)?"
    rf"(?:{_MONTH})?[\s,./'’-]*(?:{_YEAR}|\d\d)?(?:\s*(?:[-–—/]|to|bis|à|a)\s*(?:{_YEAR}|\d\d))?"
    rf"[ae]?(?:\s+(?:actual|estimate|budget|plan|forecast|restated|revised)\w*)?{_FOOTNOTE}",
    re.IGNORECASE,
)
_HAS_CALENDAR = re.compile(
    rf"(?<!\d){_YEAR}(?!\d)|\b(?:fy|cy)\s*'?\d\d|\bq[1-4]\b|\bh[12]\b|\b[1-4]q\d\d|\b{_MONTH}(?!\w)",
    re.IGNORECASE,
)
_UNFINISHED_DATE = re.compile(
    rf"(?:,|\b(?:ended|ending|as of|at)\b.*\b{_MONTH}\s+\d{{1,2}})\s*$", re.IGNORECASE
)

_NUMBER = re.compile(
    r"[(\[]?\s*[-+−–±~<>≤≥≈]{0,2}\s*(?:[$€£¥₹]|[a-z]{3}\s)?\s*[-+−–]?[.,]?\d[\d\s.,'’]*"
    r"(?:[eE×·x^±+-][-\d\s^.,]+)?\s*(?:%|‰|pts|bps|[$€£¥₹])?\s*[)\]]?" + _FOOTNOTE + r"[a-z]?",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"[-–—−.…:*/x?✓✔✗✘•]{1,3}|n\.?/?a\.?|n\.?d\.?|nan|none|null|nil|unknown|tbd|tba|k\.?\s?a\.?",
    re.IGNORECASE,
)
_UNIT_WORD = (
    r"(?:number|numbers|percent|percentages?|per\s?cent|prozent|%|‰|no|nos|thousands?|millions?|"
    r"billions?|tausend|mio|mrd|dollars?|euros?|usd|eur|gbp|chf|us\$|\$|€|£|¥|kg|g|mg|kilograms?|"
    r"tonn?es?|tons?|kt|mt|hours?|hrs?|minutes?|min|seconds?|sec|s|ms|days?|weeks?|months?|years?|"
    r"meters?|metres?|km|cm|mm|m|m2|m3|m²|m³|km²|miles?|ft|feet|acres?|hectares?|ha|litres?|liters?|"
    r"kwh|mwh|gwh|kw|mw|units?|persons?|people|households?|index|ratio|rate|points?|score|mean|"
    r"median|average|°c|°f|ppm|n)"
)
_UNIT = re.compile(
    rf"[(\[]?\s*(?:in\s+|en\s+|per\s+)?'?(?:constant\s+|current\s+|\d{{4}}\s+)?{_UNIT_WORD}\.?"
    rf"(?:\s*['’]?0{{3}}s?)?(?:\s*(?:of|per|/|de|von|in)\s*[\w\s,'’$€£./-]*)?"
    rf"(?:\s+{_UNIT_WORD})*\s*[)\]]?{_FOOTNOTE}",
    re.IGNORECASE,
)
_STATISTIC = re.compile(
    r"[(\[]?(?:[\w-]+\s+){0,2}(?:numbers?|percent(?:ages?)?|thousands?|millions?|billions?|dollars?|"
    r"euros?|hectares?|tonnes?|kilograms?|hours?|years?|days?|ratio|rate|share|index|score|units?|"
    r"persons?|prozent|tausend)(?:\s+(?:of|per|change|points?|distribution)(?:\s+[\w,'’-]+){0,4})?[)\]]?",
    re.IGNORECASE,
)
_UNIT_IN_BRACKETS = re.compile(
    rf"[(\[]\s*(?:all\s+)?(?:(?:amounts?|figures?|values?|dollars?|data)\s+)?(?:are\s+)?(?:in|en)\s+"
    rf"[^()]*{_UNIT_WORD}[^()]*[)\]]",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"(?:col|column|spalte|unnamed:\s?)_?(\d{1,3})(?:_level_\d)?", re.IGNORECASE
)
_CURRENCY = re.compile(r"(?:us|a|c|hk)?[$€£¥₹]|usd|eur|gbp|chf|%", re.IGNORECASE)
_MARKUP = re.compile(r"[*_`#\s]+")


def is_number(cell: str) -> bool:
    """Whether a cell holds a number: signs, separators, currency, percent, footnote mark."""
    return bool(_NUMBER.fullmatch(cell))


def is_period(cell: str) -> bool:
    """Whether a cell names a time: a year, a range of years, a quarter, a month, a date."""
    return bool(_HAS_CALENDAR.search(cell) and _PERIOD.fullmatch(cell))


def is_unfinished_date(cell: str) -> bool:
    """Whether a label breaks off in a date that a year below it completes."""
    return bool(_UNFINISHED_DATE.search(cell))


def is_nothing(cell: str) -> bool:
    """Whether a cell stands for an absent or ticked value: "-", "n/a", "✓"."""
    return bool(_NOTHING.fullmatch(cell))


def is_unit(cell: str) -> bool:
    """Whether a cell names nothing but a unit of measure."""
    return bool(_UNIT.fullmatch(cell))


def is_statistic(cell: str) -> bool:
    """Whether a cell spells out what numbers count, as statistics offices print it once for
    several columns: "percent", "millions of dollars", "mean number of hours"."""
    return bool(_STATISTIC.fullmatch(cell))


def starts_with_period(cell: str) -> bool:
    """Whether a cell begins with a year, quarter or month: "2016 as reported"."""
    return bool(_HAS_CALENDAR.match(cell))


def is_unit_of_table(cell: str) -> bool:
    """Whether a cell states the unit of the whole table: "(in thousands)"."""
    return bool(_UNIT_IN_BRACKETS.fullmatch(cell))


def is_currency(cell: str) -> bool:
    """Whether a cell holds a lone sign that belongs to the number beside it."""
    return bool(_CURRENCY.fullmatch(cell))


def is_word(cell: str) -> bool:
    """Whether a cell holds text that is neither a number nor a sign for nothing."""
    return bool(cell) and not is_number(cell) and not is_nothing(cell)


def is_label(cell: str) -> bool:
    """Whether a cell could name a column: text, or a period."""
    return is_period(cell) or is_word(cell)


def without_placeholders(cells: Sequence[str]) -> list[str]:
    """The cells, "Col3" in third place and "Unnamed: 2" (counted from 0) made blank."""
    return ["" if cell and _stands_for_place(cell, at) else cell for at, cell in enumerate(cells)]


def same_label(one: str, other: str) -> bool:
    """Whether two labels are equal but for case, markup and spaces."""
    return one == other or _bare(one) == _bare(other)


def _bare(label: str) -> str:
    return _MARKUP.sub(" ", label).strip().casefold()


def _stands_for_place(cell: str, at: int) -> bool:
    match = _PLACEHOLDER.fullmatch(cell)
    return match is not None and int(match.group(1)) in (at, at + 1)

"""Date or span of years as written -> keys.

A date has four keys, so that a question may name all of it or a part: 2021-05-03, --05-03 (a day
of any year, written as in ISO 8601), the month's name and the year.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

from core.words.folding import ascii_digits, fold
from core.words.names import date_months, month_keys

_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_NUMBERS = regex.compile(r"\d+")
_WORDS = regex.compile(r"[\p{L}\p{M}]+")


def named_date_to_keys(written: str) -> list[str]:
    """Keys of a date with its month as a word: "3 May 2021", "May 3", "mai 2021".

    What is no date of the calendar ("May 45") gives the month and the numbers.
    """
    numbers = _NUMBERS.findall(ascii_digits(written))
    month = next(filter(None, (date_months().get(fold(w)) for w in _WORDS.findall(written))), 0)
    year = next((number for number in numbers if len(number) == 4), "")
    day = next((int(number) for number in numbers if len(number) <= 2), 0)
    return date_to_keys(year, month, day) or [month_keys().get(month, ""), *numbers]


def numeric_date_to_keys(written: str) -> list[str]:
    """Keys of a date in digits: "2021-05-03", "2021/5/3", "03.05.2021", "25/12/2021", "5月".

    Dots put the day first. Slashes and dashes do not say which comes first: where both readings
    are dates, the key is the date as typed, "3/5/2021", and the year.
    """
    parts = _NUMBERS.findall(ascii_digits(written))
    if len(parts) == 1:
        year, month, day = "", parts[0], "0"
    elif len(parts) == 2:
        year, month, day = ("", *parts) if len(parts[0]) <= 2 else (*parts, "0")
    elif len(parts[0]) == 4:
        year, month, day = parts
    else:
        first, second, year = parts
        readings = numeric_date_readings(written)
        if "." not in written and len(readings) == 2:
            return [f"{int(first)}/{int(second)}/{year}", year]
        day, month = (first, second) if int(second) <= 12 else (second, first)
    return date_to_keys(year, int(month), int(day)) or parts


def numeric_date_readings(written: str) -> list[str]:
    """The dates that "03/05/2021" may mean, as ISO keys, the day first before the month first."""
    first, second, year = _NUMBERS.findall(ascii_digits(written))
    pairs = dict.fromkeys([(int(second), int(first)), (int(first), int(second))])
    keys = (date_to_keys(year, month, day) for month, day in pairs)
    return [key[0] for key in keys if key]


def date_to_keys(year: str, month: int, day: int) -> list[str]:
    """The keys of a date, the fullest first; none where the calendar has no such day.

    Args:
        year: four digits, or "".
        month: 1 to 12.
        day: 1 to 31, or 0 for none.
    """
    if not 1 <= month <= 12 or not 0 <= day <= _DAYS[month - 1]:
        return []
    of_any_year = [f"--{month:02}-{day:02}"] if day else []
    full = [f"{year}{of_any_year[0][1:]}"] if day and year else []
    return [*full, *of_any_year, month_keys()[month], *([year] if year else [])]


def years_to_keys(written: str) -> list[str]:
    """Keys of two joined years: "2019/20", "2019-2020" and "2019–20" give 2019/2020.

    Over more than one year the ends stay keys of their own. "2021-05" is a month, and what does
    not ascend is two numbers.
    """
    first, second = _NUMBERS.findall(ascii_digits(written))
    last = years_to_last(first, second)
    if not last and len(second) == 2 and 1 <= int(second) <= 12 and "-" in written:
        return date_to_keys(first, int(second), 0)
    if not last:
        return [first, second]
    span = f"{first}/{last}"
    return [span] if int(last) == int(first) + 1 else [span, first, last]


def years_to_last(first: str, second: str) -> str:
    """The second year in four digits, "" where it does not follow the first."""
    last = int(second)
    if len(second) == 2:
        last += int(first) // 100 * 100
        last += 100 * (second == "00")
    return str(last) if last > int(first) else ""


def ends_of(span: Sequence[str]) -> tuple[str, ...]:
    """The years that a span's key names: "2019/2020" gives 2019 and 2020."""
    return tuple(span[0].split("/")) if span and "/" in span[0] else ()

"""What rows tell about each other: do these cells name columns, or continue those above?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest

Row = Sequence[str]

_CONTINUED = re.compile(r"\(?\b(?:continued|cont\.|cont['’]d)\)?", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_MARKUP = re.compile(r"[*_`#\s]+")
_NUMBER = re.compile(r"(?:EUR|USD|GBP|CHF|JPY|CNY|INR|CAD|AUD|[^\w\s]|\s)*\d")
_NO_VALUE = re.compile(r"(?i)(?:n\.?/?a\.?|nil|none|tbd|tba|unknown|\W+)")


def line_key(cells: Iterable[str]) -> str:
    """A row's text for comparison: without case, markup and "(continued)"."""
    joined = "|".join(cells).casefold()
    if "cont" in joined:
        joined = _CONTINUED.sub(" ", joined)
    return _MARKUP.sub(" ", joined).replace(" |", "|").replace("| ", "|").strip()


def all_labels(cells: Row) -> bool:
    """Whether every cell holds a label: words, or behind the first one a year."""
    words = [cell for cell in cells[1:] if not _YEAR.fullmatch(cell)]
    return all(cells) and not any(
        character.isdigit() for cell in (cells[0], *words) for character in cell
    )


def stands_over_numbers(cells: Row, below: Sequence[Row]) -> bool:
    """Whether every cell is a label and some column below one of them holds numbers alone.

    A label may hold digits ("Q1 2031", "H2O", "Rev. 2"), but does not begin with one, years aside.
    """
    if not all(cells) or any(is_number(cell) and not _YEAR.fullmatch(cell) for cell in cells):
        return False
    return any(
        _kind(column) == "number" and not any(_YEAR.fullmatch(cell) for cell in column)
        for column in _columns(below, len(cells))
    )


def continues_columns(cells: Row, above: Sequence[Row]) -> bool:
    """Whether a row of words is data of the rows above: a value that stands in its column there,
    or a cell that says that there is no value."""
    columns = _columns(above, len(cells))
    return any(
        bool(cell) and (_NO_VALUE.fullmatch(cell) is not None or cell in column)
        for cell, column in zip(cells, columns, strict=True)
    )


def is_number(cell: str) -> bool:
    """Whether a cell begins with a digit, signs and a currency aside: "7.1 m", "(1,200)"."""
    return _NUMBER.match(cell) is not None


def column_kinds(rows: Sequence[Row], width: int) -> list[str]:
    """Of each column "number", "word", "blank", or "mixed"."""
    return [_kind(column) for column in _columns(rows, width)]


def _kind(column: Iterable[str]) -> str:
    kinds = {is_number(cell) for cell in column if cell and not _NO_VALUE.fullmatch(cell)}
    if not kinds:
        return "blank"
    if len(kinds) > 1:
        return "mixed"
    return "number" if kinds.pop() else "word"


def _columns(rows: Sequence[Row], width: int) -> list[tuple[str, ...]]:
    columns = list(zip_longest(*rows, fillvalue=""))
    return [*columns[:width], *[()] * (width - len(columns))]

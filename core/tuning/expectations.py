"""What a question should bring back, in words -> rows of a document.

    (blank)             nobody said
    nothing             the document does not know
    t2:5                a row by table and row index, as the app's URL names it; several by ";"
    p2 l21              a row by page and line, as it is cited; several by ";"
    Vehicle theft       a row by its text or its first cell; several on lines of their own
    whole table t2      every row of a table; named by any of the above, or alone if there is one

A row is found by its text when that is the same but for case and spacing, or else when one row is
by far the nearest. What names no row, or more than one, is said, and never guessed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import pandas as pd
from rapidfuzz import fuzz, process

from core.evaluation import Expectation, RowKey

Name = TypeVar("Name")

NEAR, CLEARLY = 90.0, 3.0
"""Similarity (0 to 100) from which a text may mean a row, and by how much it must be the best."""

WHOLE_TABLE, NOTHING = "whole table", "nothing"

_NOTHING_WORDS = {NOTHING, "none", "no answer", "-"}
_TABLE = re.compile(r"(?:the )?(?:whole|entire|full|all of) table\b[\s:]*(.*)", re.I | re.S)
_ROW_ID = re.compile(r"(t\d{1,6}):(\d{1,7})")
_PLACE = re.compile(r"p(?:age|\.)?\s*(\d{1,6})\s*[,:/ ]\s*l(?:ine|\.)?\s*(\d{1,7})", re.I)
_TABLE_ID = re.compile(r"t\d{1,6}")


@dataclass(frozen=True)
class Resolved:
    """An expectation, as far as the document has what it names."""

    expectation: Expectation
    note: str = ""
    """What could not be found; the expectation is then unknown."""


def resolve(expect: str, rows: RowFinder) -> Resolved:
    """The rows or the table that a text names."""
    text = expect.strip()
    if not text:
        return Resolved(Expectation.unknown())
    if text.casefold() in _NOTHING_WORDS:
        return Resolved(Expectation.of_nothing())
    try:
        if match := _TABLE.fullmatch(text):
            return Resolved(Expectation.of_table(rows.table(match[1].strip())))
        return Resolved(Expectation.of_rows(rows.find(part) for part in _parts(text)))
    except LookupError as problem:
        return Resolved(Expectation.unknown(), str(problem.args[0]))


def expect_rows(keys: list[RowKey]) -> str:
    """Rows in the words of this module."""
    return "; ".join(f"{table_id}:{row_index}" for table_id, row_index in keys)


class RowFinder:
    """Finds rows of a row_df by id, place or text."""

    def __init__(self, row_df: pd.DataFrame) -> None:
        self._keys: list[RowKey] = list(
            zip(row_df["table_id"].astype(str), row_df["row_index"].astype(int), strict=True)
        )
        self._places = list(
            zip(row_df["page_num"].astype(int), row_df["line_num"].astype(int), strict=True)
        )
        self._texts = row_df["row_serialized"].tolist()
        self._cells = row_df["row_cells"].tolist()

    def find(self, text: str) -> RowKey:
        """The row that a text names.

        Raises:
            LookupError: none, or more than one; its argument says so.
        """
        if match := _ROW_ID.fullmatch(text):
            key = match[1], int(match[2])
            return self._only(text, [key] if key in self._known else [])
        if match := _PLACE.fullmatch(text):
            return self._only(text, self._by_place.get((int(match[1]), int(match[2])), []))
        folded = _fold(text)
        for known in (self._by_text, self._by_name):
            if folded in known:
                return self._only(text, known[folded])
        return self._only(text, self._nearest(folded))

    def table(self, text: str) -> str:
        """The table that a text names by its id or by one of its rows.

        Raises:
            LookupError: none, or more than one.
        """
        tables = list(dict.fromkeys(table_id for table_id, _ in self._keys))
        if not text:
            if len(tables) == 1:
                return tables[0]
            raise LookupError(
                f"“{WHOLE_TABLE}” could be any of {len(tables)}: add its id or a row."
            )
        if _TABLE_ID.fullmatch(text):
            if text in tables:
                return text
            raise LookupError(f"There is no table {text}.")
        return self.find(text)[0]

    @cached_property
    def _known(self) -> set[RowKey]:
        return set(self._keys)

    @cached_property
    def _by_place(self) -> Mapping[tuple[int, int], list[RowKey]]:
        return _grouped(self._places, self._keys)

    @cached_property
    def _by_text(self) -> Mapping[str, list[RowKey]]:
        return _grouped(map(_fold, self._texts), self._keys)

    @cached_property
    def _by_name(self) -> Mapping[str, list[RowKey]]:
        names = (_fold(cells[0]) if len(cells) else "" for cells in self._cells)
        return _grouped(names, self._keys)

    def _nearest(self, folded: str) -> list[RowKey]:
        found = [
            (score, known[name])
            for known in (self._by_text, self._by_name)
            for name, score, _ in process.extract(
                folded, list(known), scorer=fuzz.ratio, limit=2, score_cutoff=NEAR - CLEARLY
            )
        ]
        best = max((score for score, _ in found), default=0.0)
        near = {key for score, keys in found if score > best - CLEARLY for key in keys}
        return sorted(near) if best >= NEAR else []

    def _only(self, text: str, keys: list[RowKey]) -> RowKey:
        shown = text if len(text) <= 60 else f"{text[:59]}…"
        if not keys:
            raise LookupError(f"No row is “{shown}”.")
        if len(keys) > 1:
            raise LookupError(f"“{shown}” could be any of {expect_rows(keys[:3])}: give an id.")
        return keys[0]


def _parts(text: str) -> list[str]:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    parts = [part.strip() for line in lines for part in line.split(";") if part.strip()]
    short = all(_ROW_ID.fullmatch(part) or _PLACE.fullmatch(part) for part in parts)
    return parts if short else lines


def _fold(text: object) -> str:
    return " ".join(unicodedata.normalize("NFKC", str(text)).casefold().split())


def _grouped(names: Iterable[Name], keys: list[RowKey]) -> dict[Name, list[RowKey]]:
    groups: dict[Name, list[RowKey]] = {}
    for name, key in zip(names, keys, strict=True):
        groups.setdefault(name, []).append(key)
    return groups

"""Questions of ../shared/bench and the rows that answer them, as the retrieval bench asks them.

A gold row is counted in the file from the first line below the header and the separator; it is
found again here by its page and line. A gold line that is no row of row_df, say because it was
read as a section label, makes its question lost: it counts as a miss everywhere.

The whole set is one document: every table on a page of its own, its title (where the file gives
one) as a line of text above it. A page is left out between two tables, since what stands on
consecutive pages under equal columns is read as one table that goes on.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from core import count_tokens, serialize_table_rows
from core.evaluation import Place, RowKey
from core.tables.model import markdown_lines
from tests.bench_headers import load

SETS = ("hitab", "aitqa", "hctqa", "wtq", "fetaqa")
SHAPES = {"targeted": "targeted_lookup", "mixed": "mixed", "synthesis": "synthesis"}
"""Shapes as the files name them, and as `core` does."""
_SEPARATORS = 1
_PAGE_STEP = 2


@dataclass(frozen=True)
class Question:
    """A question about one table."""

    text: str
    shape: str
    """As in the file: targeted, mixed, synthesis or unlabelled."""
    gold_lines: tuple[int, ...] | None
    """Positions of the rows that answer it among the table's lines, None where nobody knows."""


@dataclass(frozen=True)
class BenchTable:
    """One table of a set, and the questions about it."""

    doc_id: str
    title: str
    lines: list[str]
    questions: list[Question]

    @cached_property
    def alone(self) -> Corpus:
        """The table as a document of its own, without its title."""
        return Corpus([Part(1, "", self.lines)])

    @property
    def in_even_half(self) -> bool:
        """Half that the document falls into, the same in every run and on every machine."""
        return hashlib.sha256(self.doc_id.encode()).digest()[0] % 2 == 0


@dataclass(frozen=True)
class BenchSet:
    """All tables of a set."""

    name: str
    tables: list[BenchTable]

    @cached_property
    def together(self) -> Corpus:
        """The tables as one document."""
        return Corpus(
            [
                Part(_PAGE_STEP * at + 1, table.title, table.lines)
                for at, table in enumerate(self.tables)
            ]
        )


@dataclass(frozen=True)
class Part:
    """A table in its place in a document: the title, if it has one, is the first line."""

    page_num: int
    title: str
    lines: list[str]

    def places(self, question: Question) -> list[Place]:
        """Where the gold rows of a question about this table stand."""
        below = 2 if self.title else 1
        return [(self.page_num, at + below) for at in question.gold_lines or ()]


@dataclass(frozen=True)
class Corpus:
    """A document to be asked: its frames, and the tables it was made from."""

    parts: list[Part]

    @cached_property
    def line_df(self) -> pd.DataFrame:
        """Its lines, without boxes."""
        texts = [[*([part.title] if part.title else []), *part.lines] for part in self.parts]
        pages = [part.page_num for part in self.parts]
        return pd.DataFrame(
            {
                "page_num": np.repeat(pages, [len(lines) for lines in texts]),
                "line_num": [at + 1 for lines in texts for at in range(len(lines))],
                "text": pd.Series([text for lines in texts for text in lines], dtype="str"),
                **dict.fromkeys(("x0", "y0", "x1", "y1"), np.nan),
            }
        )

    @cached_property
    def row_df(self) -> pd.DataFrame:
        """Its rows."""
        return serialize_table_rows(self.line_df)

    @cached_property
    def table_pages(self) -> dict[str, int]:
        """Page of each table that was read."""
        first = self.row_df.drop_duplicates("table_id")
        return dict(zip(first["table_id"].tolist(), first["page_num"].tolist(), strict=True))

    @cached_property
    def markdown_tokens(self) -> dict[int, int]:
        """Tokens of the tables on each page as compact Markdown: what sending them whole costs."""
        tokens: Counter[int] = Counter()
        for table_id, rows in self.row_df.groupby("table_id", sort=False):
            headers = max(rows["column_headers"], key=len)
            cells, groups = rows["row_cells"].tolist(), rows["row_group"].tolist()
            counted = count_tokens(markdown_lines(headers, cells, groups))
            tokens[self.table_pages[str(table_id)]] += sum(counted)
        return dict(tokens)

    @cached_property
    def _row_keys(self) -> dict[Place, RowKey]:
        columns = (self.row_df[name].tolist() for name in ("page_num", "line_num"))
        keys = (self.row_df[name].tolist() for name in ("table_id", "row_index"))
        return dict(zip(zip(*columns, strict=True), zip(*keys, strict=True), strict=True))

    def rows_at(self, places: Iterable[Place]) -> set[RowKey]:
        """The rows at these places; a place without a row gives none."""
        return {self._row_keys[place] for place in places if place in self._row_keys}

    def has_rows_at(self, places: Iterable[Place]) -> bool:
        """Whether a row stands at each of these places."""
        return all(place in self._row_keys for place in places)


def load_set(name: str, rendering: str = "pipe_lines") -> BenchSet:
    """The tables of a set that have questions and this rendering."""
    entries = [entry for entry in load(name) if entry.get(rendering) and entry.get("questions")]
    return BenchSet(name, [_table(entry, rendering) for entry in entries])


def _table(entry: dict[str, Any], rendering: str) -> BenchTable:
    lines = [line["text"] for line in entry[rendering]]
    first = entry["header_row_count"] + _SEPARATORS
    questions = [
        Question(
            asked["q"],
            asked["shape"] or "unlabelled",
            None
            if asked["gold_row_indices"] is None
            else tuple(first + index for index in asked["gold_row_indices"]),
        )
        for asked in entry["questions"]
        if isinstance(asked["q"], str)  # one of HiTab's is the list ["2016"], no question
    ]
    return BenchTable(entry["doc_id"], entry.get("title") or "", lines, questions)


def questions_about_others(count: int = 100) -> list[str]:
    """Every k-th question of three sets, so many in all: the samples answer none of them."""
    names = ("hitab", "wtq", "aitqa")
    shares = [count // 3 + (at < count % 3) for at in range(3)]
    return [text for name, n in zip(names, shares, strict=True) for text in _spread(name, n)]


def _spread(name: str, count: int) -> list[str]:
    texts = [question.text for table in load_set(name).tables for question in table.questions]
    return [texts[at * len(texts) // count] for at in range(count)]

"""What row-level context saves, against every baseline one could have sent instead."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.retrieval.context import Context, ContextPart
from core.retrieval.table_lines import TableLines
from core.tokens import DEFAULT_ENCODING, count_tokens


@dataclass(frozen=True)
class Count:
    """Size of some lines of text; line ends are not counted."""

    characters: int = 0
    tokens: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.characters + other.characters, self.tokens + other.tokens)


@dataclass(frozen=True)
class Savings:
    """Size of the context and of its baselines (contract section 7)."""

    encoding: str
    context: Count
    rows: Count
    """All rows of the touched tables, serialized."""
    markdown: Count
    """The same tables as compact Markdown: the honest baseline, labels are said once."""
    page: Count
    """The pages the context cites."""
    document: Count
    break_even_k: int | None
    """Matched rows from which the (first) table as Markdown costs no more; None if never."""

    @property
    def baselines(self) -> dict[str, Count]:
        """Every baseline by name, smallest idea first."""
        return {
            "rows": self.rows,
            "markdown": self.markdown,
            "page": self.page,
            "document": self.document,
        }

    def ratio(self, baseline: str, unit: str = "tokens") -> float | None:
        """How many times larger the baseline is than the context; below 1 where rows cost more.

        None when either is empty. `unit` is "tokens" or "characters".
        """
        whole, part = getattr(self.baselines[baseline], unit), getattr(self.context, unit)
        return whole / part if whole and part else None


class Counter:
    """Counts texts of one document; what does not depend on the question is counted once."""

    def __init__(self, line_df: pd.DataFrame, tables: TableLines) -> None:
        self._texts = line_df["text"]
        self._pages = line_df["page_num"].to_numpy()
        self._tables = tables
        self._counted: dict[tuple[str, str, object], Count] = {}

    def savings(
        self, context: Context, tables: Sequence[int], encoding: str = DEFAULT_ENCODING
    ) -> Savings:
        """Sizes for a context that touches these tables, by their numbers."""
        parts = [self._part(part, encoding) for part in context.parts]
        rows = [self._table_rows(table, encoding) for table in tables]
        markdown = [self._table_markdown(table, encoding) for table in tables]
        return Savings(
            encoding=encoding,
            context=sum(parts, Count()),
            rows=sum(rows, Count()),
            markdown=sum(markdown, Count()),
            page=sum((self._page(page, encoding) for page in context.pages), Count()),
            document=self._once("document", None, encoding, lambda: self._texts),
            break_even_k=self._break_even(tables[0], rows[0], markdown[0]) if tables else None,
        )

    def _break_even(self, table: int, rows: Count, markdown: Count) -> int | None:
        n_rows = int(self._tables.facts.size[table])
        if not rows.tokens:
            return None
        k = math.ceil(markdown.tokens * n_rows / rows.tokens)
        return k if k <= n_rows else None

    def _part(self, part: ContextPart, encoding: str) -> Count:
        if part.whole_table is None:
            return count_lines(part.texts, encoding)
        return self._once("markdown", part.whole_table, encoding, lambda: part.texts)

    def _table_rows(self, table: int, encoding: str) -> Count:
        rows = self._tables.facts.rows_of(table)
        return self._once("rows", table, encoding, lambda: self._tables.serialized(rows))

    def _table_markdown(self, table: int, encoding: str) -> Count:
        def lines() -> list[str]:
            return self._tables.markdown(table).split("\n")

        return self._once("markdown", table, encoding, lines)

    def _page(self, page_num: int, encoding: str) -> Count:
        # Checked lines stand in the order of their pages.
        start, end = np.searchsorted(self._pages, [page_num, page_num + 1]).tolist()
        return self._once("page", page_num, encoding, lambda: self._texts.iloc[start:end])

    def _once(
        self, what: str, which: object, encoding: str, lines: Callable[[], Iterable[str]]
    ) -> Count:
        key = (what, encoding, which)
        if key not in self._counted:
            self._counted[key] = count_lines(list(lines()), encoding)
        return self._counted[key]


def count_lines(lines: Sequence[str], encoding: str = DEFAULT_ENCODING) -> Count:
    """Size of lines of text, each counted by itself."""
    return Count(sum(map(len, lines)), sum(count_tokens(lines, encoding)))

"""What row-level context saves, against every baseline one could have sent instead."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from core.tables.model import markdown_lines
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

    def __init__(self, line_df: pd.DataFrame, row_df: pd.DataFrame) -> None:
        self._line_df = line_df
        self._row_df = row_df
        self._counted: dict[tuple[str, str, object], Count] = {}

    def savings(
        self,
        context: Sequence[str],
        table_ids: Sequence[str],
        pages: Iterable[int],
        encoding: str = DEFAULT_ENCODING,
    ) -> Savings:
        """Sizes for a context that touches these tables and cites these pages."""
        rows = [self._table_rows(table_id, encoding) for table_id in table_ids]
        markdown = [self._table_markdown(table_id, encoding) for table_id in table_ids]
        return Savings(
            encoding=encoding,
            context=count_lines(context, encoding),
            rows=sum(rows, Count()),
            markdown=sum(markdown, Count()),
            page=sum((self._page(page, encoding) for page in pages), Count()),
            document=self._once("document", None, encoding, lambda: self._line_df["text"]),
            break_even_k=self._break_even(table_ids[0], rows[0], markdown[0]) if rows else None,
        )

    def _break_even(self, table_id: str, rows: Count, markdown: Count) -> int | None:
        n_rows = int((self._row_df["table_id"] == table_id).sum())
        if not rows.tokens:
            return None
        k = math.ceil(markdown.tokens * n_rows / rows.tokens)
        return k if k <= n_rows else None

    def _table_rows(self, table_id: str, encoding: str) -> Count:
        return self._once(
            "rows", table_id, encoding, lambda: self._table(table_id)["row_serialized"]
        )

    def _table_markdown(self, table_id: str, encoding: str) -> Count:
        def lines() -> list[str]:
            table = self._table(table_id)
            headers = max(table["column_headers"], key=len)
            return markdown_lines(headers, table["row_cells"].tolist(), table["row_group"].tolist())

        return self._once("markdown", table_id, encoding, lines)

    def _page(self, page_num: int, encoding: str) -> Count:
        return self._once(
            "page",
            page_num,
            encoding,
            lambda: self._line_df.loc[self._line_df["page_num"] == page_num, "text"],
        )

    def _table(self, table_id: str) -> pd.DataFrame:
        return self._row_df[self._row_df["table_id"] == table_id]

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

"""Decisions -> what generation would receive, line by line, each with its citation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from core.retrieval.table_lines import TableLines
from core.retrieval.widening import Decision


@dataclass(frozen=True)
class ContextLine:
    """One line of context and the line of line_df it quotes."""

    text: str
    page_num: int | None = None
    line_num: int | None = None
    """None for lines that quote no row: a widened table's header, separator and sections."""

    @property
    def citation(self) -> tuple[int, int] | None:
        """(page_num, line_num), or None."""
        if self.page_num is None or self.line_num is None:
            return None
        return self.page_num, self.line_num


@dataclass(frozen=True)
class ContextPart:
    """Lines of context that belong together: those of a table, or of paragraphs."""

    written: list[str] | str
    """The lines, or all of them as one text where none of them holds a line break."""
    page_num: np.ndarray
    """(k,) int: page of the line that each quotes, 0 where it quotes none."""
    line_num: np.ndarray
    """(k,) int: number of that line on its page, or 0."""
    whole_table: int | None = None
    """Number of the table, where these are all its lines as Markdown."""

    @property
    def texts(self) -> list[str]:
        """The lines."""
        return self.written.split("\n") if isinstance(self.written, str) else self.written

    @property
    def text(self) -> str:
        """The lines as one text."""
        return self.written if isinstance(self.written, str) else "\n".join(self.written)


@dataclass(frozen=True)
class Context:
    """All parts in their order."""

    parts: list[ContextPart]

    @cached_property
    def lines(self) -> list[ContextLine]:
        """Line by line."""
        return [
            ContextLine(text, page or None, line or None)
            for part in self.parts
            for text, page, line in zip(
                part.texts, part.page_num.tolist(), part.line_num.tolist(), strict=True
            )
        ]

    @property
    def text(self) -> str:
        """All lines as one text."""
        return "\n".join(part.text for part in self.parts)

    @property
    def citations(self) -> list[tuple[int, int]]:
        """(page_num, line_num) of every line that quotes one."""
        return [
            place
            for part in self.parts
            for place in zip(part.page_num.tolist(), part.line_num.tolist(), strict=True)
            if place[0]
        ]

    @property
    def pages(self) -> list[int]:
        """Pages of the quoted lines, ascending."""
        pages = np.concatenate([np.empty(0, int), *(part.page_num for part in self.parts)])
        return np.unique(pages[pages > 0]).tolist()


def rows_to_context(
    tables: TableLines, matched: np.ndarray, decisions: Sequence[Decision]
) -> Iterator[ContextPart]:
    """Matched rows serialized, or the whole table as compact Markdown where it widened.

    Args:
        matched: (k,) int: positions of the matched rows in row_df, best first.
    """
    of_table = tables.facts.table[matched]
    for decision in decisions:
        table = tables.facts.number_of[decision.table_id]
        if decision.widened:
            quoted = tables.quoted(table)
            quotes = quoted >= 0
            yield ContextPart(
                tables.markdown(table),
                np.where(quotes, tables.page_num[quoted], 0),
                np.where(quotes, tables.line_num[quoted], 0),
                whole_table=table,
            )
        else:
            rows = matched[of_table == table]
            yield ContextPart(tables.serialized(rows), tables.page_num[rows], tables.line_num[rows])


def lines_to_context(line_df: pd.DataFrame, positions: np.ndarray) -> ContextPart:
    """Lines of line_df as they stand."""
    lines = line_df.iloc[positions]
    return ContextPart(
        lines["text"].tolist(), lines["page_num"].to_numpy(), lines["line_num"].to_numpy()
    )

"""Decisions -> what generation would receive, line by line, each with its citation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from core.retrieval.widening import Decision
from core.tables.model import group_titles, markdown_lines


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


def rows_to_context(
    row_df: pd.DataFrame, matches: pd.DataFrame, decisions: Sequence[Decision]
) -> list[ContextLine]:
    """Matched rows serialized, or the whole table as compact Markdown where it widened."""
    lines: list[ContextLine] = []
    for decision in decisions:
        if decision.widened:
            lines += _whole_table(row_df[row_df["table_id"] == decision.table_id])
        else:
            rows = matches[matches["table_id"] == decision.table_id]
            lines += [
                ContextLine(text, int(page), int(line))
                for text, page, line in zip(
                    rows["row_serialized"], rows["page_num"], rows["line_num"], strict=True
                )
            ]
    return lines


def _whole_table(rows: pd.DataFrame) -> list[ContextLine]:
    headers = max(rows["column_headers"], key=len)
    cells, groups = rows["row_cells"].tolist(), rows["row_group"].tolist()
    header, separator, *body = markdown_lines(headers, cells, groups)
    lines = [ContextLine(header), ContextLine(separator)]
    printed = iter(body)
    for title, page, line in zip(
        group_titles(groups, cells), rows["page_num"], rows["line_num"], strict=True
    ):
        if title:
            lines.append(ContextLine(next(printed)))
        lines.append(ContextLine(next(printed), int(page), int(line)))
    return lines


def lines_to_context(line_df: pd.DataFrame, positions: Sequence[int]) -> list[ContextLine]:
    """Lines of line_df as they stand."""
    lines = line_df.iloc[list(positions)]
    return [
        ContextLine(text, int(page), int(line))
        for text, page, line in zip(
            lines["text"], lines["page_num"], lines["line_num"], strict=True
        )
    ]

"""What a question brings back, and why."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd

from core.retrieval.context import ContextLine
from core.retrieval.cut import Cut
from core.retrieval.evidence import Evidence
from core.retrieval.savings import Savings
from core.retrieval.widening import Decision
from core.retrieval.written import Written
from core.words import Term


@dataclass(frozen=True)
class Retrieval:
    """What a question brings back, and why."""

    question: str
    terms: list[Term]
    shape: str
    """"targeted_lookup", "synthesis" or "mixed"."""
    shape_reason: str
    use_row_level: bool
    row_level_reason: str
    decisions: list[Decision]
    """One per touched table: table_id, k, n_body_rows, coverage, widened."""
    partial: bool
    """A question about the whole table got only some of its rows."""
    notes: list[str]
    ranking: pd.DataFrame
    """Rows with a score above 0, best first, at most MOST_RANKED: table_id, row_index, page_num,
    line_num, score, and `position`, the row's position in row_df. Rows of the tables that the
    question is about come first."""
    table_ranking: pd.DataFrame
    """Tables with a score above 0, best first: table_id, score."""
    paragraphs: pd.DataFrame
    """The best paragraphs, at most 3, best first: block, score, share of the question's terms, and
    `terms`, those that they hold. Prose beside rows; all blocks where the row level is off."""
    paragraphs_better: bool
    """A paragraph holds more of the question than any row: it comes first in the context."""
    cut: Cut
    written: Written = field(repr=False)
    """What `matches`, `context_lines` and `tokens` are made from when they are first read."""

    @property
    def evidence(self) -> Evidence:
        """What the question hits."""
        return self.written.evidence

    @property
    def matches(self) -> pd.DataFrame:
        """Matched rows of row_df, best first, with `score`, `matched_terms` and, of these,
        `value_terms` and `label_terms`."""
        return self.written.matches

    @property
    def context_lines(self) -> list[ContextLine]:
        """What generation would receive, line by line."""
        return self.written.context.lines

    @property
    def context(self) -> str:
        """Exactly what generation would receive."""
        return self.written.context.text

    @property
    def citations(self) -> list[tuple[int, int]]:
        """(page_num, line_num) of every quoted line, in the order of the context."""
        return self.written.context.citations

    @property
    def tokens(self) -> Savings:
        """Characters and tokens of the context and its baselines."""
        return self.written.tokens

    @property
    def found(self) -> bool:
        """Whether anything is returned."""
        paragraphs = self.written.paragraphs
        return bool(self.decisions or (paragraphs and paragraphs.written))

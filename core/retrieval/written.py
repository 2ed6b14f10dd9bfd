"""An answer in full: its rows as a frame, its context, its size.

Each is made when it is first read. A question may touch tables of thousands of rows, and whoever
asks it reads seldom all of this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from core.retrieval.context import Context, ContextPart, rows_to_context
from core.retrieval.evidence import Evidence
from core.retrieval.hits import TermHits
from core.retrieval.savings import Counter, Savings
from core.retrieval.table_lines import TableLines
from core.retrieval.widening import Decision


@dataclass(frozen=True)
class Written:
    """What is known of an answer, and what is written from it."""

    row_df: pd.DataFrame
    tables: TableLines
    counter: Counter
    evidence: Evidence
    matched: np.ndarray
    """(k,) int: positions of the matched rows in row_df, best first."""
    decisions: list[Decision]
    paragraphs: ContextPart | None
    """What stands before the rows."""
    encoding: str

    @cached_property
    def matches(self) -> pd.DataFrame:
        """Matched rows of row_df, best first, with `score`, `matched_terms` and, of these,
        `value_terms` and `label_terms`."""
        hits, tables = self.evidence.hits, self.evidence.facts.table[self.matched]
        names = [one.term.text for one in hits]
        by_value = [_hit(one, self.matched) for one in hits]
        by_label = [
            (one.labels[tables] > 0) & ~value for one, value in zip(hits, by_value, strict=True)
        ]
        either = [value | label for value, label in zip(by_value, by_label, strict=True)]
        return self.row_df.iloc[self.matched].assign(
            score=self.evidence.touched.scores_of(self.matched),
            matched_terms=_named(names, either, len(self.matched)),
            value_terms=_named(names, by_value, len(self.matched)),
            label_terms=_named(names, by_label, len(self.matched)),
        )

    @cached_property
    def context(self) -> Context:
        """What generation would receive."""
        before = [self.paragraphs] if self.paragraphs else []
        rows = rows_to_context(self.tables, self.matched, self.decisions)
        return Context([*before, *rows])

    @cached_property
    def tokens(self) -> Savings:
        """Characters and tokens of the context and its baselines."""
        tables = [self.tables.facts.number_of[one.table_id] for one in self.decisions]
        return self.counter.savings(self.context, tables, self.encoding)


def _hit(one: TermHits, rows: np.ndarray) -> np.ndarray:
    """(k,) bool: whether a term hits each of these rows by value."""
    if not one.rows.size:
        return np.zeros(len(rows), dtype=bool)
    at = np.minimum(np.searchsorted(one.rows, rows), len(one.rows) - 1)
    return np.asarray(one.rows[at] == rows)


def _named(names: Sequence[str], hits: Sequence[np.ndarray], n_rows: int) -> np.ndarray:
    """(n_rows,) object: for each row the list of the names of the terms that hit it."""
    if not n_rows:
        return np.empty(0, dtype=object)
    # Rows of a whole table mostly hit alike: each different set of terms is named once.
    kind = np.zeros(n_rows, dtype=np.int64)
    for hit in hits:
        kind, _ = pd.factorize(2 * kind + hit)
    first = np.zeros(int(kind.max()) + 1, dtype=np.int64)
    first[kind[::-1]] = np.arange(n_rows)[::-1]
    sets = [
        [name for name, hit in zip(names, hits, strict=True) if hit[at]] for at in first.tolist()
    ]
    return np.fromiter((sets[at].copy() for at in kind.tolist()), dtype=object, count=n_rows)

"""How close rows and tables are to a question in meaning: cosine of embeddings, worked out late."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from core.embedding import Embedder
from core.retrieval.row_facts import RowFacts

MOST_KEPT = 50_000
"""Rows up to which every row's embedding is kept: 256 numbers of 4 bytes each, 51 MB."""


class Meaning:
    """Embeddings of row names and table titles; nothing is embedded before it is asked for.

    Row names rather than whole rows: labels are in every row, and numbers mean nothing here.
    """

    def __init__(
        self, facts: RowFacts, table_texts: Sequence[str], embedder: Callable[[], Embedder]
    ) -> None:
        self._facts = facts
        self._table_texts = table_texts
        self._embedder = embedder
        self._rows: np.ndarray | None = None
        self._tables: np.ndarray | None = None

    def of_rows(self, question: str, rows: np.ndarray) -> np.ndarray:
        """(k,) float: cosine of the question and each of these rows' names, at least 0."""
        asked = self._embedder().embed([question])[0]
        if len(self._facts.table) > MOST_KEPT:
            found = self._embed(self._facts.names(rows))
        else:
            if self._rows is None:
                self._rows = self._embed(self._facts.names(np.arange(len(self._facts.table))))
            found = self._rows[rows]
        return np.maximum(found @ asked, 0.0)

    def of_tables(self, question: str) -> np.ndarray:
        """(m,) float: cosine of the question and each table's caption and labels, at least 0."""
        if self._tables is None:
            self._tables = self._embed(self._table_texts)
        return np.maximum(self._tables @ self._embedder().embed([question])[0], 0.0)

    def _embed(self, texts: Sequence[str]) -> np.ndarray:
        """Each different text once."""
        number = {text: at for at, text in enumerate(dict.fromkeys(texts))}
        return self._embedder().embed(list(number))[[number[text] for text in texts]]

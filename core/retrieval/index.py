"""question -> matched rows -> decisions -> context: an index built once and asked often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.frames import check_line_df, check_row_df
from core.retrieval.context import ContextLine, lines_to_context, rows_to_context
from core.retrieval.cut import cut_rows, cut_tables, named_items, settle_labels
from core.retrieval.evidence import Evidence, RowIndex
from core.retrieval.paragraphs import ParagraphIndex
from core.retrieval.savings import Counter, Savings
from core.retrieval.shape import SYNTHESIS, Shape, question_to_shape, shape_by_hand
from core.retrieval.terms import Term, question_to_terms
from core.retrieval.widening import DEFAULT_THRESHOLD, Decision, check_threshold
from core.tokens import DEFAULT_ENCODING


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
    matches: pd.DataFrame
    """Matched rows of row_df, best first, with `score`, `matched_terms` and, of these,
    `value_terms` and `label_terms`."""
    decisions: list[Decision]
    """One per touched table: table_id, k, n_body_rows, coverage, widened."""
    context_lines: list[ContextLine]
    tokens: Savings
    """Characters and tokens of the context and its baselines."""
    partial: bool
    """A question about the whole table got only some of its rows."""
    notes: list[str]

    @property
    def found(self) -> bool:
        """Whether anything is returned."""
        return bool(self.context_lines)

    @property
    def context(self) -> str:
        """Exactly what generation would receive."""
        return "\n".join(line.text for line in self.context_lines)

    @property
    def citations(self) -> list[tuple[int, int]]:
        """(page_num, line_num) of every quoted line, in the order of the context."""
        return [line.citation for line in self.context_lines if line.citation]


class Index:
    """A document ready for questions; built by `build_index`."""

    def __init__(self, line_df: pd.DataFrame, row_df: pd.DataFrame) -> None:
        self.line_df = check_line_df(line_df)
        self.row_df = check_row_df(row_df)
        self._rows = RowIndex(self.row_df)
        self._paragraphs = ParagraphIndex(self.line_df)
        self._counter = Counter(self.line_df, self.row_df)

    def retrieve(
        self,
        question: str,
        *,
        use_toc: bool = True,
        use_keywords: bool = True,
        use_dense: bool = True,
        use_row_level: bool | None = None,
        widen_threshold: float = DEFAULT_THRESHOLD,
        shape: str | None = None,
        encoding: str = DEFAULT_ENCODING,
    ) -> Retrieval:
        """Rows, tables or paragraphs for a question; see `core.retrieve`."""
        threshold = check_threshold(widen_threshold)
        terms = question_to_terms(question) if use_keywords else []
        evidence = settle_labels(self._rows.evidence(terms))
        items = named_items(evidence)
        labels = {term.key for term, hit in zip(terms, evidence.labels.T, strict=True) if hit.any()}
        shaped = (
            shape_by_hand(shape)
            if shape
            else question_to_shape(question, named_items=items, label_keys=labels)
        )
        row_level, why = self._row_level(shaped, use_row_level)
        whole = shaped.name == SYNTHESIS and use_row_level is None
        matched = np.empty(0, dtype=np.int64)
        decisions: list[Decision] = []
        if row_level:
            matched, decisions = self._match_rows(evidence, shaped.name, threshold)
        elif whole and len(self.row_df):
            matched, decisions = self._match_tables(evidence, threshold)
        matches = self._matches(matched, evidence)
        context = rows_to_context(self.row_df, matches, decisions)
        if not row_level and not context:
            context = self._paragraph_context(question, use_toc=use_toc) if use_keywords else []
        partial = (
            shaped.name == SYNTHESIS and bool(decisions) and not all(d.widened for d in decisions)
        )
        return Retrieval(
            question=question,
            terms=terms,
            shape=shaped.name,
            shape_reason=shaped.reason,
            use_row_level=row_level,
            row_level_reason=why,
            matches=matches,
            decisions=decisions,
            context_lines=context,
            tokens=self._counter.savings(
                [line.text for line in context],
                [decision.table_id for decision in decisions],
                sorted({line.page_num for line in context if line.page_num is not None}),
                encoding,
            ),
            partial=partial,
            notes=_notes(evidence, decisions, partial=partial, use_keywords=use_keywords),
        )

    def _row_level(self, shape: Shape, by_hand: bool | None) -> tuple[bool, str]:
        if by_hand is not None:
            return by_hand, f"Set {'on' if by_hand else 'off'} by hand."
        if self.row_df.empty:
            return False, "Off: the document has no tables."
        if shape.name == SYNTHESIS:
            return False, "Off: tables come back whole."
        return True, "On: a few rows can answer it."

    def _match_rows(
        self, evidence: Evidence, shape: str, threshold: float
    ) -> tuple[np.ndarray, list[Decision]]:
        """Rows by value evidence; on label evidence alone the whole table is what is asked for."""
        matched = cut_rows(evidence, shape)
        if not matched.size:
            return self._match_tables(evidence, threshold, labels_only=True)
        tables = list(dict.fromkeys(evidence.row_table[matched].tolist()))
        k = np.bincount(evidence.row_table[matched], minlength=len(self._rows.table_ids))
        return matched, [self._decision(at, int(k[at]), threshold) for at in tables]

    def _match_tables(
        self, evidence: Evidence, threshold: float, *, labels_only: bool = False
    ) -> tuple[np.ndarray, list[Decision]]:
        tables = cut_tables(evidence).tolist()
        rows = [np.flatnonzero(evidence.row_table == at) for at in tables]
        decisions = [
            self._decision(at, len(positions), threshold, whole=not labels_only)
            for at, positions in zip(tables, rows, strict=True)
        ]
        return np.concatenate([np.empty(0, dtype=np.int64), *rows]), decisions

    def _decision(self, table: int, k: int, threshold: float, *, whole: bool = False) -> Decision:
        n_rows = int(np.count_nonzero(self._rows.row_table == table))
        return Decision(self._rows.table_ids[table], k, n_rows, threshold, whole)

    def _matches(self, matched: np.ndarray, evidence: Evidence) -> pd.DataFrame:
        names = np.array([term.text for term in evidence.terms], dtype=object)
        by_value = evidence.value_hits[matched] > 0
        by_label = evidence.labels[evidence.row_table[matched]] & ~by_value
        return self.row_df.iloc[matched].assign(
            score=evidence.row_scores[matched],
            matched_terms=[names[hit].tolist() for hit in by_value | by_label],
            value_terms=[names[hit].tolist() for hit in by_value],
            label_terms=[names[hit].tolist() for hit in by_label],
        )

    def _paragraph_context(self, question: str, *, use_toc: bool) -> list[ContextLine]:
        blocks = self._paragraphs.search(question, use_toc=use_toc)
        positions: Sequence[int] = np.concatenate([np.empty(0, int), *blocks["lines"]]).tolist()
        return lines_to_context(self.line_df, [int(at) for at in positions])


def build_index(line_df: pd.DataFrame, row_df: pd.DataFrame) -> Index:
    """Index a document once, to ask it often.

    Tables are taken from row_df alone, so that header overrides carry through; line_df serves
    paragraphs and page sizes.

    Raises:
        LineFrameError, RowFrameError: a frame breaks its contract.
    """
    return Index(line_df, row_df)


def retrieve(
    question: str,
    line_df: pd.DataFrame,
    row_df: pd.DataFrame,
    *,
    use_toc: bool = True,
    use_keywords: bool = True,
    use_dense: bool = True,
    use_row_level: bool | None = None,
    widen_threshold: float = DEFAULT_THRESHOLD,
    shape: str | None = None,
    encoding: str = DEFAULT_ENCODING,
) -> Retrieval:
    """Ask a document one question: `build_index(line_df, row_df).retrieve(question, ...)`.

    Args:
        question: in words; matching is by keywords.
        line_df, row_df: the document's frames.
        use_toc: find paragraphs by their section's heading too.
        use_keywords: match by keywords; off, nothing is found, since it is the only matcher yet.
        use_dense: accepted, without effect until there is an embedding index.
        use_row_level: None lets the shape decide; False answers from paragraphs as if row_df
            did not exist; True matches rows whatever the shape.
        widen_threshold: coverage k/n from which, inclusive, the whole table is returned.
        shape: "targeted_lookup", "synthesis" or "mixed" to set it by hand.
        encoding: vocabulary for token counts.

    Raises:
        LineFrameError, RowFrameError, OptionError: an argument breaks its contract.
    """
    return build_index(line_df, row_df).retrieve(
        question,
        use_toc=use_toc,
        use_keywords=use_keywords,
        use_dense=use_dense,
        use_row_level=use_row_level,
        widen_threshold=widen_threshold,
        shape=shape,
        encoding=encoding,
    )


def _notes(
    evidence: Evidence, decisions: Sequence[Decision], *, partial: bool, use_keywords: bool
) -> list[str]:
    notes = []
    if not use_keywords:
        notes.append("Keyword matching is off, and it is the only matcher: nothing can match.")
    nowhere = [
        f"“{term.text}”"
        for term, hit in zip(evidence.terms, evidence.hit_anywhere(), strict=True)
        if not hit
    ]
    if nowhere:
        notes.append(f"In no table: {', '.join(nowhere)}.")
    if partial:
        rows = ", ".join(f"{d.k} of {d.n_body_rows} rows of {d.table_id}" for d in decisions)
        notes.append(f"Partial: the question is about the whole table, but this is {rows}.")
    return notes

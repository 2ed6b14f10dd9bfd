"""question -> matched rows -> decisions -> context: an index built once and asked often."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial as partial_

import numpy as np
import pandas as pd

from core.embedding import Embedder, choose_embedder
from core.frames import check_line_df, check_row_df
from core.retrieval.context import ContextPart, lines_to_context
from core.retrieval.cut import Cut, cut_rows, cut_tables, named_items
from core.retrieval.evidence import Evidence, gather
from core.retrieval.explain import Explanation, explain
from core.retrieval.hits import Lookup
from core.retrieval.meaning import Meaning
from core.retrieval.paragraphs import ParagraphIndex
from core.retrieval.postings import NAME, Postings
from core.retrieval.ranking import rank_rows, rank_tables
from core.retrieval.retrieval import Retrieval
from core.retrieval.row_facts import GENERIC, RowFacts
from core.retrieval.savings import Counter
from core.retrieval.shape import SYNTHESIS, Shape, question_to_shape, shape_by_hand
from core.retrieval.table_lines import TableLines
from core.retrieval.table_texts import TableTexts
from core.retrieval.widening import DEFAULT_THRESHOLD, Decision, check_threshold
from core.retrieval.written import Written
from core.tokens import DEFAULT_ENCODING, count_tokens
from core.words import question_to_terms, text_to_keys

PROSE_TERMS = 2
"""Terms that a paragraph must hold to be shown before rows: one may occur in any prose."""
PROSE_ENOUGH = 0.5
"""Share of the question that a paragraph must hold to be shown before rows."""


class Index:
    """A document ready for questions; built by `build_index`."""

    def __init__(
        self,
        line_df: pd.DataFrame,
        row_df: pd.DataFrame,
        embedder: Callable[[], Embedder] = choose_embedder,
    ) -> None:
        self.line_df = check_line_df(line_df)
        self.row_df = check_row_df(row_df)
        postings = Postings(self.row_df)
        texts = TableTexts(self.line_df, self.row_df)
        self._facts = RowFacts(self.row_df, postings)
        self._lookup = Lookup(postings, texts, self._facts.first_cells(np.arange(len(self.row_df))))
        self._meaning = Meaning(self._facts, texts.texts, embedder)
        self._paragraphs = ParagraphIndex(self.line_df, embedder)
        self._tables = TableLines(self.row_df, self._facts)
        self._counter = Counter(self.line_df, self._tables)

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
        count_tokens([], encoding)  # refuses an unknown encoding now, not when tokens are read
        terms = question_to_terms(question) if use_keywords else []
        evidence = gather(
            question,
            self._lookup,
            self._facts,
            self._meaning if use_dense else None,
            use_toc=use_toc,
            use_keywords=use_keywords,
        )
        items = named_items(evidence)
        names = {
            key
            for one in evidence.hits
            if one.labels.any() or (one.fields == NAME).any()
            for key in one.keys
        }
        shaped = (
            shape_by_hand(shape)
            if shape
            else question_to_shape(question, named_items=items, names=names)
        )
        row_level, why = self._row_level(shaped, use_row_level)
        whole = shaped.name == SYNTHESIS and use_row_level is None
        cut = cut_rows(evidence, shaped.name)
        matched = np.empty(0, dtype=np.int64)
        decisions: list[Decision] = []
        if row_level:
            matched, decisions = self._match_rows(evidence, cut, threshold)
        elif whole and len(self.row_df):
            matched, decisions = self._match_tables(evidence, threshold)
        search = partial_(
            self._paragraphs.search,
            question,
            use_toc=use_toc,
            use_keywords=use_keywords,
            use_dense=use_dense,
        )
        beside = use_row_level is not False and len(self.row_df) > 0
        paragraphs = search(prose_only=beside)
        better = beside and self._are_better(paragraphs, evidence)
        before = self._paragraph_context(paragraphs) if better or not beside else None
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
            decisions=decisions,
            partial=partial,
            notes=_notes(
                evidence, decisions, partial=partial, use_keywords=use_keywords, use_dense=use_dense
            ),
            ranking=rank_rows(evidence, self.row_df),
            table_ranking=rank_tables(evidence),
            paragraphs=paragraphs,
            paragraphs_better=bool(better),
            cut=cut,
            written=Written(
                self.row_df,
                self._tables,
                self._counter,
                evidence,
                matched,
                decisions,
                before,
                encoding,
            ),
        )

    def explain(self, retrieval: Retrieval, position: int) -> Explanation:
        """Why the row at a position of row_df is in or out of an answer of this index."""
        return explain(retrieval, self.row_df, position)

    def paragraph_lines(self, block: int) -> np.ndarray:
        """Positions in line_df of the lines of a block of `Retrieval.paragraphs`."""
        return self._paragraphs.lines(block)

    def _row_level(self, shape: Shape, by_hand: bool | None) -> tuple[bool, str]:
        if by_hand is not None:
            return by_hand, f"Set {'on' if by_hand else 'off'} by hand."
        if self.row_df.empty:
            return False, "Off: the document has no tables."
        if shape.name == SYNTHESIS:
            return False, "Off: tables come back whole."
        return True, "On: a few rows can answer it."

    def _match_rows(
        self, evidence: Evidence, cut: Cut, threshold: float
    ) -> tuple[np.ndarray, list[Decision]]:
        """Rows by value evidence; on label evidence alone the whole table is what is asked for."""
        if not cut.rows.size:
            return self._match_tables(evidence, threshold, labels_only=True)
        k = np.bincount(self._facts.table[cut.rows], minlength=len(self._facts.size))
        return cut.rows, [self._decision(at, int(k[at]), threshold) for at in cut.tables.tolist()]

    def _match_tables(
        self, evidence: Evidence, threshold: float, *, labels_only: bool = False
    ) -> tuple[np.ndarray, list[Decision]]:
        tables = cut_tables(evidence).tolist()
        rows = [self._facts.rows_of(at) for at in tables]
        decisions = [
            self._decision(at, len(positions), threshold, whole=not labels_only)
            for at, positions in zip(tables, rows, strict=True)
        ]
        return np.concatenate([np.empty(0, dtype=np.int64), *rows]), decisions

    def _decision(self, table: int, k: int, threshold: float, *, whole: bool = False) -> Decision:
        size = int(self._facts.size[table])
        return Decision(self._facts.table_ids[table], k, size, threshold, whole)

    def _are_better(self, paragraphs: pd.DataFrame, evidence: Evidence) -> bool:
        """Whether the best paragraph holds at least one whole term more than the best table, and
        at least PROSE_ENOUGH of the question."""
        paragraphs = paragraphs[[_says_enough(terms) for terms in paragraphs["terms"]]]
        if paragraphs.empty:
            return False
        share = float(paragraphs["share"].max())
        found = np.where(evidence.table_scores > 0, evidence.share, 0.0)
        one_term = 1.0 / max(sum(one.weight for one in evidence.hits), 1.0)
        return share >= max(PROSE_ENOUGH, found.max(initial=0.0) + one_term - 1e-9)

    def _paragraph_context(self, paragraphs: pd.DataFrame) -> ContextPart:
        lines = [self._paragraphs.lines(block) for block in paragraphs["block"]]
        return lines_to_context(self.line_df, np.concatenate([np.empty(0, int), *lines]))


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
        question: in words.
        line_df, row_df: the document's frames.
        use_toc: find paragraphs by their section's heading, and tables by the lines above them.
        use_keywords: match by words, numbers and dates.
        use_dense: match by meaning as well, by the embeddings of `core.embedding`.
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


def _says_enough(terms: Sequence[str]) -> bool:
    """Whether a paragraph holds PROSE_TERMS words that name something."""
    words = [
        term for term in terms if not term.isdecimal() and GENERIC.isdisjoint(text_to_keys(term))
    ]
    return len(words) >= PROSE_TERMS


def _notes(
    evidence: Evidence,
    decisions: Sequence[Decision],
    *,
    partial: bool,
    use_keywords: bool,
    use_dense: bool,
) -> list[str]:
    notes = []
    if not use_keywords:
        notes.append(
            "Words are off, "
            + ("meaning alone is asked." if use_dense else "and meaning too: nothing can match.")
        )
    nowhere = [f"“{one.term.text}”" for one in evidence.hits if not one.found]
    if nowhere:
        notes.append(f"In no table: {', '.join(nowhere)}.")
    if partial:
        rows = ", ".join(f"{d.k} of {d.n_body_rows} rows of {d.table_id}" for d in decisions)
        notes.append(f"Partial: the question is about the whole table, but this is {rows}.")
    return notes

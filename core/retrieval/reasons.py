"""The sentence that says why a row is in or out, true to `core.retrieval.cut`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.retrieval.cut import CLOSE_TABLE, CLOSE_TO_BEST, CLOSE_TO_UNSURE, cut_tables
from core.retrieval.retrieval import Retrieval
from core.retrieval.shape import MIXED, SYNTHESIS
from core.retrieval.widening import Decision

_TIE = 1e-9


@dataclass(frozen=True)
class TermSaid:
    """A term of the question as a sentence speaks of it."""

    text: str
    where: str
    in_row: bool
    is_label: bool
    generic: bool

    @property
    def chooses(self) -> bool:
        """It tells this row from others."""
        return self.in_row and not self.is_label


@dataclass(frozen=True)
class RowDecision:
    """What became of a row."""

    matched: bool
    returned: bool
    of_table: Decision | None
    """The decision on its table, if that is touched."""
    table_meant: bool
    """The question is about its table."""
    best: float
    """The best score in the tables that the question is about, or of all rows."""
    asked: bool
    """Its score was held against a line."""


def row_decision(retrieval: Retrieval, position: int) -> RowDecision:
    """What became of the row at a position."""
    evidence, facts = retrieval.evidence, retrieval.evidence.facts
    table_id = facts.table_ids[facts.table[position]]
    of_table = next((one for one in retrieval.decisions if one.table_id == table_id), None)
    by_rows = bool(retrieval.use_row_level and retrieval.cut.rows.size)
    matched = of_table is not None and (not by_rows or bool((retrieval.cut.rows == position).any()))
    meant = cut_tables(evidence)
    within = np.isin(facts.table, meant)
    scores = evidence.row_scores[within] if meant.size else evidence.row_scores
    return RowDecision(
        matched=matched,
        returned=matched or (of_table is not None and of_table.widened),
        of_table=of_table,
        table_meant=bool((meant == facts.table[position]).any()),
        best=float(scores.max(initial=0.0)),
        asked=by_rows and bool((meant == facts.table[position]).any()),
    )


def row_reason(
    retrieval: Retrieval, position: int, decision: RowDecision, terms: Sequence[TermSaid]
) -> str:
    """Why it became so, in one or two sentences."""
    evidence, cut = retrieval.evidence, retrieval.cut
    table = int(evidence.facts.table[position])
    meant = cut_tables(evidence)
    by_shape = retrieval.shape == SYNTHESIS and (retrieval.decisions or not meant.size)
    if not retrieval.use_row_level and not by_shape:
        return "Left out: the row level is set off, so that only paragraphs are searched."
    if not evidence.hits and np.isnan(evidence.similarity).all():
        return "Left out: nothing to match by. The question has no word to look for in use."
    if not decision.table_meant:
        return _other_table(retrieval, table, meant)
    if not retrieval.use_row_level:
        table_id = evidence.facts.table_ids[table]
        return f"Matched: the question is about the whole table, so every row of {table_id} counts."
    if not cut.rows.size:
        return f"Matched: no row is told from the others{_only_labels(terms)}, so every row counts."
    if decision.matched:
        return f"Matched: {_why_in(retrieval, position, decision, terms)}"
    out = _why_out(retrieval, position, decision, terms)
    if decision.returned and decision.of_table is not None:
        whole = decision.of_table
        return (
            f"Returned with the whole table: {whole.k} of {whole.n_body_rows} rows match, and "
            f"from {whole.k_to_widen} on all come. By itself it would be left out: {out}"
        )
    return f"Left out: {out}"


def _other_table(retrieval: Retrieval, table: int, meant: np.ndarray) -> str:
    evidence = retrieval.evidence
    names, scores = evidence.facts.table_ids, evidence.table_scores
    this = f"{names[table]}, this row's table,"
    reaches = f"{evidence.strength[table]:.2f} of the {evidence.enough:g} needed"
    if not meant.size:
        enough = "holds enough of the question" if evidence.hits else "is near enough in meaning"
        return f"Left out: no table {enough}; {this} reaches {reaches}."
    about = f"Left out: the question is about {_listed([names[at] for at in meant.tolist()])}"
    if not scores[table]:
        return f"{about}; {this} reaches only {reaches}."
    best = float(scores.max())
    return (
        f"{about}; {this} scores {scores[table]:.2f}, below {CLOSE_TABLE * best:.2f}, "
        f"{CLOSE_TABLE:.0%} of the best table's {best:.2f}."
    )


def _why_in(
    retrieval: Retrieval, position: int, decision: RowDecision, terms: Sequence[TermSaid]
) -> str:
    evidence, cut = retrieval.evidence, retrieval.cut
    score = float(evidence.row_scores[position])
    if position in cut.added:
        return _why_added(retrieval, position)
    if score < decision.best - _TIE:
        return f"its score {score:.2f} is at least {_line(retrieval, decision)}."
    tied = int((evidence.row_scores[cut.rows] >= decision.best - _TIE).sum())
    same = f", as {tied - 1} other{'s' if tied > 2 else ''} do" if tied > 1 else ""
    held, missing = _held_and_missing(retrieval, terms)
    if not evidence.hits:
        near = float(evidence.similarity[position])
        return f"its name is nearest to the question in meaning, cosine {near:.2f}{same}."
    if not held:
        return f"it has the best score, {score:.2f}{same}."
    if cut.sure:
        return f"it holds {_quoted(held)}, all that any row holds of the question{same}."
    without = f", though not {_quoted(missing, 'or')}" if missing else ""
    return f"it has the best score, {score:.2f}. It holds {_quoted(held)}{without}{same}."


def _why_added(retrieval: Retrieval, position: int) -> str:
    evidence, cut = retrieval.evidence, retrieval.cut
    scores, facts = evidence.row_scores, evidence.facts
    within = np.isin(facts.table, cut_tables(evidence))
    for one in evidence.hits:
        rows = one.rows[within[one.rows]]
        rows = rows[one.labels[facts.table[rows]] == 0]
        if one.generic or not (rows == position).any():
            continue
        best = scores[position] >= scores[rows].max() - _TIE
        if best and retrieval.shape == MIXED:
            return f"it is the best row for “{one.term.text}”, which the question names too."
        if best and not (scores[rows] >= cut.line - _TIE).any():
            return (
                f"no row above the line of {cut.line:.2f} holds “{one.term.text}”, and of those "
                f"that do this scores best, {scores[position]:.2f}."
            )
    return f"it holds what no row above the line of {cut.line:.2f} does."


def _why_out(
    retrieval: Retrieval, position: int, decision: RowDecision, terms: Sequence[TermSaid]
) -> str:
    score = float(retrieval.evidence.row_scores[position])
    if score >= retrieval.cut.line - _TIE:
        return "the question names single items, and for each of them another row is better."
    below = f"its score {score:.2f} is below {_line(retrieval, decision)}"
    held, missing = _held_and_missing(retrieval, terms)
    if held and missing:
        return f"it holds {_quoted(held)} but not {_quoted(missing, 'or')}, and {below}."
    if held or not terms:
        return f"{below}."
    hits = "tells it from other rows" if any(term.in_row for term in terms) else "hits its cells"
    return f"no word of the question {hits}{_only_labels(terms)}, and {below}."


def _held_and_missing(
    retrieval: Retrieval, terms: Sequence[TermSaid]
) -> tuple[list[str], list[str]]:
    """Terms that tell the row from others, and terms that tell others from it."""
    held = [term.text for term in terms if term.chooses]
    missing = [
        term.text
        for one, term in zip(retrieval.evidence.hits, terms, strict=True)
        if one.rows.size and not (term.in_row or term.is_label or term.generic)
    ]
    return held, missing


def _line(retrieval: Retrieval, decision: RowDecision) -> str:
    share = CLOSE_TO_BEST if retrieval.cut.sure else CLOSE_TO_UNSURE
    return f"{retrieval.cut.line:.2f}, {share:.0%} of the best row's {decision.best:.2f}"


def _only_labels(terms: Sequence[TermSaid]) -> str:
    held = [term.text for term in terms if term.is_label and term.in_row]
    labels = [term.text for term in terms if term.is_label]
    titles = [term.text for term in terms if term.where == "title" and not term.is_label]
    if held:
        return f" ({_quoted(held)} {'is a label' if len(held) == 1 else 'are labels'} too)"
    if labels:
        only = "is only a label" if len(labels) == 1 else "are only labels"
        return f" ({_quoted(labels)} {only})"
    if titles:
        stand = "stands" if len(titles) == 1 else "stand"
        return f" ({_quoted(titles)} {stand} in the table's title)"
    return ""


def _quoted(words: Sequence[str], join: str = "and") -> str:
    return _listed([f"“{word}”" for word in words], join)


def _listed(words: Sequence[str], join: str = "and") -> str:
    """ "a, b and c"."""
    *others, last = words
    return f"{', '.join(others)} {join} {last}" if others else last

"""Question terms -> where each hits: rows by value, tables by label and title.

A term that occurs nowhere as it is typed is looked for in weaker ways, the surest first: as the
initials of a row's name, as a typo or another form of a word that does occur, in a label's
abbreviation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.retrieval.acronyms import Acronyms, initials
from core.retrieval.postings import FIELD_WEIGHTS, NAME, Postings
from core.retrieval.row_facts import GENERIC, GENERIC_WEIGHT
from core.retrieval.table_texts import TableTexts
from core.words import FuzzyVocabulary, Term, closest_keys, text_to_keys

EXACT, PART, ACRONYM, TYPO, ABBREVIATION = "exact", "part", "acronym", "typo", "abbreviation"

PART_WEIGHT = 0.6
"""Of a hit on a part or another form of a number or range: 2019 in 2019/20."""

SURE = 0.75
"""Similarity from which a typo or inflection is taken for the word."""
ABBREVIATION_WEIGHT = 0.6
"""Of a hit on a label that shortens the term, of which there may be several."""
OPERATIONS = frozenset(
    text_to_keys(
        "fewest highest lowest largest smallest biggest best worst greatest longest shortest "
        "latest earliest maximum minimum max min top bottom fewer greater higher lower larger "
        "smaller "
        "longer shorter difference compute combined respective corresponding increase decrease"
    )
)


@dataclass(frozen=True)
class TermHits:
    """Where one term of a question hits."""

    term: Term
    how: str
    """EXACT, PART, ACRONYM, TYPO or ABBREVIATION."""
    keys: tuple[str, ...]
    """The keys that were found in its place, best first; its own if EXACT."""
    rows: np.ndarray
    """(k,) int: rows with a value hit, ascending."""
    grades: np.ndarray
    """(k,) int: the grade of the hit in each of these rows: which key it is, and in which field."""
    grade_fields: np.ndarray
    """(g,) int: the field of each grade."""
    grade_weights: np.ndarray
    """(g,) float: weight of the field times how sure the match is."""
    labels: np.ndarray
    """(m,) float: weight in the column labels of each table."""
    titles: np.ndarray
    """(m,) float: weight in the caption and the lines above each table."""

    @cached_property
    def fields(self) -> np.ndarray:
        """(k,) int: the field of the hit in each row."""
        return self.grade_fields[self.grades]

    @cached_property
    def weights(self) -> np.ndarray:
        """(k,) float: weight of the hit in each row."""
        return self.grade_weights[self.grades]

    @property
    def generic(self) -> bool:
        """It names a measure, as "total" or "number" do."""
        return self.term.key in GENERIC

    @property
    def operation(self) -> bool:
        """It says what to do with values, as "highest" or "more" do, and names none."""
        return self.term.key in OPERATIONS

    @property
    def weight(self) -> float:
        """Weight of the term itself."""
        return GENERIC_WEIGHT if self.generic else 1.0

    @property
    def found(self) -> bool:
        """Whether it hits anything."""
        return bool(self.rows.size or self.labels.any() or self.titles.any())


class Lookup:
    """What the terms of questions are looked up in."""

    def __init__(self, postings: Postings, texts: TableTexts, first_cells: Sequence[str]) -> None:
        self.postings = postings
        self.texts = texts
        self._acronyms = Acronyms(first_cells)
        self._fuzzy = FuzzyVocabulary([*postings.vocabulary, *texts.keys])

    def question_hits(
        self, question: str, terms: Sequence[Term], *, use_toc: bool
    ) -> list[TermHits]:
        """Hits of every term of a question, and of acronyms that its words spell."""
        hits = [self.term_hits(term, use_toc=use_toc) for term in terms]
        known = {term.key for term in terms}
        for words, key in initials(question):
            rows, _ = self.postings.holding(key)
            if key not in known and self._acronyms.spelt_in(rows, key):
                known.add(key)
                spelt = self._hits(Term(words, key), ACRONYM, [(key, 1.0)], use_toc=use_toc)
                hits.append(spelt)
        return hits

    def term_hits(self, term: Term, *, use_toc: bool) -> TermHits:
        """Where a term hits, in the surest way that finds anything."""
        exact = self._hits(term, EXACT, [(term.key, 1.0)], use_toc=use_toc)
        if exact.found or exact.generic:
            return exact
        if term.alternatives:
            parts = [(key, PART_WEIGHT) for key in term.alternatives]
            return self._hits(term, PART, parts, use_toc=use_toc)
        if (rows := self._acronyms.rows(term)).size:
            named = np.full(len(rows), NAME, dtype=np.int8)
            return replace(exact, how=ACRONYM, keys=(), rows=rows, grades=named)
        if typos := [
            (key, near) for key, near in closest_keys(term.key, self._fuzzy) if near >= SURE
        ]:
            return self._hits(term, TYPO, typos, use_toc=use_toc)
        labels = np.zeros(self.texts.n_tables)
        short = self.texts.abbreviations(term.text.casefold())
        for key in short:
            labels = np.maximum(labels, self.texts.labels(key) * ABBREVIATION_WEIGHT)
        return (
            replace(exact, how=ABBREVIATION, keys=tuple(short), labels=labels) if short else exact
        )

    def _hits(
        self, term: Term, how: str, keys: Sequence[tuple[str, float]], *, use_toc: bool
    ) -> TermHits:
        labels = titles = np.zeros(self.texts.n_tables)
        rows, grades = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int16)
        # One grade for each field of each key; with none, those of a key that is sure.
        sureness = np.array([sure for _, sure in keys] or [1.0], dtype=np.float32)
        grade_weights = np.outer(sureness, FIELD_WEIGHTS).ravel()
        for at, (key, sure) in enumerate(keys):
            more, fields = self.postings.holding(key)
            more_grades = fields + np.int16(at * len(FIELD_WEIGHTS))
            if rows.size:
                rows = np.concatenate([rows, more])
                grades = np.concatenate([grades, more_grades])
                best = _best(rows, grade_weights[grades])
                rows, grades = rows[best], grades[best]
            else:
                rows, grades = more, more_grades
            labels = np.maximum(labels, self.texts.labels(key) * sure)
            titles = np.maximum(titles, self.texts.titles(key, use_toc=use_toc) * sure)
        return TermHits(
            term=term,
            how=how,
            keys=tuple(key for key, _ in keys),
            rows=rows,
            grades=grades,
            grade_fields=np.tile(np.arange(len(FIELD_WEIGHTS)), len(sureness)),
            grade_weights=grade_weights,
            labels=labels,
            titles=titles,
        )


def _best(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Positions of each row once, ascending, where its weight is highest."""
    order = np.lexsort((-weights, rows))
    return order[np.append(True, np.diff(rows[order]) != 0)]

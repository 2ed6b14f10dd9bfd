"""Hits of a question's terms -> a score for every row within its table, and for every table.

A label is not a value. Labels travel with every row, so a term that hits only labels chooses
tables and columns; a term that hits cells, or the row's group, chooses rows.

A row's score is counted in words: 1.0 is what a word adds that only this row of its table has, in
its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from core.retrieval.hits import Lookup, TermHits
from core.retrieval.meaning import Meaning
from core.retrieval.postings import FIELD_WEIGHTS, NAME, OTHER, PROSE, Postings
from core.retrieval.row_facts import GENERIC, GENERIC_WEIGHT, RowFacts, rarity
from core.retrieval.table_texts import LABEL
from core.words import question_to_terms, text_to_keys

LABEL_TERM = 0.5
"""Of a value hit by a term that is also a label of the row's table: it chooses columns first."""
NAME_COVER = 1.0
"""What a row adds whose whole name is in the question: "Total revenue" beats "Total revenue per
seat" when the question says no more than "total revenue"."""
MEANING = 0.5
"""Times the cosine of question and row name."""
PHRASE = 0.1
"""For every two neighbouring words of the question that neighbour each other in the row's name."""
TOTAL = 0.2
"""For a row that sums up the others: what a question means that names no row."""
POLARITY = 0.05
"""For a row named "yes", against a row named "no", unless the question says not."""
TABLE_MEANING = 1.0
"""Times the cosine of question and table title, in units of the rarest word."""

PARTS = ("value", "name", "meaning", "phrase", "total", "polarity")
"""Parts of a row's score, in the order in which they are explained."""

ENOUGH = 0.36
"""Strength from which a table counts as found: the share of the question's words, by weight, that
its best row, its labels and its title hold, plus NEARNESS times the closest meaning."""
ENOUGH_MEANING = 0.3
"""The cosine from which a row counts as found where only meaning is asked."""
ENOUGH_WORDS = 0.25
"""The strength where only words are asked."""
NEARNESS = 0.5
LABEL_SAYS, OTHER_SAYS = 1.5, 0.7
"""In a table's strength: of a hit on a label, which tells what a table is about, and on a cell that
names no row, where a word may stand by chance."""

CANDIDATES = 1_000
"""Rows, best first by their words, for which meaning and phrases are worked out."""
_NEGATIONS = frozenset({"not", "no", "never", "without", "none"})


@dataclass(frozen=True)
class Evidence:
    """What a question hits among n rows in m tables."""

    hits: list[TermHits]
    facts: RowFacts
    parts: dict[str, np.ndarray]
    """Each part's (n,) float share of the row scores."""
    similarity: np.ndarray
    """(n,) float: cosine of question and row name; NaN where it was not worked out."""
    table_scores: np.ndarray
    """(m,) float; 0 for a table that is not strong enough."""
    strength: np.ndarray
    """(m,) float: how much of the question each table answers, see ENOUGH."""
    share: np.ndarray
    """(m,) float: share of the terms, by weight, that a table's best row, labels and title hold."""
    enough: float
    """The strength that was asked for."""

    @cached_property
    def row_scores(self) -> np.ndarray:
        """(n,) float: sum of the parts."""
        return np.sum([self.parts[name] for name in PARTS], axis=0)

    @cached_property
    def is_label(self) -> np.ndarray:
        """(m, q) bool: the term is in a column label of the table."""
        found = [hits.labels > 0 for hits in self.hits]
        return np.array(found, dtype=bool).reshape(len(found), len(self.facts.size)).T

    @cached_property
    def choosing(self) -> np.ndarray:
        """(n,) bool: rows that some term chooses by value, which is no label of their table."""
        if not self.hits:
            return np.nan_to_num(self.similarity) >= ENOUGH_MEANING
        chosen = np.zeros(len(self.facts.table), dtype=bool)
        for hits in self.hits:
            chosen[hits.rows[hits.labels[self.facts.table[hits.rows]] == 0]] = True
        return chosen


def gather(
    question: str,
    lookup: Lookup,
    facts: RowFacts,
    meaning: Meaning | None,
    *,
    use_toc: bool,
    use_keywords: bool,
) -> Evidence:
    """Score every row and table; `meaning` is None where embeddings are switched off."""
    terms = question_to_terms(question) if use_keywords else []
    hits = lookup.question_hits(question, terms, use_toc=use_toc) if use_keywords else []
    postings, n_rows = lookup.postings, len(facts.table)
    unit = facts.unit[facts.table]
    parts = {name: np.zeros(n_rows) for name in PARTS}
    for one in hits:
        weight = facts.weights(one.rows) * one.weights * one.weight
        weight *= np.where(one.labels[facts.table[one.rows]] > 0, LABEL_TERM, 1.0)
        parts["value"][one.rows] += weight / unit[one.rows]
    keys = text_to_keys(question) if use_keywords else []
    asked = dict.fromkeys([*keys, *(key for one in hits for key in one.keys)])
    parts["name"] = NAME_COVER * _cover(asked, postings, facts)
    near = _candidates(parts["value"] + parts["name"])
    similarity = np.full(n_rows, np.nan)
    if meaning is not None:
        similarity[near] = meaning.of_rows(question, near)
        parts["meaning"][near] = MEANING * similarity[near]
    parts["phrase"][near] = PHRASE * _shared_pairs(keys, facts.first_cells(near))
    parts["total"][near] = TOTAL * facts.is_total[near]
    if _NEGATIONS.isdisjoint(keys):
        parts["polarity"][near] = POLARITY * facts.polarity[near]
    scores, sure_share, share = _table_scores(hits, facts)
    enough, strength = ENOUGH_WORDS, sure_share
    if meaning is not None:
        near_title = meaning.of_tables(question)
        near_row = np.zeros(len(facts.size))
        np.maximum.at(near_row, facts.table[near], similarity[near])
        closest = np.maximum(near_title, near_row)
        if hits:
            strength = np.where(sure_share > 0, sure_share + NEARNESS * closest, 0.0)
            enough = ENOUGH
        else:
            strength, enough = closest, ENOUGH_MEANING
        scores = scores + TABLE_MEANING * rarity(np.array(1), len(scores)) * (
            near_title if hits else closest
        )
    return Evidence(
        hits=hits,
        facts=facts,
        parts=parts,
        similarity=similarity,
        table_scores=np.where(strength >= enough, scores, 0.0),
        strength=strength,
        share=share,
        enough=enough,
    )


def _cover(keys: dict[str, None], postings: Postings, facts: RowFacts) -> np.ndarray:
    """(n,) float: share, by weight, of each row's name that the question holds."""
    covered = np.zeros(len(facts.table))
    for key in keys:
        rows, fields = postings.holding(key)
        rows = rows[fields == NAME]
        covered[rows] += facts.weights(rows) * (GENERIC_WEIGHT if key in GENERIC else 1.0)
    return np.divide(covered, facts.name_mass, out=covered, where=facts.name_mass > 0)


def _candidates(scores: np.ndarray) -> np.ndarray:
    """(c,) int: the best rows; all of them in a small document."""
    if len(scores) <= CANDIDATES:
        return np.arange(len(scores))
    some = np.flatnonzero(scores > 0)
    if len(some) <= CANDIDATES:
        return some
    return np.sort(some[np.argpartition(-scores[some], CANDIDATES)[:CANDIDATES]])


def _shared_pairs(keys: list[str], names: list[str]) -> np.ndarray:
    """(k,) int: pairs of neighbouring words that each name shares with the question."""
    asked = set(pairwise(keys))
    if not asked:
        return np.zeros(len(names))
    counted = {}
    for name in dict.fromkeys(names):
        words = text_to_keys(name)
        counted[name] = len(asked.intersection(pairwise(words)))
    return np.array([counted[name] for name in names], dtype=float)


def _table_scores(
    hits: list[TermHits], facts: RowFacts
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each table (m,) how much of the terms its best row, its labels and its title hold:
    rare terms first and sure hits first; as a share, sure hits first; as a share.
    """
    n_tables = len(facts.size)
    of_tables = np.zeros((3, n_tables))
    named = np.full(n_tables, all(one.generic or one.operation for one in hits))
    of_rows = np.zeros((3, len(facts.table)))
    for one in hits:
        said = np.maximum(one.labels, one.titles)
        tables = facts.table[one.rows]
        holds = said > 0
        unsaid = ~holds[tables]
        of_tables[1] += one.weight * np.maximum(
            LABEL_SAYS * (one.labels / LABEL) ** 2, one.titles**2
        )
        of_tables[2] += one.weight * holds
        sure = np.where(
            one.fields == PROSE, one.weights, (one.weights / FIELD_WEIGHTS[one.fields]) ** 2
        )
        sure = sure * np.where(one.fields == OTHER, OTHER_SAYS, 1.0)
        of_rows[1, one.rows] += one.weight * sure * unsaid
        of_rows[2, one.rows] += one.weight * unsaid
        holds[tables] = True
        if not (one.generic or one.operation):
            named |= holds
        weight = one.weight * rarity(holds.sum(), n_tables)
        of_tables[0] += weight * said
        of_rows[0, one.rows] += weight * np.maximum(one.weights - said[tables], 0.0)
    for table_sums, row_sums in zip(of_tables, of_rows, strict=True):
        best = np.zeros(n_tables)
        np.maximum.at(best, facts.table, row_sums)
        table_sums += best
    asked = max(sum(one.weight for one in hits if one.found or not one.operation), GENERIC_WEIGHT)
    # "Total" and "highest" alone say nothing of what a question is about.
    return of_tables[0], np.where(named, of_tables[1], 0.0) / asked, of_tables[2] / asked

"""Hits of a question's terms -> a score for every row within its table, and for every table.

A label is not a value. Labels travel with every row, so a term that hits only labels chooses
tables and columns; a term that hits cells, or the row's group, chooses rows.

A row's score is counted in words: 1.0 is what a word adds that only this row of its table has, in
its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from core.retrieval.hits import Lookup, TermHits
from core.retrieval.meaning import Meaning
from core.retrieval.postings import NAME, Postings
from core.retrieval.row_facts import GENERIC, GENERIC_WEIGHT, RowFacts, rarity
from core.retrieval.table_scores import LABEL_TERM, sum_up
from core.retrieval.touched import PARTS, Places, Touched
from core.words import question_to_terms, text_to_keys

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

__all__ = ["LABEL_TERM", "PARTS", "Evidence", "gather"]

ENOUGH = 0.36
"""Strength from which a table counts as found: the share of the question's words, by weight, that
its best row, its labels and its title hold, plus NEARNESS times the closest meaning."""
ENOUGH_MEANING = 0.3
"""The cosine from which a row counts as found where only meaning is asked."""
ENOUGH_WORDS = 0.25
"""The strength where only words are asked."""
NEARNESS = 0.5

CANDIDATES = 1_000
"""Rows, best first by their words, for which meaning and phrases are worked out."""
_NEGATIONS = frozenset({"not", "no", "never", "without", "none"})


@dataclass(frozen=True)
class Evidence:
    """What a question hits among n rows in m tables."""

    hits: list[TermHits]
    facts: RowFacts
    touched: Touched
    """The rows that it hits; the arrays over all n rows below are made when they are asked for."""
    table_scores: np.ndarray
    """(m,) float; 0 for a table that is not strong enough."""
    strength: np.ndarray
    """(m,) float: how much of the question each table answers, see ENOUGH."""
    share: np.ndarray
    """(m,) float: share of the terms, by weight, that a table's best row, labels and title hold."""
    enough: float
    """The strength that was asked for."""

    @cached_property
    def parts(self) -> dict[str, np.ndarray]:
        """Each part's (n,) float share of the row scores."""
        n_rows = len(self.facts.table)
        return {name: self.touched.part(name, n_rows) for name in PARTS}

    @cached_property
    def similarity(self) -> np.ndarray:
        """(n,) float: cosine of question and row name; NaN where it was not worked out."""
        return self.touched.similarity(len(self.facts.table))

    @cached_property
    def row_scores(self) -> np.ndarray:
        """(n,) float: sum of the parts."""
        return self.touched.all_scores(len(self.facts.table))

    @cached_property
    def is_label(self) -> np.ndarray:
        """(m, q) bool: the term is in a column label of the table."""
        found = [hits.labels > 0 for hits in self.hits]
        return np.array(found, dtype=bool).reshape(len(found), len(self.facts.size)).T


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
    keys = text_to_keys(question) if use_keywords else []
    asked = dict.fromkeys([*keys, *(key for one in hits for key in one.keys)])
    named = {key: _named_rows(lookup.postings, key) for key in asked}
    n_rows = len(facts.table)
    places = Places(
        n_rows,
        [*(one.rows for one in hits), *named.values()],
        everything=n_rows <= CANDIDATES,
    )
    rows, at = places.rows, [places.at(one.rows) for one in hits]
    tables = facts.table[rows]
    sums = sum_up(hits, at, tables, facts)
    cover = NAME_COVER * _cover(named, places, facts)
    near = _candidates(sums.value + cover)
    near_rows = rows[near]
    similarity = np.full(len(near), np.nan)
    if meaning is not None:
        similarity = meaning.of_rows(question, near_rows)
    polarity = POLARITY * facts.polarity[near_rows]
    parts = {
        "value": sums.value,
        "name": cover,
        "meaning": np.nan_to_num(MEANING * similarity),
        "phrase": PHRASE * _shared_pairs(keys, _held(keys, named, places)[near], near_rows, facts),
        "total": TOTAL * facts.is_total[near_rows],
        "polarity": polarity if _NEGATIONS.isdisjoint(keys) else np.zeros(len(near)),
    }
    scores, enough, strength = sums.scores, ENOUGH_WORDS, sums.sure_share
    if meaning is not None:
        near_title = meaning.of_tables(question)
        near_row = np.zeros(len(facts.size))
        np.maximum.at(near_row, tables[near], similarity)
        closest = np.maximum(near_title, near_row)
        if hits:
            strength = np.where(strength > 0, strength + NEARNESS * closest, 0.0)
            enough = ENOUGH
        else:
            strength, enough = closest, ENOUGH_MEANING
        scores = scores + TABLE_MEANING * rarity(np.array(1), len(scores)) * (
            near_title if hits else closest
        )
    return Evidence(
        hits=hits,
        facts=facts,
        touched=Touched(rows, tables, at, near, similarity, parts),
        table_scores=np.where(strength >= enough, scores, 0.0),
        strength=strength,
        share=sums.share,
        enough=enough,
    )


def _named_rows(postings: Postings, key: str) -> np.ndarray:
    """(k,) int: rows that hold a key in their name."""
    rows, fields = postings.holding(key)
    return rows[fields == NAME]


def _cover(named: dict[str, np.ndarray], places: Places, facts: RowFacts) -> np.ndarray:
    """(c,) float: share, by weight, of each row's name that the question holds."""
    covered = np.zeros(len(places.rows))
    for key, rows in named.items():
        weights = facts.weights(rows) * (GENERIC_WEIGHT if key in GENERIC else 1.0)
        covered[places.at(rows)] += weights
    mass = facts.name_mass[places.rows]
    return np.divide(covered, mass, out=covered, where=mass > 0)


def _candidates(scores: np.ndarray) -> np.ndarray:
    """(c,) int: the best rows; all of them in a small document."""
    if len(scores) <= CANDIDATES:
        return np.arange(len(scores))
    some = np.flatnonzero(scores > 0)
    if len(some) <= CANDIDATES:
        return some
    return np.sort(some[np.argpartition(-scores[some], CANDIDATES)[:CANDIDATES]])


def _held(keys: Sequence[str], named: dict[str, np.ndarray], places: Places) -> np.ndarray:
    """(c,) int: how many of some keys each row holds in its name."""
    held = np.zeros(len(places.rows), dtype=np.int32)
    for key in dict.fromkeys(keys):
        held[places.at(named[key])] += 1
    return held


def _shared_pairs(
    keys: Sequence[str], held: np.ndarray, rows: np.ndarray, facts: RowFacts
) -> np.ndarray:
    """(j,) int: pairs of neighbouring words that the names of some rows share with the question.

    Args:
        keys: the words of the question in order.
        held: (j,) int: how many of them each name holds; only a name with two can have a pair.
    """
    shared = np.zeros(len(rows))
    asked = set(pairwise(keys))
    if not asked:
        return shared
    enough = min(len(set(pair)) for pair in asked)
    able = np.flatnonzero(held >= enough)
    names = facts.first_cells(rows[able])
    counted = {
        name: len(asked.intersection(pairwise(text_to_keys(name)))) for name in dict.fromkeys(names)
    }
    shared[able] = [counted[name] for name in names]
    return shared

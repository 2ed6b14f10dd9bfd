"""What a question's hits say for their rows and for the tables these stand in, summed up.

A hit says the same for all rows of a table that hold it in the same field, so that it is worked
out once for each table and grade, and only looked up for the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.retrieval.hits import TermHits
from core.retrieval.postings import FIELD_WEIGHTS, OTHER, PROSE
from core.retrieval.row_facts import GENERIC_WEIGHT, RowFacts, rarity
from core.retrieval.table_texts import LABEL

LABEL_TERM = 0.5
"""Of a value hit by a term that is also a label of the row's table: it chooses columns first."""
LABEL_SAYS, OTHER_SAYS = 1.5, 0.7
"""In a table's strength: of a hit on a label, which tells what a table is about, and on a cell that
names no row, where a word may stand by chance."""


@dataclass(frozen=True)
class Sums:
    """Sums over the hits of a question, for c touched rows and m tables."""

    value: np.ndarray
    """(c,) float: what the hits add to each row's score."""
    scores: np.ndarray
    """(m,) float: how much of the terms each table's best row, its labels and its title hold, rare
    terms first and sure hits first."""
    sure_share: np.ndarray
    """(m,) float: the same as a share of the terms, sure hits first."""
    share: np.ndarray
    """(m,) float: the same as a share of the terms."""


def sum_up(
    hits: Sequence[TermHits],
    at: Sequence[np.ndarray | slice],
    tables: np.ndarray,
    facts: RowFacts,
) -> Sums:
    """Sum up what every hit says.

    Args:
        at: of each term, where its rows stand among the touched rows.
        tables: (c,) int: the table of each touched row.
    """
    n_tables = len(facts.size)
    named = np.full(n_tables, all(one.generic or one.operation for one in hits))
    of_tables = np.zeros((3, n_tables))
    of_rows = np.zeros((4, len(tables)))
    for one, places in zip(hits, at, strict=True):
        row_tables = tables[places]
        holding = np.bincount(row_tables, minlength=n_tables)
        labelled = LABEL_SAYS * (one.labels / LABEL) ** 2
        said = np.maximum(one.labels, one.titles)
        holds = (said > 0) | (holding > 0)
        if not (one.generic or one.operation):
            named |= holds
        rare = one.weight * float(rarity(holds.sum(), n_tables))
        of_tables[0] += rare * said
        of_tables[1] += one.weight * np.maximum(labelled, one.titles**2)
        of_tables[2] += one.weight * (said > 0)
        if one.rows.size:
            says = _grades_say(one, holding, said, rare, facts)
            grade = row_tables * len(one.grade_fields) + one.grades
            for sums, said_by_grade in zip(of_rows, says, strict=True):
                sums[places] += np.take(said_by_grade, grade)
    of_tables += _best_of_tables(of_rows[1:], tables, n_tables)
    asked = max(sum(one.weight for one in hits if one.found or not one.operation), GENERIC_WEIGHT)
    return Sums(
        value=of_rows[0],
        scores=of_tables[0],
        # "Total" and "highest" alone say nothing of what a question is about.
        sure_share=np.where(named, of_tables[1], 0.0) / asked,
        share=of_tables[2] / asked,
    )


def _grades_say(
    one: TermHits, holding: np.ndarray, said: np.ndarray, rare: float, facts: RowFacts
) -> np.ndarray:
    """(4, m * g) float: what a hit adds in each table by each grade: to a row's score, and to the
    three sums of the table that its best row counts for."""
    weights, fields = one.grade_weights, one.grade_fields
    labelled = np.where(one.labels > 0, LABEL_TERM, 1.0)
    value = rarity(holding, facts.size)[:, np.newaxis] * weights * one.weight
    value = value * labelled[:, np.newaxis] / facts.unit[:, np.newaxis]
    sure = np.where(fields == PROSE, weights, (weights / FIELD_WEIGHTS[fields]) ** 2)
    sure = one.weight * (sure * np.where(fields == OTHER, OTHER_SAYS, 1.0))
    # What labels and title say already is not said again by a row.
    unsaid = (said == 0)[:, np.newaxis]
    more = np.maximum(weights - said[:, np.newaxis], 0.0)
    any_grade = np.ones(len(fields))
    all_say = (value, rare * more, sure * unsaid, one.weight * any_grade * unsaid)
    return np.stack(all_say).reshape(4, -1)


def _best_of_tables(of_rows: np.ndarray, tables: np.ndarray, n_tables: int) -> np.ndarray:
    """(s, m) float: the highest of each of s sums among the touched rows of each table, or 0."""
    best = np.zeros((len(of_rows), n_tables))
    if len(tables):
        # Rows of a table mostly follow each other, so that there are few runs of them.
        starts = np.flatnonzero(np.diff(tables, prepend=-1))
        for best_sums, sums in zip(best, of_rows, strict=True):
            np.maximum.at(best_sums, tables[starts], np.maximum.reduceat(sums, starts))
    return best

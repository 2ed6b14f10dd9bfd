"""Why a row is in or out: where each term hits it, what its score is made of, where the cut fell.

Nothing here decides anything. `core.retrieval.reasons` puts the decision of `core.retrieval.cut`
into a sentence; a test holds that both agree for every row.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.errors import OptionError
from core.retrieval.evidence import LABEL_TERM, PARTS
from core.retrieval.hits import ACRONYM, TYPO, TermHits
from core.retrieval.postings import FIELD_NAMES, NAME
from core.retrieval.reasons import TermSaid, row_decision, row_reason
from core.retrieval.retrieval import Retrieval
from core.retrieval.row_facts import RowFacts, rarity
from core.words import text_to_pieces, texts_to_keys

LABEL, TITLE, NOWHERE = "label", "title", ""
"""Where a term hits that is in no cell of the row: beside those of FIELD_NAMES."""


@dataclass(frozen=True)
class TermFound:
    """One term of a question in one row."""

    text: str
    """As typed."""
    how: str
    """EXACT, PART, ACRONYM, TYPO or ABBREVIATION of `core.retrieval.hits`."""
    where: str
    """The best place: "name", "group", "value" or "prose" in the row, else "label" or "title" of
    its table, else ""."""
    keys: tuple[str, ...]
    """The keys that were looked for; empty for the initials of a name."""
    words: tuple[str, ...]
    """What was found, as it is written in the row, or else in the labels; each once."""
    columns: tuple[int, ...]
    """Numbers, from 0, of the cells of this row in which it hits."""
    label_columns: tuple[int, ...]
    """Numbers of the columns whose label it hits."""
    weight: float
    """What it adds to the row's score; those of all terms sum up to the part "value"."""
    is_label: bool
    """It hits a label of the row's table: it says which columns are meant, hardly which rows."""
    generic: bool
    """It names a measure, as "total" does, and hardly tells one row from another."""


@dataclass(frozen=True)
class Explanation:
    """Why a row is matched, returned or left out."""

    position: int
    """In the row_df of the index."""
    table_id: str
    row_index: int
    rank: int | None
    """Place in `Retrieval.ranking`, from 1; None beyond it."""
    score: float
    parts: dict[str, float]
    """What the score is made of, by PARTS of `core.retrieval.evidence`, in that order."""
    similarity: float | None
    """Cosine of question and row name; None where it was not worked out."""
    terms: list[TermFound]
    """All terms of the question, in its order."""
    matched: bool
    returned: bool
    """Matched, or returned because its table was widened."""
    line: float | None
    """Score at which the cut was drawn; None where it was not asked: the question is about another
    table, or about all rows of this one."""
    best: float
    """The best score in the tables that the question is about; of all rows where there is none."""
    reason: str
    """One or two plain sentences."""


def explain(retrieval: Retrieval, row_df: pd.DataFrame, position: int) -> Explanation:
    """Why the row at a position of the index's row_df is in or out.

    Raises:
        OptionError: there is no such row.
    """
    evidence, facts = retrieval.evidence, retrieval.evidence.facts
    if not 0 <= position < len(row_df):
        raise OptionError(f"There is no row {position}; the index has {len(row_df)} rows, from 0.")
    row = row_df.iloc[position]
    terms = [
        _term_found(one, facts, position, row["column_headers"], row["row_cells"])
        for one in evidence.hits
    ]
    similarity = float(evidence.similarity[position])
    said = [
        TermSaid(
            # A typo is called by what it was taken for.
            text=one.words[0] if one.how == TYPO and one.words else one.text,
            where=one.where,
            in_row=one.where in FIELD_NAMES,
            is_label=one.is_label,
            generic=one.generic,
        )
        for one in terms
    ]
    decision = row_decision(retrieval, position)
    return Explanation(
        position=position,
        table_id=str(row["table_id"]),
        row_index=int(row["row_index"]),
        rank=_rank(retrieval, position),
        score=float(evidence.row_scores[position]),
        parts={name: float(evidence.parts[name][position]) for name in PARTS},
        similarity=None if np.isnan(similarity) else similarity,
        terms=terms,
        matched=decision.matched,
        returned=decision.returned,
        line=retrieval.cut.line if decision.asked else None,
        best=decision.best,
        reason=row_reason(retrieval, position, decision, said),
    )


def matched_cells(
    retrieval: Retrieval, row_df: pd.DataFrame, positions: np.ndarray | None = None
) -> dict[int, tuple[int, ...]]:
    """The cells of matched rows that some term hits: position in row_df -> numbers of its cells.

    Rows without such a cell are left out; they matched by their group, or as the whole table.

    Args:
        row_df: that of the index.
        positions: (k,) int: the rows that are asked for, such as those of one page; all by
            default, which takes seconds where a million rows matched.
    """
    hits = [one for one in retrieval.evidence.hits if one.rows.size]
    touched = np.zeros(len(row_df), dtype=bool)
    for one in hits:
        touched[one.rows] = True
    touched &= matched_mask(retrieval)
    wanted_rows = np.arange(len(row_df)) if positions is None else np.unique(positions)
    positions = wanted_rows[touched[wanted_rows]]
    if not positions.size:
        return {}
    cells = row_df["row_cells"].iloc[positions].tolist()
    lengths = np.array([len(row) for row in cells])
    starts = np.cumsum(lengths) - lengths
    tokens = texts_to_keys([cell for row in cells for cell in row])
    wanted = {key for one in hits for key in one.keys}
    codes = [code for code, key in enumerate(tokens.vocabulary) if key in wanted]
    hit = np.zeros(int(lengths.sum()), dtype=bool)
    hit[tokens.texts[np.isin(tokens.codes, codes)]] = True
    for one in hits:
        if one.how == ACRONYM and not one.keys:
            hit[starts[np.isin(positions, one.rows) & (lengths > 0)]] = True
    at = np.flatnonzero(hit)
    rows = np.repeat(np.arange(len(positions)), lengths)[at]
    found: dict[int, tuple[int, ...]] = {}
    for row, column in zip(rows.tolist(), (at - starts[rows]).tolist(), strict=True):
        position = int(positions[row])
        found[position] = (*found.get(position, ()), column)
    return found


def matched_mask(retrieval: Retrieval) -> np.ndarray:
    """(n,) bool: the matched rows of the index."""
    facts = retrieval.evidence.facts
    mask = np.zeros(len(facts.table), dtype=bool)
    if retrieval.use_row_level and retrieval.cut.rows.size:
        mask[retrieval.cut.rows] = True
        return mask
    touched = {decision.table_id for decision in retrieval.decisions}
    tables = [at for at, table_id in enumerate(facts.table_ids) if table_id in touched]
    return np.isin(facts.table, tables)


def _rank(retrieval: Retrieval, position: int) -> int | None:
    places = np.flatnonzero(retrieval.ranking["position"].to_numpy() == position)
    return int(places[0]) + 1 if places.size else None


def _term_found(
    hits: TermHits, facts: RowFacts, position: int, labels: Sequence[str], cells: Sequence[str]
) -> TermFound:
    table = int(facts.table[position])
    is_label = bool(hits.labels[table] > 0)
    at = int(np.searchsorted(hits.rows, position))
    in_row = at < len(hits.rows) and int(hits.rows[at]) == position
    where, weight = NOWHERE, 0.0
    if in_row:
        where = FIELD_NAMES[hits.fields[at]]
        weight = _weight(hits, facts, table) * float(hits.weights[at])
    elif is_label:
        where = LABEL
    elif hits.titles[table] > 0:
        where = TITLE
    label_columns, label_words = _found_in(labels if is_label else [], hits.keys)
    columns, words = _found_in(cells if in_row else [], hits.keys)
    if in_row and hits.fields[at] == NAME and not columns and cells:
        columns, words = (0,), (cells[0],)  # initials: no word of the name is what was looked for
    return TermFound(
        text=hits.term.text,
        how=hits.how,
        where=where,
        keys=hits.keys,
        words=words or label_words,
        columns=columns,
        label_columns=label_columns,
        weight=weight,
        is_label=is_label,
        generic=hits.generic,
    )


def _weight(hits: TermHits, facts: RowFacts, table: int) -> float:
    """What a hit of weight 1 adds to a row of a table, as `core.retrieval.evidence` sums it up."""
    holding = int(np.count_nonzero(facts.table[hits.rows] == table))
    rare = float(rarity(np.array(holding), int(facts.size[table])) / facts.unit[table])
    return rare * hits.weight * (LABEL_TERM if hits.labels[table] > 0 else 1.0)


def _found_in(
    texts: Sequence[str], keys: Collection[str]
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Numbers of the texts that hold one of the keys, and the words that do."""
    columns: dict[int, None] = {}
    words: dict[str, str] = {}
    for column, text in enumerate(texts):
        for piece in text_to_pieces(text):
            if not set(keys).isdisjoint(piece.keys):
                columns[column] = None
                words.setdefault(piece.text.casefold(), piece.text)
    return tuple(columns), tuple(words.values())

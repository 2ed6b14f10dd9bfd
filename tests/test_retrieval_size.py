"""Retrieval in long documents: what is left out to be fast changes no answer."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import build_index, serialize_table_rows
from core.errors import OptionError
from core.retrieval.evidence import PARTS
from core.retrieval.index import Index
from core.retrieval.ranking import MOST_RANKED
from core.retrieval.table_lines import plain_body
from core.tables.model import markdown_lines
from core.words import text_to_keys, texts_to_keys

CELL = st.text(alphabet='ab|\\\n\r\x00 "', max_size=4)


@pytest.fixture(scope="module")
def index() -> Index:
    """2,000 rows of a table on page 1, of which 1,500 are open, and 300 of one on page 3."""
    return build_index(*_frames())


def _frames() -> tuple[pd.DataFrame, pd.DataFrame]:
    orders = [
        f"| Order {at} | {'open' if at < 1500 else 'closed'} | {at},500.25 EUR |"
        for at in range(2000)
    ]
    lamps = [f"| Lamp {at} | blue | {at} |" for at in range(300)]
    pages = [
        ["Orders of the north", "| Name | State | Price |", "|---|---|---|", *orders],
        ["Lamps of the south", "| Name | Colour | Stock |", "|---|---|---|", *lamps],
    ]
    line_df = pd.DataFrame(
        {
            "page_num": np.repeat([1, 3], list(map(len, pages))),
            "line_num": [at + 1 for lines in pages for at in range(len(lines))],
            "text": [text for lines in pages for text in lines],
            **dict.fromkeys(("x0", "y0", "x1", "y1"), np.nan),
        }
    )
    return line_df, serialize_table_rows(line_df)


def test_only_rows_that_a_word_hits_are_summed_up(index: Index) -> None:
    evidence = index.retrieve("Lamp 17").evidence
    # "17" names order 17 and lamp 17, "lamp" all 300 lamps.
    assert len(evidence.touched.rows) == 301
    assert evidence.touched.rows[0] == 17
    assert len(evidence.row_scores) == 2300
    assert np.flatnonzero(evidence.row_scores).tolist() == evidence.touched.rows.tolist()
    np.testing.assert_allclose(sum(evidence.parts[name] for name in PARTS), evidence.row_scores)
    assert int(np.argmax(evidence.row_scores)) == 2017


def test_the_score_of_any_row_can_be_read(index: Index) -> None:
    evidence = index.retrieve("Lamp 17").evidence
    rows = np.array([0, 17, 1999, 2017, 2299])
    assert evidence.touched.scores_of(rows).tolist() == evidence.row_scores[rows].tolist()
    assert evidence.touched.scores_of(rows)[[0, 2]].tolist() == [0.0, 0.0]


def test_of_rows_that_tie_the_first_are_ranked(index: Index) -> None:
    ranking = index.retrieve("open", use_dense=False).ranking
    assert ranking["position"].tolist() == list(range(MOST_RANKED))


def test_a_whole_table_is_written_as_markdown_and_cited(index: Index) -> None:
    answer = index.retrieve("Which lamp has the highest stock?")
    assert [decision.n_body_rows for decision in answer.decisions] == [300]
    lines = answer.context.split("\n")
    assert lines[:3] == ["|Name|Colour|Stock|", "|---|---|---|", "|Lamp 0|blue|0|"]
    assert lines[-1] == "|Lamp 299|blue|299|"
    assert answer.citations == [(3, at + 4) for at in range(300)]
    assert [line.text for line in answer.context_lines] == lines
    assert answer.context_lines[0].citation is None
    assert answer.tokens.context == answer.tokens.markdown
    assert len(answer.matches) == 300


def test_an_unknown_encoding_is_refused_before_tokens_are_read(index: Index) -> None:
    with pytest.raises(OptionError, match="p50k"):
        index.retrieve("Lamp 17", encoding="p50k")


@given(st.integers(0, 3).flatmap(lambda n: st.lists(st.lists(CELL, min_size=n, max_size=3))))
def test_lines_joined_at_once_are_those_joined_cell_by_cell(rows: list[list[str]]) -> None:
    width = len(rows[0]) if rows else 1
    body = plain_body(rows, width)
    marked = any(mark in cell for row in rows for cell in row for mark in "|\\\n")
    assert (body is None) == (not rows or not width or marked or {*map(len, rows)} != {width})
    if body is not None:
        assert body.split("\n") == markdown_lines(["x"] * width, rows)[2:]


def test_numbers_beside_a_unit_are_keyed_as_they_are_one_by_one() -> None:
    written = [
        "1,250.50",
        "1.250",
        "-7",
        "12%",
        "0,5",
        "1,2,3",
        "012",
        "3.10",
        "1 250",
        "9.999.999",
    ]
    texts = [f"{number}{at} EUR" for at in range(200) for number in written]
    texts += [f"x{at} {number} kg" for at in range(200) for number in written]
    tokens = texts_to_keys(texts)
    keys = [tokens.vocabulary[code] for code in tokens.codes]
    ends = np.searchsorted(tokens.texts, np.arange(len(texts) + 1)).tolist()
    found = [keys[start:end] for start, end in pairwise(ends)]
    assert found == [text_to_keys(text) for text in texts]

"""core.tables.captions: which lines around a table are its caption."""

from __future__ import annotations

import pandas as pd
import pytest

from core import read_tables

TABLE = ["| Port | Ships |", "|---|---|", "| Oslo | 61 |"]


def blocks_to_line_df(*blocks: tuple[str, list[str]]) -> pd.DataFrame:
    """One page: blocks of (class, lines), numbered as our parser does."""
    rows = [
        (number, kind, text) for number, (kind, lines) in enumerate(blocks, 1) for text in lines
    ]
    return pd.DataFrame(rows, columns=["block_num", "block_class", "text"]).assign(
        page_num=1, line_num=range(1, len(rows) + 1), x0=0.0, y0=0.0, x1=9.0, y1=9.0
    )


@pytest.mark.parametrize("kind", ["text", "caption"])
@pytest.mark.parametrize("below", [False, True])
def test_a_caption_runs_over_the_lines_of_its_block(kind: str, below: bool) -> None:
    blocks = [(kind, ["Table 2. Ships by port, all", "of 1998, after the harbour", "master."])]
    blocks.insert(0 if below else 1, ("table", TABLE))
    (table,) = read_tables(blocks_to_line_df(*blocks))
    assert table.caption == "Table 2. Ships by port, all of 1998, after the harbour master."


def test_the_next_block_is_text_again() -> None:
    line_df = blocks_to_line_df(
        ("table", TABLE), ("text", ["Table 2: Ships"]), ("text", ["Some more prose."])
    )
    assert read_tables(line_df)[0].caption == "Table 2: Ships"


@pytest.mark.parametrize("label", ["Table 2", "Exhibit 19.", "TABLE B.4"])
def test_a_label_alone_takes_the_next_block(label: str) -> None:
    line_df = blocks_to_line_df(
        ("text", [label]), ("text", ["Ships by port", "in 1998"]), ("table", TABLE)
    )
    assert read_tables(line_df)[0].caption == f"{label} Ships by port in 1998"


def test_a_label_alone_right_above_the_table_is_all() -> None:
    line_df = blocks_to_line_df(("text", ["Table 2"]), ("table", TABLE), ("text", ["Prose."]))
    assert read_tables(line_df)[0].caption == "Table 2"


def test_the_nearer_of_two_captions_is_the_table_s_own() -> None:
    line_df = blocks_to_line_df(
        ("text", ["Table 1 shows the ships."]), ("text", ["Table 2: Ships"]), ("table", TABLE)
    )
    assert read_tables(line_df)[0].caption == "Table 2: Ships"


def test_a_paragraph_that_begins_with_table_gives_its_line_alone() -> None:
    prose = [f"and so on in line {at}" for at in range(9)]
    line_df = blocks_to_line_df(("table", TABLE), ("text", ["Table 2 shows ships", *prose]))
    assert read_tables(line_df)[0].caption == "Table 2 shows ships"


def test_without_block_numbers_a_caption_is_its_line() -> None:
    line_df = blocks_to_line_df(("text", ["Table 2: Ships", "in 1998"]), ("table", TABLE))
    assert read_tables(line_df.drop(columns="block_num"))[0].caption == ("Table 2: Ships")

"""Section 9 of the contract, word for word: from pipe lines and from our own sample PDFs."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from core import Index, Retrieval, build_index, parse_document, read_tables, serialize_table_rows
from tests.frames import lines

ROOT = Path(__file__).parents[1]
PIPE_LINES, PDF = "pipe lines", "parsed PDF"
SOURCES = [PIPE_LINES, PDF]

GUARANTEES = (ROOT / "tests/data/guarantees.txt").read_text(encoding="utf-8")
EXTRACT = """
    | Covered event | Cap | Deductible | Eligibility condition |
    |---|---|---|---|
    | Third-party bodily injury | Unlimited | None | Licensed driver |
    | Collision with another vehicle | 40,000 EUR | 600 EUR | Joint statement signed |
    | Fire | 40,000 EUR | 300 EUR | Fire service record supplied |
    | Vehicle theft | 25,000 EUR | 500 EUR | Tracker installed and active |
    | Vandalism | 10,000 EUR | 500 EUR | Reported within 48 hours |
    | Flood | 30,000 EUR | 750 EUR | Event declared a disaster |
    | Windscreen replacement | 1,500 EUR | 75 EUR | Partner workshop |
    | Replacement vehicle | 1,200 EUR | None | Repair over 24 hours |
"""
LAYERS = """
    Table 1: Maximum path lengths, per-layer complexity and minimum number of sequential operations.
    | Layer Type | Complexity per Layer | Sequential Operations | Maximum Path Length |
    |---|---|---|---|
    | Self-Attention | O(n2 · d) | O(1) | O(1) |
    | Recurrent | O(n · d2) | O(n) | O(n) |
    | Convolutional | O(k · n · d2) | O(1) | O(logk(n)) |
    | Self-Attention (restricted) | O(r · n · d) | O(1) | O(n/r) |
    Self-attention connects every pair of positions directly.
"""
SCORES = """
    Table 2: BLEU scores and training costs on newstest2014.
    | Model | BLEU | | Training Cost (FLOPs) | |
    |---|---|---|---|---|
    | | EN-DE | EN-FR | EN-DE | EN-FR |
    | ByteNet | 23.75 | | | |
    | Deep-Att + PosUnk | | 39.2 | | 1.0 · 10^20 |
    | GNMT + RL | 24.6 | 39.92 | 2.3 · 10^19 | 1.4 · 10^20 |
    | ConvS2S | 25.16 | 40.46 | 9.6 · 10^18 | 1.5 · 10^20 |
    | MoE | 26.03 | 40.56 | 2.0 · 10^19 | 1.2 · 10^20 |
    | Deep-Att + PosUnk Ensemble | | 40.4 | | 8.0 · 10^20 |
    | GNMT + RL Ensemble | 26.30 | 41.16 | 1.8 · 10^20 | 1.1 · 10^21 |
    | ConvS2S Ensemble | 26.36 | 41.29 | 7.7 · 10^19 | 1.2 · 10^21 |
    | Transformer (base model) | 27.3 | 38.1 | 3.3 · 10^18 | |
    | Transformer (big) | 28.4 | 41.8 | 2.3 · 10^19 | |
    On English to German the big model scores 28.4.
"""

THEFT = (
    "Covered event: Vehicle theft | Cap: 25,000 EUR | Deductible: 500 EUR | "
    "Eligibility condition: Tracker installed and active"
)
THEFT_QUESTION = "What is the cap for vehicle theft?"
SCORE_HEADERS = [
    "Model",
    "BLEU EN-DE",
    "BLEU EN-FR",
    "Training Cost (FLOPs) EN-DE",
    "Training Cost (FLOPs) EN-FR",
]


@cache
def line_df_of(source: str, text: str, pdf: str) -> pd.DataFrame:
    return lines(text) if source == PIPE_LINES else parse_document(ROOT / "assets" / pdf).line_df


def contract(source: str) -> pd.DataFrame:
    return line_df_of(source, GUARANTEES, "motor_insurance.pdf")


def extract(source: str) -> pd.DataFrame:
    return line_df_of(source, EXTRACT, "motor_insurance_extract.pdf")


def report(source: str) -> pd.DataFrame:
    return line_df_of(source, LAYERS + SCORES, "attention_report.pdf")


def index_of(line_df: pd.DataFrame) -> Index:
    return build_index(line_df, serialize_table_rows(line_df))


def first_cells(row_df: pd.DataFrame) -> list[str]:
    return [cells[0] for cells in row_df["row_cells"]]


def table_with(line_df: pd.DataFrame, header: str) -> pd.DataFrame:
    """Rows of the one table that has a column of that name."""
    row_df = serialize_table_rows(line_df)
    rows = row_df[[header in labels for labels in row_df["column_headers"]]]
    assert len(set(rows["table_id"])) == 1
    return rows


def cited_texts(found: Retrieval, line_df: pd.DataFrame) -> list[str]:
    by_place = line_df.set_index(["page_num", "line_num"])["text"].to_dict()
    return [by_place[place] for place in found.citations]


@pytest.mark.parametrize("source", SOURCES)
def test_the_guarantees_table_is_one_table_of_forty_rows(source: str) -> None:
    rows = table_with(contract(source), "Covered event")
    assert rows["column_headers"].iloc[0] == [
        "Covered event",
        "Cap",
        "Deductible",
        "Eligibility condition",
    ]
    assert len(rows) == 40
    assert set(rows["n_body_rows"]) == {40}
    assert rows["page_num"].nunique() == 2


@pytest.mark.parametrize("source", SOURCES)
def test_the_theft_question_returns_one_row_of_122_characters(source: str) -> None:
    line_df = contract(source)
    found = index_of(line_df).retrieve(THEFT_QUESTION)
    assert found.shape == "targeted_lookup"
    assert found.use_row_level
    assert found.context == THEFT
    assert len(found.context) == 122
    assert [(one.k, one.n_body_rows, one.widened) for one in found.decisions] == [(1, 40, False)]
    [cited] = cited_texts(found, line_df)
    assert "Vehicle theft" in cited
    assert "25,000 EUR" in cited


@pytest.mark.parametrize("source", SOURCES)
def test_one_row_instead_of_forty_saves_about_forty_times(source: str) -> None:
    rows = table_with(contract(source), "Covered event")
    assert rows["row_serialized"].str.len().sum() / 122 == pytest.approx(40, rel=0.05)


@pytest.mark.parametrize("source", SOURCES)
def test_the_slice_of_eight_rows_is_943_characters(source: str) -> None:
    rows = table_with(extract(source), "Covered event")
    assert len(rows) == 8
    assert rows["row_serialized"].str.len().sum() == 943
    assert index_of(extract(source)).retrieve(THEFT_QUESTION).context == THEFT
    assert round(rows["row_serialized"].str.len().sum() / len(THEFT), 1) == 7.7


@pytest.mark.parametrize("source", SOURCES)
def test_which_events_are_covered_is_about_the_whole_table(source: str) -> None:
    found = index_of(contract(source)).retrieve("Which events are covered?")
    assert found.shape == "synthesis"
    assert not found.use_row_level
    assert [(one.n_body_rows, one.widened) for one in found.decisions] == [(40, True)]
    assert not found.partial
    assert found.context.count("Covered event") == 1
    assert all(event in found.context for event in ("Fire", "Vehicle theft", "Hail", "Flood"))


@pytest.mark.parametrize("source", SOURCES)
def test_a_synthesis_forced_to_rows_says_that_it_is_partial(source: str) -> None:
    found = index_of(contract(source)).retrieve("Which events are covered?", use_row_level=True)
    assert found.use_row_level
    assert found.partial != all(decision.widened for decision in found.decisions)
    assert any("artial" in note for note in found.notes) == found.partial


@pytest.mark.parametrize("source", SOURCES)
def test_a_comparison_returns_the_two_rows_it_names(source: str) -> None:
    found = index_of(contract(source)).retrieve(
        "Summarise the vehicle-theft cap and compare it with the fire cap"
    )
    assert found.shape == "mixed"
    assert sorted(first_cells(found.matches)) == ["Fire", "Vehicle theft"]
    assert [(one.k, one.widened) for one in found.decisions] == [(2, False)]
    assert len(found.citations) == 2


@pytest.mark.parametrize("source", SOURCES)
def test_the_complexity_of_self_attention_is_one_row_or_two(source: str) -> None:
    line_df = report(source)
    found = index_of(line_df).retrieve("What is the complexity of self-attention per layer?")
    assert "Self-Attention" in first_cells(found.matches)
    assert set(first_cells(found.matches)) <= {"Self-Attention", "Self-Attention (restricted)"}
    assert not any(decision.widened for decision in found.decisions)


@pytest.mark.parametrize("source", SOURCES)
def test_the_layer_types_compared_are_all_four(source: str) -> None:
    found = index_of(report(source)).retrieve("What layer types are compared?")
    assert [(one.k, one.n_body_rows, one.widened) for one in found.decisions] == [(4, 4, True)]
    kinds = ("Self-Attention", "Recurrent", "Convolutional", "Self-Attention (restricted)")
    assert all(kind in found.context for kind in kinds)


@pytest.mark.parametrize("source", SOURCES)
def test_the_two_header_lines_of_table_2_become_one_label_each(source: str) -> None:
    rows = table_with(report(source), "BLEU EN-DE")
    assert set(map(tuple, rows["column_headers"])) == {tuple(SCORE_HEADERS)}
    assert first_cells(rows)[0] == "ByteNet"
    assert first_cells(rows)[-1] == "Transformer (big)"
    assert len(rows) == 10
    assert not any({"EN-DE", "EN-FR"} & set(cells) for cells in rows["row_cells"])
    [base] = [cells for cells in rows["row_cells"] if cells[0] == "Transformer (base model)"]
    assert base[:3] == ["Transformer (base model)", "27.3", "38.1"]


@pytest.mark.parametrize("strict", [True, False])
def test_table_2_folds_by_the_literal_guard_too(strict: bool) -> None:
    row_df = serialize_table_rows(lines(SCORES), strict=strict)
    assert row_df["column_headers"].iloc[0] == SCORE_HEADERS
    assert row_df["row_serialized"].iloc[0] == (
        "Model: ByteNet | BLEU EN-DE: 23.75 | BLEU EN-FR:  | "
        "Training Cost (FLOPs) EN-DE:  | Training Cost (FLOPs) EN-FR: "
    )


@pytest.mark.parametrize("source", SOURCES)
def test_en_de_hits_data_rows(source: str) -> None:
    index = index_of(report(source))
    by_label = index.retrieve("EN-DE")
    assert by_label.found
    assert set(first_cells(by_label.matches)) <= set(
        first_cells(table_with(report(source), "BLEU EN-DE"))
    )
    one = index.retrieve("What is the BLEU EN-DE score of Transformer (big)?")
    assert first_cells(one.matches) == ["Transformer (big)"]


def test_the_paper_itself_answers_as_its_tables_do(shared: Path) -> None:
    paper = shared / "documents/attention/1706.03762v7.pdf"
    line_df = parse_document(paper, pages=[6, 8]).line_df
    index = index_of(line_df)

    lookup = index.retrieve("What is the complexity of self-attention per layer?")
    assert "Self-Attention" in first_cells(lookup.matches)
    assert set(first_cells(lookup.matches)) <= {"Self-Attention", "Self-Attention (restricted)"}

    whole = index.retrieve("What layer types are compared?")
    assert [(one.k, one.n_body_rows, one.widened) for one in whole.decisions] == [(4, 4, True)]
    assert whole.citations == sorted(whole.citations)
    assert {page for page, _ in whole.citations} == {6}


@pytest.mark.parametrize(
    ("threshold", "widened"), [(0.0, True), (0.60, True), (0.61, False), (1.0, False)]
)
def test_three_of_five_rows_widen_at_sixty_percent_and_no_further(
    threshold: float, widened: bool
) -> None:
    line_df = lines("""
        | Berth | Ship | Draught |
        |---|---|---|
        | North quay | Aurora | 7.1 m |
        | South quay | Borealis | 8.4 m |
        | East basin | Aurora | 6.0 m |
        | West basin | Calypso | 9.2 m |
        | Dry dock | Aurora | 4.5 m |
    """)
    found = index_of(line_df).retrieve(
        "Where does the Aurora lie?",
        widen_threshold=threshold,
        use_row_level=True,
        shape="targeted_lookup",
    )
    [decision] = found.decisions
    assert (decision.k, decision.n_body_rows, decision.widened) == (3, 5, widened)


def test_nothing_matched_is_nothing_returned() -> None:
    found = index_of(lines(GUARANTEES)).retrieve("Who won the chess olympiad?")
    assert not found.found
    assert found.context == ""
    assert found.citations == []
    assert found.matches.empty


def test_header_override_carries_through_to_the_answer() -> None:
    line_df = lines(SCORES)
    row_df = serialize_table_rows(line_df, header_rows={"t1": 1})
    assert first_cells(row_df)[0] == ""
    assert [table.header.depth for table in read_tables(line_df, header_rows={"t1": 1})] == [1]
    found = build_index(line_df, row_df).retrieve("What is the BLEU of ByteNet?")
    assert first_cells(found.matches) == ["ByteNet"]
    assert found.matches["column_headers"].iloc[0][0] == "Model"


def test_rows_read_back_from_parquet_answer_the_same(tmp_path: Path) -> None:
    line_df = lines(GUARANTEES)
    row_df = serialize_table_rows(line_df)
    row_df.to_parquet(tmp_path / "rows.parquet")
    again = pd.read_parquet(tmp_path / "rows.parquet")
    assert build_index(line_df, again).retrieve(THEFT_QUESTION).context == THEFT

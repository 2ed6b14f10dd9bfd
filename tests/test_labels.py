"""What a cell's text looks like, one line per kind."""

from __future__ import annotations

import pytest

from core.tables import labels


@pytest.mark.parametrize(
    "cell",
    [
        "12",
        "-4.1",
        "1,204",
        "1 204",
        "(3.2)",
        "$840",
        "840 €",
        "16%",
        "2.3 · 10^19",
        "<0.1",
        "12 *",
    ],
)
def test_numbers(cell: str) -> None:
    assert labels.is_number(cell)
    assert not labels.is_word(cell)


@pytest.mark.parametrize("cell", ["ship", "Q1", "BERT-base", "4 m deep", "12 to 17", "", "Level 1"])
def test_no_numbers(cell: str) -> None:
    assert not labels.is_number(cell)


@pytest.mark.parametrize(
    "cell",
    ["2031", "2030/31", "2030-2031", "FY31", "Q1 2031", "H1", "March", "31-Dec-23", "2019 (a)"],
)
def test_periods(cell: str) -> None:
    assert labels.is_period(cell)
    assert labels.is_label(cell)


@pytest.mark.parametrize("cell", ["12", "3.1", "Marching", "31 ships", "2031 ships", "Yearly"])
def test_no_periods(cell: str) -> None:
    assert not labels.is_period(cell)


@pytest.mark.parametrize("cell", ["%", "kg", "(in thousands)", "EUR", "percent", "number of ships"])
def test_units(cell: str) -> None:
    assert labels.is_unit(cell)


@pytest.mark.parametrize("cell", ["ship", "Plan", "12", "Total"])
def test_no_units(cell: str) -> None:
    assert not labels.is_unit(cell)


@pytest.mark.parametrize("cell", ["percent", "millions of dollars", "mean number of hours"])
def test_what_numbers_count_is_spelled_out(cell: str) -> None:
    assert labels.is_statistic(cell)


@pytest.mark.parametrize("cell", ["kg", "%", "Crew", "Officers"])
def test_a_sign_is_no_statistic(cell: str) -> None:
    assert not labels.is_statistic(cell)


@pytest.mark.parametrize("cell", ["-", "—", "n/a", "N.A.", "..", "✓", "none", "TBD"])
def test_signs_for_nothing(cell: str) -> None:
    assert labels.is_nothing(cell)
    assert not labels.is_word(cell)


@pytest.mark.parametrize(
    "cell", ["Year ended December 31,", "As of March 31", "Months ended June 30"]
)
def test_dates_that_a_year_completes(cell: str) -> None:
    assert labels.is_unfinished_date(cell)


def test_a_date_with_its_year_is_finished() -> None:
    assert not labels.is_unfinished_date("Year ended December 31, 2031")


def test_placeholders_are_blank_only_in_their_own_place() -> None:
    assert labels.without_placeholders(["Col1", "Ship", "Col3", "Unnamed: 3"]) == [
        "",
        "Ship",
        "",
        "",
    ]
    assert labels.without_placeholders(["Col3", "Column 2", "Header 3"]) == [
        "Col3",
        "Column 2",
        "Header 3",
    ]

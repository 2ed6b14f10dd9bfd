"""The 61 kinds of damage handed with the project, read as they should be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from core import Table, read_tables, serialize_table_rows

CASES = Path(__file__).resolve().parents[2] / "shared" / "cases" / "table_cases.jsonl"


def handed_cases() -> list[Any]:
    if not CASES.is_file():
        reason = f"{CASES} is not there"
        return [pytest.param({}, marks=pytest.mark.skip(reason=reason), id="no-shared-folder")]
    with CASES.open(encoding="utf-8") as lines:
        return [pytest.param(case, id=case["id"]) for case in map(json.loads, lines)]


@pytest.mark.parametrize("case", handed_cases())
def test_a_handed_case_is_read_right(case: dict[str, Any]) -> None:
    line_df = pd.DataFrame(case["lines"])
    tables, row_df = read_tables(line_df), serialize_table_rows(line_df)
    wanted = [case["expect"]["tables"]]
    wanted += [other["tables"] for other in case.get("expect_alt_tables") or []]
    assert [_plain(table) for table in tables] in [list(map(_wanted, each)) for each in wanted]
    for text in case.get("must_not_contain", []):
        assert not row_df["row_serialized"].str.contains(text, regex=False).any()


def _plain(table: Table) -> tuple[list[str], list[list[str]]]:
    return table.headers, table.rows


def _wanted(table: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    return table["headers"], table["rows"]

"""What the lint says about real tables, and how fast: `python -m tests.bench_lint [--show CODE]`.

Reads the public tables of ../shared/bench as parsers flatten them (`pipe_lines` and
`pipe_lines_repeat`) with the default reading, and prints for each rule how many tables raise it,
by severity; then the tables a second over all of them, and over one table of 100,000 rows, the
reading left out. `--show CODE` prints random tables that raise a rule, to judge it by.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pandas as pd

from core import Lint, Table, lint_table, lint_tables, read_tables
from core.lint import SEVERITIES
from tests.bench_headers import BENCH, RENDERINGS, line_frame, load

_ROWS = 100_000
_SHOWN = 12
"""Rows of a table that are printed."""


def documents(names: list[str]) -> Iterator[list[Table]]:
    """The tables of each entry of these sets, in each rendering."""
    for name in names:
        for entry in load(name):
            for rendering in RENDERINGS:
                if entry.get(rendering):
                    yield read_tables(line_frame(entry[rendering]))


def long_table() -> Table:
    """One table of 100,000 plain rows on consecutive pages."""
    at = np.arange(_ROWS)
    body = [f"| Name of {row} | {row * 137:,} EUR | {row / 8} % | 2019 | monthly |" for row in at]
    texts = ["| Name | Cap | Deductible | Year | Paid |", "|---|---|---|---|---|", *body]
    place = np.arange(len(texts))
    corners = {"x0": 50.0, "y0": 60.0, "x1": 500.0, "y1": 70.0}
    frame = pd.DataFrame({"page_num": place // 60 + 1, "line_num": place % 60 + 1, "text": texts})
    return read_tables(frame.assign(**corners))[0]


def _speed(documents: list[list[Table]]) -> None:
    tables = [table for tables in documents for table in tables]
    start = time.perf_counter()
    for table in tables:
        lint_table(table)
    one_by_one = time.perf_counter() - start
    start = time.perf_counter()
    lint_tables(tables)
    together = time.perf_counter() - start
    print(f"\n{len(tables):,} tables, {sum(table.n_body_rows for table in tables):,} rows")
    print(f"as one document  {len(tables) / together:>9,.0f} tables/s")
    print(f"one at a time    {len(tables) / one_by_one:>9,.0f} tables/s")
    table = long_table()
    start = time.perf_counter()
    lint_table(table)
    print(f"{_ROWS:,} rows     {time.perf_counter() - start:>9.2f} s")


def _counts(found: list[tuple[Table, Lint]], n_tables: int) -> None:
    raised = Counter((lint.code, lint.severity) for _, lint in found)
    for (code, severity), count in sorted(raised.items(), key=lambda item: _rank(*item)):
        print(f"{code:22} {severity:8} {count:>6} of {n_tables:,} ({count / n_tables:.2%})")
    alarmed = {id(table) for table, lint in found if lint.severity != "info"}
    print(f"\nat least one error or warning: {len(alarmed) / n_tables:.1%} of tables")


def _rank(key: tuple[str, str], count: int) -> tuple[int, int]:
    return SEVERITIES.index(key[1]), -count


def _show(found: list[tuple[Table, Lint]], code: str, most: int, seed: int) -> None:
    alike = [
        (table, lint) for table, lint in found if f"{lint.severity}/{lint.code}".endswith(code)
    ]
    for table, lint in random.Random(seed).sample(alike, min(most, len(alike))):
        print(f"\n{lint.severity} {lint.code} row {lint.row_index} column {lint.column}")
        print(f"  {lint.message}\n  labels {table.headers}")
        start = max(0, (lint.row_index or 0) - 3)
        for at, cells in enumerate(table.rows[start : start + _SHOWN], start):
            print(f"  {'>' if at == lint.row_index else ' '}{at:>3} {cells}")


def main() -> None:
    """Print the counts and the speed, or tables that raise a rule."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("sets", nargs="*", metavar="SET")
    parser.add_argument("--show", metavar="CODE", help="as code, or severity/code")
    parser.add_argument("--most", type=int, default=10, help="how many tables to show")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if not BENCH.is_dir():
        raise SystemExit(f"No bench data: {BENCH} is not there.")
    every = sorted(path.name.removesuffix(".jsonl.xz") for path in BENCH.glob("*.jsonl.xz"))
    read = list(documents(asked.sets or every))
    by_id = [({table.table_id: table for table in tables}, lint_tables(tables)) for tables in read]
    found = [(tables[lint.table_id], lint) for tables, lints in by_id for lint in lints]
    # The bench has no geometry at all.
    found = [(table, lint) for table, lint in found if lint.code != "no-boxes"]
    if asked.show:
        _show(found, asked.show, asked.most, asked.seed)
        return
    _counts(found, sum(map(len, read)))
    _speed(read)


if __name__ == "__main__":
    main()

"""`python -m tests.bench_serialize`: how fast lines become rows, beside two other ways.

Timed on the same generated document, in the same run, medians of several runs:

- `serialize_table_rows`, default and strict;
- the literal reading of `tests/literal.py`, line by line in Python, up to the same frame;
- Chonkie's `TableChunker("row", 1)` on the same Markdown, called once per table and once for the
  whole text. For the first it gets its tables cut out of the text, and cutting them out is not
  timed; the second takes prose and further headers for rows, hence its higher count.

`x chonkie` says how many times sooner the same document is done than by the faster of those two.
Peak memory is measured apart, one process each: how far resident memory rises above the input.
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pandas as pd
from chonkie import TableChunker

from core import serialize_table_rows
from tests.literal import read_line_df_as_frame

RUNS = {10_000: 7, 100_000: 5, 1_000_000: 3}
QUICK_RUNS = {2_000: 1, 5_000: 1}
LINES_PER_PAGE = 60
_PROCESS = Path("/proc/self")
SPECIAL_CELLS = 0.02

_STEMS = ["collision", "theft", "fire", "hail", "flood", "towing", "glass", "battery", "audit"]
_HEADERS = ["Covered event", "Cap", "Deductible", "Condition", "Since"]
_PROSE = "The insurer pays the amounts below once the claim has been reported and accepted."


@dataclass(frozen=True)
class Content:
    """One document in the two shapes the readers take."""

    line_df: pd.DataFrame
    tables: list[str]
    """Each table's Markdown."""
    markdown: str
    """The whole text."""


@dataclass(frozen=True)
class Measured:
    """One reader at one size; memory is NaN where the system does not tell."""

    reader: str
    n_lines: int
    n_rows: int
    seconds: float
    peak_megabytes: float


Reader = Callable[[Content], int]
"""Reads the content and says how many rows it made."""


def make_content(n_lines: int) -> Content:
    """Tables of about 30 rows and 4 to 5 columns between lines of prose, always the same."""
    chance = random.Random(n_lines)
    texts: list[str] = []
    tables: list[str] = []
    while len(texts) < n_lines:
        texts += [f"{_PROSE} Article {len(tables) + at}." for at in range(chance.randint(2, 8))]
        table = _table_lines(chance)[: max(0, n_lines - len(texts))]
        texts += table
        if len(table) > 2:
            tables.append("\n".join(table))
    texts = texts[:n_lines]
    return Content(_line_df(texts), tables, "\n".join(texts))


def _table_lines(chance: random.Random) -> list[str]:
    width = chance.choice((4, 5))
    rows = (
        [_cell(chance, column) for column in range(width)] for _ in range(chance.randint(20, 40))
    )
    return [
        f"| {' | '.join(_HEADERS[:width])} |",
        "|" + " --- |" * width,
        *(f"| {' | '.join(row)} |" for row in rows),
    ]


def _cell(chance: random.Random, column: int) -> str:
    number = chance.randrange(100_000)
    if chance.random() < SPECIAL_CELLS:
        return chance.choice((rf"{number} \| none", f"up to<br>{number}"))
    return f"{chance.choice(_STEMS)} {number}" if column in (0, 3) else f"{number:,} EUR"


def _line_df(texts: list[str]) -> pd.DataFrame:
    at = np.arange(len(texts))
    top = 60.0 + 12.0 * (at % LINES_PER_PAGE)
    return pd.DataFrame(
        {
            "page_num": at // LINES_PER_PAGE + 1,
            "line_num": at % LINES_PER_PAGE + 1,
            "text": pd.Series(texts, dtype="str"),
            "x0": 72.0,
            "y0": top,
            "x1": 520.0,
            "y1": top + 10.0,
        }
    )


def _rowlens(content: Content, *, strict: bool) -> int:
    return len(serialize_table_rows(content.line_df, strict=strict))


def _literal(content: Content) -> int:
    return len(read_line_df_as_frame(content.line_df))


def _chonkie_tables(content: Content) -> int:
    chunker = TableChunker("row", 1)
    return len([chunk for table in content.tables for chunk in chunker.chunk(table)])


def _chonkie_text(content: Content) -> int:
    return len(TableChunker("row", 1).chunk(content.markdown))


READERS: dict[str, Reader] = {
    "rowlens": partial(_rowlens, strict=False),
    "rowlens strict": partial(_rowlens, strict=True),
    "literal Python": _literal,
    "chonkie per table": _chonkie_tables,
    "chonkie whole text": _chonkie_text,
}


def measure(content: Content, runs: int) -> list[Measured]:
    """Every reader on one content."""
    return [_measure(name, reader, content, runs) for name, reader in READERS.items()]


def _measure(name: str, reader: Reader, content: Content, runs: int) -> Measured:
    reader(_WARM_UP)
    times = []
    for _ in range(runs):
        gc.collect()
        start = time.perf_counter()
        n_rows = reader(content)
        times.append(time.perf_counter() - start)
    n_lines = len(content.line_df)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as apart:
        peak = apart.submit(_peak_megabytes, reader, n_lines).result()
    return Measured(name, n_lines, n_rows, statistics.median(times), peak)


def _peak_megabytes(reader: Reader, n_lines: int) -> float:
    reader(_WARM_UP)
    content = make_content(n_lines)
    gc.collect()
    if not _PROCESS.exists():
        return float("nan")
    (_PROCESS / "clear_refs").write_text("5")  # sets the high-water mark back to what is in use
    before = _kilobytes("VmRSS")
    reader(content)
    return (_kilobytes("VmHWM") - before) / 1e3


def _kilobytes(field: str) -> int:
    status = (_PROCESS / "status").read_text().splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith(field))


# What imports and first calls cost is not the reader's own.
_WARM_UP = make_content(200)


def report(sizes: list[list[Measured]]) -> str:
    """The table that the bench prints, and under it how time per line grows."""
    head = f"{'lines':>9}  {'reader':<19}{'rows':>8}{'ms':>10}{'lines/s':>12}{'rows/s':>12}"
    out = [f"{head}{'us/line':>9}{'x chonkie':>11}{'peak MB':>9}"]
    for measured in sizes:
        chonkie = min(one.seconds for one in measured if one.reader.startswith("chonkie"))
        out += [_report_line(one, chonkie) for one in measured]
    out += [
        "",
        "Time per line at the largest size over that at the smallest (1.0 is linear growth):",
    ]
    out += [
        f"  {first.reader:<19}{_per_line(last) / _per_line(first):.2f}"
        for first, last in zip(sizes[0], sizes[-1], strict=True)
    ]
    return "\n".join(out)


def _report_line(one: Measured, chonkie: float) -> str:
    return (
        f"{one.n_lines:>9,}  {one.reader:<19}{one.n_rows:>8,}{one.seconds * 1e3:>10,.1f}"
        f"{one.n_lines / one.seconds:>12,.0f}{one.n_rows / one.seconds:>12,.0f}"
        f"{_per_line(one) * 1e6:>9.2f}{chonkie / one.seconds:>11.2f}{one.peak_megabytes:>9.1f}"
    )


def _per_line(one: Measured) -> float:
    return one.seconds / one.n_lines


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench_serialize")
    parser.add_argument("--quick", action="store_true", help="two small sizes, one run each")
    runs = QUICK_RUNS if parser.parse_args(arguments).quick else RUNS
    print(f"Median of {', '.join(f'{n} runs at {size:,} lines' for size, n in runs.items())}")
    print(report([measure(make_content(size), n) for size, n in runs.items()]))


if __name__ == "__main__":
    main(sys.argv[1:])

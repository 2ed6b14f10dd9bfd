"""How many real headers fold right: `python -m tests.bench_headers [SET ...] [--wrong N]`.

Reads the public tables of ../shared/bench as parsers flatten them, spans blank (`pipe_lines`)
and spans repeated (`pipe_lines_repeat`), and prints per set and rendering, for the default
reading and for the literal rule (strict):

    exact   share of tables whose folded labels are all right (case and punctuation aside)
    as good the same, where a title over all columns may be the caption, and a section label right
            below the header the group of its rows, instead of a part of every label
    depth   share of tables with the right number of header lines
    false   share of tables with a one-line header that had more lines folded into it

Tables without gold labels count for the depth only: their one line was assumed, not looked at.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from core import Table, read_tables

BENCH = Path(__file__).resolve().parents[2] / "shared" / "bench"
SETS = ("hitab", "aitqa", "icdar2013", "wtq", "docling", "hctqa", "odl_docling", "fetaqa")
RENDERINGS = ("pipe_lines", "pipe_lines_repeat")

_NOT_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Result:
    """One table under one reading; None where nobody knows the right answer."""

    exact: bool | None
    as_good: bool | None
    depth: bool | None
    false_fold: bool | None
    table: Table | None


def load(name: str) -> list[dict[str, Any]]:
    """The tables of one set."""
    with lzma.open(BENCH / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def line_frame(pipe_lines: list[dict[str, Any]]) -> pd.DataFrame:
    """A line_df of one table's lines, without boxes."""
    frame = pd.DataFrame(pipe_lines)[["page_num", "text"]]
    return frame.assign(
        line_num=frame.groupby("page_num").cumcount() + 1,
        **dict.fromkeys(("x0", "y0", "x1", "y1"), np.nan),
    )


def judge(entry: dict[str, Any], rendering: str, *, strict: bool) -> Result:
    """Read one table and compare its header with the gold one."""
    tables = read_tables(line_frame(entry[rendering]), strict=strict)
    table = tables[0] if len(tables) == 1 else None
    gold, count = entry["gold_headers"], entry["header_row_count"]
    exact = None if gold is None else table is not None and _same(table.headers, gold)
    as_good = exact
    if exact is False and table is not None:
        as_good = _same(table.headers, _without_context(gold, table))
    depth = None if count is None else table is not None and table.header.depth == count
    one_line = count == 1 and gold is not None
    false_fold = table is not None and table.header.depth > 1 if one_line else None
    return Result(exact, as_good, depth, false_fold, table)


def _without_context(gold: list[str], table: Table) -> list[str]:
    """Gold labels without the title that is our caption and the section that is our group."""
    title, section = table.header.title, table.groups[0] if table.groups else ""
    return [label.removeprefix(title).removesuffix(section) for label in gold]


def _same(labels: list[str], gold: list[str]) -> bool:
    return [_plain(label) for label in labels] == [_plain(label) for label in gold]


def _plain(label: str) -> str:
    return _NOT_WORD.sub(" ", unicodedata.normalize("NFKC", label).casefold()).strip()


def _share(values: list[bool | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{sum(known) / len(known):.3f}" if known else "-"


def _rows(names: list[str]) -> Iterator[list[str]]:
    for name in names:
        entries = load(name)
        for rendering in RENDERINGS:
            some = [entry for entry in entries if entry.get(rendering)]
            if not some:
                continue
            cells = [name, rendering, str(len(some))]
            for strict in (False, True):
                results = [judge(entry, rendering, strict=strict) for entry in some]
                cells += [
                    _share([result.exact for result in results]),
                    _share([result.as_good for result in results]),
                    _share([result.depth for result in results]),
                    _share([result.false_fold for result in results]),
                ]
            yield cells


def _print_wrong(names: list[str], most: int) -> None:
    for name in names:
        for rendering in RENDERINGS:
            shown = 0
            for entry in load(name):
                if shown == most or not entry.get(rendering):
                    continue
                result = judge(entry, rendering, strict=False)
                if result.exact is False or (result.exact is None and result.depth is False):
                    shown += 1
                    print(f"\n{entry['doc_id']} {rendering} ({entry['header_row_count']} lines)")
                    for line in entry[rendering][: entry["header_row_count"] + 4]:
                        print(f"    {line['text']}")
                    print(f"  gold   {entry['gold_headers']}")
                    if result.table:
                        print(f"  ours   {result.table.headers}\n  {result.table.header.reason}")


def main() -> None:
    """Print the table, and the first wrong ones where asked."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("sets", nargs="*", default=list(SETS), metavar="SET")
    parser.add_argument("--wrong", type=int, default=0, help="print that many wrong ones per set")
    asked = parser.parse_args()
    if not BENCH.is_dir():
        raise SystemExit(f"No bench data: {BENCH} is not there.")
    if asked.wrong:
        _print_wrong(asked.sets, asked.wrong)
    measures = ["exact", "as good", "depth", "false"]
    heads = ["set", "rendering", "tables", *measures, *(f"strict {name}" for name in measures)]
    widths = [12, 18, 7, *(max(8, len(head)) for head in heads[3:])]
    for cells in (heads, *_rows(asked.sets)):
        print(" ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True)))


if __name__ == "__main__":
    main()

"""How retrieval holds at size: `python -m tests.bench_million [--rows 1000000] [--seed 1]`.

Makes a document of tables of up to 5,000 body rows, names built from words made up here, and a
second one of 40 rows, and prints for each:

    frames      seconds to read the lines into row_df, not part of the index
    build       seconds of build_index
    memory      how far resident memory rises while the index is built, and at the peak of all
    p50 p95     milliseconds of 50 questions until their context is there as text, by kind: named
                rows, number values, label words, nonsense; and the same for all of them. found says
                how many got anything, right how many, of the first two kinds, got the row they were
                made from
    in full     median milliseconds with all that is made only when it is read: the frame of matched
                rows, and the tokens of the context, of the whole tables and of the pages

The same seed gives the same document and questions. The first question is asked once before the
clock starts; `first` says how long it took in full, since an index may put work off until then.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd
import psutil

from core import Retrieval, build_index, serialize_table_rows
from core.evaluation import Place

TABLE_ROWS = 5_000
SMALL = 40
QUESTIONS = 50
_LINES_ABOVE = 3
"""Of each table: its caption, its header and the separator."""
_PAGE_STEP = 2


def _words(text: str) -> list[str]:
    return text.split()


_STARTS = _words("bar cor dal fen gar hol kan lor mer nor pel quin ras sol tar ul ver wil yor zan")
_MIDDLES = _words("a e i o u ar en il or un")
_ENDS = _words("bach dale field ford gate ham land mark mere mont ridge stad stone ton vale wick")
_GOODS = _words("cable crate engine filter gasket lamp motor pump relay sensor switch valve")
_STATES = ["open", "closed", "in transit", "returned", "on hold"]
_SUBJECTS = _words("Orders Deliveries Repairs Claims Stocks Leases Audits Loans Tenders Permits")
_HEADERS = ["Customer", "Item", "Region", "Quantity", "Unit price", "Booked on", "Status"]
_HEADER_LINES = [f"| {' | '.join(_HEADERS)} |", "|---" * len(_HEADERS) + "|"]
_NONSENSE = _words("xylqo brzt vaxquor mimblewort ogdru jhassk plinvex wuzzet")


def make_lines(n_rows: int, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """(line_df, values): the document, and the cells of its body rows as text, one column each.

    Every table stands on a page of its own, a page apart from the next, under a caption.
    """
    chance = np.random.default_rng(seed)
    values = _values(n_rows, chance)
    bodies = "| " + values[_HEADERS[0]]
    for header in _HEADERS[1:]:
        bodies = bodies + " | " + values[header]
    table = np.arange(n_rows) // TABLE_ROWS
    starts = np.flatnonzero(np.diff(table, prepend=-1))
    subjects = [_SUBJECTS[at % len(_SUBJECTS)] for at in range(len(starts))]
    above = [
        [f"Table {at + 1}. {subject} of branch {at + 1}", *_HEADER_LINES]
        for at, subject in enumerate(subjects)
    ]
    texts = np.insert(
        (bodies + " |").to_numpy(dtype=object),
        np.repeat(starts, _LINES_ABOVE),
        np.array(above, dtype=object).ravel(),
    )
    page = np.insert(
        _PAGE_STEP * table + 1,
        np.repeat(starts, _LINES_ABOVE),
        np.repeat(_PAGE_STEP * table[starts] + 1, 3),
    )
    first = np.flatnonzero(np.diff(page, prepend=-1))
    line = np.arange(len(page)) - np.repeat(first, np.diff(first, append=len(page))) + 1
    line_df = pd.DataFrame(
        {
            "page_num": page,
            "line_num": line,
            "text": pd.Series(texts, dtype="str"),
            **dict.fromkeys(("x0", "y0", "x1", "y1"), np.nan),
        }
    )
    return line_df, values


def _values(n_rows: int, chance: np.random.Generator) -> pd.DataFrame:
    def names() -> pd.Series:
        start, middle, end = (_pick(part, n_rows, chance) for part in (_STARTS, _MIDDLES, _ENDS))
        return (start + middle + end).str.capitalize()

    number = pd.Series(chance.integers(100, 99_999, n_rows)).astype("str")
    quantity = pd.Series(chance.integers(1, 2_000, n_rows))
    cents = pd.Series(chance.integers(199, 9_999_999, n_rows))
    days = chance.integers(0, 9_000, n_rows).astype("timedelta64[D]")
    return pd.DataFrame(
        {
            "Customer": names() + " " + names(),
            "Item": _pick(_GOODS, n_rows, chance) + " " + number,
            "Region": names(),
            "Quantity": quantity.map("{:,}".format),
            "Unit price": cents.floordiv(100).map("{:,}".format)
            + "."
            + cents.mod(100).astype("str").str.zfill(2)
            + " EUR",
            "Booked on": pd.Series(np.datetime64("2001-01-01") + days).dt.strftime("%Y-%m-%d"),
            "Status": _pick(_STATES, n_rows, chance),
        }
    )


def _pick(words: Sequence[str], n: int, chance: np.random.Generator) -> pd.Series:
    return pd.Series(np.array(words, dtype=object)[chance.integers(0, len(words), n)])


def make_questions(values: pd.DataFrame, seed: int) -> list[tuple[str, str, Place | None]]:
    """(kind, question, place of the row that answers it), QUESTIONS of four kinds in turn."""
    chance = np.random.default_rng(seed + 1)
    numbers = chance.integers(0, len(values), QUESTIONS)
    asked = list[tuple[str, str, Place | None]]()
    for at, (number, row) in enumerate(zip(numbers, _records(values.iloc[numbers]), strict=True)):
        label, other = chance.choice(_HEADERS, 2, replace=False)
        word, end = chance.choice(_NONSENSE, 2, replace=False)
        subject = chance.choice(_SUBJECTS)
        name, price, day = f"{row['Customer']}, {row['Item']}", row["Unit price"], row["Booked on"]
        table, line = divmod(int(number), TABLE_ROWS)
        place = (_PAGE_STEP * table + 1, line + _LINES_ABOVE + 1)
        kinds = [
            ("named rows", f"What is the unit price for {name}?", place),
            ("number values", f"Who paid {price} on {day}?", place),
            ("label words", f"What {label.lower()} and {other.lower()} have the {subject}?", None),
            ("nonsense", f"Does the {word} {end} before {word}{end}?", None),
        ]
        asked.append(kinds[at % len(kinds)])
    return asked


def _records(rows: pd.DataFrame) -> list[dict[str, str]]:
    return [{str(name): str(cell) for name, cell in row.items()} for row in rows.to_dict("records")]


def measure(n_rows: int, seed: int) -> str:
    """Build and ask one document; the lines to print."""
    process = psutil.Process()
    line_df, values = make_lines(n_rows, seed)
    questions = make_questions(values, seed)
    del values
    start = time.perf_counter()
    row_df = serialize_table_rows(line_df)
    frames = time.perf_counter() - start
    gc.collect()
    before = process.memory_info().rss
    start = time.perf_counter()
    index = build_index(line_df, row_df)
    build = time.perf_counter() - start
    gc.collect()
    after = process.memory_info().rss
    start = time.perf_counter()
    _read_in_full(index.retrieve(questions[0][1]))
    first = time.perf_counter() - start
    taken: dict[str, list[tuple[float, float]]] = {}
    found, right = Counter[str](), Counter[str]()
    for kind, question, place in questions:
        start = time.perf_counter()
        answer = index.retrieve(question)
        _ = answer.context
        answered = time.perf_counter() - start
        _read_in_full(answer)
        in_full = time.perf_counter() - start
        for name in (kind, "all"):
            taken.setdefault(name, []).append((answered * 1e3, in_full * 1e3))
            found[name] += answer.found
            right[name] += place in answer.citations
    peak = getattr(process.memory_info(), "peak_wset", 0) or _peak_bytes()
    tables = row_df["table_id"].nunique()
    out = [
        f"{len(row_df):,} rows in {tables:,} tables",
        f"  frames {frames:.2f} s   build {build:.2f} s   first question {first * 1e3:,.0f} ms",
        f"  memory {before / 1e6:,.0f} MB before, +{(after - before) / 1e6:,.0f} MB built, "
        f"+{(process.memory_info().rss - before) / 1e6:,.0f} MB asked, peak {peak / 1e6:,.0f} MB",
        f"  {'questions':<16}{'n':>4}{'found':>7}{'right':>7}"
        f"{'p50 ms':>10}{'p95 ms':>10}{'worst':>10}{'in full':>10}",
    ]
    for name in ("named rows", "number values", "label words", "nonsense", "all"):
        times, in_full_times = np.array(taken[name]).T
        p50, p95 = np.percentile(times, [50, 95])
        out.append(
            f"  {name:<16}{len(times):>4}{found[name]:>7}{right[name]:>7}{p50:>10,.1f}{p95:>10,.1f}"
            f"{times.max():>10,.1f}{np.median(in_full_times):>10,.1f}"
        )
    return "\n".join(out)


def _read_in_full(answer: Retrieval) -> None:
    _ = answer.context, answer.matches, answer.tokens


def _peak_bytes() -> float:
    try:
        import resource
    except ImportError:
        return float("nan")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0


def main() -> None:
    """Print the small document and the large one."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench_million",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    # Imports, models and first calls are not the large document's own cost.
    print(measure(SMALL, asked.seed), flush=True)
    print(measure(asked.rows, asked.seed), flush=True)


if __name__ == "__main__":
    main()

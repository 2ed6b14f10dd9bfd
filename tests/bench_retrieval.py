"""How well questions find their rows: `python -m tests.bench_retrieval [SET ...] [options]`.

Asks the questions of ../shared/bench, of each table alone and of all tables of a set as one
document, and prints per set and shape, for Rowlens and for the baselines of bench_baselines:

    n, gold   questions; those of which the file knows the rows that answer them
    lost      questions with a gold line that was not read as a row: a miss for whoever uses rows
    @1 @3 MRR the first gold row is the first, among the first three, its mean reciprocal rank
    ctx       share of questions whose gold rows are all in the context
    tok       tokens of the context over those of the (right) whole table as Markdown: mean of the
              ratios; sum: ratio of the sums
    wide      share of questions that got a table whole; none: that got nothing
    table     share of questions whose table comes first among all tables
    p50 p95   milliseconds a question

@1 @3 MRR, ctx and lost are over the questions with gold, the rest over all. Tokens are o200k_base.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from core import build_index, serialize_table_rows
from core.evaluation import context_holds, rank_of_gold
from core.library import PARSED_SAMPLES, SAMPLES
from core.store import Settings, Store
from tests.bench_baselines import ALONE_ONLY, BASELINES
from tests.bench_chunks import Answer, Ask, Gold, Method
from tests.bench_headers import BENCH, RENDERINGS
from tests.bench_questions import (
    SETS,
    BenchSet,
    Corpus,
    load_set,
    questions_about_others,
)
from tests.bench_report import Asked, by_shape, head, line, measures, print_shapes

OURS = "Rowlens"


def rowlens(options: dict[str, Any]) -> Method:
    """Rowlens with these options of `retrieve`, defaults otherwise."""

    def prepare(corpus: Corpus) -> Ask:
        index = build_index(corpus.line_df, corpus.row_df)

        def ask(question: str, gold: Gold) -> Answer:
            start = time.perf_counter()
            found = index.retrieve(question, **options)
            seconds = time.perf_counter() - start
            ranking, tables = found.ranking, found.table_ranking["table_id"].tolist()
            return Answer(
                rank=rank_of_gold(ranking, corpus.rows_at(gold.places)),
                table_first=bool(tables) and corpus.table_pages[tables[0]] == gold.page_num,
                holds=context_holds(found, gold.places),
                tokens=found.tokens.context.tokens,
                widened=any(decision.widened for decision in found.decisions),
                found=found.found,
                seconds=seconds,
                shape=found.shape,
                first_row=_row_text(corpus, ranking["page_num"], ranking["line_num"]),
            )

        return ask

    return prepare


def _row_text(corpus: Corpus, pages: Iterable[int], lines: Iterable[int]) -> str:
    """The first of these rows, serialized."""
    place = next(zip(pages, lines, strict=True), None)
    if place is None:
        return "nothing"
    rows = corpus.row_df
    at = (rows["page_num"] == place[0]) & (rows["line_num"] == place[1])
    return str(rows.loc[at, "row_serialized"].iloc[0])


def ask_set(
    bench: BenchSet, tables: Sequence[int], name: str, method: Method, *, whole_set: bool
) -> list[Asked]:
    """Ask all questions about these tables of a set."""
    ask_all = method(bench.together) if whole_set and name not in ALONE_ONLY else None
    asked = []
    for at in tables:
        table, part = bench.tables[at], bench.together.parts[at]
        ask_one = method(table.alone)
        for question in table.questions:
            gold = Gold(1, table.alone.parts[0].places(question))
            in_set = Gold(part.page_num, part.places(question))
            asked.append(
                Asked(
                    question,
                    not table.alone.has_rows_at(gold.places),
                    table.alone.markdown_tokens.get(1, 0),
                    ask_one(question.text, gold),
                    ask_all(question.text, in_set) if ask_all else None,
                )
            )
    return asked


def print_wrong(bench: BenchSet, tables: Sequence[int], asked: Sequence[Asked], most: int) -> None:
    """Questions whose first row is not the gold one."""
    of_questions = [bench.tables[at] for at in tables for _ in bench.tables[at].questions]
    wrong = [
        (table, one)
        for table, one in zip(of_questions, asked, strict=True)
        if one.question.gold_lines is not None and one.alone.rank != 1
    ]
    print(f"\n{bench.name}: {len(wrong)} with another row first")
    for table, one in wrong[:most]:
        places = table.alone.parts[0].places(one.question)[:1]
        gold = _row_text(table.alone, *zip(*places, strict=True)) if not one.lost else "lost"
        print(f"\n  {table.doc_id}  {one.question.shape}, got {one.alone.shape}")
        print(f"    {one.question.text}\n    first {one.alone.first_row}")
        print(f"    gold  {gold} (rank {one.alone.rank:g})")


def print_nothing(options: dict[str, Any]) -> None:
    """Ask every sample a hundred questions about other documents: each answer is one too many."""
    questions = questions_about_others()
    for sample in SAMPLES:
        parsed = Store(PARSED_SAMPLES).load(sample.path.read_bytes(), Settings("pymupdf"))
        if parsed is None:
            raise SystemExit(f"{sample.doc_id} is not parsed; run python -m assets.parse_samples.")
        index = build_index(parsed.line_df, serialize_table_rows(parsed.line_df))
        found = [question for question in questions if index.retrieve(question, **options).found]
        print(f"{sample.doc_id}: {len(found)} of {len(questions)} return anything")
        for question in found:
            answer = index.retrieve(question, **options)
            print(f"    {question}\n      -> {answer.context_lines[0].text[:120]}")


def parse_option(text: str) -> tuple[str, Any]:
    """`name=value`; the value as JSON where it is, as text elsewhere."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not name=value, such as use_dense=false.")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench_retrieval",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(SETS)}; all if none")
    parser.add_argument("--half", choices=("all", "even", "odd"), default="all")
    parser.add_argument("--limit", type=int, help="only the questions of the first LIMIT tables")
    parser.add_argument("--rendering", choices=RENDERINGS, default=RENDERINGS[0])
    parser.add_argument("--no-baselines", action="store_true")
    parser.add_argument("--no-set", action="store_true", help="each table alone only")
    parser.add_argument(
        "--set-option",
        action="append",
        default=[],
        type=parse_option,
        metavar="NAME=VALUE",
        help="an option of retrieve, such as use_dense=false",
    )
    parser.add_argument("--shapes", action="store_true", help="print shapes, asked and got")
    parser.add_argument("--wrong", type=int, default=0, help="print so many misses per set")
    parser.add_argument("--nothing", action="store_true", help="only ask what no sample answers")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers there")
    asked = parser.parse_args()
    if unknown := set(asked.sets) - set(SETS):
        parser.error(f"no set {', '.join(sorted(unknown))}; there are {', '.join(SETS)}")
    return asked


def main() -> None:
    """Print the table, and what else is asked for."""
    arguments = _arguments()
    if not BENCH.is_dir():
        raise SystemExit(f"No bench data: {BENCH} is not there.")
    options = dict(arguments.set_option)
    if arguments.nothing:
        print_nothing(options)
        return
    methods = {OURS: rowlens(options)} | ({} if arguments.no_baselines else BASELINES)
    kept: list[dict[str, Any]] = []
    print(head())
    for name in arguments.sets or SETS:
        bench = load_set(name, arguments.rendering)
        tables = [
            at
            for at, table in enumerate(bench.tables)
            if arguments.half in ("all", "even" if table.in_even_half else "odd")
        ][: arguments.limit]
        if not tables:
            print(f"{name:<8}has no table rendered as {arguments.rendering} in this half")
            continue
        ours: list[Asked] = []
        lines: dict[str, list[str]] = {}
        for way, method in methods.items():
            asked = ask_set(bench, tables, way, method, whole_set=not arguments.no_set)
            ours = asked if way == OURS else ours
            for shape, group in by_shape(asked):
                numbers = measures(group)
                kept.append({"set": name, "shape": shape, "way": way} | numbers)
                lines.setdefault(shape, []).append(line(name, shape, way, numbers))
        print("\n".join(line for of_shape in lines.values() for line in of_shape), flush=True)
        if arguments.shapes:
            print_shapes(name, ours)
        if arguments.wrong:
            print_wrong(bench, tables, ours, arguments.wrong)
    if arguments.json:
        known = [{key: None if cell != cell else cell for key, cell in one.items()} for one in kept]
        arguments.json.write_text(json.dumps(known, indent=1, allow_nan=False), encoding="utf-8")


if __name__ == "__main__":
    main()

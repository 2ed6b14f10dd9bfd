"""How the answer came about: headline, decision, sizes, header folding, notes, versions."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from core.lint import Lint
from core.retrieval import Count, Retrieval, Savings
from core.tables import Table
from core.view.decision import (
    BASELINE_NAMES,
    MAX_TABLES,
    break_even,
    decision_card_data,
    ratio_text,
    saving_sentence,
)
from core.view.headers import header_columns, header_verdict
from core.view.notes import notes_to_list, reading_notes

JsonDict = dict[str, Any]

MOST_COLUMNS = 40
MOST_NOTES = 15
MOST_LINES = 400
"""Lines of the context in the report."""
MOST_CHARACTERS = 120_000

LIBRARIES = (
    *("pandas", "numpy", "pymupdf", "docling", "azure-ai-documentintelligence", "rapidocr"),
    *("bm25s", "PyStemmer", "rapidfuzz", "wordllama", "toktok-rs", "Jinja2"),
)
"""What reads, matches, counts and writes; those that are not installed are left out."""


def headline(retrieval: Retrieval | None, on_page: Sequence[Table], page_num: int) -> str:
    """The answer in one sentence."""
    if retrieval is None:
        tables = "1 table" if len(on_page) == 1 else f"{len(on_page) or 'No'} tables"
        return f"{tables} on page {page_num}; no question was asked."
    if not retrieval.found:
        return "Nothing matched, so nothing is returned."
    if not retrieval.decisions:
        return f"{_lines(len(retrieval.context_lines))} of text; no row matched."
    said = _and([_of_table(retrieval, at) for at in range(len(retrieval.decisions))][:MAX_TABLES])
    if (more := len(retrieval.decisions) - MAX_TABLES) > 0:
        said += f", and of {more} more {'table' if more == 1 else 'tables'}"
    saving = saving_sentence(retrieval)
    said = f"{said}, {saving[:1].lower()}{saving[1:]}" if saving else said
    if retrieval.paragraphs_better:
        said = f"a paragraph that answers better, then {said}"
    return f"{said[:1].upper()}{said[1:]}."


def decision_data(retrieval: Retrieval) -> JsonDict:
    """The decision panel, and what the retriever noted."""
    card = decision_card_data(retrieval)
    notes = [note for note in retrieval.notes if note != card["partial"]]
    more = max(0, len(retrieval.decisions) - MAX_TABLES)
    first = retrieval.paragraphs_better
    return {**card, "notes": notes, "more_tables": more, "paragraphs_first": first}


def sizes(retrieval: Retrieval) -> JsonDict:
    """The context beside its baselines, and from which k on rows cost more."""
    savings = retrieval.tokens
    entries: list[tuple[str, Count, float | None]] = [("Context", savings.context, None)]
    entries += [
        (name, savings.baselines[baseline], savings.ratio(baseline))
        for baseline, name in BASELINE_NAMES.items()
        if savings.baselines[baseline].tokens
    ]
    most = max(count.tokens for _, count, _ in entries) or 1
    return {
        "bars": [
            {
                "name": name,
                "tokens": count.tokens,
                "characters": count.characters,
                "percent": round(100 * count.tokens / most, 2),
                "ratio": "" if ratio is None else ratio_text(ratio),
                "is_context": name == "Context",
            }
            for name, count, ratio in entries
        ],
        "encoding": savings.encoding,
        "break_even": _break_even(retrieval, savings),
    }


def context_data(retrieval: Retrieval) -> JsonDict:
    """The context line by line; a very long one is cut, and says so."""
    lines: list[JsonDict] = []
    used = 0
    for line in retrieval.context_lines[:MOST_LINES]:
        used += len(line.text)
        if used > MOST_CHARACTERS and lines:
            break
        cited = f"p. {line.page_num}, l. {line.line_num}" if line.citation else ""
        lines.append({"text": line.text, "cite": cited})
    total = len(retrieval.context_lines)
    capped = f"The first {len(lines):,} of {total:,} lines; “Context” in the app's exports has all."
    return {"lines": lines, "capped": "" if len(lines) == total else capped}


def folding(tables: Sequence[Table], automatic: Mapping[str, Table]) -> list[JsonDict]:
    """Each table's way from printed header lines to labels."""
    found = []
    for table in tables:
        fold = header_columns(table)
        columns, cut = fold["columns"][:MOST_COLUMNS], len(fold["columns"]) - MOST_COLUMNS
        found.append(
            {
                **header_verdict(automatic.get(table.table_id, table), table),
                **fold,
                "columns": columns,
                "more": fold["more"] + max(0, cut),
                "plain": table.header.depth <= 1 and table.header.raw == table.header.filled,
                "pages": _pages(table.pages),
            }
        )
    return found


def notes_data(lints: Mapping[str, Lint], tables: Sequence[Table]) -> JsonDict:
    """What looks wrong with the tables, and what their reading has to say."""
    notes = notes_to_list(lints, tables)
    return {
        "lints": notes[:MOST_NOTES],
        "more": max(0, len(notes) - MOST_NOTES),
        "reading": reading_notes(tables)[:MOST_NOTES],
    }


def versions() -> dict[str, str]:
    """Python and the libraries that took part, by name."""
    found = {"Python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _of_table(retrieval: Retrieval, at: int) -> str:
    decision = retrieval.decisions[at]
    several = len(retrieval.decisions) > 1
    rows = "row" if decision.n_body_rows == 1 else "rows"
    if decision.whole:
        return f"the whole table {decision.table_id} with its {decision.n_body_rows:,} {rows}"
    if decision.widened:
        count = f"{decision.k:,} of {decision.n_body_rows:,} {rows}"
        return f"the whole table {decision.table_id}, for {count} matched"
    count = f"{decision.k:,} of {decision.n_body_rows:,} {rows}"
    return f"{count} of {decision.table_id}" if several else count


def _break_even(retrieval: Retrieval, savings: Savings) -> str:
    if not retrieval.decisions:
        return ""
    if savings.break_even_k is None:
        return f"{break_even(retrieval)} than the whole table as Markdown."
    return (
        f"{break_even(retrieval)}: from there on, serialized rows cost as much as the whole table "
        "as Markdown, which says each label once."
    )


def _pages(pages: Sequence[int]) -> str:
    if len(pages) == 1:
        return f"page {pages[0]}"
    return f"pages {pages[0]} to {pages[-1]}"


def _lines(count: int) -> str:
    return f"{count:,} line{'' if count == 1 else 's'}"


def _and(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"

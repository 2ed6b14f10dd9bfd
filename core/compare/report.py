"""A comparison -> one HTML file that opens from disk without a network, and its diff as a frame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

from core.compare.model import Comparison, Line, TableDiff
from core.compare.summary import Names, summary, table_sentences
from core.report.picture import image_source
from core.report.render import render_report
from core.report.steps import versions
from core.view.compare_rows import diff_table, unpaired_sentence

JsonDict = dict[str, Any]

TEMPLATES = Path(__file__).parent / "templates"
MOST_LINES = 300
"""Lines of a table in the report; the CSV has them all."""
MOST_TABLES = 40

CSV_COLUMNS = (
    *("tables", "relation", "kind_a", "rows_a", "kind_b", "rows_b", "page_num"),
    *("column_a", "column_b", "state", "a", "b"),
)


@dataclass(frozen=True)
class Finding:
    """What a report of a comparison tells of."""

    document: str
    """Its name."""
    content_hash: str
    """SHA-256 of its bytes, in hex."""
    comparison: Comparison
    names: Names
    places: Mapping[str, str]
    """Names of the tables of A, from `core.compare.summary.table_name`."""
    cards: Sequence[JsonDict]
    """Of A and B, from `core.view.compare.side_card`."""
    settings: Sequence[Mapping[str, str]]
    """How A and B were read, in words."""
    question: str = ""
    answers: Sequence[JsonDict] = ()
    """Of A and B where a question was asked, from `core.view.decision.decision_card_data`, with
    "tokens" and "found"."""
    answer_sentence: str = ""
    pages: Sequence[tuple[bytes, JsonDict]] = ()
    """Pages as PNG, and what to draw over them, from `core.view.compare_page.both_overlay`."""
    query: str = ""
    """What stands behind the app's address: it restores the comparison."""
    notes: Sequence[Sequence[str]] = field(default_factory=lambda: ((), ()))
    """Notes of the parsers of A and B."""


def comparison_report(finding: Finding) -> str:
    """The report as one HTML file: every text escaped, no script, no network."""
    comparison, names = finding.comparison, finding.names
    changed = [diff for diff in comparison.tables if not diff.is_same]
    same = [diff for diff in comparison.tables if diff.is_same]
    data = {
        "document": finding.document,
        "content_hash": finding.content_hash,
        "made": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "summary": summary(comparison, names, finding.places),
        "names": {"a": names.a, "b": names.b},
        "sides": [
            {
                "letter": letter,
                "name": name,
                "numbers": card["numbers"],
                "lints": card["lints"],
                "time": " ".join(card["time"][:2]) if card["time"] else "kept from before",
                "settings": settings,
                "notes": list(notes)[:10],
            }
            for letter, name, card, settings, notes in zip(
                "AB",
                (names.a, names.b),
                finding.cards,
                finding.settings,
                finding.notes,
                strict=True,
            )
        ],
        "question": finding.question,
        "answers": list(finding.answers),
        "answer_sentence": finding.answer_sentence,
        "pictures": [_picture(png, overlay) for png, overlay in finding.pages],
        "tables": [_table(diff, finding) for diff in changed[:MOST_TABLES]],
        "more_tables": max(0, len(changed) - MOST_TABLES),
        "same": [finding.places[diff.pair.a[0]] for diff in same],
        "unpaired": unpaired_sentence(comparison, names),
        "query": finding.query,
        "versions": versions(),
    }
    return render_report("comparison.html.j2", data, TEMPLATES)


def diff_frame(comparison: Comparison) -> pd.DataFrame:
    """Every cell of every aligned line, those that are the same too: columns CSV_COLUMNS.

    rows_a and rows_b are 1-based body rows, "3" or "3+4"; page_num is where the line stands, 0
    where that is not known.
    """
    records = [record for diff in comparison.tables for record in _records(diff)]
    return pd.DataFrame(records, columns=list(CSV_COLUMNS))


def _records(diff: TableDiff) -> Iterator[tuple[str | int, ...]]:
    for row in diff.rows:
        kind_a, kind_b = row.kinds
        page = next((line.page_num for line in (*row.a, *row.b) if line.page_num), 0)
        head = (diff.pair.pair_id, row.relation, kind_a, _rows(row.a), kind_b, _rows(row.b), page)
        for label, cell in zip(diff.labels, row.cells, strict=True):
            yield (*head, label.a, label.b, cell.state, cell.a, cell.b)


def _rows(lines: Sequence[Line]) -> str:
    return "+".join(str(line.row_index + 1) for line in lines if line.row_index >= 0)


def _table(diff: TableDiff, finding: Finding) -> JsonDict:
    place = finding.places[diff.pair.a[0]]
    shown = diff_table(diff, finding.names, only_changes=True, most=MOST_LINES)
    return {
        "title": f"{place[:1].upper()}{place[1:]}",
        "ids": f"A {' + '.join(diff.pair.a)}, B {' + '.join(diff.pair.b)}",
        "sentences": table_sentences(diff, place, finding.names),
        **shown,
    }


def _picture(png: bytes, overlay: JsonDict) -> JsonDict:
    page = overlay["page"]
    return {
        "source": image_source(png),
        "number": page["num"],
        "count": page["count"],
        "width": round(page["width"], 2),
        "height": round(page["height"], 2),
        "message": overlay["message"],
        "sides": [
            {
                "letter": side["letter"],
                "name": side["name"],
                "tables": [
                    {**_box(table["box"], by), "name": table["id"], "alone": table["alone"]}
                    for table in side["tables"]
                ],
                "rows": [
                    {**_box(row["box"], 0), "number": row["number"], "matched": row["matched"]}
                    for row in side["rows"]
                    if row["differs"] or row["matched"]
                ],
            }
            for side, by in zip(overlay["sides"], (2, 5), strict=True)
        ],
    }


def _box(box: Sequence[float], by: float) -> JsonDict:
    x0, y0, x1, y1 = box
    return {
        "x": round(x0 - by, 2),
        "y": round(y0 - by, 2),
        "width": round(max(0.0, x1 - x0 + 2 * by), 2),
        "height": round(max(0.0, y1 - y0 + 2 * by), 2),
    }

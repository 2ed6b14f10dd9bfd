"""Two overlays of one page -> one picture with both, and which rows differ."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from core.compare import Comparison

JsonDict = dict[str, Any]


def rows_that_differ(comparison: Comparison) -> tuple[set[str], set[str]]:
    """Ids of the rows of A and of B in which something differs, with those of tables that only
    one side has left out: their frames say it."""
    rows_a: set[str] = set()
    rows_b: set[str] = set()
    for diff in comparison.tables:
        for row in diff.rows:
            if row.differs:
                rows_a |= {line.row_id for line in row.a if line.row_id}
                rows_b |= {line.row_id for line in row.b if line.row_id}
    return rows_a, rows_b


def both_overlay(
    a: JsonDict,
    b: JsonDict,
    comparison: Comparison,
    names: tuple[str, str],
    lit: Collection[str] = (),
) -> JsonDict:
    """What to draw over a page that both sides share.

    Args:
        a: the overlay of side A, from `core.view.page.page_overlay`.
        b: that of side B, of the same page.
        comparison: of both readings.
        names: of the sides.
        lit: ids of the tables of the pair that is shown, as "a:t1" and "b:t1".
    """
    differ = rows_that_differ(comparison)
    alone = (set(comparison.only_a), set(comparison.only_b))
    return {
        "page": a["page"],
        "pages": a["pages"],
        "message": a["message"] or b["message"],
        "sides": [
            {
                "letter": letter,
                "name": name,
                "tables": [
                    {
                        "id": table["id"],
                        "box": table["box"],
                        "alone": table["id"] in only,
                        "lit": f"{letter.lower()}:{table['id']}" in lit,
                    }
                    for table in overlay["tables"]
                ],
                "rows": [
                    {
                        "number": row["number"],
                        "table": row["table"],
                        "box": row["box"],
                        "text": row["text"],
                        "matched": row["matched"],
                        "differs": row["id"] in rows,
                    }
                    for row in overlay["rows"]
                ],
            }
            for letter, name, overlay, rows, only in zip(
                "AB", names, (a, b), differ, alone, strict=True
            )
        ],
    }

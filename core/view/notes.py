"""Lints -> the list of notes, the badges of tables, and the place to light on the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.lint import SEVERITIES, Lint
from core.tables import Table
from core.tables.model import bounding_boxes

JsonDict = dict[str, Any]

SEVERITY_NAMES = {"error": "Error", "warning": "Warning", "info": "Info"}

MAX_NOTES = 200
"""Notes listed at a time, worst first."""

_ROLE_NAMES = {
    "header": "Header",
    "row": "Row",
    "section": "Section",
    "separator": "Separator",
    "note": "Table note",
    "dropped": "Dropped line",
}
_CAPTION_LENGTH = 60
_LABEL_LENGTH = 24


def lints_by_id(lints: Iterable[Lint]) -> dict[str, Lint]:
    """Lints worst first, by an id that stays the same while the table is read the same way:
    "t2.ragged-rows", and "t2.ragged-rows.2" for the second of its kind.
    """
    by_severity = sorted(lints, key=lambda lint: SEVERITIES.index(lint.severity))
    seen: Counter[str] = Counter()
    named = {}
    for lint in by_severity:
        name = f"{lint.table_id}.{lint.code}"
        seen[name] += 1
        named[name if seen[name] == 1 else f"{name}.{seen[name]}"] = lint
    return named


def notes_to_list(lints: Mapping[str, Lint], tables: Sequence[Table]) -> list[JsonDict]:
    """What looks wrong with these tables, worst first, at most MAX_NOTES."""
    by_id = {table.table_id: table for table in tables}
    found = [(note_id, lint) for note_id, lint in lints.items() if lint.table_id in by_id]
    return [
        {
            "id": note_id,
            "severity": lint.severity,
            "word": SEVERITY_NAMES[lint.severity],
            "table": lint.table_id,
            "place": note_place(lint, by_id[lint.table_id]),
            "cite": f"p. {lint.page_num}, l. {lint.line_num}",
            "message": lint.message,
            "why": lint.why,
            "remedy": lint.remedy,
        }
        for note_id, lint in found[:MAX_NOTES]
    ]


def notes_in_words(lints: Mapping[str, Lint], tables: Sequence[Table]) -> str:
    """How many of each severity these tables have: "1 error, 2 warnings"; "" if none."""
    ids = {table.table_id for table in tables}
    counts = Counter(lint.severity for lint in lints.values() if lint.table_id in ids)
    plural = {"error": "errors", "warning": "warnings", "info": "infos"}
    return ", ".join(
        f"{counts[severity]:,} {severity if counts[severity] == 1 else plural[severity]}"
        for severity in SEVERITIES
        if counts[severity]
    )


def reading_notes(tables: Sequence[Table]) -> list[JsonDict]:
    """What the reading itself has to say about these tables, in their order."""
    return [
        {"table": table.table_id, "text": note}
        for table in tables
        for note in [*table.notes, *_by_hand(table)]
    ][:MAX_NOTES]


def table_names(
    tables: Sequence[Table], lints: Mapping[str, Lint], header_rows: Mapping[str, int | str]
) -> dict[str, str]:
    """What the list of tables calls each: its id, how many errors and warnings it has, what is
    set by hand, and its caption, which may be cut off at the right.
    """
    alarms = Counter(lint.table_id for lint in lints.values() if lint.severity != "info")
    names = {}
    for table in tables:
        badges = [table.table_id]
        if alarms[table.table_id]:
            badges.append(f"⚠ {alarms[table.table_id]}")
        if table.table_id in header_rows:
            badges.append(f"✎ {header_rows[table.table_id]}")
        caption = shortened(table.caption, _CAPTION_LENGTH)
        names[table.table_id] = " · ".join(filter(None, [" ".join(badges), caption]))
    return names


def note_place(lint: Lint, table: Table) -> str:
    """Where a lint shows first: "Row 12, column 3 “Cap”"."""
    place = _ROLE_NAMES.get(lint.role, lint.role)
    if lint.row_index is not None:
        place = f"Row {lint.row_index + 1}"
    if lint.column is None:
        return place
    label = table.headers[lint.column] if lint.column < len(table.headers) else ""
    name = f" “{shortened(label, _LABEL_LENGTH)}”" if label else ""
    return f"{place}, column {lint.column + 1}{name}"


def note_row(lint: Lint) -> str | None:
    """Id of the row that a lint is about, if it is one."""
    return None if lint.row_index is None else f"{lint.table_id}:{lint.row_index}"


def note_focus(lint: Lint, tables: Sequence[Table]) -> JsonDict | None:
    """The place of a lint on its page, to light it: page, box in points, and what stands there.

    The box is None where the source gives none. Cells have no boxes: their row is lit, and the
    label names the column. None if the lint's table is not there.
    """
    table = next((table for table in tables if table.table_id == lint.table_id), None)
    if table is None:
        return None
    lines = table.line_df[table.line_df["page_num"] == lint.page_num]
    if lint.row_index is None:
        lines = lines[lines["line_num"] == lint.line_num]
    else:
        lines = lines[lines["row_index"] == lint.row_index]
    box = bounding_boxes(lines).get(lint.page_num) if len(lines) else None
    return {
        "page": lint.page_num,
        "box": list(box) if box else None,
        "label": note_place(lint, table),
        "severity": lint.severity,
    }


def _by_hand(table: Table) -> list[str]:
    return [table.header.reason] if table.header.rule == "by hand" else []


def shortened(text: str, length: int) -> str:
    """The text, cut where it is longer."""
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"

"""Header lines -> one label per column (contract section 4), with the reason for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.tables.column_facts import Columns
from core.tables.header_lines import names_the_columns, next_header_lines
from core.tables.labels import is_unit_of_table, without_placeholders
from core.tables.literal_header import fill_literally, literal_guard
from core.tables.spans import Levels, Row, fill_levels, join_levels, shared_with_left

MAX_HEADER_ROWS = 5
"""Most header lines a table is given, by evidence or by hand."""

KEY_VALUE = "key-value"
"""Layout of a list of keys and values without a header, and how it is asked for by hand."""


@dataclass(frozen=True)
class HeaderFold:
    """How a table's labels came about, every step kept for the inspector."""

    raw: tuple[tuple[str, ...], ...]
    """The header lines as printed, padded to one width."""
    filled: tuple[tuple[str, ...], ...]
    """The same with spanning labels carried to the right; blank where a line is no label."""
    folded: tuple[str, ...]
    """One label per column."""
    rule: str
    """Which rule decided: "no header", "one line", "sub-header", "above the separator",
    "title line", "blank line", "key-value" or "by hand"."""
    evidence: tuple[str, ...]
    """What the rules saw, one sentence each."""
    title: str = ""
    """A title printed over all columns, which is no part of their labels."""

    @property
    def depth(self) -> int:
        """Number of header lines."""
        return len(self.raw)

    @property
    def reason(self) -> str:
        """The evidence, in words."""
        return " ".join(self.evidence)


def fold_multirow_header(
    headers: Row, body: Sequence[Row], *, strict: bool = False
) -> tuple[list[str], list[list[str]]]:
    """Fold sub-headers left at the top of the body into the labels: cells in, cells out.

    Args:
        headers: the header row as printed, spans blank or repeated.
        body: the rows below it.
        strict: only the literal guard of the contract; the default also reads further levels,
            years and units, and asks whether a candidate is laid out like a sub-header, so that
            a first row of words stays a row.

    Returns:
        One label per column, and the body without the rows that became part of them.
    """
    fold = fold_header([headers], body, strict=strict)
    rows = [headers, *body][fold.depth :]
    return list(fold.folded), [list(row) for row in rows]


def fold_header(above: Sequence[Row], body: Sequence[Row], *, strict: bool) -> HeaderFold:
    """Labels from the header lines above the separator and, where the evidence holds, the
    first body rows. A sample of the body, its first fifty rows, is enough.
    """
    if not above:
        width = max((len(row) for row in body[:1]), default=0)
        return HeaderFold((), (), ("",) * width, "no header", ("No line above the separator.",))
    if strict:
        return _fold_literally(above[-1], body)
    if len(above) == 1 and is_plain(above[0], body):
        labels = tuple(above[0])
        why = "Every column has its own label on one line."
        return HeaderFold((labels,), (labels,), labels, "one line", (why,))
    return _fold_by_evidence(above, body)


def fold_levels(
    levels: Levels, *, rule: str, evidence: Sequence[str], columns: Columns | None = None
) -> HeaderFold:
    """Fold header lines of any number: fill spans to the right, join each column's labels.

    Args:
        levels: the header lines as printed; placeholders count as blank.
        rule: which rule chose them.
        evidence: what it saw.
        columns: what the columns hold in the body; numbers everywhere by default.
    """
    raw = _padded(levels)
    width = len(raw[0]) if raw else 0
    lines = [without_placeholders(line) for line in raw]
    units = [_unit_over_values(line) for line in lines]
    told_apart = [line for line, unit in zip(lines, units, strict=True) if not unit]
    if not told_apart:
        return HeaderFold(raw, raw, join_levels(raw), rule, tuple(evidence))
    spread = iter(fill_levels(told_apart, columns or Columns.unknown(width)))
    filled = tuple(("", *[unit] * (width - 1)) if unit else next(spread) for unit in units)
    return HeaderFold(raw, filled, join_levels(filled), rule, tuple(evidence))


def _fold_by_evidence(above: Sequence[Row], body: Sequence[Row]) -> HeaderFold:
    lines = _as_wide([*above, *body], _usual_width(above, body))
    if _is_key_value(lines):
        labels = ("",) * len(lines[0])
        blank = () if any(lines[0]) else lines[:1]
        why = "The first column holds keys that end in a colon, the first line too."
        return HeaderFold(blank, blank, labels, KEY_VALUE, (why,))
    top = len(above) + MAX_HEADER_ROWS + 2
    cleaned = [*map(without_placeholders, lines[:top]), *lines[top:]]
    depth, evidence = len(above), list[str]()
    # A row wider than the labels would lose a cell among them.
    n_usable = next((at for at, row in enumerate(body) if len(row) > len(lines[0])), len(body))
    rule = "above the separator" if depth > 1 else "one line"
    if depth > 1:
        evidence.append(f"{depth} lines stand above the separator.")
    start, title = 0, ""
    if not any(cell for line in cleaned[:depth] for cell in line):
        below = Columns(cleaned[depth + 1 :], len(lines[0]))
        if n_usable and len(cleaned) > depth and names_the_columns(cleaned[depth], below):
            rule, start, depth = "blank line", depth, depth + 1
            evidence.append("The header line is blank and the line below it names the columns.")
    elif title := _title(cleaned, depth) if n_usable else "":
        rule, start, depth = "title line", 1, max(depth, 2)
        evidence.append("One text stands over all columns and the line below it names them.")
    while depth < MAX_HEADER_ROWS and depth - len(above) < n_usable:
        more, why = next_header_lines(cleaned[start:depth], cleaned[depth:])
        if not more or depth + more > min(MAX_HEADER_ROWS, len(above) + n_usable):
            break
        depth += more
        evidence.append(f"Line {depth} is a header line. {why}")
        rule = "sub-header" if rule == "one line" else rule
    columns = Columns(cleaned[depth:], len(lines[0]))
    fold = fold_levels(cleaned[start:depth], rule=rule, evidence=(), columns=columns)
    evidence += _why_no_more(cleaned[start:depth], fold, rule)
    blank = (("",) * len(lines[0]),) * start
    return replace(
        fold,
        raw=lines[:depth],
        filled=(*blank, *fold.filled),
        evidence=tuple(evidence),
        title=title,
    )


def _why_no_more(levels: Levels, fold: HeaderFold, rule: str) -> list[str]:
    if rule not in ("one line", "above the separator"):
        return []
    if all(fold.folded) and not any(shared_with_left(levels)):
        return (
            ["Every column has its own label."]
            if rule != "one line"
            else ["Every column has its own label on one line."]
        )
    if fold.filled[0] != tuple(levels[0]) and len(levels) == 1:
        return ["A blank label is carried from its left: the columns below say so."]
    return ["Blank or repeated labels stay as printed: no line below tells their columns apart."]


def is_plain(header: Row, body: Sequence[Row]) -> bool:
    """Whether nothing in the header line or the row below hints at anything but one line."""
    if not all(header) or len({label.casefold() for label in header}) < len(header):
        return False
    if header[0].endswith(":") or without_placeholders(header) != list(header):
        return False
    first = body[0] if body else []
    return (
        bool(first)
        and bool(first[0])
        and first[0] != header[0]
        and (len(first) < 2 or bool(any(first[1:])))
    )


def _title(lines: Sequence[Row], depth: int) -> str:
    """A text over all columns with a line of labels below it, or ""."""
    first = lines[0]
    texts = {cell for cell in first if cell}
    over_all = len(texts) == 1 and (all(first) or (bool(first[0]) and len(first) > 2))
    if not over_all or len(lines) < 3 or len(first) < 2:
        return ""
    columns = Columns(lines[max(depth, 2) :], len(first))
    below = lines[1]
    contrast = any(columns.contrast(at, cell) for at, cell in enumerate(below) if cell)
    if names_the_columns(below, columns) and (contrast or depth > 1):
        return texts.pop()
    return ""


def _is_key_value(lines: Sequence[Row]) -> bool:
    """Whether two columns hold keys and values from the header line on."""
    if len(lines[0]) != 2 or len(lines) < 3:
        return False
    keys = [line[0] for line in lines[1:] if line[0]]
    with_colon = sum(key.rstrip().endswith(":") for key in keys)
    first, _ = lines[0]
    is_key = first.endswith(":") or (first and not without_placeholders(lines[0])[0])
    return bool(keys) and with_colon >= 0.6 * len(keys) and bool(is_key or not any(lines[0]))


def _unit_over_values(line: Row) -> str:
    """The unit of the whole table, where a header line states nothing else."""
    return line[0] if is_unit_of_table(line[0]) and not any(line[1:]) else ""


def _fold_literally(header: Row, body: Sequence[Row]) -> HeaderFold:
    header = tuple(header)
    if all(header):
        why = "No blank cell in the header."
        return HeaderFold((header,), (header,), header, "one line", (why,))
    filled = fill_literally(header)
    if not literal_guard(header, body):
        why = "Blank cells filled; the first body row fails the literal guard."
        return HeaderFold((header,), (filled,), filled, "one line", (why,))
    lower = tuple(body[0])
    folded = tuple(f"{up} {low}".strip() for up, low in zip(filled, lower, strict=True))
    why = "The header has a blank cell; the row below holds no digit and the next one does."
    return HeaderFold((header, lower), (filled, lower), folded, "sub-header", (why,))


def _usual_width(above: Sequence[Row], body: Sequence[Row]) -> int:
    """Width of the header lines, or that of most rows where it is larger: a single row with a
    cell too many gives the table no further column."""
    header = max(map(len, above))
    usual, count = max(Counter(map(len, body)).most_common(1), default=(0, 0))
    return max(header, usual) if 2 * count > len(body) else header


def _as_wide(rows: Sequence[Row], width: int) -> tuple[tuple[str, ...], ...]:
    """The rows, padded with blanks or cut to one width."""
    return tuple((*row[:width], *[""] * (width - len(row))) for row in rows)


def _padded(rows: Sequence[Row]) -> tuple[tuple[str, ...], ...]:
    width = max((len(row) for row in rows), default=0)
    return tuple((*row, *[""] * (width - len(row))) for row in rows)

"""Header lines -> one label per column (contract section 4), with the reason for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

Row = Sequence[str]


@dataclass(frozen=True)
class HeaderFold:
    """How a table's labels came about, every step kept for the inspector."""

    raw: tuple[tuple[str, ...], ...]
    """The header lines as printed, padded to one width."""
    filled: tuple[tuple[str, ...], ...]
    """The same with spanning labels carried to the right."""
    folded: tuple[str, ...]
    """One label per column."""
    rule: str
    """Which rule decided: "no header", "one line", "sub-header", "above the separator" or
    "by hand"."""
    reason: str
    """The evidence that rule saw, in words."""

    @property
    def depth(self) -> int:
        """Number of header lines."""
        return len(self.raw)


def fold_multirow_header(
    headers: Row, body: Sequence[Row], *, strict: bool = False
) -> tuple[list[str], list[list[str]]]:
    """Fold a sub-header left at the top of the body into the labels: cells in, cells out.

    Args:
        headers: the header row as printed, blank where the parser flattened a span.
        body: the rows below it.
        strict: only the literal guard of the contract; the default also asks whether the
            candidate is laid out like a sub-header, so that a first row of words stays a row.

    Returns:
        One label per column, and the body without the row that became part of them.
    """
    fold = fold_header([headers], body, strict=strict)
    return list(fold.folded), [list(row) for row in body[fold.depth - 1 :]]


def fold_header(above: Sequence[Row], body: Sequence[Row], *, strict: bool) -> HeaderFold:
    """Labels from the header lines above the separator and, where the evidence holds, the
    first body row. `body` needs no more than its first two rows.
    """
    if strict:
        return _fold_literally(above, body)
    if not above:
        width = max((len(row) for row in body[:1]), default=0)
        return HeaderFold((), (), ("",) * width, "no header", "No line above the separator.")
    levels = list(above)
    reason = _why_sub_header(levels[-1], body)
    if reason:
        return fold_levels([*levels, body[0]], rule="sub-header", reason=reason)
    if len(levels) > 1:
        reason = f"{len(levels)} lines stand above the separator."
        return fold_levels(levels, rule="above the separator", reason=reason)
    return fold_levels(levels, rule="one line", reason=_why_one_line(levels[0], body))


def fold_levels(levels: Sequence[Row], *, rule: str, reason: str) -> HeaderFold:
    """Fold header lines of any number: fill spans to the right, join each column's labels.

    A blank is a span only where a label stands below it: a blank in the lowest line is no
    span, and a label over nothing is not carried on.
    """
    raw = _padded(levels)
    if len(raw) == 1:
        return HeaderFold(raw, raw, raw[0], rule, reason)
    filled = [
        _fill_right(labels, [any(column) for column in zip(*raw[at + 1 :], strict=True)])
        for at, labels in enumerate(raw[:-1])
    ] + list(raw[-1:])
    folded = tuple(_join_distinct(column) for column in zip(*filled, strict=True))
    return HeaderFold(raw, tuple(filled), folded, rule, reason)


def _fold_literally(above: Sequence[Row], body: Sequence[Row]) -> HeaderFold:
    """The contract's literal guard: a blank cell is the signal, digits decide."""
    if not above:
        width = max((len(row) for row in body[:1]), default=0)
        return HeaderFold((), (), ("",) * width, "no header", "No line above the separator.")
    header = tuple(above[-1])
    if all(header):
        return HeaderFold((header,), (header,), header, "one line", "No blank cell in the header.")
    filled = _fill_right(header)
    reason = _literal_guard(header, body)
    if not reason:
        why = "Blank cells filled; the first body row fails the literal guard."
        return HeaderFold((header,), (filled,), filled, "one line", why)
    lower = tuple(body[0])
    folded = tuple(f"{up} {low}".strip() for up, low in zip(filled, lower, strict=True))
    return HeaderFold((header, lower), (filled, lower), folded, "sub-header", reason)


def _literal_guard(header: Row, body: Sequence[Row]) -> str:
    """Evidence that the first body row is a sub-header by digits alone, or ""."""
    if all(header) or len(body) < 2 or len(body[0]) != len(header):
        return ""
    if _has_digit(body[0]) or not _has_digit(body[1]):
        return ""
    return "The header has a blank cell; the row below holds no digit and the next one does."


def _why_sub_header(header: Row, body: Sequence[Row]) -> str:
    """Evidence that the first body row is a sub-header, or "" (then it stays a row)."""
    reason = _literal_guard(header, body)
    if not reason:
        return ""
    candidate, below = body[0], body[1]
    # "| | Status |" over "| Valve | open |": the literal guard would eat a row of words.
    if candidate[0] in ("", header[0]) and below[0]:
        return f"{reason} Its row label is blank, so it names columns."
    if header[0] == "" and _divides_every_span(header, candidate):
        return f"{reason} It gives each column under a spanning label its own name."
    return ""


def _divides_every_span(header: Row, candidate: Row) -> bool:
    """Whether `candidate` names the columns of each span and nothing under a lone label."""
    spans = _spans(header)
    return any(end - start > 1 for start, end in spans) and all(
        all(candidate[start:end]) and len(set(candidate[start:end])) == end - start
        if end - start > 1
        else candidate[start] in ("", header[start])
        for start, end in spans
    )


def _spans(header: Row) -> list[tuple[int, int]]:
    """Column ranges of each label with the blanks to its right."""
    starts = [column for column, label in enumerate(header) if label]
    return list(pairwise([*starts, len(header)]))


def _why_one_line(header: Row, body: Sequence[Row]) -> str:
    if all(header):
        return "Every column has its own label on one line."
    if _literal_guard(header, body):
        return "The row below reads like data: it labels no span, so it stays a row."
    return "Blank labels stay blank: no line below names their columns."


def _fill_right(labels: Row, labelled_below: Sequence[bool] | None = None) -> tuple[str, ...]:
    """Carry each label over the blanks to its right, where asked only over labels below."""
    filled: list[str] = []
    span = ""
    for column, label in enumerate(labels):
        span = label or span
        filled.append(span if labelled_below is None or labelled_below[column] else label)
    return tuple(filled)


def _join_distinct(parts: Row) -> str:
    """Labels of one column from top to bottom; a label repeated downwards is said once."""
    kept = [part for part in parts if part]
    return " ".join(
        part
        for at, part in enumerate(kept)
        if at == 0 or part.casefold() != kept[at - 1].casefold()
    )


def _padded(rows: Sequence[Row]) -> tuple[tuple[str, ...], ...]:
    width = max((len(row) for row in rows), default=0)
    return tuple((*row, *[""] * (width - len(row))) for row in rows)


def _has_digit(row: Row) -> bool:
    return any(character.isdigit() for cell in row for character in cell)

"""The contract's literal header guard: a blank cell is the signal, digits decide."""

from __future__ import annotations

from collections.abc import Sequence

Row = Sequence[str]


def literal_guard(header: Row, body: Sequence[Row]) -> bool:
    """Whether the first body row is a sub-header by digits alone."""
    if all(header) or len(body) < 2 or len(body[0]) != len(header):
        return False
    return not _has_digit(body[0]) and _has_digit(body[1])


def fill_literally(labels: Row) -> tuple[str, ...]:
    """Every label carried over the blanks to its right."""
    filled: list[str] = []
    for label in labels:
        filled.append(label or (filled[-1] if filled else ""))
    return tuple(filled)


def _has_digit(row: Row) -> bool:
    return any(character.isdigit() for cell in row for character in cell)

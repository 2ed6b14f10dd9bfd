"""How a table's labels came about, as a grid: one line per column, one column per step."""

from __future__ import annotations

import pandas as pd

from core.tables import Table


def header_steps(table: Table) -> pd.DataFrame:
    """One line per column: its header lines as printed, as filled where that differs, its label."""
    fold = table.header
    columns: dict[str, list[str]] = {}
    for at, line in enumerate(fold.raw):
        columns[f"Line {at + 1}"] = list(line)
    for at, line in enumerate(fold.filled):
        if line != fold.raw[at]:
            columns[f"Line {at + 1}, filled"] = list(line)
    columns["Label"] = list(fold.folded)
    steps = pd.DataFrame(columns)
    steps.insert(0, "Column", range(1, len(steps) + 1))
    return steps


def table_grid(table: Table) -> pd.DataFrame:
    """Body rows under their labels as a frame with unique column names."""
    headers, seen = [], dict[str, int]()
    for at, label in enumerate(table.headers):
        name = label or f"(column {at + 1})"
        seen[name] = seen.get(name, 0) + 1
        headers.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    rows = [[*row, *[""] * (len(headers) - len(row))] for row in table.rows]
    return pd.DataFrame(rows, columns=headers, dtype="str")

"""How a table's labels came about, as a grid: one line per column, one column per step."""

from __future__ import annotations

import pandas as pd

from core.tables import Table


def header_steps(table: Table) -> pd.DataFrame:
    """(n_columns, 1 + 2 * depth + 1) text: raw header lines, the same filled, and the label."""
    fold = table.header
    columns: dict[str, list[str]] = {}
    for at, line in enumerate(fold.raw):
        columns[f"Line {at + 1}"] = list(line)
    if fold.depth > 1 or fold.filled != fold.raw:
        for at, line in enumerate(fold.filled):
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

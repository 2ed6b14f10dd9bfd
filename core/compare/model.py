"""What a comparison consists of: lines of tables, entries that align them, columns, cells."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

HEADER, ROW, SECTION, NOTE = "header", "row", "section", "note"
"""What a reading takes a line of a table for."""

PAIRED, SPLIT, MERGED, ONLY_A, ONLY_B = "paired", "split", "merged", "only_a", "only_b"
"""How lines stand to each other: one to one, one of A to several of B, several of A to one of B,
and lines that the other side does not have."""

SAME, SPACING, CHANGED = "same", "spacing", "changed"
"""How two cells stand to each other, besides ONLY_A and ONLY_B where one is blank; "spacing"
differs in blanks or in Unicode form alone."""

ALIKE = (SAME, SPACING)

_MIRRORED = {SPLIT: MERGED, MERGED: SPLIT, ONLY_A: ONLY_B, ONLY_B: ONLY_A}


@dataclass(frozen=True)
class Line:
    """A line of a table as one side reads it."""

    kind: str
    """HEADER, ROW, SECTION or NOTE."""
    cells: tuple[str, ...]
    table_id: str
    row_index: int = -1
    """0-based body row of its table, -1 where it is none."""
    page_num: int = 0
    line_num: int = 0
    """With page_num its place in line_df; 0 where it is not known."""

    @property
    def row_id(self) -> str:
        """As the app names a body row, "t1:3"; "" where it is none."""
        return f"{self.table_id}:{self.row_index}" if self.kind == ROW else ""


@dataclass(frozen=True)
class Entry:
    """Lines of both sides that belong together, as positions in each side's lines."""

    relation: str
    a: tuple[int, ...]
    b: tuple[int, ...]

    def mirrored(self) -> Entry:
        """The same with the sides exchanged."""
        return Entry(_MIRRORED.get(self.relation, self.relation), self.b, self.a)


@dataclass(frozen=True)
class ColumnPair:
    """Columns of both sides that belong together: one to one, one to several, or one alone."""

    a: tuple[int, ...]
    b: tuple[int, ...]
    moved: bool = False
    """It stands elsewhere among the columns of the other side."""

    @property
    def relation(self) -> str:
        """PAIRED, SPLIT, MERGED, ONLY_A or ONLY_B."""
        if not self.a or not self.b:
            return ONLY_A if self.a else ONLY_B
        return PAIRED if len(self.a) == len(self.b) else SPLIT if len(self.a) == 1 else MERGED

    def mirrored(self) -> ColumnPair:
        """The same with the sides exchanged."""
        return ColumnPair(self.b, self.a, self.moved)


@dataclass(frozen=True)
class Cell:
    """One cell as both sides have it."""

    a: str
    b: str
    state: str
    """SAME, SPACING, CHANGED, ONLY_A or ONLY_B."""


@dataclass(frozen=True)
class AlignedRow:
    """An entry with its lines and its cells, one per column pair."""

    relation: str
    a: tuple[Line, ...]
    b: tuple[Line, ...]
    cells: tuple[Cell, ...]

    @property
    def kinds(self) -> tuple[str, str]:
        """What each side takes it for, "" where it has nothing; of several lines the first."""
        return (self.a[0].kind if self.a else "", self.b[0].kind if self.b else "")

    @property
    def is_other_kind(self) -> bool:
        """Whether one side reads as labels what the other reads as a row, or the like."""
        kind_a, kind_b = self.kinds
        return bool(kind_a and kind_b and kind_a != kind_b)

    @property
    def changed_cells(self) -> int:
        """Cells that differ in more than blanks."""
        return sum(cell.state not in ALIKE for cell in self.cells)

    @property
    def differs(self) -> bool:
        """Whether there is anything to see."""
        return self.relation != PAIRED or self.is_other_kind or self.changed_cells > 0


@dataclass(frozen=True)
class TablePair:
    """Tables of both sides that show the same: one to one, one to several, or several to one."""

    a: tuple[str, ...]
    b: tuple[str, ...]
    """Ids in reading order; one of both has a single id."""
    score: float = 1.0
    """How surely, 0 to 1."""

    def mirrored(self) -> TablePair:
        """The same with the sides exchanged."""
        return TablePair(self.b, self.a, self.score)

    @property
    def pair_id(self) -> str:
        """As links name it: "t1-t2.t3"."""
        return f"{'.'.join(self.a)}-{'.'.join(self.b)}"


@dataclass(frozen=True)
class TableDiff:
    """Everything in which two readings of a table differ."""

    pair: TablePair
    columns: tuple[ColumnPair, ...]
    labels: tuple[Cell, ...]
    """The folded label of each column pair on both sides."""
    rows: tuple[AlignedRow, ...]
    """Lines of all kinds in reading order."""
    counts: Counter[str] = field(compare=False, default_factory=Counter)
    """From `core.compare.diff.counted`."""

    @property
    def columns_differ(self) -> bool:
        """Whether columns are missing, split, merged or moved."""
        return any(column.moved or column.relation != PAIRED for column in self.columns)

    @property
    def labels_changed(self) -> int:
        """Labels of columns that both sides have, and that differ in more than blanks."""
        return sum(
            label.state not in ALIKE
            for label, column in zip(self.labels, self.columns, strict=True)
            if column.relation == PAIRED
        )

    @property
    def is_same(self) -> bool:
        """Whether both sides read the table alike, but for blanks."""
        return (
            len(self.pair.a) == len(self.pair.b) == 1
            and not any(row.differs for row in self.rows)
            and not self.columns_differ
            and not self.labels_changed
        )


@dataclass(frozen=True)
class Comparison:
    """Two readings of one document."""

    tables: tuple[TableDiff, ...]
    """In the reading order of A."""
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    """Ids of tables that the other side does not have."""

    @property
    def is_same(self) -> bool:
        """Whether both sides read the document's tables alike, but for blanks."""
        return not (self.only_a or self.only_b) and all(diff.is_same for diff in self.tables)

    def by_id(self, pair_id: str) -> TableDiff | None:
        """The tables that a link names."""
        return next((diff for diff in self.tables if diff.pair.pair_id == pair_id), None)

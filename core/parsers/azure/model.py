"""What an AnalyzeResult holds, the same for every version of the service; boxes in points."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.parsers.azure.json import Box, Span


@dataclass(frozen=True, slots=True)
class Word:
    """A word or a selection mark, as it stands in the content."""

    text: str
    box: Box | None
    span: Span | None
    confidence: float
    """NaN where none is given."""


@dataclass(frozen=True, slots=True)
class Line:
    """A printed line, or a paragraph, caption or footnote."""

    text: str
    page: int
    box: Box | None
    spans: list[Span]
    role: str = ""

    @property
    def start(self) -> int | None:
        """Where in the content it begins."""
        return self.spans[0][0] if self.spans else None


@dataclass(frozen=True, slots=True)
class Page:
    """A page; width and height are NaN where the source has no geometry (Office files)."""

    number: int
    width: float
    height: float
    angle: float
    """Turn of the text, clockwise in degrees."""
    in_pixels: bool
    spans: list[Span]
    lines: list[Line]
    words: list[Word]
    marks: list[Word]
    """Selection marks: `:selected:` and `:unselected:`."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A table cell; row and column are None where they are missing or no numbers from 0."""

    text: str
    row: int | None
    column: int | None
    row_span: int
    column_span: int
    kind: str
    regions: dict[int, Box]
    """Its box on each page, empty without geometry."""
    page: int
    """Where it begins."""
    spans: list[Span]


@dataclass(frozen=True, slots=True)
class TableRead:
    """A table as the service gives it."""

    n_rows: int
    """As declared, like `n_columns`; the cells may say otherwise."""
    n_columns: int
    cells: list[Cell]
    caption: Line | None = None
    footnotes: list[Line] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Result:
    """An AnalyzeResult."""

    pages: list[Page]
    tables: list[TableRead]
    paragraphs: list[Line]
    content: str

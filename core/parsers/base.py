"""What every parser gives back, and the one seam a new parser has to fill."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from core.errors import DocumentError, LimitExceeded
from core.limits import get_limits

if TYPE_CHECKING:
    import pandas as pd

Progress = Callable[[int, int], None]
"""Called as progress(pages_done, pages_in_all) after each page."""


@dataclass(frozen=True)
class Source:
    """A document as bytes, with the name to show for it."""

    name: str
    data: bytes

    @classmethod
    def of(cls, source: str | Path | bytes) -> Source:
        """Read a path, or take bytes as they are."""
        if isinstance(source, bytes | bytearray | memoryview):
            return cls("document", bytes(source))
        path = Path(source)
        if path.exists() and not path.is_file() and not path.is_dir():
            raise DocumentError(f"{path.name} is a device or pipe. Give the path of a file.")
        limit, size = get_limits().file_mb, path.stat().st_size / 1e6
        if size > limit:  # before it fills the memory
            raise LimitExceeded.of(path.name, f"has {size:,.0f} MB", "file_mb", limit, "MB")
        return cls(path.name, path.read_bytes())


@dataclass(frozen=True)
class ParsedDocument:
    """A document as frames: text lines, page sizes and outline, all in displayed-page points."""

    line_df: pd.DataFrame
    page_df: pd.DataFrame
    toc_df: pd.DataFrame
    parser: str
    notes: tuple[str, ...] = ()
    """What the reader should know, e.g. "Page 3 is a scan without text."."""


@dataclass(frozen=True)
class ParseOptions:
    """How to parse, besides by which parser."""

    pages: Sequence[int] | None = None
    """1-based page numbers, sorted and each once; None for all."""
    password: str | None = field(default=None, repr=False)
    beside: Source | None = None
    """The PDF or image that a saved output describes: its pages give the sizes."""
    ocr: bool = False
    """Recognise the text of pages that are pictures only."""
    progress: Progress | None = field(default=None, compare=False)


class Parser(Protocol):
    """One way of reading documents; registered by name in `core.parsers.registry`."""

    def __call__(self, source: Source, options: ParseOptions) -> ParsedDocument: ...

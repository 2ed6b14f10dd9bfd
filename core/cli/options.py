"""What the commands take: files, options and what their texts mean, exit codes."""

from __future__ import annotations

import re
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import Annotated

import typer

from core.cli.printing import Shape


class Exit(IntEnum):
    """Exit codes."""

    FINE = 0
    FOUND = 1
    """`lint` found errors; `ask` found nothing."""
    USAGE = 2
    UNREAD = 3
    UNWRITTEN = 4
    FAULT = 70
    INTERRUPTED = 130


class FileFormat(StrEnum):
    """How frames are kept."""

    PARQUET = "parquet"
    CSV = "csv"
    JSON = "json"


def page_numbers(text: str | None) -> list[int] | None:
    """Page numbers from a text like "1-3,7": [1, 2, 3, 7].

    Raises:
        typer.BadParameter: it is none.
    """
    if text is None:
        return None
    numbers: set[int] = set()
    for part in text.split(","):
        found = re.fullmatch(r"\s*([1-9]\d{0,6})\s*(?:-\s*([1-9]\d{0,6})\s*)?", part, re.ASCII)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
        if last < first:
            raise typer.BadParameter(f"{text!r} are no pages. Write them as 1-3,7.")
        numbers.update(range(first, last + 1))
    return sorted(numbers)


def header_lines(given: list[str] | None) -> dict[str, int | str] | None:
    """Header lines by table from texts: ["t2=3", "t5=key-value"] -> {"t2": 3, "t5": "key-value"}.

    Raises:
        typer.BadParameter: one of them is none.
    """
    rows: dict[str, int | str] = {}
    for text in given or []:
        found = re.fullmatch(r"\s*(t[1-9]\d*)\s*=\s*([0-5]|key-value)\s*", text)
        if not found:
            raise typer.BadParameter(
                f"{text!r} sets no header lines. Write t2=3 for three, at most five, or "
                f"t2=key-value."
            )
        rows[found[1]] = int(found[2]) if found[2].isdigit() else found[2]
    return rows or None


def _parser_name(name: str) -> str:
    from core.parsers.registry import AUTO, PARSERS

    if name not in (AUTO, *PARSERS):
        raise typer.BadParameter(f"{name!r} is none of {', '.join((AUTO, *PARSERS))}.")
    return name


Files = Annotated[
    list[Path], typer.Argument(metavar="FILE...", help="Documents.", show_default=False)
]
OneFile = Annotated[Path, typer.Argument(metavar="FILE", help="The document.", show_default=False)]
ParserName = Annotated[
    str,
    typer.Option(
        "--parser",
        metavar="NAME",
        callback=_parser_name,
        help="pymupdf, ocr, docling, azure_layout or frame; auto takes the first that reads the "
        "kind of file.",
    ),
]
Ocr = Annotated[bool, typer.Option("--ocr", help="Recognise the text of pages that are pictures.")]
Beside = Annotated[
    Path | None,
    typer.Option(metavar="PDF", help="The PDF or image that a saved output or frame describes."),
]
PageNumbers = Annotated[
    str | None, typer.Option("--pages", metavar="1-3,7", help="Pages to read; all without it.")
]
Strict = Annotated[
    bool, typer.Option("--strict", help="Read tables by exactly the four rules of the contract.")
]
HeaderRows = Annotated[
    list[str] | None,
    typer.Option(
        metavar="t2=3", help="Header lines of a table, 0 to 5, or key-value. May be repeated."
    ),
]
Format = Annotated[
    Shape | None,
    typer.Option("--format", help="How to print.", show_default="table on a terminal, else json"),
]

"""The sides of a comparison: which there are, what they are called, and what each found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.library import Document, Request
from core.lint import SEVERITIES, Lint
from core.parsers import PARSERS, parsers_for, sends_to
from core.tables import Table

JsonDict = dict[str, Any]

STRICT, OCR, HEADERS = "strict", "ocr", "headers"
SETTINGS = {STRICT: "Strict reading", OCR: "OCR", HEADERS: "Headers by hand"}
"""What a side may be set to, and its name before people."""

_SHORT = {
    "pymupdf": "PyMuPDF",
    "ocr": "OCR",
    "docling": "Docling",
    "azure_layout": "Azure",
    "frame": "Ready frame",
}
_OWN_OCR = {"pymupdf", "docling"}
"""Parsers that can leave OCR out."""
_QUICK = ("pymupdf",)
"""Parsers that need no models, no service and little time."""

_CODE = re.compile(r"([a-z_]{2,20})(?:@([a-z0-9_]{1,40}))?((?:\.(?:strict|ocr|headers))*)")


@dataclass(frozen=True)
class Side:
    """How one side of a comparison reads the document."""

    parser: str
    doc_id: str = ""
    """The document it reads, where it is not the one that is open: a saved output of another
    parser, or the PDF that a saved output describes."""
    strict: bool = False
    ocr: bool = False
    headers: bool = False
    """With the headers that were set by hand in Inspect."""

    @property
    def settings(self) -> list[str]:
        """Names of what it is set to, in order of SETTINGS."""
        return [name for name in SETTINGS if getattr(self, name)]

    def with_settings(self, names: Collection[str]) -> Side:
        """Set to these and no others."""
        return replace(self, strict=STRICT in names, ocr=OCR in names, headers=HEADERS in names)


def side_to_code(side: Side) -> str:
    """As it stands in a URL: "pymupdf", "docling@0f3a.strict"."""
    source = f"@{side.doc_id}" if side.doc_id else ""
    return ".".join([f"{side.parser}{source}", *side.settings])


def code_to_side(code: str) -> Side | None:
    """The side that a URL names; None where it names none."""
    match = _CODE.fullmatch(code)
    if match is None or match[1] not in PARSERS:
        return None
    return Side(match[1], match[2] or "").with_settings(match[3].split("."))


def side_options(
    document: Document, outputs: Sequence[Document], pages: Document | None
) -> dict[Side, str]:
    """Sides without settings, by the name that a list gives them: the parsers of the document,
    those of the PDF that it describes, then saved outputs of other parsers."""
    options = {Side(name): PARSERS[name].title for name in parsers_for(document.format)}
    others = [*([pages] if pages else []), *outputs]
    for other in others:
        for name in parsers_for(other.format)[: None if other.has_pages else 1]:
            options[Side(name, other.doc_id)] = f"{PARSERS[name].title}: {other.name}"
    return options


def settings_of(side: Side, document: Document, *, headers: bool) -> list[str]:
    """Which settings make a difference to a side.

    Args:
        side: any side of the document.
        document: the one that the side reads.
        headers: whether headers were set by hand in a reading by the same parser.
    """
    may_recognise = document.has_pages and side.parser in _OWN_OCR
    fits = {STRICT: True, OCR: may_recognise, HEADERS: headers}
    return [name for name in SETTINGS if fits[name]]


def default_other(one: Side, options: Collection[Side], formats: Mapping[str, Document]) -> Side:
    """What to compare a side with first: a saved output that was added, another parser that is
    quick and leaves nothing of the document to others, else the same parser read strictly.

    Args:
        one: the side that is given.
        options: the sides there are, without settings.
        formats: the documents that they read, by id; "" for the one that is open.
    """
    plain = one.with_settings([])
    others = [option for option in options if option != plain]
    added = [o for o in others if o.doc_id and not formats[o.doc_id].has_pages]
    quick = [
        o
        for o in others
        if o.parser in _QUICK and sends_to(o.parser, formats[o.doc_id].format) is None
    ]
    return next(iter([*added[::-1], *quick]), replace(one, strict=not one.strict))


def side_request(
    side: Side, document: Document, own: Request, passwords: Mapping[str, str | None]
) -> Request:
    """How to read a side.

    Args:
        side: the side.
        document: the one that it reads.
        own: how Inspect reads the document that is open.
        passwords: by document id.
    """
    if not side.doc_id:
        return replace(own, parser=side.parser, ocr=side.ocr)
    # A saved output describes the pages of the document that is open.
    beside = None if document.has_pages else own.beside or own.doc_id
    return Request(
        side.doc_id,
        side.parser,
        ocr=side.ocr,
        beside=beside,
        password=passwords.get(side.doc_id),
    )


def side_names(one: Side, other: Side) -> tuple[str, str]:
    """What sentences call the sides: short, and never both the same."""
    names = [_name(one), _name(other)]
    if names[0] == names[1]:
        plain = "saved" if one.doc_id or other.doc_id else ""
        kinds = [plain if side.doc_id else "" for side in (one, other)]
        marks = kinds if kinds[0] != kinds[1] else ["A", "B"]
        names = [
            f"{name} ({mark})" if mark else name for name, mark in zip(names, marks, strict=True)
        ]
    return names[0], names[1]


def side_card(
    letter: str,
    tables: Sequence[Table],
    lints: Collection[Lint],
    seconds: float | None,
    pages: int,
    *,
    timing: bool = False,
) -> JsonDict:
    """What a side found, as its card shows it.

    Args:
        letter: "A" or "B".
        tables: its tables.
        lints: what looks wrong with them.
        seconds: how long its parse took, None where it was kept from before.
        pages: of the document.
        timing: whether its time is being taken now.
    """
    counts = Counter(lint.severity for lint in lints)
    rows = sum(table.n_body_rows for table in tables)
    return {
        "letter": letter,
        "time": None if seconds is None else time_text(seconds, pages),
        "timed": seconds is not None,
        "timing": timing,
        "numbers": [
            [f"{len(tables):,}", "table" if len(tables) == 1 else "tables"],
            [f"{rows:,}", "row" if rows == 1 else "rows"],
        ],
        "lints": [
            {"severity": severity, "count": counts[severity], "word": _lint_word(severity, counts)}
            for severity in SEVERITIES
            if counts[severity]
        ],
    }


def time_text(seconds: float, pages: int) -> tuple[str, str, str]:
    """How long a parse took, what that means, and how long per page."""
    took = f"{seconds:.1f} s" if seconds < 60 else f"{seconds / 60:.1f} min"
    return took, "to parse", f"{seconds / max(pages, 1):.2f} s a page"


def _lint_word(severity: str, counts: Counter[str]) -> str:
    return severity if counts[severity] == 1 or severity == "info" else f"{severity}s"


def _name(side: Side) -> str:
    said = {STRICT: "strict", OCR: "with OCR", HEADERS: "headers by hand"}
    settings = ", ".join(said[name] for name in side.settings)
    short = _SHORT.get(side.parser, PARSERS[side.parser].title)
    return f"{short} ({settings})" if settings else short

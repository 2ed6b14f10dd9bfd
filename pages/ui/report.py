"""The report of what Inspect shows, gathered at every run and made when it is asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from core import ParsedDocument
from core.library import Document
from core.parsers import PARSERS
from core.report import Finding, Sheet, finding_report
from core.view.decision import SHAPE_NAMES
from core.view.page import page_overlay
from core.view.set_out import has_boxes
from pages.ui import asking, cached, state
from pages.ui import tabs as inspect
from pages.ui.paper import paper
from pages.ui.state import address

_ROW_LEVEL = {None: "by the shape", True: "on", False: "off"}


@dataclass(frozen=True)
class _Seen:
    """What the report is of."""

    document: Document
    parsed: ParsedDocument
    finding: inspect.Finding


def report_maker(
    document: Document, parsed: ParsedDocument, finding: inspect.Finding
) -> Callable[[], str]:
    """What makes the report of the present state: it reads the session now, and no longer then,
    when another thread calls it."""
    seen = _Seen(document, parsed, finding)
    return partial(_make, seen, _settings(seen), address.query())


def _make(seen: _Seen, settings: dict[str, str], query: str) -> str:
    shown = seen.finding
    if shown.choices.settings.use_dense:
        settings = {**settings, "Embedder": asking.embedder_name()}
    return finding_report(
        Finding(
            document=seen.document.name,
            content_hash=hashlib.sha256(seen.document.data).hexdigest(),
            index=shown.reading.index,
            tables=shown.reading.tables,
            retrieval=shown.retrieval,
            page_num=shown.page_num,
            sheet=partial(_sheet, seen),
            automatic=shown.automatic.tables,
            lints=shown.reading.lints,
            parser_notes=seen.parsed.notes,
            settings=settings,
            query=query,
        )
    )


def _sheet(seen: _Seen, page_num: int) -> Sheet:
    shown = seen.finding
    page = paper(shown.request, seen.document, seen.parsed, shown.reading, page_num)
    overlay = page_overlay(
        page_num,
        page.page_df,
        page.tables,
        page.row_df,
        shown.retrieval,
        message=page.message,
        words=page.words,
    )
    lines = seen.parsed.line_df[seen.parsed.line_df["page_num"] == page_num]
    if not has_boxes(seen.parsed, page_num):
        lines = cached.set_out(shown.request, page_num)[0]
    return Sheet(page.image.png, overlay, lines)


def _settings(seen: _Seen) -> dict[str, str]:
    """Every setting as it is now, in words."""
    shown = seen.finding
    chosen, request = shown.choices.settings, shown.request
    search = {"words": chosen.use_keywords, "meaning": chosen.use_dense, "headings": chosen.use_toc}
    failed = asking.failures(shown.question)
    settings = {
        "Parser": PARSERS[request.parser].title + (", with OCR" if request.ocr else ""),
        "Pages from": cached.library().get(request.beside).name if request.beside else "",
        "Reading": "strict, four rules only" if shown.choices.strict else "safe (default)",
        "Headers set by hand": ", ".join(
            f"{table_id}: {value}" for table_id, value in shown.header_rows.items()
        )
        or "none",
        "Search by": ", ".join(name for name, is_on in search.items() if is_on) or "nothing",
        "Could not be used": "; ".join(f"{what}: {why}" for what, why in failed.items()),
        "Row level": _ROW_LEVEL[chosen.use_row_level],
        "Question shape": "by a model"
        if chosen.shape_by_model
        else SHAPE_NAMES.get(chosen.shape or "", "by rules"),
        "Widening threshold": f"{state.threshold():.2f}",
        "Tokens counted as": chosen.encoding,
    }
    return {name: value for name, value in settings.items() if value}

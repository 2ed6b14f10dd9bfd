"""A finding, and its report: document, question, answer and how it came about, in one file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from core.lint import Lint
from core.report import rows, steps
from core.report.picture import Sheet, sheet_picture
from core.report.render import render_report
from core.retrieval import Index, Retrieval
from core.tables import Table
from core.view.paragraphs import paragraphs_to_list

JsonDict = dict[str, Any]

MOST_PAGES = 6
"""Pages in the report as pictures."""
MOST_PARSER_NOTES = 10


@dataclass(frozen=True)
class Finding:
    """What a report tells of: a document as it is read, and what a question brings back of it."""

    document: str
    """Its name."""
    content_hash: str
    """SHA-256 of its bytes, in hex: whoever has the document can tell that it is this one."""
    index: Index
    tables: Sequence[Table]
    retrieval: Retrieval | None
    """None where nothing was asked; then the report is of the page's tables."""
    page_num: int
    """The page that is open."""
    sheet: Callable[[int], Sheet]
    """Gives a page as it is shown."""
    automatic: Sequence[Table] = ()
    """The tables as read without any header set by hand."""
    lints: Mapping[str, Lint] = field(default_factory=dict)
    """By id, worst first, see `core.view.notes.lints_by_id`."""
    parser_notes: Sequence[str] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    """Name and value of every setting, in words."""
    query: str = ""
    """Query of the URL that restores this state where the document is at hand."""
    made: datetime = field(default_factory=lambda: datetime.now(UTC))


def finding_report(finding: Finding) -> str:
    """The report as one HTML file without scripts, links or anything from elsewhere.

    Raises:
        DocumentError: a page cannot be drawn, as far as `finding.sheet` says so.
    """
    return render_report("finding.html.j2", report_data(finding))


def report_data(finding: Finding) -> JsonDict:
    """Everything the report says, as plain data."""
    retrieval = finding.retrieval
    shown = _tables_of(finding)
    on_page = [table for table in finding.tables if finding.page_num in table.pages]
    question = " ".join(retrieval.question.split()) if retrieval else ""
    return {
        "title": question or f"Tables on page {finding.page_num}",
        "question": question,
        "headline": steps.headline(retrieval, on_page, finding.page_num),
        "document": finding.document,
        "content_hash": finding.content_hash,
        "made": finding.made.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        **_pictures(finding),
        **(_answer(finding, retrieval) if retrieval else _no_answer(finding, shown)),
        "folding": steps.folding(shown, {one.table_id: one for one in finding.automatic}),
        "notes": steps.notes_data(finding.lints, shown),
        "parser_notes": list(finding.parser_notes[:MOST_PARSER_NOTES]),
        "more_parser_notes": max(0, len(finding.parser_notes) - MOST_PARSER_NOTES),
        "settings": dict(finding.settings),
        "query": finding.query,
        "versions": steps.versions(),
    }


def _answer(finding: Finding, retrieval: Retrieval) -> JsonDict:
    """What was returned, or that nothing was, and why."""
    index, row_df = finding.index, finding.index.row_df
    return {
        "best": rows.best_row(retrieval),
        "decision": steps.decision_data(retrieval),
        "sizes": steps.sizes(retrieval) if retrieval.found else None,
        "returned": rows.returned_tables(retrieval, row_df),
        "more_tables": max(0, len(retrieval.decisions) - rows.MOST_TABLES),
        "why": rows.why_rows(retrieval, row_df),
        "paragraphs": paragraphs_to_list(retrieval, index.line_df, index.paragraph_lines),
        "context": steps.context_data(retrieval) if retrieval.found else None,
    }


def _no_answer(finding: Finding, shown: Sequence[Table]) -> JsonDict:
    """What is there before any question."""
    return {
        **dict.fromkeys(("best", "decision", "sizes", "context")),
        "returned": rows.table_grids(shown, finding.index.row_df),
        "more_tables": 0,
        "why": [],
        "paragraphs": [],
    }


def _tables_of(finding: Finding) -> list[Table]:
    """The tables the report is about: those touched, else the nearest row's, else the page's."""
    retrieval = finding.retrieval
    wanted: list[str] = []
    if retrieval:
        wanted = [decision.table_id for decision in retrieval.decisions]
        if not retrieval.found:
            wanted = rows.nearest_tables(finding.index, retrieval)
    else:
        wanted = [one.table_id for one in finding.tables if finding.page_num in one.pages]
    by_id = {table.table_id: table for table in finding.tables}
    return [by_id[name] for name in wanted[: rows.MOST_TABLES] if name in by_id]


def _pictures(finding: Finding) -> JsonDict:
    """The pages that the context cites, first cited first; the open one where it cites none."""
    retrieval = finding.retrieval
    cited = list(dict.fromkeys(page for page, _ in retrieval.citations)) if retrieval else []
    pages = cited or [finding.page_num]
    quoted = _quoted(finding)
    return {
        "pictures": [
            sheet_picture(finding.sheet(page), {line for at, line in quoted if at == page})
            for page in pages[:MOST_PAGES]
        ],
        "pages": pages,
        "pages_left_out": pages[MOST_PAGES:],
    }


def _quoted(finding: Finding) -> list[tuple[int, int]]:
    """Page and line of the text that the context quotes beside rows."""
    retrieval, row_df = finding.retrieval, finding.index.row_df
    if retrieval is None or (retrieval.decisions and not retrieval.paragraphs_better):
        return []
    touched = row_df["table_id"].isin([decision.table_id for decision in retrieval.decisions])
    rows_of = row_df.loc[touched, ["page_num", "line_num"]]
    places = set(rows_of.itertuples(index=False, name=None))
    return [place for place in retrieval.citations if place not in places]

"""Every cache of the app. Keys are content ids and options, never frames.

What is shared between sessions (cache_resource) is never changed by anyone: core returns new
frames. A rerun that finds everything here does no parsing, reading or indexing.
"""

from __future__ import annotations

import contextlib
import gc
import threading
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from core import Index, ParsedDocument, Table, build_index, read_tables, serialize_table_rows
from core.errors import RowlensError
from core.kept import Kept
from core.library import Job, Library, Request
from core.lint import Lint, lint_tables
from core.parsers import Source
from core.parsers.base import Progress
from core.render import PageImage
from core.render_lines import draw_lines, drawn_cells, set_out_lines
from core.render_words import no_words
from core.tokens import DEFAULT_ENCODING, count_tokens
from core.view.notes import lints_by_id
from core.view.set_out import has_boxes
from core.worker import keep_spare_worker, parse_in_worker

if TYPE_CHECKING:
    from core import Retrieval
    from core.compare import Comparison
    from core.tuning import Answer, QuestionSet, Recommendation, Sweep

PAGE_DPI = 110

_SPARE_AFTER = 5.0
"""Seconds after the app began."""

_MAX_ROWS = 200_000
"""Rows of all readings kept at a time; an index over them takes about 300 MB."""

HeaderRows = tuple[tuple[str, int | str], ...]
"""Headers set by hand as a key: (table_id, header lines or "key-value") in order of tables."""


@dataclass(frozen=True)
class Reading:
    """A document's tables and rows, ready for questions."""

    tables: list[Table]
    row_df: pd.DataFrame
    index: Index
    lints: dict[str, Lint]
    """What looks wrong, worst first, by id."""


@st.cache_resource(show_spinner=False)
def library() -> Library:
    """The documents of this server; starts loading the token vocabulary beside the first parse."""
    threading.Thread(target=count_tokens, args=([""], DEFAULT_ENCODING), daemon=True).start()
    # A worker that waits makes opening a file quicker; starting one must not slow the first view.
    _after(_SPARE_AFTER, keep_spare_worker)
    return Library()


def parsed(request: Request) -> ParsedDocument:
    """A document's frames; kept by the library, since a parse reports its progress."""
    return library().parsed(request)


def reading(request: Request, strict: bool, header_rows: HeaderRows) -> Reading:
    """Tables, rows, index and lints of a document; another header is read, not parsed, anew."""
    key = (request, strict, header_rows)
    return _readings().get_or_make(key, lambda: _read(request, strict, header_rows))


@st.cache_resource(show_spinner=False)
def _readings() -> Kept[tuple[Request, bool, HeaderRows], Reading]:
    # By weight, not by number: twenty large documents must not stay in memory together.
    return Kept(count=32, weight=_MAX_ROWS, weigh=lambda reading: len(reading.row_df))


def _read(request: Request, strict: bool, header_rows: HeaderRows) -> Reading:
    document = parsed(request)
    line_df, by_hand = document.line_df, dict(header_rows)
    row_df = serialize_table_rows(line_df, strict=strict, header_rows=by_hand)
    tables = read_tables(line_df, strict=strict, header_rows=by_hand)
    lints = lints_by_id(lint_tables(tables, document.page_df))
    return Reading(tables, row_df, build_index(line_df, row_df), lints)


@st.cache_data(max_entries=256, show_spinner=False)
def tokens_of_rows(
    request: Request, strict: bool, header_rows: HeaderRows, table_id: str, encoding: str
) -> int:
    """Tokens of all rows of a table, serialized."""
    row_df = reading(request, strict, header_rows).row_df
    rows = row_df.loc[row_df["table_id"] == table_id, "row_serialized"]
    return sum(count_tokens(rows.tolist(), encoding))


@st.cache_data(max_entries=64, show_spinner=False)
def page_image(doc_id: str, page_num: int, password: str | None) -> PageImage | str:
    """A page of a PDF or image as a picture, or why there is none: a page that hangs is not tried
    again at every redraw."""
    try:
        image = library().page_image(doc_id, page_num, dpi=PAGE_DPI, password=password)
    except RowlensError as problem:
        return str(problem)
    _freeze_libraries()
    return image


@st.cache_data(max_entries=64, show_spinner=False)
def page_words(doc_id: str, page_num: int, password: str | None) -> pd.DataFrame:
    """The words of a page of a PDF with their boxes; none of a page that cannot be read."""
    try:
        return library().page_words(doc_id, page_num, password=password)
    except RowlensError:
        return no_words()


@st.cache_data(max_entries=64, show_spinner=False)
def set_out(request: Request, page_num: int) -> tuple[pd.DataFrame, float, float]:
    """The lines of a page that has no geometry on a made-up page, with its width and height."""
    return set_out_lines(parsed(request).line_df, page_num)


@st.cache_data(max_entries=64, show_spinner=False)
def lines_image(request: Request, page_num: int) -> PageImage:
    """A picture of a page's lines, for a source that has no page to show."""
    return draw_lines(*_lines_to_draw(request, page_num), dpi=PAGE_DPI)


@st.cache_data(max_entries=64, show_spinner=False)
def lines_cells(request: Request, page_num: int) -> pd.DataFrame:
    """The texts of cells on that picture with their boxes, as `page_words` gives words."""
    return drawn_cells(_lines_to_draw(request, page_num)[0])


def _lines_to_draw(request: Request, page_num: int) -> tuple[pd.DataFrame, float, float]:
    """Lines of a page with their boxes, and its width and height."""
    document = parsed(request)
    if has_boxes(document, page_num):
        page = document.page_df[document.page_df["page_num"] == page_num].iloc[0]
        lines = document.line_df[document.line_df["page_num"] == page_num]
        return lines, float(page["width"]), float(page["height"])
    return set_out(request, page_num)


@st.cache_resource(show_spinner=False)
def _freeze_libraries() -> None:
    """Streamlit collects garbage after every run, and looks through whatever libraries hold each
    time, over a second while a page loads. What is loaded at the first page stays: it need not be
    looked at. Once only: what a document brought in must go with it.
    """
    gc.freeze()


def _after(seconds: float, work: Callable[[], None]) -> None:
    timer = threading.Timer(seconds, work)
    timer.daemon = True
    timer.start()


# Compare -----------------------------------------------------------------------------------------

ReadingKey = tuple[Request, bool, HeaderRows]
"""What `reading` is asked for."""


def timed_job(request: Request) -> Job:
    """The job that reads a document, its time taken from its start to its end."""
    return _time(request, library().start(request))


def time_again(request: Request) -> None:
    """Parse a document once more, beside what is kept of it, to see how long it takes."""
    if request not in _timing():
        _time(request, Job(_Anew(library()), request).start(), sure=True)


def is_timing(request: Request) -> bool:
    """Whether a document is being parsed to see how long it takes."""
    return request in _timing()


def parse_seconds(request: Request) -> float | None:
    """How long a parse took on this server; None where it was kept from before."""
    return _seconds().get(request)


def comparison(a: ReadingKey, b: ReadingKey) -> Comparison:
    """What differs between two readings."""
    from core.compare import compare_tables  # scipy: no other page waits for it

    return _comparisons().get_or_make(
        (a, b), lambda: compare_tables(reading(*a).tables, reading(*b).tables)
    )


@st.cache_resource(show_spinner=False)
def _comparisons() -> Kept[tuple[ReadingKey, ReadingKey], Comparison]:
    return Kept(
        count=16,
        weight=_MAX_ROWS,
        weigh=lambda found: sum(len(diff.rows) for diff in found.tables),
    )


@st.cache_resource(show_spinner=False)
def _seconds() -> Kept[Request, float]:
    return Kept(count=256)


@st.cache_resource(show_spinner=False)
def _timing() -> dict[Request, Job]:
    return {}


def _time(request: Request, job: Job, *, sure: bool = False) -> Job:
    """Note how long a job takes, once. One that tells no progress may have found its parse in a
    store; only if it is `sure` that it parsed does its time count."""
    timing, seconds = _timing(), _seconds()
    if timing.setdefault(request, job) is not job:
        return job
    started = time.perf_counter()

    def note() -> None:
        with contextlib.suppress(RowlensError):  # whoever asked for the document is told
            job.result()
            if sure or job.progress is not None:
                seconds.put(request, time.perf_counter() - started)
        timing.pop(request, None)

    threading.Thread(target=note, daemon=True).start()
    return job


class _Anew(Library):
    """Reads as the library does, but keeps and takes nothing."""

    def __init__(self, known: Library) -> None:
        self._known = known

    def read(self, request: Request, progress: Progress, cancel: threading.Event) -> ParsedDocument:
        """Parse in a worker, whatever is stored."""
        document = self._known.get(request.doc_id)
        beside = self._known.get(request.beside) if request.beside else None
        return parse_in_worker(
            Source(document.name, document.data),
            request.parser,
            password=request.password,
            beside=None if beside is None else Source(beside.name, beside.data),
            ocr=request.ocr,
            progress=progress,
            cancel=cancel,
        )


# Tune --------------------------------------------------------------------------------------------

_MAX_ANSWERS = 50_000
"""Answers to questions of sets kept at a time, about 1 KB each."""

AnswerKey = tuple[ReadingKey, Hashable, str]


def answers(
    key: ReadingKey,
    settings: Hashable,
    questions: Sequence[str],
    ask: Callable[[str], Retrieval],
    progress: Callable[[int], None],
) -> list[Answer]:
    """One answer per question under these settings; only what was never asked is."""
    from core.tuning import keep_answer

    kept, found = _answers(), []
    for done, question in enumerate(questions):
        this = (key, settings, question)
        answer = kept.get(this)
        if answer is None:
            progress(done)
            answer = keep_answer(ask(question))
            kept.put(this, answer)
        found.append(answer)
    return found


@st.cache_resource(show_spinner=False)
def _answers() -> Kept[AnswerKey, Answer]:
    return Kept(count=_MAX_ANSWERS)


def sweep(
    key: ReadingKey, settings: Hashable, questions: QuestionSet, asked: list[Answer]
) -> Swept:
    """All thresholds of a set, with what of it could not be found."""
    return _sweeps().get_or_make(
        (key, settings, questions), lambda: _sweep(reading(*key).row_df, questions, asked)
    )


@dataclass(frozen=True)
class Swept:
    """A set of questions at every threshold."""

    sweep: Sweep
    notes: list[str]
    """Per question, what of its expectation could not be found; "" if all was."""


def _sweep(row_df: pd.DataFrame, questions: QuestionSet, asked: list[Answer]) -> Swept:
    from core.tuning import resolve, sweep
    from core.tuning.expectations import RowFinder

    finder = RowFinder(row_df)
    resolved = [resolve(one.expect, finder) for one in questions]
    found = sweep(asked, [one.expectation for one in resolved], row_df)
    return Swept(found, [one.note for one in resolved])


@st.cache_resource(show_spinner=False)
def _sweeps() -> Kept[tuple[ReadingKey, Hashable, QuestionSet], Swept]:
    return Kept(count=32, weight=_MAX_ANSWERS, weigh=lambda swept: len(swept.sweep.questions))


def recommendation(swept: Swept, weight: float | None) -> Recommendation | None:
    """The threshold to take by a set; the drawings take a moment."""
    from core.tuning import recommend

    known = swept.sweep.__dict__.setdefault("_recommended", {})  # goes with its sweep
    if weight not in known:
        known[weight] = recommend(swept.sweep, weight)
    found: Recommendation | None = known[weight]
    return found

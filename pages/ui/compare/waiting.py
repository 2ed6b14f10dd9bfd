"""Reading both sides: each with its own progress, and its own message where it cannot be read, so
that one side's trouble leaves the other in use."""

from __future__ import annotations

import streamlit as st

from core import ParsedDocument
from core.errors import DocumentError, ParseCancelled, PasswordRequired, RowlensError
from core.library import Job, Request
from core.parsers import PARSERS, sends_to
from pages.ui import cached, messages, state

_PATIENCE = 1.0
"""Seconds to wait for a job before its progress is shown."""
_LOOK_SECONDS = 0.4


def read_side(letter: str, request: Request) -> ParsedDocument | None:
    """The side's frames. None while they are made, with the progress drawn here, and None where
    they cannot be made, with the reason."""
    library = cached.library()
    if library.is_parsed(request):
        return library.parsed(request)
    try:
        document = library.get(request.doc_id)
    except DocumentError as problem:
        messages.error(problem, title=f"Side {letter} is not at hand")
        return None
    service = sends_to(request.parser, document.format)
    if service is not None and not state.may_send(request.doc_id, request.parser):
        _ask_to_send(letter, request, document.name, service)
        return None
    job = cached.timed_job(request)
    if not job.wait(_PATIENCE):
        _watch(letter, job)
        return None
    try:
        return job.result()
    except PasswordRequired as problem:
        messages.error(problem, title="Open it in Inspect first, with its password")
    except RowlensError as problem:
        _say(letter, request, problem)
    return None


@st.fragment(run_every=_LOOK_SECONDS)
def _watch(letter: str, job: Job) -> None:
    if job.wait(0):
        st.rerun()
    done, total = job.progress or (0, 0)
    text = f"Read page {done} of {total}" if total else "Opening the document …"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(done / total if total else 0.0, text)
        st.button(
            "Cancel",
            key=f"compare.cancel.{letter}",
            icon=":material/close:",
            type="tertiary",
            on_click=job.cancel,
        )


def _ask_to_send(letter: str, request: Request, name: str, service: str) -> None:
    st.markdown(":material/cloud_upload: **This parser works elsewhere**")
    st.text(f"{name} would be sent to {service}.")
    st.button(
        "Send it",
        key=f"compare.send.{letter}",
        on_click=state.allow_sending,
        args=(request.doc_id, request.parser),
    )


def _say(letter: str, request: Request, problem: RowlensError) -> None:
    cancelled = isinstance(problem, ParseCancelled)
    parser = PARSERS[request.parser].title
    messages.error(
        problem, title="Reading was cancelled" if cancelled else f"{parser} could not read this"
    )
    st.button(
        "Try again",
        key=f"compare.again.{letter}",
        type="tertiary",
        icon=":material/refresh:",
        on_click=cached.library().forget,
        args=(request,),
    )

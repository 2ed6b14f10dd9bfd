"""Opening documents: uploads, progress with cancel, passwords, and what could not be read.

A document is read in a job of its own; whoever asks for the same document watches the same job.
What was open stays, and stays in use, until the new one is there.
"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core import ParsedDocument
from core.errors import ParseCancelled, PasswordRequired, RowlensError
from core.library import Document, Job, Request
from core.parsers import PARSERS, parsers_for, sends_to
from pages.ui import cached, messages, state

_PATIENCE = 1.0
"""Seconds to wait for a job before its progress is shown: most files are read by then."""

_LOOK_SECONDS = 0.4
"""Between two looks at a job."""

_FORMATS_HELP = (
    "PDF, images, Word, PowerPoint, Excel, HTML, CSV, Markdown; saved output of Docling or Azure "
    "Document Intelligence (JSON) and line_df as Parquet, CSV or JSON, each together with its PDF."
)


def upload(slot: DeltaGenerator) -> None:
    """Take uploads; only a document that could be read replaces the one that is open."""
    files = st.file_uploader(
        "Open a document",
        key=state.upload_key(),
        accept_multiple_files=True,
        help=_FORMATS_HELP,
    )
    new = [file for file in files if state.upload_is_new(file.file_id)]
    if new:
        kept = [document for file in new if (document := _keep(file, slot))]
        state.set_pending(_pair(kept) or state.pending())
        if len(kept) == len(new):
            # What was taken need not be listed any more. At once: an uploader that changes its
            # key in the run of the next upload would lose that one.
            state.next_upload()
            st.rerun()
    pending = state.pending()
    if pending is not None and read(pending, slot) is not None:
        _open(pending)
        state.set_pending(None)
        st.rerun()


def _open(request: Request) -> None:
    """Show a document: as the link says that waited for it, else from its first page."""
    wanted = state.wanted_document()
    if wanted is None or wanted.doc_id != request.doc_id:
        state.open_document(request.doc_id, request.beside)
        return
    if request.beside:
        state.set_beside(request.doc_id, request.beside)
    state.follow_wanted()


def pages_beside(document: Document, beside: str | None, slot: DeltaGenerator) -> None:
    """Let the PDF or image be added, or taken away, that a saved output describes."""
    if beside is not None:
        st.button(
            "Take away its pages",
            key=f"open.apart.{document.doc_id}",
            type="tertiary",
            icon=":material/link_off:",
            on_click=state.drop_beside,
            args=(document.doc_id,),
        )
        return
    file = st.file_uploader("Its pages (PDF or image)", key=state.upload_key(document.doc_id))
    if file is None or not state.upload_is_new(file.file_id):
        return
    pages = _keep(file, slot)
    if pages is not None and pages.has_pages:
        state.set_beside(document.doc_id, pages.doc_id)
        st.rerun()
    elif pages is not None:
        with slot:
            messages.failed("This file has no pages to show", f"{file.name} is no PDF or image.")


def read(request: Request, slot: DeltaGenerator) -> ParsedDocument | None:
    """The document's frames. None while they are made, with the progress in the slot, which
    starts the page over when it is done; and None when they cannot be made, with the reason."""
    library = cached.library()
    if library.is_parsed(request):
        return library.parsed(request)
    if not _may_start(request, slot):
        return None
    job = library.start(request)
    if not job.wait(_PATIENCE):
        with slot:
            _watch(request, job)
        return None
    try:
        return job.result()
    except PasswordRequired as problem:
        with slot:
            _ask_password(request, problem)
    except RowlensError as problem:
        with slot:
            _say(request, problem)
    return None


@st.fragment(run_every=_LOOK_SECONDS)
def _watch(request: Request, job: Job) -> None:
    """How far a job is, by itself: the rest of the page stays in use."""
    if job.wait(0):
        st.rerun()
    done, total = job.progress or (0, 0)
    text = f"Read page {done} of {total}" if total else "Opening the document …"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(done / total if total else 0.0, text)
        st.button(
            "Cancel",
            key=f"open.cancel.{request.doc_id}",
            icon=":material/close:",
            on_click=job.cancel,
        )


def _may_start(request: Request, slot: DeltaGenerator) -> bool:
    """Whether the document stays on this machine, or was allowed to leave it."""
    document = cached.library().get(request.doc_id)
    service = sends_to(request.parser, document.format)
    if service is None or state.may_send(request.doc_id, request.parser):
        return True
    with slot, st.container(border=True):
        st.markdown(":material/cloud_upload: **This parser works elsewhere**")
        st.text(f"{document.name} would be sent to {service}.")
        st.button(
            "Send it",
            key=f"open.send.{request.doc_id}",
            on_click=state.allow_sending,
            args=(request.doc_id, request.parser),
        )
    return False


def _keep(file: UploadedFile, slot: DeltaGenerator) -> Document | None:
    """The upload as a document of the library, which keeps it on disk; Streamlit's own copy would
    stay in memory as long as the session."""
    data = file.getvalue()
    context = get_script_run_ctx()
    if context and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)
    try:
        return cached.library().add(file.name, data)
    except RowlensError as problem:
        with slot:
            messages.error(problem, title="This file cannot be opened")
        return None


def _pair(documents: list[Document]) -> Request | None:
    """What to open of the files dropped together: a saved output and its pages belong together."""
    if not documents:
        return None
    outputs = [document for document in documents if not document.has_pages]
    pictures = [document for document in documents if document.has_pages]
    together = len(outputs) == 1 and len(pictures) == 1
    first = outputs[0] if together else documents[0]
    for other in documents:
        if other != first:
            state.remember_document(other.doc_id)
    return Request(
        first.doc_id,
        parsers_for(first.format)[0],
        beside=pictures[0].doc_id if together else None,
        password=state.password(first.doc_id),
    )


def _ask_password(request: Request, problem: PasswordRequired) -> None:
    """A field for the password; it stays in this session's memory and goes nowhere else."""
    key = f"open.password.{request.doc_id}"

    def unlock() -> None:
        cached.library().forget(request)
        password = state.take_password(key, request.doc_id)
        pending = state.pending()
        if pending is not None and pending.doc_id == request.doc_id:
            state.set_pending(Request(**{**vars(pending), "password": password}))

    with st.form(key=f"{key}.form"):
        st.markdown(":material/lock: **This document is encrypted**")
        st.text(str(problem))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input("Password", type="password", key=key, autocomplete="off")
            st.form_submit_button("Open", type="primary", on_click=unlock)
        st.caption("It is kept in memory while this page is open, and written nowhere.")


def _say(request: Request, problem: RowlensError) -> None:
    cancelled = isinstance(problem, ParseCancelled)
    title = "Reading was cancelled" if cancelled else f"{_parser(request)} could not read this"

    def again() -> None:
        cached.library().forget(request)

    def leave() -> None:
        again()
        state.set_pending(None)

    messages.error(problem, title=title)
    with st.container(horizontal=True):
        st.button("Try again", key=f"open.again.{request.doc_id}", on_click=again)
        if state.pending() == request:
            st.button("Dismiss", key=f"open.leave.{request.doc_id}", on_click=leave)


def _parser(request: Request) -> str:
    return PARSERS[request.parser].title

"""A document converted by a docling-serve, through docling's own client. I/O."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Any

from core.errors import SourceUnavailable
from core.limits import get_limits
from core.parsers.base import ParseOptions, Source
from core.parsers.docling.calls import (
    SAID,
    first_line,
    page_range,
    result_notes,
    stream_name,
    unreadable,
)
from core.parsers.formats import Format
from core.parsers.mupdf import open_document

if TYPE_CHECKING:
    from docling.service_client.exceptions import ServiceError
    from docling_core.types.doc import DoclingDocument

URL_VARIABLE = "ROWLENS_DOCLING_SERVE_URL"
KEY_VARIABLE = "ROWLENS_DOCLING_SERVE_KEY"

_ABOUT_THE_FILE = (400, 413, 415, 422)
"""Statuses by which a service refuses a document, not the caller."""


def convert_by_service(
    url: str, source: Source, format_: Format, options: ParseOptions
) -> tuple[DoclingDocument, tuple[str, ...]]:
    """By a docling-serve, through docling's own client. It polls: the client's websocket would
    carry the key in its URL, and a result that lies elsewhere would be fetched from there."""
    import httpx
    from docling.datamodel.base_models import DocumentStream, OutputFormat
    from docling.datamodel.pipeline_options import TableFormerMode
    from docling.datamodel.service.options import ConvertDocumentsOptions
    from docling.datamodel.service.targets import InBodyTarget
    from docling.service_client import DoclingServiceClient, StatusWatcherKind
    from docling.service_client.exceptions import (
        DoclingServiceClientError,
        ServiceError,
        TaskTimeoutError,
    )

    data = _without_password(source, options) if format_ is Format.PDF else source.data
    stream = DocumentStream(name=stream_name(source, format_), stream=io.BytesIO(data))
    wanted: dict[str, Any] = {
        "to_formats": [OutputFormat.JSON],
        "do_ocr": options.ocr or format_ is Format.IMAGE,
        "table_mode": TableFormerMode.ACCURATE,
        "include_images": False,
    }
    if options.pages and format_ is Format.PDF:
        wanted["page_range"] = page_range(options.pages)
    key = os.environ.get(KEY_VARIABLE, "").strip()
    seconds = get_limits().seconds
    try:
        with DoclingServiceClient(
            url,
            api_key=key,
            status_watcher=StatusWatcherKind.POLLING,
            poll_client_interval=1.0,
            job_timeout=seconds,
            http_retries=1,
        ) as client:
            job = client.submit(
                stream, options=ConvertDocumentsOptions(**wanted), target=InBodyTarget()
            )
            for _ in job.watch(timeout=seconds):
                if options.progress:  # a sign of life; the service does not count pages
                    options.progress(0, 1)
            result: Any = job.result(timeout=seconds)
    except ServiceError as error:
        said = hidden(_said(error), key)
        if error.status_code in _ABOUT_THE_FILE:
            raise unreadable(source, said) from None
        if error.status_code in (401, 403):
            raise SourceUnavailable(
                f"The docling service refuses the request (status {error.status_code}). "
                f"Set {KEY_VARIABLE} to its API key."
            ) from None
        raise _no_answer(said) from None
    except (httpx.HTTPError, TaskTimeoutError, ValueError) as error:
        raise _no_answer(hidden(first_line(error), key)) from None
    except DoclingServiceClientError as error:
        raise unreadable(source, hidden(first_line(error), key)) from None
    if result.status.value not in ("success", "partial_success"):
        said = "; ".join(item.error_message for item in result.errors)
        raise unreadable(source, hidden(said[:SAID] or result.status.value, key))
    return result.document, result_notes(result)


def _said(error: ServiceError) -> str:
    parts = [error.message.rstrip("."), error.status_code and f"status {error.status_code}"]
    return ", ".join(map(str, filter(None, [*parts, error.detail])))[:SAID]


def _no_answer(said: str) -> SourceUnavailable:
    return SourceUnavailable(
        f"The docling service does not answer as it should ({said}). Check that it runs and that "
        f"{URL_VARIABLE} is its base address, such as http://localhost:5001; unset it to convert "
        f"on this machine."
    )


def _without_password(source: Source, options: ParseOptions) -> bytes:
    """A PDF as the service can open it."""
    if not options.password:
        return source.data
    with open_document(source, options.password) as document:
        data: bytes = document.tobytes(encryption=1)  # 1: none
        return data


def hidden(text: str, key: str) -> str:
    """The text without the key, should a server have sent it back."""
    return text.replace(key, "***") if key else text

"""Files -> DoclingDocument: by reading a saved one, by docling here, or by a docling-serve.

All I/O of the docling parser is here. docling stays offline: it neither fetches models nor what
a document refers to, be it remote or a file on this machine.

Environment:
    DOCLING_ARTIFACTS_PATH: folder that holds docling's models, as
        `docling-tools models download -o FOLDER` fills it. Without it, the folder which that
        command fills by default is used, or else what Hugging Face has in its cache.
    ROWLENS_DOCLING_SERVE_URL: base address of a docling-serve, such as http://localhost:5001.
        It then converts all files but saved DoclingDocuments; they are sent to it.
    ROWLENS_DOCLING_SERVE_KEY: its API key, if it needs one; sent as a header, never in a URL.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import DocumentError, SourceUnavailable
from core.parsers.base import ParseOptions, Source
from core.parsers.docling.calls import (
    SAID,
    first_line,
    page_range,
    quiet,
    result_notes,
    root_cause,
    stream_name,
    unreadable,
)
from core.parsers.docling.service import URL_VARIABLE, convert_by_service
from core.parsers.formats import Format

if TYPE_CHECKING:
    from docling.document_converter import DocumentConverter
    from docling_core.types.doc import DoclingDocument

ARTIFACTS_VARIABLE = "DOCLING_ARTIFACTS_PATH"

_FORMATS = {
    Format.PDF: ["PDF"],
    Format.IMAGE: ["IMAGE"],
    Format.DOCX: ["DOCX"],
    Format.PPTX: ["PPTX"],
    Format.XLSX: ["XLSX"],
    Format.HTML: ["HTML"],
    Format.XML: ["XML_JATS", "XML_USPTO"],
    Format.CSV: ["CSV"],
    Format.MARKDOWN: ["MD"],
}
"""docling's names of what it reads."""


def load_docling_json(source: Source) -> DoclingDocument:
    """A saved DoclingDocument; older versions are brought up to date by docling itself.

    Raises:
        DocumentError: damaged, or of another schema.
    """
    with quiet():
        from docling_core.types.doc import DoclingDocument

        try:
            return DoclingDocument.model_validate_json(source.data)
        except Exception as error:  # whatever a validator meets in a damaged file
            raise DocumentError(
                f"{source.name} is no valid DoclingDocument ({_fault(error)}). "
                f"Save it again with docling's save_as_json, or open the original document."
            ) from error


def fetch_docling(
    source: Source, format_: Format, options: ParseOptions
) -> tuple[DoclingDocument, tuple[str, ...]]:
    """The document converted, and notes on what did not work.

    Of a PDF or an image, the pages from the first to the last that the options name.

    Raises:
        SourceUnavailable: models are missing, or the service does not answer.
        DocumentError: docling cannot read the file.
    """
    url = os.environ.get(URL_VARIABLE, "").strip()
    with quiet():
        if url:
            return convert_by_service(url, source, format_, options)
        return _by_converter(source, format_, options)


def _by_converter(
    source: Source, format_: Format, options: ParseOptions
) -> tuple[DoclingDocument, tuple[str, ...]]:
    from docling.datamodel.base_models import DocumentStream, InputFormat
    from docling.datamodel.settings import DEFAULT_PAGE_RANGE

    converter = make_converter(format_, options)
    paged = format_ in (Format.PDF, Format.IMAGE)
    if paged:
        _load_models(converter, InputFormat[_FORMATS[format_][0]])
    stream = DocumentStream(name=stream_name(source, format_), stream=io.BytesIO(source.data))
    wanted = page_range(options.pages) if paged and options.pages else DEFAULT_PAGE_RANGE
    try:
        result = converter.convert(stream, page_range=wanted, progress_callback=_progress(options))
    except Exception as error:  # docling's backends raise many unrelated types
        if format_ is Format.XML and "not allowed" in str(error):
            raise DocumentError(
                f"{source.name} is XML of a kind that docling does not read. It reads USPTO "
                f"patents and JATS articles; save others as HTML, PDF or CSV."
            ) from error
        raise unreadable(source, root_cause(error)) from error
    return result.document, result_notes(result)


def make_converter(format_: Format, options: ParseOptions) -> DocumentConverter:
    """docling's converter for one format, set up as the module says."""
    from docling.datamodel.backend_options import PdfBackendOptions
    from docling.datamodel.base_models import InputFormat
    from docling.datamodel.pipeline_options import (
        PdfPipelineOptions,
        TableFormerMode,
        TableStructureOptions,
    )
    from docling.document_converter import DocumentConverter, ImageFormatOption, PdfFormatOption

    # Whatever is fetched for other formats stays off by docling's own defaults: images and
    # anything else outside the file, remote or local.
    pipeline = PdfPipelineOptions(
        artifacts_path=_artifacts_path(),
        do_ocr=options.ocr or format_ is Format.IMAGE,
        do_table_structure=True,
        table_structure_options=TableStructureOptions(mode=TableFormerMode.ACCURATE),
        enable_remote_services=False,
        allow_external_plugins=False,
    )
    secret: dict[str, Any] = {"password": options.password} if options.password else {}
    return DocumentConverter(
        allowed_formats=[InputFormat[name] for name in _FORMATS[format_]],
        format_options={
            InputFormat.PDF: PdfFormatOption(
                pipeline_options=pipeline, backend_options=PdfBackendOptions(**secret)
            ),
            InputFormat.IMAGE: ImageFormatOption(pipeline_options=pipeline),
        },
    )


def _artifacts_path() -> Path | None:
    """The folder with models, or None for Hugging Face's cache."""
    given = os.environ.get(ARTIFACTS_VARIABLE, "").strip()
    if given:
        return Path(given).expanduser()
    from docling.datamodel.settings import settings

    downloaded = settings.cache_dir / "models"
    return downloaded if downloaded.is_dir() and any(downloaded.iterdir()) else None


def _load_models(converter: DocumentConverter, format_: Any) -> None:
    from transformers.utils import logging as transformers_logging

    # No logger: it writes to stderr by itself.
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        converter.initialize_pipeline(format_)
    except Exception as error:  # docling and its libraries raise many types, by what is missing
        raise SourceUnavailable(
            f"docling lacks models on this machine ({first_line(error)}). Fetch them once with "
            f"`docling-tools models download`; for a machine without internet add `-o FOLDER`, "
            f"copy that folder there and set {ARTIFACTS_VARIABLE} to it."
        ) from error


def _progress(options: ParseOptions) -> Any:
    report = options.progress
    if report is None:
        return None

    def on_event(event: Any) -> None:
        if hasattr(event, "completed_pages"):
            report(event.completed_pages, event.total_pages)

    return on_event


def _fault(error: Exception) -> str:
    """Where a validator found the first fault, and what it is."""
    from pydantic import ValidationError

    if not isinstance(error, ValidationError):
        return first_line(error)
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(map(str, first["loc"]))
    said = first["msg"].split("\n", 1)[0][:SAID]
    return f"{place}: {said}" if place else said

"""What both ways to docling share: silence, names, and how its results and errors are told."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import filetype  # type: ignore[import-untyped]

from core.errors import DocumentError
from core.parsers.base import Source
from core.parsers.formats import Format

_EXTENSIONS = {Format.MARKDOWN: "md"}
"""docling goes by names where contents leave it open; the others are called like the format."""

_LOGGERS = (
    "docling",
    "docling_core",
    "docling_ibm_models",
    "docling_parse",
    "RapidOCR",
    "huggingface_hub",
    "transformers",
    "httpx",
    "httpcore",
    "pdfminer",
    "openpyxl",
    "py.warnings",
)
SAID = 300
"""Characters of another program's message that are passed on."""


@contextmanager
def quiet() -> Iterator[None]:
    """Within, docling and what it uses write no logs and no warnings, and stay offline."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings(), _offline():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


@contextmanager
def _offline() -> Iterator[None]:
    """Hugging Face's own switch; read from the environment only when it is imported."""
    from huggingface_hub import constants

    before = constants.HF_HUB_OFFLINE
    constants.HF_HUB_OFFLINE = True
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE = before


def stream_name(source: Source, format_: Format) -> str:
    """A name that docling takes for what the content is; the real one may say anything."""
    if format_ is Format.IMAGE:
        return f"document.{filetype.guess_extension(source.data[:8192]) or 'png'}"
    return f"document.{_EXTENSIONS.get(format_, format_.value)}"


def page_range(pages: Sequence[int]) -> tuple[int, int]:
    return min(pages), max(pages)


def result_notes(result: Any) -> tuple[str, ...]:
    if not result.errors:
        return ()
    said = dict.fromkeys(item.error_message.strip().split("\n", 1)[0] for item in result.errors)
    return (f"docling could not read everything: {'; '.join(said)[:SAID]}.",)


def unreadable(source: Source, said: str) -> DocumentError:
    return DocumentError(
        f"docling cannot read {source.name} ({said}). "
        f"Open it in its program and save it again, or use another parser."
    )


def root_cause(error: BaseException) -> str:
    """What docling's own error says, or that which it only wraps."""
    inner = error
    while inner.__cause__ is not None:
        inner = inner.__cause__
    return first_line(inner)


def first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).split("\n") if line.strip()]
    text = lines[0] if lines else type(error).__name__
    return text.rstrip(".")[:SAID]

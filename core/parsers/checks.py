"""What is refused before any parser sees it: files beyond the limits, zip bombs, XML entities."""

from __future__ import annotations

import io
import re
import zipfile

from core.errors import DocumentError, LimitExceeded
from core.limits import Limits, get_limits
from core.parsers.base import Source
from core.parsers.formats import Format

MEGABYTE = 1_000_000

_OFFICE = {Format.DOCX, Format.PPTX, Format.XLSX}
_ENTITY = re.compile(rb"<!ENTITY\b", re.I)
_ENTITY_UTF16 = re.compile(re.escape("<!ENTITY".encode("utf-16-le")), re.I)
_MAX_PARTS = 20_000
_MAX_RATIO = 200
"""Text and XML pack to a hundredth at best; a bomb to a thousandth."""
_RATIO_FROM = 10 * MEGABYTE


def check_source(source: Source, format_: Format) -> None:
    """Let a file pass that may be given to a parser.

    Raises:
        LimitExceeded: larger than `core.limits` allows; says which limit and how to raise it.
        DocumentError: it defines XML entities, which no honest document needs.
    """
    limits = get_limits()
    size = len(source.data) / MEGABYTE
    if size > limits.file_mb:
        raise LimitExceeded.of(source.name, f"has {size:,.3g} MB", "file_mb", limits.file_mb, "MB")
    if format_ in _OFFICE:
        _check_zip(source, limits)
    elif format_ is Format.XML:
        _check_xml(source.name, source.data)
    elif format_ is Format.IMAGE:
        _check_image(source, limits)


def _check_zip(source: Source, limits: Limits) -> None:
    with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
        parts = archive.infolist()
        total = sum(part.file_size for part in parts)
        if len(parts) > _MAX_PARTS or total > limits.unzipped_mb * MEGABYTE:
            raise LimitExceeded.of(
                source.name,
                f"unpacks to {total / MEGABYTE:,.0f} MB in {len(parts):,} parts",
                "unzipped_mb",
                limits.unzipped_mb,
                "MB",
            )
        for part in parts:
            if part.file_size > max(_RATIO_FROM, _MAX_RATIO * part.compress_size):
                raise DocumentError(
                    f"{source.name} is refused: its part {part.filename!r} unpacks to "
                    f"{part.file_size / max(part.compress_size, 1):,.0f} times its size, as zip "
                    f"bombs do. Open it in its program and save it again."
                )
            if part.flag_bits & 1:
                raise DocumentError(
                    f"{source.name} is encrypted. Save it without a password and open it again."
                )
            if part.filename.endswith((".xml", ".rels", ".vml")):
                _check_xml(source.name, _unpack(source.name, archive, part))


def _unpack(name: str, archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bytes:
    """A part's bytes, never more than it says it has."""
    try:
        with archive.open(part) as stream:
            return stream.read(part.file_size + 1)[: part.file_size]
    except Exception as error:  # zipfile and zlib raise several unrelated types here
        raise DocumentError(
            f"{name} is damaged: its part {part.filename!r} cannot be unpacked ({error}). "
            f"Open it in its program and save it again."
        ) from error


def _check_xml(name: str, data: bytes) -> None:
    if _ENTITY.search(data) or _ENTITY_UTF16.search(data):
        raise DocumentError(
            f"{name} is refused: it defines XML entities, which may unfold without end or read "
            f"other files. Save it again without them."
        )


def _check_image(source: Source, limits: Limits) -> None:
    from PIL import Image

    try:
        with Image.open(io.BytesIO(source.data)) as image:
            width, height = image.size
    except Image.DecompressionBombError as error:  # Pillow's own limit
        raise LimitExceeded(f"{source.name} is refused: {error} Use a smaller image.") from error
    except Exception as error:  # Pillow raises several unrelated types here
        raise DocumentError(
            f"{source.name} is a damaged image ({error}). Save it again, or use another one."
        ) from error
    if width * height > limits.pixels:
        raise LimitExceeded.of(
            source.name, f"has {width:,} x {height:,} pixels", "pixels", limits.pixels, "pixels"
        )

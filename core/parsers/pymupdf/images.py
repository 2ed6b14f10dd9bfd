"""An image file -> a PDF document with a page per frame, so that all else reads PDFs only.

A frame is shown upright (EXIF orientation), on white where it is transparent, at the size its
dots per inch give; without them 96 dpi are taken, as MuPDF and browsers do.
"""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Container
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import DocumentError, LimitExceeded
from core.limits import get_limits
from core.parsers.base import Source

if TYPE_CHECKING:
    from PIL.Image import Image

DEFAULT_DPI = 96.0
POINTS_PER_INCH = 72.0

_BELIEVED_DPI = 30.0, 2_400.0
"""Resolutions outside this are a mistake of whoever wrote the file."""

_ORIENTATION, _SIDEWAYS = 0x0112, (5, 6, 7, 8)
_SINGLE = {"MPO", "ICO", "ICNS"}
"""Their further frames are other sizes of the same picture, or its other eye."""


def image_to_pdf(source: Source, pymupdf: Any, wanted: Container[int] | None = None) -> Any:
    """An open `pymupdf.Document`: a page for each frame, the picture on those wanted (1-based).

    The others stay white, so that one page of many is quick to get. The caller holds the lock.

    Raises:
        LimitExceeded: a frame has more pixels than `core.limits` allows.
        DocumentError: no image that Pillow reads, or a damaged one.
    """
    from PIL import Image

    document = pymupdf.open()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow warns of large images; the limit is ours
            with Image.open(io.BytesIO(source.data)) as image:
                n_frames = 1 if image.format in _SINGLE else getattr(image, "n_frames", 1)
                for index in range(n_frames):
                    image.seek(index)
                    _add_page(document, pymupdf, image, source.name, index + 1, wanted)
    except LimitExceeded:
        document.close()
        raise
    except Exception as error:  # Pillow raises several unrelated types here
        document.close()
        raise DocumentError(
            f"{source.name} is a damaged image, or of a kind that cannot be read ({error}). "
            f"Save it again as PNG, or use another copy."
        ) from error
    return document


def frame_to_points(size: tuple[int, int], dpi: tuple[float, float]) -> tuple[float, float]:
    """Width and height in points of a frame of so many pixels, each side at most the page limit."""
    x, y = (each if _is_believed(each) else 0.0 for each in dpi)
    x, y = x or y or DEFAULT_DPI, y or x or DEFAULT_DPI  # some files say one of the two
    width, height = size[0] * POINTS_PER_INCH / x, size[1] * POINTS_PER_INCH / y
    shrink = min(1.0, get_limits().page_points / max(width, height))
    return width * shrink, height * shrink


def _is_believed(dpi: float) -> bool:
    low, high = _BELIEVED_DPI
    return math.isfinite(dpi) and low <= dpi <= high


def _add_page(
    document: Any,
    pymupdf: Any,
    image: Image,
    name: str,
    number: int,
    wanted: Container[int] | None,
) -> None:
    limit = get_limits().pixels
    if image.width * image.height > limit:
        what = f"has {image.width:,} x {image.height:,} pixels on page {number}"
        raise LimitExceeded.of(name, what, "pixels", limit, "pixels")
    x, y = (float(each) for each in image.info.get("dpi", (0, 0)))
    size = image.size
    # Pillow turns a TIFF itself, and gives its size so.
    if image.format != "TIFF" and image.getexif().get(_ORIENTATION) in _SIDEWAYS:
        size, x, y = size[::-1], y, x
    width, height = frame_to_points(size, (x, y))
    page = document.new_page(width=width, height=height)
    if wanted is not None and number not in wanted:
        return
    pixels = _upright_pixels(image)
    space = pymupdf.csGRAY if pixels.ndim == 2 else pymupdf.csRGB
    height_px, width_px = pixels.shape[:2]
    pixmap = pymupdf.Pixmap(space, width_px, height_px, pixels.tobytes(), False)
    page.insert_image(page.rect, pixmap=pixmap, keep_proportion=False)


def _upright_pixels(image: Image) -> np.ndarray:
    """The frame as it is seen: (height, width) grey or (height, width, 3) RGB bytes."""
    from PIL import Image as images
    from PIL import ImageOps

    frame = ImageOps.exif_transpose(image)
    if frame.mode in ("F", "I") or frame.mode.startswith("I;16"):
        return _to_bytes(np.asarray(frame))
    if frame.has_transparency_data:
        paper = images.new("RGBA", frame.size, "white")
        frame = images.alpha_composite(paper, frame.convert("RGBA"))
    return np.asarray(frame.convert("L" if frame.mode in ("1", "L", "LA") else "RGB"))


def _to_bytes(values: np.ndarray) -> np.ndarray:
    """Grey values of more than 8 bits as bytes: 16 bits by their range, others by what occurs."""
    values = np.nan_to_num(values.astype(np.float64))
    low, high = float(values.min(initial=0)), float(values.max(initial=0))
    if low >= 0:
        low, high = 0.0, 255.0 if high <= 255 else max(high, 65_535.0)
    return ((values - low) * (255.0 / max(high - low, 1e-9))).astype(np.uint8)

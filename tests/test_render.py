"""core.render: the page as a viewer shows it, within a limit of pixels."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pymupdf
import pytest
from PIL import Image

from core import render
from core.errors import DocumentError, LimitExceeded, OptionError, PasswordRequired
from core.parsers import parse_document
from core.render import render_page

RED = (255, 0, 0)
WHITE = (255, 255, 255)


def make_pdf(
    width: float = 200,
    height: float = 100,
    *,
    rotation: int = 0,
    cropbox: tuple[float, float, float, float] | None = None,
    **save: object,
) -> bytes:
    """One white page with a red square of 20 points at its unrotated top left corner."""
    document = pymupdf.open()
    page = document.new_page(width=width, height=height)
    page.draw_rect((0, 0, 20, 20), color=None, fill=(1, 0, 0))
    if cropbox:
        page.set_cropbox(cropbox)
    page.set_rotation(rotation)
    return document.tobytes(**save)


def pixel(image: render.PageImage, x: float, y: float) -> tuple[int, ...]:
    """Colour at a point of the displayed page."""
    pixmap = pymupdf.Pixmap(image.png)
    scale = image.width_px / image.width
    return pixmap.pixel(int(x * scale), int(y * scale))


def test_sizes_in_pixels_and_points() -> None:
    image = render_page(make_pdf(), 1, dpi=144)
    assert (image.width_px, image.height_px) == (400, 200)
    assert (image.width, image.height) == (200, 100)
    assert image.png.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("rotation", "size", "corner"),
    [
        (0, (200, 100), (10, 10)),
        (90, (100, 200), (90, 10)),
        (180, (200, 100), (190, 90)),
        (270, (100, 200), (10, 190)),
    ],
)
def test_rotation_is_applied(rotation: int, size: tuple[int, int], corner: tuple[int, int]) -> None:
    image = render_page(make_pdf(rotation=rotation), 1)
    assert (image.width, image.height) == size
    assert pixel(image, *corner) == RED
    assert pixel(image, size[0] / 2, size[1] / 2) == WHITE


def test_cropbox_is_applied() -> None:
    image = render_page(make_pdf(cropbox=(10, 10, 110, 60)), 1)
    assert (image.width, image.height) == (100, 50)
    assert pixel(image, 5, 5) == RED
    assert pixel(image, 15, 15) == WHITE


@pytest.mark.parametrize("size", [(200, 100), (14_400, 14_400), (3, 14_400)])
def test_absurd_pages_stay_within_the_limit(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(render, "MAX_PIXELS", 40_000)
    image = render_page(make_pdf(*size), 1, dpi=600)
    assert 0 < image.width_px * image.height_px <= 40_000
    assert (image.width, image.height) == size


@pytest.mark.parametrize("page_num", [0, 2, -1])
def test_page_outside_the_document(page_num: int) -> None:
    with pytest.raises(OptionError, match="pages 1 to 1"):
        render_page(make_pdf(), page_num)


@pytest.mark.parametrize("dpi", [0, -72, float("nan"), float("inf")])
def test_dpi_must_be_a_resolution(dpi: float) -> None:
    with pytest.raises(OptionError, match="dpi"):
        render_page(make_pdf(), 1, dpi=dpi)


def test_password() -> None:
    data = make_pdf(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="open", owner_pw="own")
    with pytest.raises(PasswordRequired, match="encrypted"):
        render_page(data, 1)
    with pytest.raises(PasswordRequired, match="does not open"):
        render_page(data, 1, password="wrong")
    assert render_page(data, 1, password="open").width == 200


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\x03\x04 a word file", "damaged Office or zip file"),
        (b"# A heading", "neither a PDF nor an image"),
        (b"\x89PNG\r\n\x1a\n and no more", "damaged image"),
        (b"", "empty"),
    ],
)
def test_what_has_no_pages(data: bytes, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        render_page(data, 1)


# Images ---------------------------------------------------------------------------------------


def picture(size: tuple[int, int] = (300, 200)) -> Image.Image:
    """White, with a red square of 60 pixels at its top left corner."""
    made = Image.new("RGB", size, "white")
    made.paste("red", (0, 0, 60, 60))
    return made


def as_bytes(image: Image.Image, kind: str, **how: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **how)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "BMP", "WEBP", "GIF"])
def test_an_image_is_a_page_of_96_dots_per_inch(kind: str) -> None:
    image = render_page(as_bytes(picture(), kind), 1, dpi=96)
    assert (image.width, image.height) == pytest.approx((225, 150), abs=0.1)
    assert (image.width_px, image.height_px) == (300, 200)
    red, green, blue = pixel(image, 20, 20)
    assert red > 245
    assert max(green, blue) < 25
    assert min(pixel(image, 100, 100)) > 245


@pytest.mark.parametrize(
    ("dpi", "size"),
    [
        ((150, 150), (144, 96)),
        ((200, 100), (108, 144)),
        ((0, 0), (225, 150)),
        ((1, 1), (225, 150)),
        ((90_000, 90_000), (225, 150)),
    ],
)
def test_an_image_has_the_size_its_resolution_gives(
    dpi: tuple[int, int], size: tuple[float, float]
) -> None:
    """As fax machines write it, one differs from the other; absurd ones are not believed."""
    image = render_page(as_bytes(picture(), "TIFF", dpi=dpi), 1)
    assert (image.width, image.height) == pytest.approx(size)


def test_parsing_and_rendering_agree_on_the_size_of_an_image() -> None:
    data = as_bytes(picture(), "PNG", dpi=(150, 150))
    image = render_page(data, 1)
    page_df = parse_document(data).page_df
    assert page_df.to_numpy().tolist() == [[1, image.width, image.height, 0]]


@pytest.mark.parametrize("kind", ["JPEG", "TIFF", "PNG", "WEBP"])
@pytest.mark.parametrize(
    ("orientation", "corner"),
    [(1, (5, 5)), (3, (220, 145)), (6, (145, 5)), (8, (5, 220)), (2, (220, 5))],
)
def test_exif_orientation_is_applied(
    kind: str, orientation: int, corner: tuple[float, float]
) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    image = render_page(as_bytes(picture(), kind, exif=exif, dpi=(96, 96)), 1)
    size = (image.width, image.height)
    assert size == pytest.approx((150, 225) if orientation > 4 else (225, 150), abs=0.1)
    red, green, _ = pixel(image, *corner)
    assert red > 245
    assert green < 25


def test_frames_are_pages() -> None:
    frames = [Image.new("RGB", (100, 100), "red"), Image.new("RGB", (200, 100), "blue")]
    data = as_bytes(frames[0], "TIFF", save_all=True, append_images=frames[1:])
    assert pixel(render_page(data, 1), 10, 10) == RED
    second = render_page(data, 2)
    assert pixel(second, 10, 10) == (0, 0, 255)
    assert (second.width, second.height) == (150, 75)
    with pytest.raises(OptionError, match="pages 1 to 2"):
        render_page(data, 3)


def translucent() -> Image.Image:
    made = Image.new("RGBA", (300, 200), (0, 0, 0, 0))
    made.paste((255, 0, 0, 255), (0, 0, 60, 60))
    return made


def of_16_bits() -> Image.Image:
    grey = np.full((200, 300), 65_535, np.uint16)
    grey[:60, :60] = 0
    return Image.fromarray(grey)


@pytest.mark.parametrize(
    ("image", "kind", "mark"),
    [
        (translucent(), "PNG", RED),
        (picture().quantize(8), "PNG", RED),
        (translucent().quantize(8), "PNG", RED),
        (picture().convert("CMYK"), "TIFF", RED),
        (picture().convert("YCbCr"), "TIFF", RED),
        (of_16_bits(), "PNG", (0, 0, 0)),
        (picture().convert("L").convert("1", dither=Image.Dither.NONE), "TIFF", (0, 0, 0)),
    ],
    ids=["alpha", "palette", "palette with alpha", "CMYK", "YCbCr", "16 bits", "1 bit"],
)
def test_any_kind_of_pixels(image: Image.Image, kind: str, mark: tuple[int, int, int]) -> None:
    made = render_page(as_bytes(image, kind), 1)
    assert np.abs(np.subtract(pixel(made, 20, 20), mark)).max() < 10
    assert min(pixel(made, 150, 100)) > 245


def test_an_image_within_the_limit_of_pixels_is_within_that_of_points() -> None:
    image = render_page(as_bytes(Image.new("L", (30_000, 300), "white"), "PNG"), 1, dpi=10)
    assert (image.width, image.height) == (14_400, 144)


def test_a_frame_with_too_many_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = [picture((50, 50)), picture((200, 200))]
    data = as_bytes(frames[0], "TIFF", save_all=True, append_images=frames[1:])
    monkeypatch.setenv("ROWLENS_MAX_PIXELS", "10000")
    with pytest.raises(LimitExceeded, match="has 200 x 200 pixels on page 2"):
        render_page(data, 1)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "GIF", "BMP", "WEBP"])
def test_a_cut_image_is_damaged(kind: str) -> None:
    data = as_bytes(Image.effect_noise((200, 200), 90).convert("RGB"), kind)
    with pytest.raises(DocumentError, match="damaged image"):
        render_page(data[: len(data) // 2], 1)

"""core.render: the page as a viewer shows it, within a limit of pixels."""

from __future__ import annotations

import pymupdf
import pytest

from core import render
from core.errors import DocumentError, OptionError, PasswordRequired
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

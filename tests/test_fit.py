"""A saved output laid over the file it describes: boxes scaled page by page, mismatches noted."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from core.errors import DocumentError, PasswordRequired
from core.parsers import ParsedDocument, Source
from core.parsers.fit import fit_to_pages, read_pages


def parsed(
    lines: list[tuple[int, float, float, float, float]],
    sizes: list[tuple[int, float, float]],
) -> ParsedDocument:
    """A document from (page_num, x0, y0, x1, y1) and (page_num, width, height)."""
    line_df = pd.DataFrame(lines, columns=["page_num", "x0", "y0", "x1", "y1"])
    line_df.insert(1, "line_num", range(1, len(lines) + 1))
    line_df.insert(2, "text", [f"line {number}" for number in range(1, len(lines) + 1)])
    page_df = pages(sizes)
    toc_df = pd.DataFrame({"level": [], "title": [], "page_num": [], "line_num": []})
    return ParsedDocument(line_df, page_df, toc_df, "saved", ("A note.",))


def pages(sizes: list[tuple[int, float, float]], rotation: int = 0) -> pd.DataFrame:
    page_df = pd.DataFrame(sizes, columns=["page_num", "width", "height"])
    return page_df.assign(rotation=rotation)


def boxes(document: ParsedDocument) -> list[list[float]]:
    values: list[list[float]] = document.line_df[["x0", "y0", "x1", "y1"]].to_numpy().tolist()
    return values


def test_boxes_are_scaled_by_the_sizes_of_their_own_page() -> None:
    document = parsed([(1, 10, 20, 30, 40), (2, 10, 20, 30, 40)], [(1, 100, 200), (2, 1000, 500)])
    fitted = fit_to_pages(document, pages([(1, 200, 400), (2, 100, 50)], rotation=90))
    assert boxes(fitted) == [[20, 40, 60, 80], [1, 2, 3, 4]]
    assert fitted.page_df.to_numpy().tolist() == [[1, 200, 400, 90], [2, 100, 50, 90]]
    assert fitted.notes == ("A note.",)


def test_nothing_is_mutated() -> None:
    document = parsed([(1, 10, 20, 30, 40)], [(1, 100, 200)])
    before = document.line_df.copy(), document.page_df.copy()
    fit_to_pages(document, pages([(1, 50, 100)]))
    pd.testing.assert_frame_equal(document.line_df, before[0])
    pd.testing.assert_frame_equal(document.page_df, before[1])


def test_pages_without_a_size_keep_their_boxes_and_get_the_size_shown() -> None:
    document = parsed([(1, 10, 20, 30, 40)], [(1, np.nan, np.nan)])
    fitted = fit_to_pages(document, pages([(1, 612, 792)]))
    assert boxes(fitted) == [[10, 20, 30, 40]]
    assert fitted.page_df.to_numpy().tolist() == [[1, 612, 792, 0]]


def test_a_missing_box_stays_missing() -> None:
    document = parsed([(1, np.nan, np.nan, np.nan, np.nan)], [(1, 100, 200)])
    assert np.isnan(boxes(fit_to_pages(document, pages([(1, 50, 100)])))).all()


def test_pages_that_the_file_lacks_stay_and_are_noted() -> None:
    document = parsed([(3, 10, 20, 30, 40)], [(1, 100, 200), (3, 100, 200)])
    fitted = fit_to_pages(document, pages([(1, 200, 400)]))
    assert boxes(fitted) == [[10, 20, 30, 40]]
    assert fitted.page_df.to_numpy().tolist() == [[1, 200, 400, 0], [3, 100, 200, 0]]
    assert fitted.notes[1:] == (
        "The file shown has 1 page, so page 3 of what was parsed cannot be shown: "
        "check that the two belong together.",
    )


def test_pages_that_were_not_parsed_are_noted() -> None:
    document = parsed([(1, 10, 20, 30, 40)], [(1, 100, 200)])
    fitted = fit_to_pages(document, pages([(at, 100, 200) for at in range(1, 10)]))
    assert fitted.notes[1:] == (
        "What was parsed does not hold 8 pages (2 to 9) of the file shown.",
    )


def test_other_proportions_are_noted() -> None:
    document = parsed([(1, 10, 20, 30, 40)], [(1, 100, 200)])
    fitted = fit_to_pages(document, pages([(1, 200, 100)]))
    assert fitted.notes[1:] == (
        "The file shown has other proportions on page 1 than what was parsed, so boxes may lie "
        "off there: check that the two belong together.",
    )


SIDES = st.floats(min_value=1, max_value=20_000)


@given(SIDES, SIDES, SIDES, SIDES, st.floats(0, 1), st.floats(0, 1))
def test_a_point_keeps_its_place_on_the_page(
    width: float, height: float, shown_width: float, shown_height: float, right: float, down: float
) -> None:
    x, y = right * width, down * height
    document = parsed([(1, x, y, x, y)], [(1, width, height)])
    (box,) = boxes(fit_to_pages(document, pages([(1, shown_width, shown_height)])))
    assert box[:2] == pytest.approx([right * shown_width, down * shown_height], abs=1e-6)


def test_pages_of_a_pdf_as_they_are_shown() -> None:
    with pymupdf.open() as pdf:
        pdf.new_page(width=300, height=400)
        pdf.new_page(width=300, height=400).set_rotation(90)
        pdf.new_page(width=300, height=400).set_cropbox(pymupdf.Rect(50, 50, 250, 150))
        data = pdf.tobytes()
    page_df = read_pages(Source("three.pdf", data))
    assert page_df.to_numpy().tolist() == [[1, 300, 400, 0], [2, 400, 300, 90], [3, 200, 100, 0]]
    assert page_df.dtypes.astype(str).tolist() == ["int64", "float64", "float64", "int64"]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "TIFF"])
def test_pages_of_an_image_are_as_large_as_its_resolution_says(kind: str) -> None:
    stream = io.BytesIO()
    dpi = {} if kind == "WEBP" else {"dpi": (144, 144)}
    Image.new("RGB", (288, 144), "white").save(stream, kind, **dpi)
    (page,) = read_pages(Source("scan", stream.getvalue())).to_numpy().tolist()
    assert page == pytest.approx([1, 216, 108, 0] if kind == "WEBP" else [1, 144, 72, 0], abs=0.01)


def test_an_encrypted_pdf_asks_for_its_password() -> None:
    with pymupdf.open() as pdf:
        pdf.new_page(width=300, height=400)
        data = pdf.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="open", owner_pw="own")
    with pytest.raises(PasswordRequired, match=r"locked.pdf is encrypted"):
        read_pages(Source("locked.pdf", data))
    assert len(read_pages(Source("locked.pdf", data), "open")) == 1


def test_what_shows_no_pages_is_refused() -> None:
    with pytest.raises(DocumentError, match=r"notes.md is neither a PDF nor an image"):
        read_pages(Source("notes.md", b"# Notes"))

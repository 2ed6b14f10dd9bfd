"""core.parsers.ocr: text read from pictures, its tables, its confidence, and where it stands.

Recognising takes seconds a page, so what is asked of one reading is asked together.
"""

from __future__ import annotations

import io
import math
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pymupdf
import pytest
from PIL import Image

from core import retrieve, serialize_table_rows
from core.errors import SourceUnavailable
from core.frames import BOX_COLUMNS, check_line_df
from core.parsers import ParsedDocument, parse_document
from core.parsers.ocr import engine as ocr_engine
from core.parsers.ocr import page as ocr_page
from core.parsers.ocr.engine import Segment
from core.parsers.ocr.ink import find_ink, segment_to_words
from core.parsers.ocr.page import Reading, find_slope, read_picture, refine_slope, turn_points
from core.parsers.ocr.rules import picture_to_rules
from core.parsers.pymupdf import scan as pymupdf_scan
from core.parsers.pymupdf.blocks import PageRead
from core.render import render_page

CONTRACT = Path(__file__).parents[1] / "assets" / "motor_insurance.pdf"
HEADERS = ["Covered event", "Cap", "Deductible", "Eligibility condition"]
THEFT = (
    "Covered event: Vehicle theft | Cap: 25,000 EUR | Deductible: 500 EUR "
    "| Eligibility condition: Tracker installed and active"
)


def picture_of(data: bytes, page_num: int = 1, dpi: float = 150) -> Image.Image:
    return Image.open(io.BytesIO(render_page(data, page_num, dpi=dpi).png)).convert("RGB")


def scan(*pictures: Image.Image, dpi: float = 150, rotation: int = 0) -> bytes:
    """A PDF of pictures alone; with a rotation, each stored so that it is displayed upright."""
    with pymupdf.open() as document:
        for picture in pictures:
            stored = picture.rotate(rotation, expand=True)
            width, height = (side * 72 / dpi for side in stored.size)
            page = document.new_page(width=width, height=height)
            page.insert_image(page.rect, stream=as_bytes(stored, "JPEG", quality=90))
            page.set_rotation(rotation)
        return bytes(document.tobytes())


def as_bytes(picture: Image.Image, kind: str, **how: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **how)
    return out.getvalue()


# The sample contract, scanned -----------------------------------------------------------------


@pytest.fixture(scope="module")
def contract() -> ParsedDocument:
    data = CONTRACT.read_bytes()
    return parse_document(scan(picture_of(data, 2), picture_of(data, 3)), parser="ocr")


def test_a_scanned_contract_reads_as_the_printed_one(contract: ParsedDocument) -> None:
    rows = serialize_table_rows(contract.line_df)
    printed = serialize_table_rows(parse_document(CONTRACT, pages=[2, 3]).line_df)
    assert len(rows) == 40
    assert set(rows["table_id"]) == {"t1"}
    assert rows["column_headers"].iloc[0] == HEADERS
    same = rows["row_serialized"].to_numpy() == printed["row_serialized"].to_numpy()
    assert same.sum() >= 39
    assert contract.parser == "ocr"
    assert contract.notes == ()


def test_the_theft_question_returns_its_row_of_the_scan(contract: ParsedDocument) -> None:
    rows = serialize_table_rows(contract.line_df)
    found = retrieve("What is the cap for vehicle theft?", contract.line_df, rows)
    assert found.context == THEFT


def test_each_line_has_its_confidence(contract: ParsedDocument) -> None:
    line_df = check_line_df(contract.line_df)
    separators = line_df["text"].str.startswith("|---")
    assert line_df.loc[separators, "confidence"].isna().all()
    assert line_df.loc[~separators, "confidence"].between(0.9, 1).all()
    assert set(line_df["parsing_method"]) == {"ocr"}


def test_boxes_of_a_scan_are_those_of_the_print(contract: ParsedDocument) -> None:
    printed = parse_document(CONTRACT, pages=[2, 3]).line_df
    for page in (1, 2):
        of_scan = contract.line_df[contract.line_df["page_num"] == page].set_index("text")
        of_print = printed[printed["page_num"] == page + 1].set_index("text")
        common = [
            text
            for text in of_scan.index.intersection(of_print.index)
            if not text.startswith("|---")
        ]
        assert len(common) > 12
        off = of_scan.loc[common, BOX_COLUMNS] - of_print.loc[common, BOX_COLUMNS]
        assert off.abs().to_numpy().max() < 6


# Which pages are read -------------------------------------------------------------------------


def small_table() -> Image.Image:
    """A picture at 150 dpi of a table of 4 rows, ruled in grey."""
    rows = [["Vehicle", "Number", "Depot"], ["Truck", "12", "Lyon"]]
    rows += [["Van", "34", "Ghent"], ["Tram", "5", "Porto"]]
    with pymupdf.open() as document:
        page = document.new_page(width=504, height=192)
        page.insert_text((24, 32), "Fleet overview", fontsize=16)
        for y, row in enumerate(rows):
            for x, text in enumerate(row):
                left, top = 24 + 150 * x, 60 + 24 * y
                page.draw_rect((left, top, left + 150, top + 24), color=(0.7, 0.7, 0.7))
                page.insert_text((left + 6, top + 16), text, fontsize=10)
        return picture_of(bytes(document.tobytes()))


TABLE = [
    "| Vehicle | Number | Depot |",
    "|---|---|---|",
    "| Truck | 12 | Lyon |",
    "| Van | 34 | Ghent |",
    "| Tram | 5 | Porto |",
]


def table_lines(document: ParsedDocument) -> list[str]:
    return [text for text in document.line_df["text"] if text.startswith("|")]


def test_only_pages_without_text_are_recognised() -> None:
    with pymupdf.open(stream=scan(small_table())) as document:
        document.new_page(width=300, height=100).insert_text((20, 50), "Printed text")
        data = bytes(document.tobytes())
    seen: list[tuple[int, int]] = []
    result = parse_document(data, ocr=True, progress=lambda *step: seen.append(step))
    by_page = result.line_df.groupby("page_num")
    assert by_page["parsing_method"].unique().map(list).to_dict() == {1: ["ocr"], 2: ["pymupdf"]}
    assert by_page["confidence"].count().to_dict() == {1: 5, 2: 0}
    assert table_lines(result) == TABLE
    assert result.parser == "pymupdf"
    assert result.notes == ()
    assert seen == [(1, 2), (2, 2)]


def test_the_ocr_parser_ignores_a_broken_text_layer() -> None:
    with pymupdf.open(stream=scan(small_table())) as document:
        document[0].insert_text((20, 50), "\x01\x02 wrong", render_mode=3)
        data = bytes(document.tobytes())
    assert "wrong" in " ".join(parse_document(data).line_df["text"])
    result = parse_document(data, parser="ocr")
    assert "wrong" not in " ".join(result.line_df["text"])
    assert table_lines(result) == TABLE


def test_an_image_is_a_scan_until_it_is_recognised() -> None:
    data = as_bytes(small_table(), "PNG", dpi=(150, 150))
    result = parse_document(data)
    assert result.line_df.empty
    assert result.notes == (
        'Page 1 is a scan without text: pass ocr=True, or choose the parser "ocr".',
    )
    # PNG holds dots per metre, so 150 per inch are not quite that.
    assert tuple(result.page_df.loc[0, ["width", "height"]]) == pytest.approx((504, 192), abs=0.1)
    assert table_lines(parse_document(data, ocr=True)) == TABLE


def test_each_frame_of_a_tiff_is_a_page() -> None:
    first, second = small_table(), Image.new("RGB", (300, 100), "white")
    data = as_bytes(first, "TIFF", save_all=True, append_images=[second], dpi=(150, 150))
    result = parse_document(data, parser="auto")
    assert table_lines(result) == TABLE
    assert list(result.page_df["page_num"]) == [1, 2]
    assert result.notes == ("Page 2 is empty.",)


def test_a_picture_without_text_is_noted() -> None:
    picture = Image.new("RGB", (300, 200), "white")
    picture.paste("black", (100, 50, 200, 150))
    result = parse_document(as_bytes(picture, "PNG"), parser="ocr")
    assert result.line_df.empty
    assert result.notes == ("Page 1 is a picture in which no text was found.",)


# Geometry -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rotation", "turned", "askew"),
    [(90, 0, 0), (270, 180, 0), (0, 90, 0), (180, 270, 0), (0, 0, 1)],
)
def test_boxes_lie_on_the_ink_of_turned_scans(rotation: int, turned: int, askew: float) -> None:
    """By /Rotate, which is displayed upright, or with the picture itself sideways or askew."""
    picture = small_table().rotate(-turned, expand=True)
    picture = picture.rotate(-askew, fillcolor="white", resample=Image.Resampling.BICUBIC)
    data = scan(picture, rotation=rotation)
    result = parse_document(data, parser="ocr")
    assert table_lines(result) == TABLE
    assert result.page_df.loc[0, "rotation"] == rotation
    assert_boxes_hold_the_ink(data, result)


def assert_boxes_hold_the_ink(data: bytes, result: ParsedDocument) -> None:
    """Each row's box holds ink, and all boxes together hold all letters, which are black."""
    image = render_page(data, 1, dpi=150)
    pixels = np.asarray(Image.open(io.BytesIO(image.png)).convert("L"))
    y, x = np.nonzero(pixels < 110)
    letters = np.zeros(x.size, bool)
    scale = image.width_px / image.width
    for line in result.line_df.to_dict("records"):
        x0, y0, x1, y1 = (line[name] * scale for name in BOX_COLUMNS)
        assert 0 <= x0 <= x1 <= image.width_px + 1
        assert 0 <= y0 <= y1 <= image.height_px + 1
        inside = (x0 - 3 <= x) & (x <= x1 + 3) & (y0 - 3 <= y) & (y <= y1 + 3)
        assert inside.any() or line["text"].startswith("|---")
        letters |= inside
    assert letters.all()


# Pure parts -----------------------------------------------------------------------------------


def segment(text: str, corners: Sequence[Sequence[float]]) -> Segment:
    quad = np.array(corners, float)
    printed = [at for at, char in enumerate(text) if not char.isspace()]
    share = ((np.array(printed) + 0.5) / len(text))[:, None]
    left, right = (quad[0] + quad[3]) / 2, (quad[1] + quad[2]) / 2
    return Segment(text, 0.9, quad, left + (right - left) * share)


def inked(*boxes: tuple[int, int, int, int], size: tuple[int, int] = (60, 300)) -> np.ndarray:
    """A white grey picture with black boxes (x0, y0, x1, y1)."""
    grey = np.full(size, 255, np.uint8)
    for x0, y0, x1, y1 in boxes:
        grey[y0:y1, x0:x1] = 0
    return grey


def test_words_end_where_their_ink_does() -> None:
    # The recogniser's box is wider than the print, and takes in the rule below it.
    grey = inked((20, 20, 50, 34), (58, 20, 98, 34), (0, 45, 300, 47))
    found = segment("ABC DEFG", [(10, 10), (110, 10), (110, 48), (10, 48)])
    words = segment_to_words(found, grey, scale=0.5, number=7)
    assert [(word.text, word.box) for word in words] == [
        ("ABC", (10, 10, 25, 17)),
        ("DEFG", (29, 10, 49, 17)),
    ]
    assert {word.line for word in words} == {7}
    assert [word.baseline for word in words] == [17, 17]
    assert [word.confidence for word in words] == [0.9, 0.9]


def test_a_wide_gap_parts_words_without_a_blank() -> None:
    grey = inked((20, 20, 60, 34), (120, 20, 160, 34))
    found = segment("ABCDEFGH", [(18, 10), (162, 10), (162, 44), (18, 44)])
    words = segment_to_words(found, grey, scale=1, number=1)
    assert [(word.text, word.box[0], word.box[2]) for word in words] == [
        ("ABCD", 20, 60),
        ("EFGH", 120, 160),
    ]


def test_white_print_on_black_is_ink_too() -> None:
    ink = find_ink(
        np.array([(10, 10), (110, 10), (110, 50), (10, 50)]), 255 - inked((30, 20, 80, 40))
    )
    assert (ink.top, ink.bottom, ink.left, len(ink.columns)) == (20, 40, 30, 50)


def test_a_box_without_ink_keeps_its_width() -> None:
    ink = find_ink(np.array([(10, 10), (110, 10), (110, 50), (10, 50)]), inked())
    assert (ink.top, ink.bottom, ink.left, len(ink.columns)) == (18, 42, 10, 100)


def test_the_slope_is_that_of_long_lines() -> None:
    def sloping(degrees: float, length: float) -> Segment:
        corners = turn_points(
            np.array([(0, 0), (length, 0), (length, 10), (0, 10)]), degrees, (0, 0)
        )
        return segment("text", corners.tolist())

    assert find_slope([sloping(2, 300), sloping(2, 200), sloping(-20, 90)]) == pytest.approx(2)
    assert find_slope([sloping(30, 20)]) == 0
    assert find_slope([]) == 0


@pytest.mark.parametrize("degrees", [0, 0.4, 1, -3])
def test_the_slope_is_refined_by_the_picture(degrees: float) -> None:
    page = Image.new("RGB", (600, 300), "white")
    for y in range(60, 240, 20):
        page.paste("black", (100, y, 500, y + 8))
    askew = np.asarray(page.rotate(-degrees, Image.Resampling.BICUBIC, fillcolor="white"))
    assert refine_slope(askew, degrees + 0.37) == pytest.approx(degrees, abs=0.06)


def test_a_level_box_goes_back_to_the_slanting_scan() -> None:
    read = PageRead(1, 200, 100, 0, slope=30)
    x0, y0, x1, y1 = read.place((90, 40, 110, 60))
    half = 10 * (math.cos(math.pi / 6) + math.sin(math.pi / 6))
    assert (x0, y0, x1, y1) == pytest.approx((100 - half, 50 - half, 100 + half, 50 + half))


def test_rules_are_long_thin_runs_of_dark_pixels() -> None:
    boxes = [(20, 50, 280, 52), (100, 10, 102, 90), (30, 70, 34, 74), (150, 60, 250, 80)]
    picture = np.repeat(inked(*boxes, size=(100, 300))[:, :, None], 3, axis=2)
    rules = picture_to_rules(picture, scale=0.5)
    assert [(rule.at, rule.start, rule.end) for rule in rules.across] == [(25.5, 10.5, 140)]
    assert [(rule.at, rule.start, rule.end) for rule in rules.down] == [(50.5, 5.5, 45)]


def test_a_poor_page_is_also_tried_the_other_way_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those asked may say "upside down" of a poor scan; the reading itself then decides."""
    line = [(0, 0), (90, 0), (90, 9), (0, 9)]

    def recognise(picture: np.ndarray) -> list[Segment]:
        upright = picture[0, 0, 0] == 255
        return [Segment("text", 0.8 if upright else 0.5, np.array(line, float), np.zeros((4, 2)))]

    monkeypatch.setattr(ocr_page, "recognise", recognise)
    monkeypatch.setattr(ocr_page, "count_turned", len)
    picture = np.zeros((50, 100, 3), np.uint8)
    picture[0, 0] = 255
    reading = read_picture(picture)
    assert (reading.turn, reading.segments[0].confidence) == (0, 0.8)


# The engine -----------------------------------------------------------------------------------


def test_nothing_is_fetched_and_nothing_printed() -> None:
    code = """
import socket, sys
def refuse(*_, **__): raise OSError("no network in this test")
socket.socket.connect = socket.getaddrinfo = socket.create_connection = refuse
from core.parsers import parse_document
assert "Truck" in " ".join(parse_document(sys.stdin.buffer.read(), parser="ocr").line_df["text"])
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=as_bytes(small_table(), "PNG"),
        capture_output=True,
        cwd=Path(__file__).parents[1],
        check=True,
    )
    assert (done.stdout, done.stderr) == (b"", b"")


def test_without_rapidocr_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    ocr_engine._engine.cache_clear()
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    with pytest.raises(SourceUnavailable, match="pip install rapidocr onnxruntime"):
        parse_document(as_bytes(small_table(), "PNG"), parser="ocr")
    ocr_engine._engine.cache_clear()


def test_a_failing_layout_model_leaves_the_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no layout")

    found = [segment("Vehicle theft", [(20, 10), (120, 10), (120, 30), (20, 30)])]
    picture = np.repeat(inked((22, 14, 118, 26))[:, :, None], 3, axis=2)
    monkeypatch.setattr(pymupdf_scan, "read_picture", lambda _: Reading(picture, found, 0, 0.0))
    monkeypatch.setattr(pymupdf_scan, "read_areas", fail)
    result = parse_document(as_bytes(Image.fromarray(picture), "PNG"), parser="ocr")
    assert list(result.line_df["text"]) == ["Vehicle theft"]
    assert list(result.line_df["confidence"]) == [0.9]
    assert result.notes == (
        "Page 1 is given line by line, without tables: the layout model failed there.",
    )

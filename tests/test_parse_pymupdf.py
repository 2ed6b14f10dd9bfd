"""core.parsers.pymupdf_*: a PDF as frames, its tables as pipe lines, its boxes where the ink is."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pymupdf
import pytest

from core.errors import (
    DocumentError,
    LimitExceeded,
    OptionError,
    PasswordRequired,
    UnknownParserError,
)
from core.frames import BOX_COLUMNS, check_line_df
from core.parsers import ParsedDocument, parse_document
from core.parsers.base import Source
from core.parsers.mupdf import LOCK
from core.parsers.pymupdf import page as pymupdf_page
from core.parsers.pymupdf.blocks import Area, PageRead, page_to_blocks
from core.parsers.pymupdf.cells import _cell_row, rows_to_pipes, words_to_rows
from core.parsers.pymupdf.grid import Grid
from core.parsers.pymupdf.words import Word, blocks_to_words, join_words, words_to_lines
from core.render import render_page

COORD_TOL = 1.5
"""Points: half a ruling line, and the pixel a box edge falls in."""

HEADERS = ["Covered event", "Cap", "Deductible"]
ROWS = [
    ["Vehicle theft", "25,000 EUR", "500 EUR"],
    ["Fire", "40,000 EUR", "250 EUR"],
    ["Hail damage", "8,000 EUR", "150 EUR"],
    ["Glass breakage", "1,500 EUR", "75 EUR"],
]
COLUMN_X = [72, 222, 322, 422]
TOP, ROW_HEIGHT = 200, 24


# Making documents -------------------------------------------------------------------------


def draw_page(document: Any, *, width: float = 500, height: float = 420) -> Any:
    """A page with a heading, two lines of text and a ruled table of 4 body rows."""
    page = document.new_page(width=width, height=height)
    page.insert_text((72, 80), "1 Guarantees", fontsize=18, fontname="hebo")
    page.insert_text((72, 120), "The insurer pays for the events below, each up to its cap.")
    page.insert_text((72, 135), "Amounts above the cap are borne by the policy holder.")
    for at, row in enumerate([HEADERS, *ROWS]):
        y = TOP + at * ROW_HEIGHT
        font = "helv" if at else "hebo"
        for x, text in zip(COLUMN_X, row, strict=False):
            page.insert_text((x + 4, y + 16), text, fontsize=10, fontname=font)
    bottom = TOP + (len(ROWS) + 1) * ROW_HEIGHT
    for at in range(len(ROWS) + 2):
        y = TOP + at * ROW_HEIGHT
        page.draw_line((COLUMN_X[0], y), (COLUMN_X[-1], y), width=0.5)
    for x in COLUMN_X:
        page.draw_line((x, TOP), (x, bottom), width=0.5)
    return page


def table_pdf() -> bytes:
    document = pymupdf.open()
    draw_page(document)
    return bytes(document.tobytes())


@pytest.fixture(scope="module")
def parsed() -> ParsedDocument:
    return parse_document(table_pdf())


def tables(line_df: pd.DataFrame) -> list[str]:
    return list(line_df.loc[line_df["block_class"] == "table", "text"])


def boxes(line_df: pd.DataFrame) -> list[list[float]]:
    return line_df[BOX_COLUMNS].to_numpy(np.float64).tolist()


def characters(text: str) -> Counter[str]:
    """What is printed: no blanks, no markup of ours."""
    for markup in ("<br>", "\\|", "|", "^", "_"):
        text = text.replace(markup, "")
    return Counter("".join(text.split()))


# The frames -------------------------------------------------------------------------------


def test_table_becomes_pipe_lines(parsed: ParsedDocument) -> None:
    assert tables(parsed.line_df) == [
        "| Covered event | Cap | Deductible |",
        "|---|---|---|",
        "| Vehicle theft | 25,000 EUR | 500 EUR |",
        "| Fire | 40,000 EUR | 250 EUR |",
        "| Hail damage | 8,000 EUR | 150 EUR |",
        "| Glass breakage | 1,500 EUR | 75 EUR |",
    ]


def test_text_is_one_row_per_printed_line(parsed: ParsedDocument) -> None:
    text = parsed.line_df[parsed.line_df["block_class"] != "table"]
    assert list(text["text"]) == [
        "1 Guarantees",
        "The insurer pays for the events below, each up to its cap.",
        "Amounts above the cap are borne by the policy holder.",
    ]
    assert text["block_num"].iloc[1] == text["block_num"].iloc[2]


def test_line_df_keeps_the_contract(parsed: ParsedDocument) -> None:
    line_df = parsed.line_df
    pd.testing.assert_frame_equal(check_line_df(line_df), line_df)
    assert list(line_df["line_num"]) == list(range(1, len(line_df) + 1))
    assert list(line_df["character_count"]) == [len(text) for text in line_df["text"]]
    assert set(line_df["parsing_method"]) == {"pymupdf"}
    assert line_df["block_num"].dtype == "int64"
    assert parsed.parser == "pymupdf"
    assert parsed.notes == ()


def test_page_df(parsed: ParsedDocument) -> None:
    expected = {"page_num": [1], "width": [500.0], "height": [420.0], "rotation": [0]}
    pd.testing.assert_frame_equal(parsed.page_df, pd.DataFrame(expected))


def test_parsing_twice_gives_the_same(parsed: ParsedDocument) -> None:
    again = parse_document(table_pdf())
    pd.testing.assert_frame_equal(again.line_df, parsed.line_df)
    pd.testing.assert_frame_equal(again.toc_df, parsed.toc_df)


# Geometry ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rotation", "frame", "size"),
    [
        *((rotation, "whole", (500, 420)) for rotation in (0, 90, 180, 270)),
        *((rotation, "cropped", (420, 360)) for rotation in (0, 90, 180, 270)),
        (90, "inherited", (420, 360)),
        (90, "moved", (500, 420)),
        (180, "moved", (500, 420)),
    ],
)
def test_boxes_lie_on_the_displayed_page(
    rotation: int, frame: str, size: tuple[float, float]
) -> None:
    data = turned_pdf(rotation, frame)
    result = parse_document(data)
    assert tuple(result.page_df.loc[0, ["width", "height"]]) == size
    assert result.page_df.loc[0, "rotation"] == rotation
    assert len(tables(result.line_df)) == 6
    assert_boxes_hold_their_words(data, result)
    assert_boxes_hold_their_ink(data, result)


def turned_pdf(rotation: int, frame: str = "whole") -> bytes:
    """The table page stored turned, with a /Rotate that turns it back, as scanners do.

    "cropped" adds a CropBox off the corner, "inherited" puts it into the page tree, "moved"
    has a MediaBox whose origin is not 0, 0.
    """
    drawn = pymupdf.open(stream=table_pdf())
    document = pymupdf.open()
    sideways = rotation in (90, 270)
    width, height = (420, 500) if sideways else (500, 420)
    page = document.new_page(width=width, height=height)
    page.show_pdf_page(page.rect, drawn, 0, rotate=rotation)
    page.set_rotation(rotation)
    if frame == "cropped":
        page.set_cropbox(pymupdf.Rect(40, 30, 460, 390) * page.derotation_matrix)
    if frame == "inherited":
        page.set_cropbox(pymupdf.Rect(40, 30, 460, 390) * page.derotation_matrix)
        parent = int(document.xref_get_key(page.xref, "Parent")[1].split()[0])
        document.xref_set_key(parent, "CropBox", document.xref_get_key(page.xref, "CropBox")[1])
        document.xref_set_key(page.xref, "CropBox", "null")
    if frame == "moved":
        box = f"[-20 30 {width - 20} {height + 30}]"
        document.xref_set_key(page.xref, "MediaBox", box)
    return bytes(document.tobytes())


def assert_boxes_hold_their_words(data: bytes, result: ParsedDocument) -> None:
    """PyMuPDF's own search, in displayed coordinates, finds each row's words in its box."""
    page = pymupdf.open(stream=data)[0]
    box_of = dict(zip(result.line_df["text"], boxes(result.line_df), strict=True))
    for row in [HEADERS, *ROWS]:
        x0, y0, x1, y1 = box_of["| " + " | ".join(row) + " |"]
        for cell in row:
            found = [rect * page.rotation_matrix for rect in page.search_for(cell)]
            inside = [
                rect
                for rect in found
                if x0 - COORD_TOL <= rect.x0
                and rect.x1 <= x1 + COORD_TOL
                and y0 <= (rect.y0 + rect.y1) / 2 <= y1
            ]
            assert inside, f"{cell} is at {found}, its row's box is {(x0, y0, x1, y1)}"


def assert_boxes_hold_their_ink(data: bytes, result: ParsedDocument, *, unit: int = 1) -> None:
    """All letters of the rendered page lie in the boxes, and every box has some.

    At this resolution letters are dark and the thin ruling lines are grey.
    """
    pixmap = pymupdf.Pixmap(render_page(data, 1, dpi=72 / unit).png)
    pixels = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, 3)
    y, x = unit * np.array(np.nonzero(pixels.max(axis=2) < 100))
    covered = np.zeros(x.size, dtype=bool)
    for x0, y0, x1, y1 in boxes(result.line_df):
        inside = (x0 - COORD_TOL <= x) & (x <= x1 + COORD_TOL)
        inside &= (y0 - COORD_TOL <= y) & (y <= y1 + COORD_TOL)
        is_separator = y0 == y1
        assert inside.any() != is_separator
        covered |= inside
    assert covered.all()


def test_row_boxes_tile_the_table(parsed: ParsedDocument) -> None:
    rows = boxes(parsed.line_df[parsed.line_df["block_class"] == "table"])
    for (_, _, _, bottom), (_, top, _, _) in pairwise(rows):
        assert bottom == top
    _, separator_top, _, separator_bottom = rows[1]
    assert separator_top == separator_bottom


@pytest.mark.parametrize("rotation", [0, 90])
def test_user_unit_scales_boxes_with_the_page(rotation: int) -> None:
    document = pymupdf.open(stream=turned_pdf(rotation))
    document.xref_set_key(document[0].xref, "UserUnit", "2")
    data = document.tobytes()
    result = parse_document(data)
    assert tuple(result.page_df.loc[0, ["width", "height"]]) == (1000, 840)
    assert_boxes_hold_their_ink(data, result, unit=2)


def test_text_off_the_page_is_left_out() -> None:
    document = pymupdf.open()
    page = document.new_page(width=300, height=200)
    page.insert_text((20, 50), "on the page")
    page.insert_text((20, 150), "cropped away")
    page.set_cropbox((0, 0, 300, 100))
    assert list(parse_document(document.tobytes()).line_df["text"]) == ["on the page"]


# Words, lines and cells: pure ---------------------------------------------------------------


def word(text: str, x: float, y: float, *, line: int = 1, size: float = 10) -> Word:
    """A word with its left end at (x, y) on the baseline; characters are half a size wide."""
    return words(text, x, y, line=line, size=size)[0]


def words(text: str, x: float, y: float, *, line: int = 1, size: float = 10) -> list[Word]:
    """A MuPDF line of text; a blank is a quarter of the size wide."""
    chars = []
    for char in text:
        width = size / 4 if char == " " else size / 2
        bbox = (x, y - 0.7 * size, x + width, y)
        chars.append({"c": char, "bbox": bbox, "origin": (x, y)})
        x += width
    made = blocks_to_words([raw_block([{"size": size, "chars": chars}])])
    return [
        Word(one.text, one.box, one.glyphs, one.baseline, one.size, line, line, True)
        for one in made
    ]


def raw_block(
    spans: list[dict[str, Any]], direction: tuple[float, float] = (1, 0)
) -> dict[str, Any]:
    return {"lines": [{"dir": direction, "spans": spans}]}


def raised(base: str, above: str, lift: float = 3.6, size: float = 7) -> str:
    """What a word reads whose second part is printed smaller and higher."""
    spans = [
        {"size": 10.0, "chars": [char_at(char, 5 * at, 100, 10) for at, char in enumerate(base)]},
        {
            "size": size,
            "chars": [
                char_at(char, 5 * len(base) + 3.5 * at, 100 - lift, size)
                for at, char in enumerate(above)
            ],
        },
    ]
    (made,) = blocks_to_words([raw_block(spans)])
    return made.text


def char_at(char: str, x: float, y: float, size: float) -> dict[str, Any]:
    return {"c": char, "bbox": (x, y - 0.7 * size, x + size / 2, y), "origin": (x, y)}


@pytest.mark.parametrize(
    ("base", "above", "expected"),
    [
        ("10", "20", "10^20"),
        ("n", "2", "n^2"),
        ("m", "−1", "m^−1"),
        ("x", "a/2", "x^a/2"),
        ("Vaswani", "∗", "Vaswani∗"),
        (")", "2", ")2"),
        ("21", "st", "21st"),
    ],
)
def test_exponents_are_marked(base: str, above: str, expected: str) -> None:
    assert raised(base, above) == expected


def test_subscripts_and_small_print_are_no_exponents() -> None:
    assert raised("x", "2", lift=-2) == "x2"
    assert raised("CO", "2", lift=-2) == "CO2"
    assert raised("C", "ENT", lift=0) == "CENT"


def test_letters_below_the_line_are_a_subscript() -> None:
    assert raised("d", "model", lift=-1.5) == "d_model"
    assert raised("log", "k", lift=-1.5) == "log_k"
    assert raised("d", "model", lift=-1.5, size=10) == "dmodel"
    line = [word("P", 0, 100, line=1), word("drop", 5, 101.5, line=2, size=7)]
    assert join_words(words_to_lines(line)[0]) == "P_drop"


def test_an_exponent_in_a_piece_of_its_own_joins_without_a_blank() -> None:
    line = [word("10", 0, 100, line=1), word("20", 10, 96.4, line=2, size=7)]
    assert join_words(words_to_lines(line)[0]) == "10^20"


def test_pieces_on_one_baseline_are_one_line() -> None:
    pieces = [word("right", 200, 100, line=1), word("left", 20, 100, line=2)]
    assert [join_words(line) for line in words_to_lines(pieces)] == ["left right"]


def test_right_to_left_pieces_start_at_the_right() -> None:
    pieces = [word("עברית", 20, 100, line=1), word("שלום", 200, 100, line=2)]
    assert [join_words(line) for line in words_to_lines(pieces)] == ["שלום עברית"]


def test_lines_on_their_side_keep_the_order_of_the_document() -> None:
    spans = [
        [{"size": 10.0, "chars": [char_at("B", 20, 10, 10)]}],
        [{"size": 10.0, "chars": [char_at("A", 40, 90, 10)]}],
        [{"size": 10.0, "chars": [char_at("C", 60, 50, 10)]}],
    ]
    made = blocks_to_words([raw_block(one, direction=(0, -1)) for one in spans])
    assert [join_words(line) for line in words_to_lines(made)] == ["B", "A", "C"]


def test_control_characters_go_and_blanks_part_words() -> None:
    chars = [char_at(char, 5 * at, 10, 10) for at, char in enumerate("a\x00b\xa0c")]
    block = raw_block([{"size": 10.0, "chars": chars}])
    assert [one.text for one in blocks_to_words([block])] == ["ab", "c"]


GRID = Grid(x=(0, 100, 150, 200), y=(0, 20, 40, 60))


def pipes(page_words: list[Word], grid: Grid = GRID) -> list[str]:
    return [text for text, _ in rows_to_pipes(words_to_rows(page_words, grid))]


def test_a_spanning_label_stays_whole_in_its_first_column() -> None:
    # The label's middle lies on the edge at x = 150, as BLEU and Training C|ost in Attention.
    page_words = [
        *words("Model", 5, 12, line=1),
        *words("Training Cost", 120, 12, line=2),
        *words("big", 5, 32, line=3),
        *words("1.5", 110, 32, line=4),
        *words("2.5", 160, 32, line=5),
        *words("small", 5, 52, line=6),
        *words("3.5", 110, 52, line=7),
        *words("4.5", 160, 52, line=8),
    ]
    assert pipes(page_words) == [
        "| Model | Training Cost | |",
        "|---|---|---|",
        "| big | 1.5 | 2.5 |",
        "| small | 3.5 | 4.5 |",
    ]


def test_a_value_that_hangs_over_stays_under_its_label() -> None:
    page_words = [
        *words("Cap", 110, 12, line=1),
        *words("fire", 5, 32, line=2),
        *words("123.45", 96, 32, line=3),
    ]
    assert pipes(page_words)[2] == "| fire | 123.45 | |"


def test_a_cell_that_runs_into_the_next_is_cut_at_the_margin() -> None:
    rows = ["Elizabeth", "James", "Carol", "Howard"]
    page_words = []
    for at, name in enumerate(rows):
        page_words += words(name, 52, 12 + 20 * at, line=at)
        page_words += words("948 Rd", 95, 12 + 20 * at, line=at)
    # Elizabeth ends at 97, over the start of 948 in the next column: MuPDF makes one word of it.
    joined = Word(
        "Elizabeth948",
        (52, 5, 110, 12),
        page_words[0].glyphs + page_words[1].glyphs,
        12,
        10,
        0,
        0,
        True,
    )
    grid = Grid(x=(0, 94, 200), y=(0, 20, 40, 60, 80))
    assert pipes([joined, *page_words[2:]], grid) == [
        "| Elizabeth | 948 Rd |",
        "|---|---|",
        "| James | 948 Rd |",
        "| Carol | 948 Rd |",
        "| Howard | 948 Rd |",
    ]


def test_a_row_too_low_for_text_joins_its_neighbour() -> None:
    # `Model` is centred over two header rows, so the model sees a row of 4 points between them.
    page_words = [
        *words("BLEU", 110, 9, line=1),
        *words("Model", 5, 15, line=2),
        *words("EN-DE", 110, 24, line=3),
    ]
    rows = words_to_rows(page_words, Grid(x=(0, 100, 150), y=(0, 11, 15, 26)))
    assert [row.cells for row in rows] == [["Model", "BLEU"], ["", "EN-DE"]]
    assert [row.box for row in rows] == [(0, 0, 150, 15), (0, 15, 150, 26)]


def test_the_box_of_a_row_holds_what_is_joined_to_it_from_others() -> None:
    # A label in the middle of three rows goes to the first of them; its ink stays where it is.
    cells = [[words("GMC", 5, 52, line=1)], [words("Anthem", 60, 12, line=2)]]
    row = _cell_row(cells, (0, 0, 150, 20))
    assert row.cells == ["GMC", "Anthem"]
    assert row.box == (0, 0, 150, 52)


def test_cells_with_bars_and_several_lines() -> None:
    page_words = [
        *words("a|b", 5, 8, line=1),
        *words("Sequential", 102, 8, line=2),
        *words("Operations", 102, 18, line=3),
        *words("x", 5, 32, line=4),
    ]
    assert pipes(page_words)[0] == "| a\\|b | Sequential<br>Operations | |"


def test_blank_grid_rows_and_columns_stay() -> None:
    assert pipes(words("x", 5, 52)) == ["| | | |", "|---|---|---|", "| | | |", "| x | | |"]


def test_text_outside_all_areas_is_kept_in_place() -> None:
    read = PageRead(
        number=1,
        width=200,
        height=200,
        rotation=0,
        words=[
            *words("above", 10, 30, line=1),
            *words("stray", 10, 70, line=2),
            *words("below", 10, 130, line=3),
        ],
        areas=[Area("title", (0, 20, 100, 40)), Area("text", (0, 120, 100, 140))],
    )
    lines = [(block.kind, text) for block in page_to_blocks(read) for text, _ in block.lines]
    assert lines == [("title", "above"), ("text", "stray"), ("text", "below")]


def test_a_grid_of_one_column_is_text() -> None:
    area = Area("table", (0, 0, 100, 60), Grid(x=(0, 100), y=(0, 20, 60)))
    read = PageRead(1, 200, 200, 0, words=words("only one", 5, 12), areas=[area])
    assert [text for text, _ in page_to_blocks(read)[0].lines] == ["only one"]


# Outline and notes ----------------------------------------------------------------------------


def outlined_pdf() -> Any:
    document = pymupdf.open()
    draw_page(document)
    draw_page(document)
    return document


def test_outline_points_at_the_heading_line() -> None:
    document = outlined_pdf()
    document.set_toc([[1, "Guarantees", 1], [2, "Elsewhere", 2]])
    toc = parse_document(document.tobytes()).toc_df
    assert toc.to_numpy().tolist() == [[1, "Guarantees", 1, 1], [2, "Elsewhere", 2, pd.NA]]
    assert toc["line_num"].dtype == "Int64"


def test_headings_stand_in_for_an_outline() -> None:
    toc = parse_document(outlined_pdf().tobytes(), pages=[2]).toc_df
    assert toc.to_numpy().tolist() == [[1, "1 Guarantees", 2, 1]]


def test_pages_without_text_are_noted() -> None:
    document = pymupdf.open()
    document.new_page(width=200, height=200).insert_text((20, 50), "text")
    picture = pymupdf.Pixmap(pymupdf.csGRAY, (0, 0, 8, 8))
    picture.clear_with(90)
    for _ in range(2):
        document.new_page(width=200, height=200).insert_image((20, 20, 180, 180), pixmap=picture)
    document.new_page(width=200, height=200)
    document.new_page(width=200, height=200).draw_circle((100, 100), 40)
    result = parse_document(document.tobytes())
    assert result.notes == (
        'Pages 2 to 3 are scans without text: pass ocr=True, or choose the parser "ocr".',
        "Page 4 is empty.",
        "Page 5 shows drawings but holds no text: if they look like text, pass ocr=True, "
        'or choose the parser "ocr".',
    )
    assert list(result.page_df["page_num"]) == [1, 2, 3, 4, 5]
    assert list(result.line_df["page_num"]) == [1]


def test_a_page_that_the_models_cannot_read_keeps_its_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no layout")

    monkeypatch.setattr(pymupdf_page, "read_areas", fail)
    result = parse_document(table_pdf())
    assert "Vehicle theft 25,000 EUR 500 EUR" in " ".join(result.line_df["text"])
    assert result.notes == (
        "Page 1 is given line by line, without tables: the layout model failed there.",
    )


def test_a_damaged_page_is_noted_and_left_out() -> None:
    document = pymupdf.open()
    for name in ("one", "two"):
        document.new_page(width=200, height=100).insert_text((20, 50), name)
    document.update_object(document[1].xref, "null")
    result = parse_document(document.tobytes())
    assert list(result.line_df["text"]) == ["one"]
    assert list(result.page_df["page_num"]) == [1, 2]
    assert result.notes[0].startswith("Page 2 is damaged and was left out")
    with pytest.raises(DocumentError, match="no page can be read"):
        parse_document(document.tobytes(), pages=[2])


def test_a_document_without_any_text() -> None:
    document = pymupdf.open()
    document.new_page()
    result = parse_document(document.tobytes())
    assert result.line_df.empty
    assert list(result.toc_df.columns) == ["level", "title", "page_num", "line_num"]
    assert result.notes == ("Page 1 is empty.",)


# Opening --------------------------------------------------------------------------------------


def test_pages_are_chosen_by_number_and_reported() -> None:
    document = pymupdf.open()
    for name in ("one", "two", "three"):
        document.new_page(width=200, height=100).insert_text((20, 50), name)
    seen: list[tuple[int, int]] = []
    result = parse_document(
        document.tobytes(), pages=[3, 1, 3], progress=lambda done, total: seen.append((done, total))
    )
    assert list(result.line_df["text"]) == ["one", "three"]
    assert list(result.page_df["page_num"]) == [1, 3]
    assert seen == [(1, 2), (2, 2)]


@pytest.mark.parametrize("pages", [[0], [2], [-1], [], ["1"], [1.5]])
def test_pages_outside_the_document(pages: list[Any]) -> None:
    with pytest.raises(OptionError, match="pages"):
        parse_document(table_pdf(), pages=pages)


def test_passwords() -> None:
    document = pymupdf.open()
    document.new_page(width=200, height=100).insert_text((20, 50), "secret")
    lock = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "owner_pw": "owner"}
    locked = document.tobytes(user_pw="user", **lock)
    with pytest.raises(PasswordRequired, match=r"encrypted. Enter the password"):
        parse_document(locked)
    with pytest.raises(PasswordRequired, match="does not open"):
        parse_document(locked, password="wrong")
    assert list(parse_document(locked, password="user").line_df["text"]) == ["secret"]
    # An owner password alone restricts printing and copying; the file opens for everyone.
    assert list(parse_document(document.tobytes(**lock)).line_df["text"]) == ["secret"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"PK\x03\x04 a word file", "damaged Office or zip file"),
        (b"%PDF-1.7 and nothing else", "damaged|no pages"),
        (
            b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
            b"2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>",
            "no pages",
        ),
    ],
)
def test_what_is_no_readable_pdf(data: bytes, message: str) -> None:
    with pytest.raises(DocumentError, match=message) as caught:
        parse_document(Source("policy.pdf", data))
    assert "policy.pdf" in str(caught.value)


def test_missing_and_unreadable_paths(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"no file .*gone\.pdf"):
        parse_document(tmp_path / "gone.pdf")
    with pytest.raises(DocumentError, match="cannot be read"):
        parse_document(tmp_path)


def test_unknown_parser() -> None:
    with pytest.raises(UnknownParserError, match=r"no parser 'word'.*pymupdf"):
        parse_document(b"", parser="word")


def test_importing_core_leaves_pymupdf_out() -> None:
    code = "import sys, core, core.parsers, core.render; assert 'pymupdf' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[1])


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    data = table_pdf().replace(b"startxref", b"startxxxx")
    parse_document(data)
    assert capfd.readouterr() == ("", "")


def test_a_render_gets_in_between_pages() -> None:
    document = pymupdf.open()
    for _ in range(3):
        document.new_page(width=200, height=100).insert_text((20, 50), "text")
    data = document.tobytes()
    done_at_render: list[int] = []
    pages_done = 0

    def render() -> None:
        render_page(data, 1, dpi=20)
        done_at_render.append(pages_done)

    thread = threading.Thread(target=render)

    def progress(done: int, total: int) -> None:
        nonlocal pages_done
        pages_done = done
        assert LOCK.acquire(blocking=False), "the lock must be free between pages"
        LOCK.release()
        if done == 1:
            thread.start()

    parse_document(data, progress=progress)
    thread.join()
    assert done_at_render[0] < 3


# Limits and hostile files ---------------------------------------------------------------------


def blank_pdf(n_pages: int) -> bytes:
    """A page tree of equal pages, the last but one with the text "here"."""
    pages = [f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents {3 + n_pages} 0 R>>"]
    kids = " ".join(f"{3 + at} 0 R" for at in range(n_pages))
    empty = b"<</Length 0>>stream\n\nendstream"
    return raw_pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {n_pages}>>".encode(),
        *(page.encode() for page in pages * n_pages),
        empty,
    )


def raw_pdf(*objects: bytes) -> bytes:
    """A PDF of these objects, numbered from 1; the first is its catalog."""
    out, offsets = b"%PDF-1.7\n", []
    for number, each in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj%s endobj\n" % (number, each)
    entries = b"".join(b"%010d 00000 n \n" % at for at in offsets)
    return out + (
        b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
        + entries
        + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(out))
    )


def sized_pdf(*boxes: tuple[float, float], unit: float | None = None) -> bytes:
    """Pages of these sizes, each with the word "here", the last one with that UserUnit."""
    document = pymupdf.open()
    for width, height in boxes:
        page = document.new_page(width=width, height=height)
        page.insert_text((20, 50), "here")
    if unit:
        document.xref_set_key(page.xref, "UserUnit", f"{unit:g}")
    return bytes(document.tobytes())


def test_ten_thousand_pages_are_refused_at_once_but_one_of_them_is_not() -> None:
    data = blank_pdf(10_000)
    start = time.perf_counter()
    with pytest.raises(LimitExceeded) as caught:
        parse_document(Source("all.pdf", data))
    assert str(caught.value) == (
        "all.pdf has 10,000 pages; at most 2,000 are read at a time. Choose some of them "
        "(pages=[1, 2, 3]), or set ROWLENS_MAX_PAGES to a larger number."
    )
    assert list(parse_document(data, pages=[5000]).page_df["page_num"]) == [5000]
    assert time.perf_counter() - start < 10  # 0.4 s; a read of all pages takes minutes


def test_the_limit_of_pages_counts_those_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROWLENS_MAX_PAGES", "2")
    data = sized_pdf((200, 100), (200, 100), (200, 100))
    assert len(parse_document(data, pages=[1, 3]).page_df) == 2
    with pytest.raises(LimitExceeded, match="has 3 pages; at most 2"):
        parse_document(data)
    with pytest.raises(LimitExceeded, match="is to give 3 pages; at most 2"):
        parse_document(data, pages=[1, 2, 3])


def test_a_page_beyond_the_limit_is_left_out_with_a_note() -> None:
    result = parse_document(sized_pdf((200, 100), (14_400, 200), (20_000, 20_000)))
    assert list(result.line_df["page_num"]) == [1, 2]
    assert result.notes == (
        "Page 3 is 20,000 x 20,000 points and was left out: at most 14,400 points a side are "
        "read. Set ROWLENS_MAX_PAGE_POINTS to a larger number.",
    )
    assert list(result.page_df["width"]) == [200, 14_400, 20_000]


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (sized_pdf((20_000, 300)), "20,000 x 300"),
        (sized_pdf((200, 100), unit=75_000), "15,000,000 x 7,500,000"),
    ],
    ids=["wide", "UserUnit"],
)
def test_a_document_of_pages_beyond_the_limit(data: bytes, size: str) -> None:
    with pytest.raises(LimitExceeded, match=f"no page that can be read. Page 1 is {size}"):
        parse_document(data)
    with pytest.raises(LimitExceeded, match=f"Page 1 is {size} points"):
        render_page(data, 1)


def test_a_large_user_unit_is_no_fault() -> None:
    result = parse_document(sized_pdf((200, 100), unit=5_000))
    assert list(result.line_df["text"]) == ["here"]
    assert tuple(result.page_df.loc[0, ["width", "height"]]) == (1_000_000, 500_000)


def test_zero_bytes_in_a_text_show_as_unreadable_characters() -> None:
    stream = b"BT /F1 12 Tf 20 50 Td (Cap \\000 of\\000 theft) Tj ET"
    data = raw_pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R"
        b"/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
    )
    assert list(parse_document(data).line_df["text"]) == ["Cap \ufffd of\ufffd theft"]


def tree_pdf(*nodes: bytes) -> bytes:
    return raw_pdf(b"<</Type/Catalog/Pages 2 0 R>>", *nodes)


def hostile_pdfs() -> dict[str, bytes]:
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>"
    sound = table_pdf()
    deep = [b"<</Type/Pages/Kids[%d 0 R]/Count 1>>" % at for at in range(3, 3_003)]
    noise = random.Random(4)
    return {
        "cyclic": tree_pdf(
            b"<</Type/Pages/Kids[3 0 R]/Count 2>>",
            b"<</Type/Pages/Parent 2 0 R/Kids[2 0 R]/Count 2>>",
        ),
        "its own child": tree_pdf(b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>"),
        "absurd count": tree_pdf(b"<</Type/Pages/Kids[3 0 R]/Count 2147483647>>", page),
        "negative count": tree_pdf(b"<</Type/Pages/Kids[3 0 R]/Count -5>>", page),
        "deep": tree_pdf(*deep, page),
        "no tree": raw_pdf(b"<</Type/Catalog/Pages 9 0 R>>"),
        "form that draws itself": tree_pdf(
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 5 0 R"
            b"/Resources<</XObject<</X 4 0 R>>>>>>",
            b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 4 0 R>>>>"
            b"/Length 8>>stream\n/X Do   \nendstream",
            b"<</Length 8>>stream\n/X Do   \nendstream",
        ),
        **{f"cut at {at}%": sound[: len(sound) * at // 100] for at in (1, 20, 50, 80, 95)},
        **{f"noise {at}": b"%PDF-1.7\n" + noise.randbytes(3_000) for at in range(4)},
        **{f"dented {at}": dented(sound, noise) for at in range(6)},
    }


def dented(data: bytes, noise: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(30):
        changed[noise.randrange(20, len(changed))] = noise.randrange(256)
    return bytes(changed)


def test_hostile_files_end_in_a_document_error_or_are_read(tmp_path: Path) -> None:
    """In a process of its own, so that a file that hangs or crashes it fails this test alone."""
    files = hostile_pdfs()
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    code = """
import sys, pathlib
from core.errors import DocumentError
from core.parsers import parse_document
from core.render import render_page
for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    for act in (lambda: parse_document(path), lambda: render_page(path.read_bytes(), 1)):
        try:
            act()
            print(path.name, "read", sep=": ")
        except DocumentError as error:
            print(path.name, "refused", sep=": ")
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == ""
    outcome: dict[str, list[str]] = {}
    for line in done.stdout.splitlines():
        outcome.setdefault(line.split(": ")[0], []).append(line.split(": ")[1])
    assert set(outcome) == set(files)
    refused = {name for name, acts in outcome.items() if acts == ["refused", "refused"]}
    assert refused >= {"cyclic", "its own child", "absurd count", "negative count", "no tree"}
    assert refused >= {"cut at 1%", "noise 0", "noise 1", "noise 2", "noise 3"}
    assert outcome["form that draws itself"] == ["read", "read"]


# Public documents -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def attention(shared: Path) -> ParsedDocument:
    return parse_document(shared / "documents/attention/1706.03762v7.pdf", pages=[6, 8, 9, 10])


def test_attention_table_1(attention: ParsedDocument) -> None:
    assert tables(attention.line_df[attention.line_df["page_num"] == 6]) == [
        "| Layer Type | Complexity per Layer | Sequential<br>Operations | Maximum Path Length |",
        "|---|---|---|---|",
        "| Self-Attention | O(n^2 · d) | O(1) | O(1) |",
        "| Recurrent | O(n · d^2) | O(n) | O(n) |",
        "| Convolutional | O(k · n · d^2) | O(1) | O(log_k(n)) |",
        "| Self-Attention (restricted) | O(r · n · d) | O(1) | O(n/r) |",
    ]


def test_attention_table_2_has_no_cut_words(attention: ParsedDocument) -> None:
    lines = tables(attention.line_df[attention.line_df["page_num"] == 8])
    assert lines[:4] == [
        "| Model | BLEU | | Training Cost (FLOPs) | |",
        "|---|---|---|---|---|",
        "| | EN-DE | EN-FR | EN-DE | EN-FR |",
        "| ByteNet [18] | 23.75 | | | |",
    ]
    assert lines[-1] == "| Transformer (big) | 28.4 | 41.8 | 2.3 · 10^19 | |"
    assert len(lines) == 13


def test_attention_table_3_has_its_symbols_and_row_labels(attention: ParsedDocument) -> None:
    lines = tables(attention.line_df[attention.line_df["page_num"] == 9])
    assert lines[0] == (
        "| | N | d_model | d_ff | h | d_k | d_v | P_drop | ϵ_ls | train<br>steps | PPL<br>(dev) "
        "| BLEU<br>(dev) | params<br>×10^6 |"
    )
    labels = [line.split("|")[1].strip() for line in lines[2:]]
    groups = ["base", "(A)", *[""] * 3, "(B)", "", "(C)", *[""] * 6, "(D)", *[""] * 3]
    assert labels == [*groups, "(E)", "big"]


def test_attention_table_4(attention: ParsedDocument) -> None:
    lines = tables(attention.line_df[attention.line_df["page_num"] == 10])
    assert lines[0] == "| Parser | Training | WSJ 23 F1 |"
    assert lines[2] == ("| Vinyals & Kaiser el al. (2014) [37] | WSJ only, discriminative | 88.3 |")
    assert len(lines) == 14


def test_attention_outline_finds_its_headings(attention: ParsedDocument) -> None:
    toc = attention.toc_df.set_index("title")["line_num"]
    line = attention.line_df.set_index(["page_num", "line_num"])["text"]
    assert line[6, toc["Positional Encoding"]] == "3.5 Positional Encoding"
    assert line[8, toc["Machine Translation"]] == "6.1 Machine Translation"


@pytest.mark.parametrize("page_num", [6, 8, 9, 10])
def test_no_character_of_the_page_is_lost(
    attention: ParsedDocument, shared: Path, page_num: int
) -> None:
    document = pymupdf.open(shared / "documents/attention/1706.03762v7.pdf")
    page = document[page_num - 1]
    lines = attention.line_df[attention.line_df["page_num"] == page_num]
    printed = page.get_text(flags=pymupdf.TEXT_MEDIABOX_CLIP)
    body = lines.loc[~lines["text"].str.startswith("|---"), "text"]
    assert characters(" ".join(body)) == characters(printed)


def test_no_character_of_a_table_is_lost(attention: ParsedDocument, shared: Path) -> None:
    document = pymupdf.open(shared / "documents/attention/1706.03762v7.pdf")
    lines = attention.line_df[attention.line_df["page_num"] == 8]
    table = lines[(lines["block_class"] == "table") & ~lines["text"].str.startswith("|---")]
    box = (table["x0"].min(), table["y0"].min(), table["x1"].max(), table["y1"].max())
    clip = pymupdf.Rect(box[0] - 1, box[1] - 1, box[2] + 1, box[3] + 1)
    printed = document[7].get_text(clip=clip, flags=pymupdf.TEXT_MEDIABOX_CLIP)
    assert characters(" ".join(table["text"])) == characters(printed)

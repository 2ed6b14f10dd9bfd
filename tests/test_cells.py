"""Cells of a matched row on the page: found by their words, or not at all, and never another's."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pandas as pd
import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from streamlit.testing.v1 import AppTest

from core import build_index, parse_document, read_tables, serialize_table_rows
from core.errors import DocumentError, OptionError, PasswordRequired
from core.frames import BOX_COLUMNS
from core.library import Library
from core.render_lines import drawn_cells, set_out_lines
from core.render_words import no_words, page_words
from core.view.cell_chains import text_key
from core.view.cells import Box, PageWords, cell_boxes
from core.view.page import page_overlay
from core.worker import Renderer
from tests.documents import scan_pdf, sideways_pdf, table_pdf
from tests.frames import lines
from tests.test_inspector import ask, brought, ran
from tests.test_opening import upload

ROOT = Path(__file__).parents[1]
THEFT = "What is the cap for vehicle theft?"
LETTER, HEIGHT, BLANK = 5.0, 8.0, 2.5
"""Points of the words that are printed here."""

WHOLE = (0.0, 0.0, 1_000.0, 1_000.0)
ROW = ["Vehicle theft", "25,000 EUR", "500 EUR"]


def printed(*texts: tuple[float, float, str]) -> pd.DataFrame:
    """Words of texts that begin at (x, y)."""
    words = []
    for x, y, text in texts:
        for word in text.split(" "):
            words.append((word, x, y, x + LETTER * len(word), y + HEIGHT))
            x += LETTER * len(word) + BLANK
    return pd.DataFrame(words, columns=["text", *BOX_COLUMNS])


def ends(boxes: list[Box | None]) -> list[tuple[float, float] | None]:
    """Left and right end of each box."""
    return [box and (box[0], box[2]) for box in boxes]


# ------------------------------------------------------------------------------- one row's cells


def test_cells_of_a_printed_line() -> None:
    words = printed((0, 10, "Vehicle theft"), (100, 10, "25,000 EUR"), (200, 10, "500 EUR"))
    assert cell_boxes(words, WHOLE, ROW, [0, 2]) == [
        (0, 10, 62.5, 18),
        (200, 10, 232.5, 18),
    ]


def test_only_words_of_the_row_count() -> None:
    above, row = (100, 10, "25,000 EUR"), (100, 30, "25,000 EUR")
    words = printed(above, row)
    assert cell_boxes(words, (0, 25, 300, 45), ROW, [1]) == [(100, 30, 147.5, 38)]
    assert cell_boxes(words, (0, 50, 300, 70), ROW, [1]) == [None]
    assert cell_boxes(words, (0, 25, 300, 45), ROW, []) == []


def test_a_cell_goes_on_below() -> None:
    words = printed(
        *[(0, 10, "Theft of a"), (100, 10, "Tracker installed")],
        *[(0, 22, "vehicle"), (100, 22, "and active")],
        (100, 34, "all year"),
    )
    cells = ["Theft of a vehicle", "Tracker installed and active all year"]
    assert cell_boxes(words, WHOLE, cells, [0, 1]) == [(0, 10, 45, 30), (100, 10, 182.5, 42)]


def test_lines_of_one_cell_between_those_of_another() -> None:
    """The short cell stands in the middle of the high one."""
    words = printed((0, 10, "one"), (0, 22, "two"), (100, 16, "one two"))
    assert cell_boxes(words, WHOLE, ["one two", "one two"], [0, 1]) == [
        (0, 10, 15, 30),
        (100, 16, 132.5, 24),
    ]


def test_equal_cells_are_told_apart_by_their_columns() -> None:
    words = printed((0, 10, "Van"), (100, 10, "12"), (150, 10, "12"), (200, 10, "12"))
    boxes = cell_boxes(words, WHOLE, ["Van", "12", "12", "12"], [1, 2, 3])
    assert ends(boxes) == [(100, 110), (150, 160), (200, 210)]


def test_blank_cells_are_passed_over() -> None:
    words = printed((0, 10, "Van"), (200, 10, "12"))
    boxes = cell_boxes(words, WHOLE, ["Van", "", "12", "–"], [0, 1, 2, 3])
    assert ends(boxes) == [(0, 15), None, (200, 210), None]


def test_a_cell_filled_down_from_above_has_no_box() -> None:
    words = printed((100, 10, "Van"), (200, 10, "12"))
    boxes = cell_boxes(words, WHOLE, ["North", "Van", "12"], [0, 1, 2])
    assert ends(boxes) == [None, (100, 115), (200, 210)]


def test_what_might_be_either_cell_is_neither() -> None:
    """One of both was filled down, and nothing says which."""
    words = printed((0, 10, "12"), (200, 10, "7"))
    boxes = cell_boxes(words, WHOLE, ["12", "12", "7"], [0, 1, 2])
    assert ends(boxes) == [None, None, (200, 205)]


def test_parts_of_a_filled_down_cell_are_not_taken_for_it() -> None:
    words = printed((0, 10, "North"), (60, 10, "Sea"))
    assert cell_boxes(words, WHOLE, ["North Sea", "North", "Sea"], [0, 1, 2]) == [None] * 3


def test_a_word_of_another_cell_is_not_the_cell() -> None:
    """ "5" was filled down; what is printed belongs to "5 years"."""
    words = printed((100, 10, "5 years"))
    assert ends(cell_boxes(words, WHOLE, ["5", "5 years"], [0, 1])) == [None, (100, 132.5)]


def test_a_part_of_a_text_that_no_cell_holds_is_not_the_cell() -> None:
    beside = printed((0, 10, "Fire brigade"), (100, 10, "12"))
    below = printed((0, 10, "Fire"), (0, 20, "brigade"), (100, 10, "12"))
    for words in (beside, below):
        assert ends(cell_boxes(words, WHOLE, ["Fire", "12"], [0, 1])) == [None, (100, 110)]


@pytest.mark.parametrize(
    ("cell", "word"),
    [
        ("10^20", "1020"),
        ("d_model", "dmodel"),
        ("infor- mation", "information"),
        ("Fire", "ﬁre"),
        ("café", "cafe\u0301"),
        ("25 000", "25\u00a0000"),
        ("<b>Total</b>", "<b>Total</b>"),
    ],
)
def test_signs_that_parsers_add_or_drop_do_not_count(cell: str, word: str) -> None:
    words = pd.DataFrame([(word, 0.0, 10.0, 50.0, 18.0)], columns=["text", *BOX_COLUMNS])
    assert ends(cell_boxes(words, WHOLE, [cell], [0])) == [(0, 50)]


@pytest.mark.parametrize("columns", [["סכום גדול", "12", "שם"], ["שם", "12", "סכום גדול"]])
def test_text_from_right_to_left_in_either_order_of_columns(columns: list[str]) -> None:
    words = printed((200, 10, "שם"), (100, 10, "12"), (32.5, 10, "סכום"), (10, 10, "גדול"))
    at = {"סכום גדול": (10, 52.5), "12": (100, 110), "שם": (200, 210)}
    boxes = cell_boxes(words, WHOLE, columns, [0, 1, 2])
    assert ends(boxes) == [at[column] for column in columns]


@pytest.mark.parametrize("upwards", [True, False])
def test_a_row_printed_on_its_side(upwards: bool) -> None:
    level = printed((0, 10, "Van"), (100, 10, "12"), (200, 10, "12 km"), (200, 20, "a day"))
    x0, y0, x1, y1 = level[BOX_COLUMNS].to_numpy().T
    turned = (y0, 300 - x1, y1, 300 - x0) if upwards else (100 - y1, x0, 100 - y0, x1)
    words = level.assign(**dict(zip(BOX_COLUMNS, turned, strict=True)))
    boxes = cell_boxes(words, (0, 0, 100, 300), ["Van", "12", "12 km a day"], [0, 1, 2])
    expected: list[Box | None] = [(10, 285, 18, 300), (10, 190, 18, 200), (10, 77.5, 28, 100)]
    if not upwards:
        expected = [(82, 0, 90, 15), (82, 100, 90, 110), (72, 200, 90, 222.5)]
    assert boxes == expected


# ------------------------------------------------------------------------------- hostile rows


def grid_of(word: str, across: int, down: int) -> pd.DataFrame:
    return printed(*((20.0 * x, 10.0 * y, word) for x in range(across) for y in range(down)))


def test_a_thousand_ways_to_read_a_row_cost_little_and_give_nothing() -> None:
    words = PageWords(grid_of("aa", 20, 20))
    begun = time.process_time()
    for _ in range(1_000):
        assert words.cell_boxes(WHOLE, ["a" * 40, "a" * 30, "אא"], [0, 1]) == [None, None]
    assert time.process_time() - begun < 5


def test_rows_of_too_many_words_are_passed_over() -> None:
    words = grid_of("a", 21, 20).assign(text=lambda frame: [f"w{at}" for at in frame.index])
    assert cell_boxes(words, WHOLE, ["w7"], [0]) == [None]
    assert cell_boxes(words.head(1), WHOLE, ["w0"], [0]) != [None]


def test_odd_texts_and_boxes_are_no_harm() -> None:
    words = pd.DataFrame(
        [("\x00", 0, 0, 5, 5), ("", 0, 0, 0, 0), ("x" * 99_999, 9, 9, 9, 9), ("٣", 5, 5, 8, 8)],
        columns=["text", *BOX_COLUMNS],
    )
    assert cell_boxes(words, WHOLE, ["\x00", "x" * 100_000, ""], [0, 1, 2]) == [None] * 3
    assert cell_boxes(no_words(), WHOLE, ["a"], [0]) == [None]
    assert cell_boxes(words, (8, 8, 1, 1), ["a"], [0]) == [None]


# Cells as they may be printed, from few words, so that cells are often equal or parts of others.
texts = st.lists(st.sampled_from(["a", "b", "1", "ab", "a1"]), max_size=3).map(" ".join)
rows = st.lists(st.tuples(texts, st.booleans(), st.integers(1, 3)), min_size=1, max_size=4)


def set_in_columns(row: list[tuple[str, bool, int]]) -> tuple[pd.DataFrame, list[Box | None]]:
    """The words of cells that are printed, so many to a line, and where each cell stands."""
    frames, places = [no_words()], list[Box | None]()
    for column, (text, is_printed, per_line) in enumerate(row):
        split = text.split()
        if not (is_printed and split):
            places.append(None)
            continue
        chunks = [split[at : at + per_line] for at in range(0, len(split), per_line)]
        frame = printed(
            *((60.0 * column, 10.0 + 12 * at, " ".join(chunk)) for at, chunk in enumerate(chunks))
        )
        frames.append(frame)
        low, high = frame[BOX_COLUMNS].min(), frame[BOX_COLUMNS].max()
        places.append((low["x0"], low["y0"], high["x1"], high["y1"]))
    return pd.concat(frames), places


@given(rows)
def test_a_box_is_never_that_of_another_cell(row: list[tuple[str, bool, int]]) -> None:
    words, places = set_in_columns(row)
    cells = [text for text, *_ in row]
    for box, place in zip(cell_boxes(words, WHOLE, cells, range(len(row))), places, strict=True):
        assert box is None or box == place


@given(rows)
def test_a_row_that_is_printed_as_it_is_read_is_found_whole(
    row: list[tuple[str, bool, int]],
) -> None:
    words, places = set_in_columns([(text, True, per_line) for text, _, per_line in row])
    cells = [text for text, *_ in row]
    boxes = cell_boxes(words, WHOLE, cells, range(len(row)))
    # Equal words above each other may be read in several ways: then a cell is not surely found.
    assert all(box in (None, place) for box, place in zip(boxes, places, strict=True))


@given(st.text(max_size=30))
def test_a_key_is_the_same_for_a_text_and_its_words(text: str) -> None:
    assert text_key(text) == "".join(map(text_key, text.split()))


# ------------------------------------------------------------------------------- words of a page


def words_pdf(
    rotation: int = 0, *, cropped: bool = False, inherited: bool = False, unit: float = 0
) -> bytes:
    """One page with the word Hello."""
    with pymupdf.open() as document:
        page = document.new_page(width=300, height=200)
        page.insert_text((60, 80), "Hello", fontsize=20)
        parent = int(document.xref_get_key(page.xref, "Parent")[1].split()[0])
        if cropped:
            holder = parent if inherited else page.xref
            document.xref_set_key(holder, "CropBox", "[40 20 260 180]")
        if unit:
            document.xref_set_key(page.xref, "UserUnit", str(unit))
        page.set_rotation(rotation)
        return bytes(document.tobytes())


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    made = Renderer()
    yield made
    while not made._idle.empty():
        if worker := made._idle.get():
            worker.close()


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize(
    "page",
    [{}, {"cropped": True}, {"unit": 2.5}, {"cropped": True, "inherited": True, "unit": 2.5}],
    ids=["plain", "cropped", "unit", "inherited crop and unit"],
)
def test_words_stand_where_their_ink_is_drawn(
    rotation: int, page: dict[str, float], renderer: Renderer, tmp_path: Path
) -> None:
    path = tmp_path / "page.pdf"
    path.write_bytes(words_pdf(rotation, **page))  # type: ignore[arg-type]
    image = renderer.render_page(path, "page.pdf", 1, dpi=144)
    words = renderer.page_words(path, "page.pdf", 1)
    ink = np.asarray(Image.open(io.BytesIO(image.png)).convert("L")) < 128
    y, x = np.nonzero(ink)
    scale = image.width_px / image.width
    drawn = np.array([x.min(), y.min(), x.max() + 1, y.max() + 1]) / scale
    assert words["text"].tolist() == ["Hello"]
    # Letters have a little room beside them.
    assert words[BOX_COLUMNS].to_numpy()[0] == pytest.approx(drawn, abs=2 * page.get("unit", 1))


def test_what_has_no_text_has_no_words(renderer: Renderer, tmp_path: Path) -> None:
    picture = io.BytesIO()
    Image.new("RGB", (80, 50), "red").save(picture, "PNG")
    for at, data in enumerate([scan_pdf(), picture.getvalue()]):
        path = tmp_path / str(at)
        path.write_bytes(data)
        words = renderer.page_words(path, "page", 1)
        assert words.columns.tolist() == ["text", *BOX_COLUMNS]
        assert words.empty


def test_errors_are_those_of_drawing(renderer: Renderer, tmp_path: Path) -> None:
    path = tmp_path / "page.pdf"
    path.write_bytes(words_pdf())
    with pytest.raises(OptionError, match="pages 1 to 1"):
        renderer.page_words(path, "page.pdf", 2)
    with pymupdf.open(stream=words_pdf()) as document:
        path.write_bytes(
            document.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="open sesame")
        )
    with pytest.raises(PasswordRequired):
        renderer.page_words(path, "page.pdf", 1, password="wrong")
    assert len(renderer.page_words(path, "page.pdf", 1, password="open sesame")) == 1


def test_the_words_of_a_page_come_quickly(renderer: Renderer) -> None:
    path = ROOT / "assets" / "motor_insurance.pdf"
    renderer.page_words(path, "contract", 1)  # the process starts
    begun = time.perf_counter()
    words = renderer.page_words(path, "contract", 2)
    assert time.perf_counter() - begun < 1  # 15 ms on an idle machine
    assert len(words) == 443


# ------------------------------------------------------------------------------- the overlay


def overlay_of(pdf: bytes, question: str) -> list[dict[str, Any]]:
    """Matched rows of the first page's overlay."""
    parsed = parse_document(pdf)
    row_df = serialize_table_rows(parsed.line_df)
    answer = build_index(parsed.line_df, row_df).retrieve(question)
    tables = read_tables(parsed.line_df)
    overlay = page_overlay(
        1, parsed.page_df, tables, row_df, answer, words=lambda: page_words(pdf, 1)
    )
    return [row for row in overlay["rows"] if row["matched"]]


FLEET = [["Truck", "12", "Lyon"], ["Van", "34", "Ghent"], ["Tram", "34", "Porto"]]


def test_the_cell_a_question_hits_has_a_box_within_its_row() -> None:
    pdf = table_pdf(["Vehicle", "Number", "Depot"], FLEET)
    (row,) = overlay_of(pdf, "Which depot has the tram?")
    assert row["hits"] == ["Vehicle"]
    ((x0, y0, x1, y1),) = row["cells"]
    # The text begins 6 points right of the table's edge and ends 8 above the row's.
    assert (x0, y1) == pytest.approx((78, 198), abs=1)
    assert (x1 - x0, y1 - y0) == pytest.approx((25, 7), abs=2)


@pytest.mark.parametrize("clockwise", [True, False])
def test_a_cell_of_a_table_printed_on_its_side(clockwise: bool) -> None:
    pdf = sideways_pdf(clockwise)
    (row,) = overlay_of(pdf, "Which depot has the tram?")
    ((x0, y0, x1, y1),) = row["cells"]
    words = page_words(pdf, 1).set_index("text")
    assert (x0, y0, x1, y1) == tuple(words.loc["Tram", BOX_COLUMNS])
    assert y1 - y0 > 2 * (x1 - x0)


DEPOTS = lines("""
    | Depot | | Opened |
    |---|---|---|
    | Aurora | 4 | 1999 |
    | Cedar | 5 | 2011 |
""")


def test_words_are_asked_for_only_where_a_cell_was_hit() -> None:
    placed, width, height = set_out_lines(DEPOTS, 1)
    row_df, tables = serialize_table_rows(placed), read_tables(placed)
    index = build_index(placed, row_df)
    page_df = pd.DataFrame({"page_num": [1], "width": [width], "height": [height], "rotation": [0]})
    asked = []

    def words() -> pd.DataFrame:
        asked.append(1)
        return drawn_cells(placed)

    for question, hits, times in [
        (None, [[], []], 0),
        ("Which depots are there?", [[], []], 0),
        ("When was Cedar opened?", [[], ["Depot"]], 1),
        ("Which depot has 5?", [[], ["column 2"]], 2),
    ]:
        answer = index.retrieve(question) if question else None
        rows_ = page_overlay(1, page_df, tables, row_df, answer, words=words)["rows"]
        assert [row["hits"] for row in rows_] == hits
        assert [len(row["cells"]) for row in rows_] == [len(names) for names in hits]
        assert len(asked) == times
    without = page_overlay(1, page_df, tables, row_df, index.retrieve("Cedar"))["rows"]
    assert [row["cells"] for row in without] == [[], []]


def test_cells_on_a_page_drawn_from_lines_stand_under_their_label() -> None:
    placed, *_ = set_out_lines(lines("| Depot | Opened |\n|---|---|\n| A<br>B &amp; C | 1999 |"), 1)
    cells = drawn_cells(placed).set_index("text")
    assert list(cells.index) == ["Depot", "Opened", "A B & C", "1999"]
    left, right = cells["x0"].to_dict(), cells["x1"].to_dict()
    assert left["1999"] == left["Opened"]
    assert right["A B & C"] < left["1999"]
    assert cells["y0"].tolist() == sorted(cells["y0"])


# ------------------------------------------------------------------------------- in the app


@pytest.fixture
def app() -> AppTest:
    return ran(AppTest.from_file(str(ROOT / "app.py"), default_timeout=120))


def matched(app: AppTest) -> list[dict[str, Any]]:
    return [row for row in brought(app)["overlay"]["rows"] if row["matched"]]


def test_words_are_read_once_and_not_before_a_question(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, asked = Library.page_words, []

    def counted(library: Library, doc_id: str, page_num: int, **how: str | None) -> pd.DataFrame:
        asked.append((doc_id, page_num))
        return real(library, doc_id, page_num, **how)

    monkeypatch.setattr(Library, "page_words", counted)
    ran(app)
    assert asked == []
    ask(app, THEFT)
    (row,) = matched(app)
    assert (row["hits"], len(row["cells"])) == (["Covered event"], 1)
    app.session_state["row"] = "t1:3"  # as a click does
    ran(app)
    ask(app, "What is the deductible for fire?")
    assert asked == [("motor_insurance", 2)]


def test_a_page_whose_words_fail_still_has_its_rows(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = []

    def fails(_library: Library, _doc_id: str, page_num: int, **_: object) -> NoReturn:
        tries.append(page_num)
        raise DocumentError("It cannot be read.")

    monkeypatch.setattr(Library, "page_words", fails)
    ask(app, THEFT)
    ran(app)
    (row,) = matched(app)
    assert (row["hits"], row["cells"]) == (["Covered event"], [])
    assert tries == [2]
    assert not app.error


def test_cells_of_a_source_without_pages_are_lit(app: AppTest) -> None:
    upload(app, ("depots.md", b"| Depot | Gates |\n|---|---|\n| Aurora | 4 |\n| Cedar | 5 |\n"))
    ask(app, "How many gates has Cedar?")
    (row,) = matched(app)
    ((x0, y0, x1, y1),) = row["cells"]
    left, top, right, bottom = row["box"]
    assert (x0, y0, y1) == (left, top, bottom)
    assert x1 < (left + right) / 2

"""core.parsers.pymupdf_*: what the print itself tells of a table's cells, against the grid."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.frames import BOX_COLUMNS
from core.parsers import parse_document
from core.parsers.pymupdf.blocks import PageRead
from core.parsers.pymupdf.cells import rows_to_pipes, words_to_rows
from core.parsers.pymupdf.grid import Grid
from core.parsers.pymupdf.rules import NO_RULES, Rule, Rules, drawings_to_rules
from core.parsers.pymupdf.words import Word, blocks_to_turn, blocks_to_words
from tests.documents import sideways_pdf, spanning_pdf

SIZE = 10.0
BLANK = SIZE / 4


def words(text: str, x: float, y: float, line: int) -> list[Word]:
    """One MuPDF line of text from x on, its baseline at y; a character is 5 points wide."""
    chars = []
    for char in text:
        width = BLANK if char == " " else SIZE / 2
        chars.append({"c": char, "bbox": (x, y - 7, x + width, y), "origin": (x, y)})
        x += width
    block = {"lines": [{"dir": (1, 0), "spans": [{"size": SIZE, "chars": chars}]}]}
    return [
        Word(one.text, one.box, one.glyphs, one.baseline, one.size, line, line, True)
        for one in blocks_to_words([block])
    ]


def printed(*rows: tuple[float, dict[float, str]]) -> list[Word]:
    """Words of a table: each row's baseline, and the text in the middle of each x."""
    made, line = [], 0
    for y, cells in rows:
        for x, text in cells.items():
            line += 1
            width = sum(BLANK if char == " " else SIZE / 2 for char in text)
            made += words(text, x - width / 2, y, line)
    return made


def pipes(page_words: list[Word], grid: Grid, rules: Rules = NO_RULES) -> list[str]:
    """Pipe lines without the separator."""
    lines = [text for text, _ in rows_to_pipes(words_to_rows(page_words, grid, rules))]
    return [lines[0], *lines[2:]]


def across(*ends: tuple[float, float, float]) -> tuple[Rule, ...]:
    return tuple(Rule(*end) for end in ends)


FIVE = (0, 100, 200, 300, 400, 500)
MIDDLES = (50, 150, 250, 350, 450)


def row_at(y: float, *texts: str) -> tuple[float, dict[float, str]]:
    return y, {x: text for x, text in zip(MIDDLES, texts, strict=False) if text}


# Spanning labels -------------------------------------------------------------------------------


BODY = [row_at(52, "a", "10", "20", "30", "40"), row_at(72, "b", "11", "21", "31", "41")]
LEVELS = (0, 20, 40, 60, 80)


def test_a_label_starts_in_the_first_column_of_the_rule_below_it() -> None:
    # Both labels stand over the second of their columns, as far as the grid can tell.
    page_words = printed(
        (12, {210: "North", 410: "South"}), row_at(32, "", "x", "y", "x", "y"), *BODY
    )
    rules = Rules(across((0, 0, 500), (16, 105, 290), (16, 310, 490), (40, 0, 500), (80, 0, 500)))
    assert pipes(page_words, Grid(FIVE, LEVELS), rules) == [
        "| | North | | South | |",
        "| | x | y | x | y |",
        "| a | 10 | 20 | 30 | 40 |",
        "| b | 11 | 21 | 31 | 41 |",
    ]


def test_rules_beside_a_label_bound_its_cell() -> None:
    page_words = printed(
        (12, {260: "All seas"}), row_at(32, "", "x", "y", "z", ""), (12, {450: "Sum"}), *BODY
    )
    down = (Rule(100, 0, 80), Rule(200, 20, 80), Rule(300, 20, 80), Rule(400, 0, 80))
    frame = (Rule(0, 0, 80), *down, Rule(500, 0, 80))
    assert pipes(page_words, Grid(FIVE, LEVELS), Rules((), frame))[:2] == [
        "| | All seas | | | Sum |",
        "| | x | y | z | |",
    ]


def test_without_rules_a_label_spans_the_columns_it_is_centred_over() -> None:
    page_words = printed(
        (12, {205: "Men", 405: "Women"}), row_at(32, "", "in", "out", "in", "out"), *BODY
    )
    assert pipes(page_words, Grid(FIVE, LEVELS))[0] == "| | Men | | Women | |"


def test_labels_over_the_middle_of_three_span_them_when_no_column_is_left_out() -> None:
    x = tuple(float(100 * at) for at in range(8))
    centres = [100.0 * at + 50 for at in range(7)]
    lower = dict(zip(centres[1:], ["f", "m", "t"] * 2, strict=True))
    body = dict(zip(centres, ["1995", *"123456"], strict=True))
    page_words = printed((12, {250: "Oslo", 550: "Bergen"}), (32, lower), (52, body))
    assert pipes(page_words, Grid(x, LEVELS[:4]))[0] == "| | Oslo | | | Bergen | | |"


def test_the_first_line_of_a_wrapped_label_spans_nothing() -> None:
    page_words = printed(
        (12, {350: "adjusted"}), row_at(32, "", "no", "share", "ratio", "range"), *BODY
    )
    assert pipes(page_words, Grid(FIVE, LEVELS))[0] == "| | | | adjusted | |"


def test_a_label_beside_a_span_moves_up_to_where_the_span_ends() -> None:
    page_words = printed((12, {200: "Kind"}), row_at(32, "", "x", "y", "Total"), *BODY)
    rules = Rules(across((16, 105, 290)))
    assert pipes(page_words, Grid(FIVE, LEVELS), rules)[:2] == [
        "| | Kind | | Total | |",
        "| | x | y | | |",
    ]


def test_a_plain_header_over_numbers_stays() -> None:
    page_words = printed(row_at(12, "", "2001", "2002", "2003", "2004"), *BODY)
    rules = Rules(across((0, 0, 500), (20, 0, 500), (80, 0, 500)))
    assert pipes(page_words, Grid(FIVE, (0, 20, 60, 80)), rules)[0] == (
        "| | 2001 | 2002 | 2003 | 2004 |"
    )


def test_a_cell_beside_the_rule_of_a_span_is_not_cut() -> None:
    page_words = printed(
        row_at(12, "Ship"),
        (12, {200: "Load", 300: ""}),
        row_at(32, "class", "dry", "wet"),
        row_at(52, "a", "10", "20"),
    )
    grid = Grid(FIVE[:4], LEVELS[:4])
    assert pipes(page_words, grid, Rules(across((16, 105, 295), (40, 0, 300)))) == [
        "| Ship<br>class | Load | |",
        "| | dry | wet |",
        "| a | 10 | 20 |",
    ]


# Rows ------------------------------------------------------------------------------------------


def test_a_rule_through_a_grid_row_parts_it() -> None:
    page_words = printed(
        (12, {200: "Load"}), row_at(26, "", "dry", "wet"), row_at(52, "a", "10", "20")
    )
    grid = Grid(FIVE[:4], (0, 40, 60))
    assert pipes(page_words, grid, Rules(across((16, 105, 295)))) == [
        "| | Load | |",
        "| | dry | wet |",
        "| a | 10 | 20 |",
    ]


def test_an_underlined_label_of_two_lines_stays_whole() -> None:
    page_words = printed(
        row_at(12, "", "gross"), row_at(26, "", "tons", "crew"), row_at(52, "a", "10", "20")
    )
    grid = Grid(FIVE[:4], (0, 40, 60))
    rules = Rules(across((15, 135, 165)))
    assert pipes(page_words, grid, rules)[0] == "| | gross<br>tons | crew |"


def test_rows_merged_by_the_grid_are_parted_at_their_baselines() -> None:
    page_words = printed(
        row_at(12, "Port", "Ships", "Tons"),
        row_at(32, "Oslo", "61", "1,204"),
        row_at(46, "Riga", "75", "903"),
    )
    assert pipes(page_words, Grid(FIVE[:4], (0, 20, 60))) == [
        "| Port | Ships | Tons |",
        "| Oslo | 61 | 1,204 |",
        "| Riga | 75 | 903 |",
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("Fees and", "paid by", "paid by"), ("dues", "the owner", "the crew")),
        (("Sales of", "year", "year"), ("ships", "2001", "2002")),
        (("", "0.51", "0.62"), ("", "(0.02)", "(0.03)")),
    ],
)
def test_wrapped_text_on_common_baselines_stays_one_row(
    first: tuple[str, ...], second: tuple[str, ...]
) -> None:
    page_words = printed(row_at(12, "h", "i", "j"), row_at(32, *first), row_at(46, *second))
    assert len(pipes(page_words, Grid(FIVE[:4], (0, 20, 60)))) == 2


def test_a_label_in_the_middle_of_its_rows_moves_to_the_first() -> None:
    page_words = printed(
        row_at(12, "Set", "N", "Loss"),
        row_at(32, "base", "6", "4.9"),
        row_at(52, "", "1", "5.2"),
        (63, {50: "(A)"}),
        row_at(72, "", "4", "5.0"),
    )
    rules = Rules(across((0, 0, 300), (20, 0, 300), (40, 0, 300), (80, 0, 300)))
    grid = Grid(FIVE[:4], (0, 20, 40, 58, 80))
    assert pipes(page_words, grid, rules)[2:] == ["| (A) | 1 | 5.2 |", "| | 4 | 5.0 |"]


def test_a_label_of_the_second_of_two_rows_stays_there() -> None:
    page_words = printed(
        row_at(12, "Set", "N", "Loss"),
        row_at(32, "base", "6", "4.9"),
        row_at(52, "", "1", "5.2"),
        row_at(72, "Total", "4", "5.0"),
    )
    rules = Rules(across((0, 0, 300), (20, 0, 300), (40, 0, 300), (80, 0, 300)))
    assert pipes(page_words, Grid(FIVE[:4], LEVELS), rules)[2:] == [
        "| | 1 | 5.2 |",
        "| Total | 4 | 5.0 |",
    ]


def test_a_wrapped_cell_between_two_rules_is_one_row() -> None:
    page_words = printed(
        row_at(12, "", "Ships", "Tons"),
        row_at(32, "Number of", "61", "12"),
        row_at(44, "ports"),
        row_at(62, "Crew", "75", "90"),
    )
    rules = Rules(across((0, 0, 300), (20, 0, 300), (50, 0, 300), (70, 0, 300)))
    assert pipes(page_words, Grid(FIVE[:4], (0, 20, 36, 50, 70)), rules) == [
        "| | Ships | Tons |",
        "| Number of<br>ports | 61 | 12 |",
        "| Crew | 75 | 90 |",
    ]


def test_lines_of_wrapped_header_labels_are_one_row() -> None:
    page_words = printed(
        row_at(12, "", "gross", "net"),
        row_at(25, "Ship", "tons", "tons"),
        row_at(52, "a", "10", "20"),
        row_at(72, "b", "11", "21"),
        row_at(92, "c", "12", "22"),
    )
    rules = Rules(across((0, 0, 300), (40, 0, 300), (100, 0, 300)))
    grid = Grid(FIVE[:4], (0, 16, 40, 60, 80, 100))
    assert pipes(page_words, grid, rules)[:2] == [
        "| Ship | gross<br>tons | net<br>tons |",
        "| a | 10 | 20 |",
    ]


def test_pieces_of_a_justified_label_in_a_ruled_cell_are_one() -> None:
    page_words = printed(
        row_at(12, "Port", "Share", "of"),
        row_at(26, "", "ships"),
        row_at(52, "a", "10", "", "7"),
        (12, {350: "Crew"}),
    )
    down = tuple(Rule(x, 0, 60) for x in (0, 100, 300, 400))
    assert pipes(page_words, Grid(FIVE[:5], (0, 40, 60)), Rules((), down)) == [
        "| Port | Share of<br>ships | Crew |",
        "| a | 10 | 7 |",
    ]


texts = st.text("ab19 .", max_size=6).map(str.strip)


@given(
    rows=st.lists(st.lists(texts, min_size=5, max_size=5), min_size=1, max_size=5),
    levels=st.sets(st.integers(0, 110), max_size=4),
    cuts=st.lists(st.tuples(st.integers(0, 110), st.integers(0, 4), st.integers(1, 5)), max_size=6),
    sides=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 80)), max_size=6),
)
def test_whatever_grid_and_rules_say_no_character_is_lost_or_doubled(
    rows: list[list[str]],
    levels: set[int],
    cuts: list[tuple[int, int, int]],
    sides: list[tuple[int, int]],
) -> None:
    page_words = printed(*(row_at(12 + 20 * at, *row) for at, row in enumerate(rows)))
    if not page_words:
        return
    rules = Rules(
        tuple(Rule(y, 100 * a, 100 * a + 100 * n) for y, a, n in sorted(cuts)),
        tuple(Rule(100 * column, y, y + 40) for column, y in sorted(sides)),
    )
    made = words_to_rows(page_words, Grid(FIVE, (0, *sorted(levels - {0}), 120)), rules)
    inked = Counter(char for word in page_words for char in word.text)
    text = "".join(cell for row in made for cell in row.cells).replace("<br>", "")
    assert Counter(text.replace(" ", "")) == inked
    assert len({len(row.cells) for row in made}) == 1


# Drawings and directions -----------------------------------------------------------------------


def drawing(**how: Any) -> dict[str, Any]:
    return {"color": None, "fill": None, **how}


def test_strokes_thin_fills_and_outlines_are_rules_shades_and_white_are_none() -> None:
    black, white = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
    line = ("l", (10.0, 50.0), (90.0, 50.0))
    on = ("l", (90.4, 50.0), (99.0, 50.0))
    box = ("re", (10.0, 100.0, 60.0, 120.0), 1)
    thin = ("re", (10.0, 70.0, 60.0, 70.5), 1)
    rules = drawings_to_rules(
        [
            drawing(type="s", color=black, items=[line, on]),
            drawing(type="s", color=white, items=[("l", (10.0, 60.0), (90.0, 60.0))]),
            drawing(type="f", fill=black, items=[thin]),
            drawing(type="f", fill=(0.9, 0.9, 0.9), items=[("re", (0.0, 200.0, 90.0, 240.0), 1)]),
            drawing(type="s", color=black, items=[box]),
            drawing(type="s", color=black, items=[("l", (10.0, 300.0), (90.0, 380.0))]),
        ],
        scale=2.0,
    )
    assert rules.across == across((100, 20, 198), (140.5, 20, 120), (200, 20, 120), (240, 20, 120))
    assert rules.down == across((20, 200, 240), (120, 200, 240))


def test_a_thin_rectangle_on_a_turned_page_is_a_rule() -> None:
    corners = [(10.0, 70.0), (60.0, 70.0), (60.0, 70.5), (10.0, 70.5), (10.0, 70.0)]
    items = [("l", a, b) for a, b in pairwise(corners)]
    shifted = [("l", (x0, y0 + 30), (x1, y1 + 30)) for _, (x0, y0), (x1, y1) in items]
    made = drawings_to_rules([drawing(type="f", fill=(0.0, 0.0, 0.0), items=[*items, *shifted])])
    assert made.across == across((70.25, 10, 60), (100.25, 10, 60))


@pytest.mark.parametrize(
    ("directions", "turn"),
    [
        ([(1, 0)], 0),
        ([(0, -1), (0, -1), (1, 0)], 90),
        ([(-1, 0)], 180),
        ([(0, 1)], 270),
        ([(0, 1), (1, 0)], 0),
        ([], 0),
    ],
)
def test_most_of_the_text_decides_how_a_page_is_turned(
    directions: list[tuple[int, int]], turn: int
) -> None:
    line = {"spans": [{"chars": ["x"] * 5}]}
    assert blocks_to_turn([{"lines": [{"dir": one, **line} for one in directions]}]) == turn


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_boxes_of_a_turned_page_go_back_to_where_the_ink_is(turned: int) -> None:
    # A point of the displayed page, turned by MuPDF's own matrix for a page turned clockwise.
    document = pymupdf.open()
    page = document.new_page(width=200, height=300)
    page.set_rotation(turned)
    box = pymupdf.Rect(20, 30, 50, 90)
    read = PageRead(1, 200, 300, 0, turned=turned)
    assert read.place(tuple(box * page.rotation_matrix)) == pytest.approx(tuple(box))
    assert read.frame == tuple(page.rect)


# Whole documents -------------------------------------------------------------------------------


@pytest.mark.parametrize("clockwise", [True, False])
def test_a_table_printed_sideways_is_read_like_an_upright_one(clockwise: bool) -> None:
    data = sideways_pdf(clockwise)
    result = parse_document(data)
    table = result.line_df[result.line_df["block_class"] == "table"]
    assert list(table["text"]) == [
        "| Vehicle | Number | Depot |",
        "|---|---|---|",
        "| Truck | 12 | Lyon |",
        "| Van | 34 | Ghent |",
        "| Tram | 5 | Porto |",
    ]
    page = pymupdf.open(stream=data)[0]
    assert tuple(result.page_df.loc[0, ["width", "height"]]) == tuple(page.rect)[2:]
    row = pymupdf.Rect(table[BOX_COLUMNS].to_numpy(np.float64)[3].tolist())
    ghent, lyon = (page.search_for(city)[0] for city in ("Ghent", "Lyon"))
    assert row.contains((ghent.tl + ghent.br) / 2)
    assert not row.contains((lyon.tl + lyon.br) / 2)


def test_spanning_labels_of_a_printed_table() -> None:
    line_df = parse_document(spanning_pdf()).line_df
    table = list(line_df.loc[line_df["block_class"] == "table", "text"])
    assert table == [
        "| Reactor | Yield | | Loss | |",
        "|---|---|---|---|---|",
        "| | 10 bar | 20 bar | 10 bar | 20 bar |",
        "| Alpha | 1.5 | 1.9 | 0.4 | 0.6 |",
        "| Beta | 2.5 | 2.7 | 0.3 | 0.5 |",
        "| Gamma | 3.5 | 3.8 | 0.2 | 0.7 |",
        "| Delta | 4.5 | 4.9 | 0.1 | 0.3 |",
    ]

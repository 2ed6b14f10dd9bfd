"""Saved results of Azure Document Intelligence -> frames. Payloads are made in the test."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from core import parse_document, read_tables, serialize_table_rows
from core.errors import DocumentError, LimitExceeded, OptionError, RowlensError
from core.frames import BOX_COLUMNS
from core.parsers.base import ParsedDocument
from core.tables.cells import split_row
from tests.azure import Payload, Shape, Span
from tests.frames import labelled

SHAPES = {
    "2024-11-30": Shape(),
    "2024-11-30 markdown": Shape(markdown=True),
    "2024-11-30 as_dict": Shape(wrapped=False),
    "2023-07-31": Shape("2023-07-31"),
    "2023-07-31 SDK 3.x": Shape("2023-07-31", snake=True, polygon="points", wrapped=False),
    "2022-08-31": Shape("2022-08-31"),
    "2022-08-31 pairs": Shape("2022-08-31", polygon="pairs"),
    "2021-09-30-preview": Shape("2021-09-30-preview"),
    "2.1": Shape("2.1"),
    "2.1 snake": Shape("2.1", snake=True),
    "pixels": Shape(unit="pixel", scale=72.0),
}

FLEET = [
    "Fleet report",
    "Vehicles by depot.",
    "| Vehicle | Number | Depot |",
    "|---|---|---|",
    "| Truck | 12 | Lyon |",
    "| Van or bus | 34 | Lyon |",
    r"| A\|B C |  | :selected: |",
    "Source: yard count.",
]
FLEET_BOXES = [
    (72, 72, 216, 93.6),
    (72, 108, 216, 122.4),
    (72, 144, 504, 165.6),
    (72, 165.6, 504, 165.6),
    (72, 165.6, 504, 187.2),
    (72, 187.2, 504, 208.8),
    (72, 208.8, 504, 230.4),
    (72, 252, 360, 266.4),
]


def fleet(shape: Shape | None = None) -> Payload:
    """A title, a paragraph, a table with a cell over two rows, and a paragraph."""
    payload = Payload(shape or Shape())
    payload.line("Fleet report", (1, 1, 3, 1.3), "title")
    payload.line("Vehicles by depot.", (1, 1.5, 3, 1.7))
    payload.table(
        [
            Span("Vehicle", 0, 0, kind="columnHeader"),
            Span("Number", 0, 1, kind="columnHeader"),
            Span("Depot", 0, 2, kind="columnHeader"),
            Span("Truck", 1, 0),
            Span("12", 1, 1),
            Span("Lyon", 1, 2, rows=2),
            Span("Van or\nbus", 2, 0),
            Span("34", 2, 1),
            Span("A|B\nC", 3, 0),
            Span("", 3, 1),
            Span(":selected:", 3, 2),
        ],
        x=[1, 3, 5, 7],
        y=[2, 2.3, 2.6, 2.9, 3.2],
    )
    payload.line("Source: yard count.", (1, 3.5, 5, 3.7))
    return payload


def parse(payload: Payload | bytes | dict[str, Any], **options: Any) -> ParsedDocument:
    data = payload.json() if isinstance(payload, Payload) else payload
    data = json.dumps(data).encode() if isinstance(data, dict) else data
    return parse_document(data, "azure_layout", **options)


def texts(document: ParsedDocument) -> list[str]:
    return document.line_df["text"].tolist()


def boxes(document: ParsedDocument) -> list[tuple[float, ...]]:
    return [tuple(box) for box in document.line_df[BOX_COLUMNS].round(4).to_numpy().tolist()]


def grid(rows: list[list[str]], *, headers: int = 0) -> list[Span]:
    """Cells of a table without spans; the first rows are called headers."""
    return [
        Span(text, at, column, kind="columnHeader" if at < headers else "")
        for at, row in enumerate(rows)
        for column, text in enumerate(row)
    ]


def steps(first: float, count: int, step: float = 0.3) -> list[float]:
    return [round(first + step * at, 4) for at in range(count + 1)]


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_every_shape_gives_the_same_lines(shape: Shape) -> None:
    document = parse(fleet(shape))

    assert texts(document) == FLEET
    assert boxes(document) == FLEET_BOXES
    assert document.line_df["page_num"].tolist() == [1] * 8
    assert document.line_df["line_num"].tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    assert document.line_df["header_hint"].tolist() == [0, 0, 1, 0, 0, 0, 0, 0]
    assert document.line_df["character_count"].tolist() == [len(text) for text in FLEET]
    assert set(document.line_df["parsing_method"]) == {"azure_layout"}
    assert document.page_df.to_dict("records") == [
        {"page_num": 1, "width": 612.0, "height": 792.0, "rotation": 0}
    ]


def test_what_the_sdk_itself_writes() -> None:
    from azure.ai.documentintelligence.models import AnalyzeResult

    result = AnalyzeResult(fleet().result()["analyzeResult"])
    assert texts(parse(result.as_dict())) == FLEET


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_the_table_is_read_with_its_labels(shape: Shape) -> None:
    assert labelled(serialize_table_rows(parse(fleet(shape)).line_df)) == [
        {"Vehicle": "Truck", "Number": "12", "Depot": "Lyon"},
        {"Vehicle": "Van or bus", "Number": "34", "Depot": "Lyon"},
        {"Vehicle": "A|B C", "Number": "", "Depot": ":selected:"},
    ]


def test_confidence_is_the_mean_of_the_words() -> None:
    confidence = parse(fleet()).line_df["confidence"]
    # "Truck" 1, "12" 0.75, "Lyon" 1, which begins in this row; the separator has no words.
    assert confidence.round(4).tolist()[:5] == pytest.approx([1, 1, 1, np.nan, 0.9167], nan_ok=True)
    assert confidence.round(4).tolist()[5] == 0.9375  # Van, or, bus, 34


def test_roles_become_block_classes_and_headings_an_outline() -> None:
    payload = Payload()
    for at, (text, role) in enumerate(
        [
            ("Acme yearbook", "pageHeader"),
            ("Fleet report", "title"),
            ("Vehicles", "sectionHeading"),
            ("Plain text", ""),
            ("E = mc2", "formulaBlock"),
            ("1 Counted by hand", "footnote"),
            ("Acme confidential", "pageFooter"),
            ("7", "pageNumber"),
        ]
    ):
        payload.line(text, (1, 1 + at, 3, 1.2 + at), role)
    document = parse(payload)

    assert document.line_df["block_class"].tolist() == [
        "page-header",
        "title",
        "section-header",
        "text",
        "formula",
        "footnote",
        "page-footer",
        "page-footer",
    ]
    assert document.line_df["block_num"].tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    assert document.toc_df.to_dict("records") == [
        {"level": 1, "title": "Fleet report", "page_num": 1, "line_num": 2},
        {"level": 2, "title": "Vehicles", "page_num": 1, "line_num": 3},
    ]


def test_a_page_number_at_the_top_is_a_header() -> None:
    payload = Payload()
    payload.line("7", (4, 0.3, 4.1, 0.5), "pageNumber")
    assert parse(payload).line_df["block_class"].tolist() == ["page-header"]


def test_lines_of_one_paragraph_share_a_block() -> None:
    payload = Payload()
    payload.line("A heading that", (1, 1, 3, 1.2))
    payload.line("runs on", (1, 1.3, 3, 1.5))
    whole = {
        "role": "sectionHeading",
        "content": "A heading that\nruns on",
        "spans": [{"offset": 0, "length": 22}],
        "boundingRegions": payload.paragraphs[0]["boundingRegions"],
    }
    payload.paragraphs = [whole]
    document = parse(payload)

    assert document.line_df["block_num"].tolist() == [1, 1]
    assert document.toc_df["title"].tolist() == ["A heading that runs on"]


@pytest.mark.parametrize("with_spans", [True, False])
def test_caption_and_footnotes_of_a_table(with_spans: bool) -> None:
    payload = Payload()
    caption = payload.line("What the yards hold", (1, 1, 3, 1.2))
    table = payload.table(
        grid([["Depot", "Vans"], ["Lyon", "3"], ["Oslo", "4"]], headers=1), [1, 2, 3], steps(2, 3)
    )
    footnote = payload.line("Counted by hand.", (1, 4, 3, 4.2))
    table |= {"caption": caption, "footnotes": [footnote]}
    result = payload.result()
    if not with_spans:
        del result["analyzeResult"]["tables"][0]["caption"]["spans"]
    document = parse(result)

    assert document.line_df["block_class"].tolist() == [
        "caption",
        "table",
        "table",
        "table",
        "table",
        "footnote",
    ]
    assert [table.caption for table in read_tables(document.line_df)] == ["What the yards hold"]


def test_a_caption_that_stands_in_no_line_is_kept() -> None:
    payload = Payload()
    table = payload.table(grid([["A", "B"], ["1", "2"]], headers=1), [1, 2, 3], steps(2, 2))
    table["caption"] = {"content": "Lost caption"}
    document = parse(payload)
    assert document.line_df.query("block_class == 'caption'")["text"].tolist() == ["Lost caption"]


def test_a_line_that_runs_out_of_the_table_keeps_the_rest() -> None:
    payload = Payload()
    payload.table(grid([["Depot", "Vans"], ["Lyon", "3"]], headers=1), [1, 2, 3], steps(2, 2))
    page = payload.pages[0]
    offset = len(payload.content)
    payload._write("(estimated) today", (3.5, 2.3, 5, 2.6))
    # One printed line: "3 (estimated) today", of which only the 3 is in a cell.
    del page["lines"][-1]
    start = page["words"][3]["span"]["offset"]
    page["lines"][3]["content"] = "3 (estimated) today"
    page["lines"][3]["spans"] = [
        {"offset": start, "length": 1},
        {"offset": offset, "length": 17},
    ]
    payload._end("")
    document = parse(payload)

    assert texts(document)[:3] == ["| Depot | Vans |", "|---|---|", "| Lyon | 3 |"]
    assert texts(document)[3:] == ["(estimated) today"]
    assert boxes(document)[3] == (252, 165.6, 360, 187.2)


def test_wrong_spans_cost_no_text() -> None:
    result = fleet().result()
    cell = result["analyzeResult"]["tables"][0]["cells"][0]
    cell["spans"] = [{"offset": 0, "length": 10_000}]
    kept = texts(parse(result))
    assert [text for text in FLEET if text not in kept] == []


@pytest.mark.parametrize("shape", [Shape(), Shape("2.1")], ids=["3", "2.1"])
def test_without_spans_geometry_tells_what_stands_in_the_table(shape: Shape) -> None:
    result = fleet(shape).result()["analyzeResult"]
    _drop(result, {"spans", "span", "elements"})
    document = parse(result)
    assert [text for text in texts(document) if text != ":selected:"] == FLEET


def _drop(node: Any, keys: set[str]) -> None:
    for item in node.values() if isinstance(node, dict) else node:
        if isinstance(item, dict | list):
            _drop(item, keys)
    if isinstance(node, dict):
        for key in keys & node.keys():
            del node[key]


def test_selection_marks_stand_where_the_content_has_them() -> None:
    payload = Payload()
    payload.mark("selected", (1, 1, 1.2, 1.2))
    payload.line("Yes", (1.3, 1, 2, 1.2))
    payload.mark("unselected", (3, 1, 3.2, 1.2))
    payload.line("No", (3.3, 1, 4, 1.2))
    assert texts(parse(payload)) == [":selected:", "Yes", ":unselected:", "No"]


@pytest.mark.parametrize("shape", [Shape("2023-02-28-preview"), Shape("2.1")], ids=["3", "2.1"])
def test_marks_behind_the_text_are_placed_before_what_they_mark(shape: Shape) -> None:
    payload = Payload(shape)
    payload.line("Yes", (1.3, 1, 2, 1.2))
    payload.line("No", (3.3, 1, 4, 1.2))
    payload.mark("selected", (1, 1, 1.2, 1.2))
    payload.mark("unselected", (3, 1, 3.2, 1.2))
    assert texts(parse(payload)) == [":selected:", "Yes", ":unselected:", "No"]


def test_a_mark_that_was_read_as_a_character_is_not_doubled() -> None:
    payload = Payload()
    payload.line("☒ Yes", (1, 1, 2, 1.2))
    payload.mark("selected", (1.05, 1.05, 1.15, 1.15))
    assert texts(parse(payload)) == ["☒ Yes"]


# Tables: spans, kinds, pages


def test_spans_are_written_out_in_every_slot() -> None:
    payload = Payload()
    payload.table(
        [
            Span("Region", 0, 0, rows=2, kind="columnHeader"),
            Span("Sales", 0, 1, columns=2, kind="columnHeader"),
            Span("2020", 1, 1, kind="columnHeader"),
            Span("2021", 1, 2, kind="columnHeader"),
            Span("North", 2, 0, rows=2),
            Span("1", 2, 1),
            Span("2", 2, 2),
            Span("n/a", 3, 1, columns=2),
        ],
        [1, 2, 3, 4],
        steps(2, 4),
    )
    document = parse(payload)

    assert texts(document) == [
        "| Region | Sales | Sales |",
        "| Region | 2020 | 2021 |",
        "|---|---|---|",
        "| North | 1 | 2 |",
        "| North | n/a | n/a |",
    ]
    # A label over two rows makes a row longer, not higher.
    assert boxes(document)[3:] == [(72, 187.2, 288, 208.8), (72, 208.8, 288, 230.4)]
    assert labelled(serialize_table_rows(document.line_df)) == [
        {"Region": "North", "Sales 2020": "1", "Sales 2021": "2"},
        {"Region": "North", "Sales 2020": "n/a", "Sales 2021": "n/a"},
    ]


def test_a_label_over_the_whole_row_becomes_the_group_of_the_rows_below() -> None:
    payload = Payload()
    cells = grid([["Item", "Price", "Stock"]], headers=1)
    cells += [Span("Fruit", 1, 0, columns=3), *(Span(t, 2, at) for at, t in enumerate("A12"))]
    cells += [Span("Tools", 3, 0, columns=3), *(Span(t, 4, at) for at, t in enumerate("B34"))]
    payload.table(cells, [1, 2, 3, 4], steps(2, 5))
    row_df = serialize_table_rows(parse(payload).line_df)
    assert row_df["row_group"].tolist() == ["Fruit", "Tools"]
    assert row_df["row_cells"].tolist() == [["A", "1", "2"], ["B", "3", "4"]]


def test_header_kinds_are_no_law() -> None:
    payload = Payload()
    rows = [["Depot", "Vans"], ["Lyon", "3"], ["Oslo", "4"], ["Rome", "5"]]
    payload.table(grid(rows, headers=4), [1, 2, 3], steps(2, 4))
    document = parse(payload)

    assert document.line_df["header_hint"].tolist() == [1, 0, 1, 1, 1]
    assert texts(document)[1] == "|---|---|"
    assert labelled(serialize_table_rows(document.line_df)) == [
        {"Depot": "Lyon", "Vans": "3"},
        {"Depot": "Oslo", "Vans": "4"},
        {"Depot": "Rome", "Vans": "5"},
    ]


def test_a_table_without_header_kinds_has_its_separator_below_the_first_row() -> None:
    payload = Payload()
    payload.table(grid([["Depot", "Vans"], ["Lyon", "3"]]), [1, 2, 3], steps(2, 2))
    document = parse(payload)
    assert texts(document) == ["| Depot | Vans |", "|---|---|", "| Lyon | 3 |"]
    assert document.line_df["header_hint"].tolist() == [0, 0, 0]
    assert document.notes == (
        "Table 1 of the result: no cell is called a header: the first row is taken as one.",
    )


@pytest.mark.parametrize("furniture", [True, False])
def test_a_table_goes_on_over_the_page_under_its_labels(furniture: bool) -> None:
    payload = Payload()
    payload.table(grid([["Name", "Yard"], ["Ada", "Lyon"]], headers=1), [1, 2, 3], steps(9, 2))
    if furniture:
        payload.line("1", (4, 10.5, 4.1, 10.7), "pageNumber")
    payload.page()
    if furniture:
        payload.line("Yearbook", (1, 0.3, 3, 0.5), "pageHeader")
    payload.table(grid([["Bob", "Oslo"], ["Cy", "Rome"]]), [1, 2, 3], steps(1, 2))
    document = parse(payload)

    assert texts(document).count("|---|---|") == 1
    assert document.notes == ()
    assert labelled(serialize_table_rows(document.line_df)) == [
        {"Name": "Ada", "Yard": "Lyon"},
        {"Name": "Bob", "Yard": "Oslo"},
        {"Name": "Cy", "Yard": "Rome"},
    ]


def test_text_between_ends_the_table() -> None:
    payload = Payload()
    payload.table(grid([["Name", "Yard"], ["Ada", "Lyon"]], headers=1), [1, 2, 3], steps(9, 2))
    payload.page()
    payload.line("The drivers are paid by the hour.", (1, 0.5, 5, 0.7))
    payload.table(grid([["Driver", "Pay"], ["Cy", "20"]]), [1, 2, 3], steps(1, 2))
    tables = read_tables(parse(payload).line_df)
    assert [list(table.headers) for table in tables] == [["Name", "Yard"], ["Driver", "Pay"]]


def test_tables_that_touch_stay_two() -> None:
    payload = Payload()
    payload.table(grid([["A", "B"], ["1", "2"]], headers=1), [1, 2, 3], steps(2, 2))
    payload.table(grid([["A", "B"], ["3", "4"]], headers=1), [1, 2, 3], steps(3, 2))
    document = parse(payload)
    assert texts(document)[3] == ""
    assert [table.n_body_rows for table in read_tables(document.line_df)] == [1, 1]


def test_rows_of_a_table_on_two_pages_stand_on_their_own_page() -> None:
    payload = Payload()
    payload.table(
        grid([["Name", "Yard"], ["Ada", "Lyon"], ["Bob", "Oslo"]], headers=1),
        [1, 2, 3],
        steps(9, 3),
    )
    payload.line("Confidential", (1, 10.5, 3, 10.7), "pageFooter")
    payload.page()
    payload.line("Yearbook", (1, 0.3, 3, 0.5), "pageHeader")
    result = payload.result()
    table = result["analyzeResult"]["tables"][0]
    for at, cell in enumerate(table["cells"][4:]):
        region = {"pageNumber": 2, "polygon": [1 + at, 1, 2 + at, 1, 2 + at, 1.3, 1 + at, 1.3]}
        cell["boundingRegions"] = [*([cell["boundingRegions"][0]] if at else []), region]
    # The last row lies on page 2 alone in its first cell, on both pages in its second.
    table["cells"][5]["boundingRegions"] = [region]
    document = parse(result)

    assert document.line_df[["page_num", "text"]].to_numpy().tolist() == [
        [1, "| Name | Yard |"],
        [1, "|---|---|"],
        [1, "| Ada | Lyon |"],
        [1, "Confidential"],
        [2, "| Bob | Oslo |"],
        [2, "Yearbook"],
    ]
    assert boxes(document)[4] == (72, 72, 216, 93.6)
    (read,) = read_tables(document.line_df)
    assert read.n_body_rows == 2


def test_tilted_polygons_give_the_upright_box_around_them() -> None:
    result = fleet().result()
    line = result["analyzeResult"]["pages"][0]["lines"][0]
    line["polygon"] = [1.01, 1, 3.01, 1.05, 3, 1.35, 1, 1.3]
    assert boxes(parse(result))[0] == (72, 72, 216.72, 97.2)


def test_rows_of_a_table_that_runs_up_the_page_are_upright_strips() -> None:
    payload = Payload()
    payload.pages.clear()
    payload.page(angle=-90.0)
    payload.table(
        [
            Span("Lyon", 0, 0, rows=2, kind="columnHeader"),
            Span("Vans", 0, 1, kind="columnHeader"),
            Span("3", 1, 1),
        ],
        [1, 2, 3],
        steps(2, 2),
    )
    result = payload.result()
    # Turned: rows run along x, columns up along y.
    places = [(1, 4, 2, 6), (1, 2, 1.5, 4), (1.5, 2, 2, 4)]
    for cell, (x0, y0, x1, y1) in zip(
        result["analyzeResult"]["tables"][0]["cells"], places, strict=True
    ):
        cell["boundingRegions"][0]["polygon"] = [x0, y1, x0, y0, x1, y0, x1, y1]
    document = parse(result)
    assert boxes(document)[::2] == [(72, 144, 108, 432), (108, 144, 144, 432)]


# Sizes, pages, files beside it


def test_pixels_alone_count_as_points_and_a_note_says_so() -> None:
    document = parse(fleet(Shape(unit="pixel", scale=300)))
    assert document.page_df[["width", "height"]].to_numpy().tolist() == [[2550, 3300]]
    assert boxes(document)[0] == (300, 300, 900, 390)
    assert len(document.notes) == 1
    assert "in pixels" in document.notes[0]


def test_with_its_image_pixels_become_points() -> None:
    picture = io.BytesIO()
    Image.new("L", (2550, 3300), 255).save(picture, "PNG", dpi=(300, 300))
    document = parse(fleet(Shape(unit="pixel", scale=300)), beside=picture.getvalue())

    size = document.page_df[["width", "height"]].to_numpy()[0]
    assert size.tolist() == pytest.approx([612, 792], abs=0.1)
    assert boxes(document)[0] == pytest.approx((72, 72, 216, 93.6), abs=0.05)
    assert document.notes == ()


def test_boxes_are_cut_to_the_page_and_those_off_it_dropped() -> None:
    result = fleet().result()
    lines = result["analyzeResult"]["pages"][0]["lines"]
    lines[0]["polygon"] = [-1, -1, 3, -1, 3, 1.3, -1, 1.3]
    lines[1]["polygon"] = [90, 1, 91, 1, 91, 2, 90, 2]
    found = boxes(parse(result))
    assert found[0] == (0, 0, 216, 93.6)
    assert np.isnan(found[1]).all()


def test_pages_may_be_chosen() -> None:
    payload = fleet()
    payload.page()
    payload.line("Second page", (1, 1, 2, 2), "title")
    done: list[tuple[int, int]] = []
    document = parse(payload, pages=[2], progress=lambda *step: done.append(step))

    assert texts(document) == ["Second page"]
    assert document.page_df["page_num"].tolist() == [2]
    assert document.toc_df["title"].tolist() == ["Second page"]
    assert done == [(1, 1)]
    with pytest.raises(OptionError, match="pages holds 3, but document has pages 1, 2"):
        parse(payload, pages=[3])


def test_a_turned_page_is_taken_as_displayed() -> None:
    with pymupdf.open() as pdf:
        page = pdf.new_page(width=612, height=792)
        page.insert_text((100, 700), "Fleet report", rotate=90)
        page.set_rotation(90)
        (x0, y0, x1, y1), *_ = [
            pymupdf.Rect(block[:4]) * page.rotation_matrix for block in page.get_text("blocks")
        ]
        beside = pdf.tobytes()
    payload = Payload(width=11, height=8.5)
    payload.line("Fleet report", (x0 / 72, y0 / 72, x1 / 72, y1 / 72))
    document = parse(payload, beside=beside)

    assert document.notes == ()
    assert document.page_df.to_dict("records") == [
        {"page_num": 1, "width": 792.0, "height": 612.0, "rotation": 90}
    ]
    with pymupdf.open(stream=beside) as pdf:
        shown = pdf[0].get_pixmap(colorspace="gray")
    dark = np.argwhere(np.frombuffer(shown.samples, np.uint8).reshape(shown.h, shown.stride) < 128)
    (top, left), (bottom, right) = dark.min(axis=0), dark.max(axis=0)
    box = boxes(document)[0]
    assert box[0] <= left < right <= box[2]
    assert box[1] <= top < bottom <= box[3]


def test_a_result_of_some_pages_keeps_their_numbers() -> None:
    result = fleet().result()
    text = json.dumps(result).replace('"pageNumber": 1', '"pageNumber": 5')
    document = parse(text.encode())
    assert document.page_df["page_num"].tolist() == [5]
    assert set(document.line_df["page_num"]) == {5}


def test_more_pages_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROWLENS_MAX_PAGES", "1")
    payload = fleet()
    payload.page()
    with pytest.raises(LimitExceeded, match="2 pages"):
        parse(payload)


def test_an_office_file_has_paragraphs_and_no_geometry() -> None:
    result = fleet().result()["analyzeResult"]
    _drop(result, {"polygon", "boundingRegions", "lines", "width", "height", "unit", "angle"})
    document = parse(result)

    assert texts(document) == FLEET
    assert document.line_df[BOX_COLUMNS].isna().all(axis=None)
    assert document.page_df[["width", "height"]].isna().all(axis=None)
    assert document.line_df["confidence"].notna().sum() == 7


def test_content_alone_is_read_line_by_line() -> None:
    document = parse({"apiVersion": "2024-11-30", "content": "One\n\nTwo", "pages": []})
    assert texts(document) == ["One", "Two"]


# What is odd or hostile


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"analyzeResult": {', "no valid JSON"),
        (b'{"apiVersion": "2024-11-30"}', "neither pages nor tables"),
        (b'{"analyzeResult": [1, 2]}', "neither pages nor tables"),
        (b'["apiVersion", {"apiVersion": 1}]', "holds no AnalyzeResult"),
        (b'{"modelId": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        (b'{"apiVersion": "x", "status": "running"}', "still going on"),
        (b'{"apiVersion": "x", "status": "notStarted"}', "still going on"),
        (
            b'{"apiVersion": "x", "status": "failed", "error": {"message": "Bad\\nfile."}}',
            r"status 'failed' \(Bad file\.\)",
        ),
        (
            b'{"status": "failed", "analyzeResult": {"errors": [{"message": "Too large"}]}}',
            "Too large",
        ),
        (b'{"apiVersion": "\xff\xfe"}', "no valid JSON"),
        (b'{"apiVersion": ' + b"9" * 5000 + b"}", "no valid JSON"),
    ],
    ids=[
        "cut off",
        "nothing in it",
        "a list in it",
        "a list",
        "deep",
        "running",
        "not started",
        "failed",
        "failed in v2",
        "no UTF-8",
        "a huge number",
    ],
)
def test_what_is_no_result_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        parse(data)


JUNK: list[Any] = [
    None,
    True,
    -1,
    0,
    1.5,
    10**9,
    10**30,
    1e308,
    -1e308,
    float("nan"),
    float("inf"),
    "",
    "x",
    "\ud800",
    "a\x00b|",
    [],
    {},
    [[]],
    [{}],
    [None],
    ["x", 3],
    {"offset": -5, "length": 10**30},
    [1, 2, 3],
    [1e308] * 8,
    [float("nan")] * 8,
]


def _paths(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in items:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from _paths(value, (*path, key))


BASES = [fleet(shape).result() for shape in (Shape(), Shape("2.1"), Shape(snake=True))]
PLACES = [(at, path) for at, base in enumerate(BASES) for path in _paths(base)]


@given(
    st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from(JUNK)), min_size=1, max_size=4),
    st.integers(0, len(BASES) - 1),
)
def test_wrong_values_anywhere_are_survived(changes: list[tuple[int, Any]], base: int) -> None:
    result = copy.deepcopy(BASES[base])
    paths = [path for at, path in PLACES if at == base]
    for number, value in changes:
        _set(result, paths[number % len(paths)], value)
    try:
        document = parse(json.dumps(result).encode())
    except RowlensError:
        return
    read_tables(document.line_df)


def test_each_value_wrong_on_its_own_is_survived() -> None:
    kinds: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for base, path in PLACES[: len(PLACES) * 2 // 3]:
        kinds.setdefault((base, *(key for key in path if isinstance(key, str))), path)
    frames = refused = 0
    for at, ((base, *_), path) in enumerate(kinds.items()):
        for step in range(2):
            result = copy.deepcopy(BASES[base])
            _set(result, path, JUNK[(at + 11 * step) % len(JUNK)])
            try:
                parse(json.dumps(result).encode())
                frames += 1
            except DocumentError:
                refused += 1
    # Only the few values on which the whole result hangs may refuse it.
    assert refused < 0.05 * frames


def _set(node: Any, path: tuple[Any, ...], value: Any) -> None:
    for key in path[:-1]:
        try:
            node = node[key]
        except (KeyError, IndexError, TypeError):
            return
    if isinstance(node, dict) or (isinstance(node, list) and path[-1] in range(len(node))):
        node[path[-1]] = copy.deepcopy(value)


def test_cells_outside_the_declared_grid_are_kept() -> None:
    result = fleet().result()
    table = result["analyzeResult"]["tables"][0]
    table |= {"rowCount": 2, "columnCount": 1}
    table["cells"][-1]["columnIndex"] = 999_999_999
    assert texts(parse(result))[2:7] == [
        "| Vehicle | Number | Depot |  |",
        "|---|---|---|---|",
        "| Truck | 12 | Lyon |  |",
        "| Van or bus | 34 | Lyon |  |",
        r"| A\|B C |  |  | :selected: |",
    ]


@pytest.mark.parametrize("index", [-1, None, "0", 0.5])
def test_cells_without_a_place_stand_as_text(index: Any) -> None:
    result = fleet().result()
    result["analyzeResult"]["tables"][0]["cells"][6]["rowIndex"] = index
    document = parse(result)
    assert texts(document).count("Van or bus") == 1
    assert document.notes == (
        "Table 1 of the result: 1 cells have no place in its grid and stand as lines of text.",
    )


def test_two_cells_in_one_place_are_both_kept() -> None:
    result = fleet().result()
    result["analyzeResult"]["tables"][0]["cells"][4]["columnIndex"] = 0
    assert "| Truck 12 |  | Lyon |" in texts(parse(result))


def test_a_billion_columns_do_not_balloon() -> None:
    result = fleet().result()
    table = result["analyzeResult"]["tables"][0]
    table |= {"rowCount": 10**9, "columnCount": 10**9}
    for cell in table["cells"]:
        cell |= {"rowSpan": 10**9, "columnSpan": 10**9}
    document = parse(result)
    assert document.line_df["character_count"].max() < 200


def test_a_diagonal_of_cells_is_no_grid() -> None:
    payload = Payload()
    cells = [{"rowIndex": at, "columnIndex": at, "content": f"c{at}"} for at in range(20_000)]
    payload.tables.append({"rowCount": 20_000, "columnCount": 20_000, "cells": cells})
    document = parse(payload)
    assert len(document.line_df) == 20_000
    assert "make no grid" in document.notes[0]


def test_thousands_of_endless_spans_take_no_time() -> None:
    cells = [
        {"rowIndex": at, "columnIndex": 0, "rowSpan": 10**9, "columnSpan": 10**9, "content": "c"}
        for at in range(20_000)
    ]
    document = parse({"apiVersion": "x", "tables": [{"cells": cells}]})
    assert texts(document) == ["| c |", "|---|", *["| c |"] * 19_999]


def test_spans_that_repeat_too_much_are_left_blank() -> None:
    payload = Payload()
    cells = grid([[f"r{at}", *"abcdefghi"] for at in range(100)])
    cells[0] = Span("long " * 2000 + "end", 0, 0, rows=100)
    cells = [cell for cell in cells if cell.column or not cell.row]
    payload.table(cells, steps(0.5, 10, 0.5), steps(1, 100, 0.05))
    document = parse(payload)
    assert sum("long" in text for text in texts(document)) == 1
    assert "repeat far too much" in document.notes[0]


WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Zl", "Zp", "Zs"]), max_size=6
).map(lambda text: text.strip("*_~&<"))


@given(st.lists(st.lists(WORDS, min_size=3, max_size=3), min_size=2, max_size=5))
def test_cells_are_read_back_as_they_were(rows: list[list[str]]) -> None:
    payload = Payload()
    labels = [["Depot", "Vans", "Trucks"], ["Lyon", "1", "2"]]
    payload.table(grid([*labels, *rows], headers=1), [1, 2, 3, 4], steps(1, len(rows) + 2, 0.2))
    document = parse(payload)
    lines = [text for text in texts(document) if text.startswith("|")]
    assert len(lines) == len(rows) + 3
    assert [split_row(line) for line in lines[3:]] == rows


@given(st.permutations(range(11)), st.integers(0, 10))
def test_order_of_cells_in_the_file_does_not_matter(order: list[int], missing: int) -> None:
    result = fleet().result()
    table = result["analyzeResult"]["tables"][0]
    table["cells"] = [table["cells"][at] for at in order]
    assert texts(parse(result)) == FLEET
    # A cell taken out leaves its words as lines: nothing is lost.
    gone = table["cells"].pop(missing)
    kept = " ".join(texts(parse(result))).split()
    assert [word for word in gone["content"].split() if word not in kept and "|" not in word] == []


# The files at hand


def _words(page: Any) -> Iterator[str]:
    yield from (word["content"] for word in page.get("words", []))
    yield from (word["text"] for line in page["lines"] for word in line.get("words", []))


SHARED = [
    ("sample-layout-output.json", "sample-layout.pdf"),
    ("haystack_azure_sample_pdf_1.json", "haystack_sample_pdf_1.pdf"),
    ("IRS_1040_1_01.pdf.ocr.json", "IRS_1040_1_01.pdf"),
    ("testdata.jpg.2021-09-30-preview.ocr.json", None),
]


@pytest.mark.parametrize(("name", "beside"), SHARED)
@pytest.mark.parametrize("with_file", [False, True])
def test_tables_at_hand_have_their_rows(
    name: str, beside: str | None, with_file: bool, shared: Path
) -> None:
    folder = shared / "documents" / "azure"
    if with_file and beside is None:
        pytest.skip("its image is not among the files")
    document = parse_document(
        folder / name, "azure_layout", beside=folder / beside if with_file and beside else None
    )
    saved = json.loads((folder / name).read_bytes())
    saved = saved.get("analyzeResult", saved)
    declared = [table["rows"] for page in saved.get("pageResults", []) for table in page["tables"]]
    declared += [table.get("rowCount", table.get("row_count")) for table in saved.get("tables", [])]

    pages = saved.get("pages", saved.get("readResults"))
    words = [word for page in pages for word in _words(page)]
    shown = " ".join(document.line_df["text"]).split()
    assert [word for word in words if word not in shown and not set(word) & set("|`\\")] == []

    tables = read_tables(document.line_df)
    assert [table.header.depth + table.n_body_rows for table in tables] == declared
    assert (
        not document.line_df.loc[document.line_df["text"].str.startswith("|"), BOX_COLUMNS]
        .isna()
        .any(axis=None)
    )


@pytest.mark.parametrize(("name", "beside"), SHARED[:2])
def test_row_boxes_at_hand_hold_the_ink(name: str, beside: str, shared: Path) -> None:
    folder = shared / "documents" / "azure"
    document = parse_document(folder / name, "azure_layout", beside=folder / beside)
    rows = document.line_df[document.line_df["text"].str.match(r"\| .*[^|\s-]")]
    assert len(rows) == 5
    with pymupdf.open(folder / beside) as pdf:
        for page_num, text, x0, y0, x1, y1 in rows[["page_num", "text", *BOX_COLUMNS]].to_numpy():
            inside = [
                word
                for left, top, right, bottom, word, *_ in pdf[page_num - 1].get_text("words")
                if x0 <= (left + right) / 2 <= x1 and y0 <= (top + bottom) / 2 <= y1
            ]
            assert sorted(inside) == sorted(word for word in text.split() if word != "|")

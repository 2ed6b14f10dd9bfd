"""DoclingDocuments as line_df: docling's own table lines, a box per row, captions, headings."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pymupdf
import pytest
from docling_core.types.doc import (
    BoundingBox,
    ContentLayer,
    DocItemLabel,
    DoclingDocument,
    GroupLabel,
    RichTableCell,
    Size,
    TableCell,
)
from docling_core.types.doc.labels import CodeLanguageLabel
from hypothesis import given
from hypothesis import strategies as st

from core import read_tables
from core.errors import DocumentError, LimitExceeded, OptionError
from core.parsers import ParsedDocument, Source, parse_document
from core.parsers.docling.boxes import NO_BOX, Geometry
from tests.docling_documents import (
    add_running_head,
    at,
    cell,
    paged,
    plain_table,
    saved,
    table,
)

BOX = ["x0", "y0", "x1", "y1"]
NOWHERE = [None] * 4


def parse(document: DoclingDocument, **options: Any) -> ParsedDocument:
    return parse_document(saved(document), "docling", **options)


def texts(parsed: ParsedDocument, page: int = 1) -> list[str]:
    lines: list[str] = parsed.line_df.loc[parsed.line_df["page_num"] == page, "text"].tolist()
    return lines


def boxes(frame: pd.DataFrame) -> list[list[float | None]]:
    """Rounded boxes; None where there is none."""
    return [
        [None if np.isnan(edge) else round(edge, 3) for edge in box]
        for box in frame[BOX].to_numpy().tolist()
    ]


def classes(parsed: ParsedDocument) -> list[str]:
    kinds: list[str] = parsed.line_df["block_class"].tolist()
    return kinds


def span_table() -> Any:
    """Two header rows, a spanning label, and a label over two body rows."""
    return table(
        [
            cell("Depot", 0, 0, (10, 100, 40, 118), rows=2, header=True),
            cell("Fuel", 0, 1, (60, 100, 120, 108), columns=2, header=True),
            cell("Day", 1, 1, (60, 110, 80, 118), header=True),
            cell("Night", 1, 2, (100, 110, 120, 118), header=True),
            cell("Lyon", 2, 0, (10, 125, 40, 143), rows=2),
            cell("12", 2, 1, (60, 120, 80, 128)),
            cell("7", 2, 2, (100, 121, 120, 129)),
            cell("30", 3, 1, (60, 140, 80, 148)),
            cell("a|b", 3, 2, (100, 140, 120, 149)),
        ]
    )


def test_a_table_is_written_as_docling_writes_it() -> None:
    document = paged()
    document.add_table(span_table(), prov=at(1, (8, 98, 125, 150)))
    assert texts(parse(document)) == [
        "| Depot   |   Fuel - Day | Fuel - Night   |",
        "|---------|--------------|----------------|",
        "| Lyon    |           12 | 7              |",
        "| Lyon    |           30 | a&#124;b       |",
    ]


def test_each_row_has_the_box_of_its_own_cells() -> None:
    document = paged()
    document.add_table(span_table(), prov=at(1, (8, 98, 125, 150)))
    assert boxes(parse(document).line_df) == [
        [10, 100, 120, 118],
        [10, 118, 120, 118],
        [10, 120, 120, 129],
        [10, 140, 120, 149],
    ]


def test_rows_without_boxes_get_none() -> None:
    document = paged()
    document.add_table(plain_table([["A", "B"], ["1", "2"]]), prov=at(1, (10, 10, 90, 90)))
    assert boxes(parse(document).line_df) == [NOWHERE] * 3


def test_boxes_count_from_the_top_whatever_they_counted_from() -> None:
    document = paged()
    document.add_text(label=DocItemLabel.TEXT, text="below", prov=at(1, (10, 20, 90, 30)))
    document.add_text(
        label=DocItemLabel.TEXT, text="above", prov=at(1, (10, 20, 90, 30), from_top=True)
    )
    assert boxes(parse(document).line_df) == [[10, 20, 90, 30]] * 2


def test_a_box_beyond_the_page_is_cut_and_one_off_the_page_is_none() -> None:
    document = paged()
    document.add_text(label=DocItemLabel.TEXT, text="out", prov=at(1, (150, 290, 250, 310)))
    document.add_text(label=DocItemLabel.TEXT, text="off", prov=at(1, (250, 10, 300, 20)))
    assert boxes(parse(document).line_df) == [[150, 290, 200, 300], NOWHERE]


def test_captions_stand_before_their_table_and_footnotes_after_it() -> None:
    document = paged()
    caption = document.add_text(
        label=DocItemLabel.CAPTION, text="Loads by depot", prov=at(1, (10, 200, 90, 210))
    )
    note = document.add_text(label=DocItemLabel.FOOTNOTE, text="In tons.")
    item = document.add_table(plain_table([["A", "B"], ["1", "2"]]), caption=caption)
    item.footnotes.append(note.get_ref())
    document.add_text(label=DocItemLabel.TEXT, text="After.")
    parsed = parse(document)
    assert classes(parsed) == ["caption", "table", "table", "table", "footnote", "text"]
    assert texts(parsed)[0] == "Loads by depot"
    assert boxes(parsed.line_df)[0] == [10, 200, 90, 210]
    (read,) = read_tables(parsed.line_df)
    assert read.caption == "Loads by depot"


def test_the_caption_of_a_picture_is_not_that_of_the_table_below() -> None:
    document = paged()
    caption = document.add_text(label=DocItemLabel.CAPTION, text="A harbour at dawn")
    document.add_picture(caption=caption)
    document.add_table(plain_table([["A", "B"], ["1", "2"]]))
    parsed = parse(document)
    assert texts(parsed)[0] == "A harbour at dawn"
    assert [read.caption for read in read_tables(parsed.line_df)] == [""]


def test_headings_make_the_outline() -> None:
    document = paged(2)
    document.add_title("Fleet", prov=at(1, (10, 10, 90, 20)))
    document.add_heading("Trucks_and <vans>", level=1, prov=at(1, (10, 30, 90, 40)))
    document.add_text(label=DocItemLabel.TEXT, text="Text.", prov=at(1, (10, 50, 90, 60)))
    document.add_heading("Small vans", level=2, prov=at(2, (10, 10, 90, 20)))
    parsed = parse(document)
    assert parsed.toc_df.to_numpy().tolist() == [
        [1, "Fleet", 1, 1],
        [2, "Trucks_and <vans>", 1, 2],
        [3, "Small vans", 2, 1],
    ]
    assert classes(parsed) == ["title", "section-header", "text", "section-header"]
    assert texts(parsed) == ["Fleet", "Trucks_and <vans>", "Text."]


def test_lists_code_and_formulas_read_as_in_docling_s_markdown() -> None:
    document = paged()
    numbered = document.add_group(label=GroupLabel.LIST)
    document.add_list_item("first_item", enumerated=True, marker="1.", parent=numbered)
    document.add_list_item("point", parent=document.add_group(label=GroupLabel.LIST))
    document.add_code("a = 1\n\n  b | c", code_language=CodeLanguageLabel.PYTHON)
    document.add_formula("x^2")
    document.add_formula("", orig="y = 3")
    document.add_text(label=DocItemLabel.TEXT, text="one\ntwo")
    parsed = parse(document)
    assert texts(parsed) == [
        "1. first_item",
        "- point",
        "```",
        "a = 1",
        "",
        "  b | c",
        "```",
        "$$x^2$$",
        "y = 3",
        "one",
        "two",
    ]
    assert parsed.line_df["block_num"].tolist() == [1, 2, 3, 3, 3, 3, 3, 4, 5, 6, 6]


def test_numbered_lists_without_marks_count_themselves() -> None:
    document = paged()
    group = document.add_list_group()
    for text in ("load", "drive", "unload"):
        document.add_list_item(text, enumerated=True, marker="", parent=group)
    assert texts(parse(document)) == ["1. load", "2. drive", "3. unload"]
    assert document.export_to_markdown() == "1. load\n2. drive\n3. unload"


def test_code_that_looks_like_a_table_is_none() -> None:
    document = paged()
    document.add_code("| a | b |\n|---|---|\n| 1 | 2 |")
    assert read_tables(parse(document).line_df) == []


def test_parts_of_a_line_are_joined() -> None:
    document = paged()
    line = document.add_inline_group()
    document.add_text(label=DocItemLabel.TEXT, text="bold", parent=line)
    document.add_text(label=DocItemLabel.TEXT, text="claims", parent=line)
    assert texts(parse(document)) == ["bold claims"]


def test_tables_side_by_side_stay_two() -> None:
    document = paged()
    document.add_table(plain_table([["A", "B"], ["1", "2"]]))
    document.add_table(plain_table([["A", "B"], ["3", "4"]]))
    parsed = parse(document)
    assert texts(parsed)[3] == ""
    assert [read.rows for read in read_tables(parsed.line_df)] == [[["1", "2"]], [["3", "4"]]]


def test_text_like_a_row_does_not_join_the_table_below() -> None:
    document = paged()
    document.add_text(label=DocItemLabel.TEXT, text="| see | below |")
    document.add_table(plain_table([["A", "B"], ["1", "2"]]))
    reads = read_tables(parse(document).line_df)
    assert (reads[-1].headers, reads[-1].rows) == (["A", "B"], [["1", "2"]])


def test_running_heads_are_marked() -> None:
    document = paged(2)
    for page in (1, 2):
        add_running_head(document, DocItemLabel.PAGE_HEADER, "Fleet report", page)
        document.add_table(
            plain_table([["A", "B"], [str(page), "2"]]), prov=at(page, (10, 50, 90, 90))
        )
        add_running_head(document, DocItemLabel.PAGE_FOOTER, f"Page {page}", page)
    parsed = parse(document)
    assert classes(parsed) == ["page-header", *["table"] * 3, "page-footer"] * 2
    (read,) = read_tables(parsed.line_df)
    assert read.rows == [["1", "2"], ["2", "2"]]


def test_other_layers_are_left_out_and_noted() -> None:
    document = paged()
    document.add_text(label=DocItemLabel.TEXT, text="Slide text")
    document.add_text(label=DocItemLabel.TEXT, text="Say hello", content_layer=ContentLayer.NOTES)
    parsed = parse(document)
    assert texts(parsed) == ["Slide text"]
    assert parsed.notes == (
        "1 item is left out, as in docling's Markdown: speaker notes and comments.",
    )


def long_table(second_top: float) -> Any:
    """Header and a row at the foot of a page, two rows further on."""
    tops = [250, 270, second_top, second_top + 20]
    return table(
        [
            cell(f"{row}{column}", row, column, (50 * column, top, 50 * column + 40, top + 10))
            for row, top in enumerate(tops)
            for column in range(2)
        ]
    )


def test_a_table_over_two_pages_is_cut_where_its_rows_begin_at_the_top_again() -> None:
    document = paged(2)
    item = document.add_table(long_table(20), prov=at(1, (0, 240, 100, 290)))
    item.prov.append(at(2, (0, 15, 100, 60)))
    parsed = parse(document)
    assert [text[:6] for text in texts(parsed)] == ["|   00", "|-----", "|   10"]
    assert [text[:6] for text in texts(parsed, page=2)] == ["|   20", "|   30"]
    assert boxes(parsed.line_df)[3:] == [[0, 20, 90, 30], [0, 40, 90, 50]]
    assert parsed.page_df["page_num"].tolist() == [1, 2]


def test_rows_whose_page_is_unknown_stay_on_the_first_without_a_box() -> None:
    document = paged(2)
    item = document.add_table(long_table(20), prov=at(1, (0, 240, 100, 290)))
    item.prov.append(at(2, (0, 100, 100, 150)))  # not where the cells say
    parsed = parse(document)
    assert parsed.line_df["page_num"].tolist() == [1] * 5
    assert boxes(parsed.line_df)[2:] == [[0, 270, 90, 280], NOWHERE, NOWHERE]


def test_text_over_two_pages_goes_to_the_first() -> None:
    document = paged(2)
    item = document.add_text(label=DocItemLabel.TEXT, text="long", prov=at(1, (10, 280, 90, 290)))
    item.prov.append(at(2, (10, 10, 90, 20)))
    parsed = parse(document)
    assert (texts(parsed), boxes(parsed.line_df)) == (["long"], [[10, 280, 90, 290]])


def test_a_document_without_pages_is_one_page_without_geometry() -> None:
    document = DoclingDocument(name="notes")
    document.add_text(label=DocItemLabel.TEXT, text="Hello")
    parsed = parse(document)
    assert parsed.page_df["page_num"].tolist() == [1]
    assert parsed.page_df[["width", "height"]].isna().all(axis=None)
    assert boxes(parsed.line_df) == [NOWHERE]
    assert parsed.line_df[["character_count", "parsing_method"]].to_numpy().tolist() == [
        [5, "docling"]
    ]


def test_slides_are_measured_in_points_from_the_top() -> None:
    kind = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    document = paged(0, kind)
    document.add_page(page_no=1, size=Size(width=12_192_000, height=6_858_000))
    place = at(1, (127_000, 254_000, 1_270_000, 381_000), from_top=True)
    document.add_text(label=DocItemLabel.TEXT, text="Slide", prov=place)
    parsed = parse(document)
    assert parsed.page_df.to_numpy().tolist() == [[1, 960, 540, 0]]
    assert boxes(parsed.line_df) == [[10, 20, 100, 30]]


def test_an_empty_document_says_so() -> None:
    parsed = parse(paged(2))
    assert len(parsed.line_df) == 0
    assert parsed.page_df["page_num"].tolist() == [1, 2]
    assert parsed.notes == ("No text was found.",)


def test_only_the_pages_asked_for() -> None:
    document = paged(3)
    for page in (1, 2, 3):
        document.add_heading(f"Part {page}", prov=at(page, (10, 10, 90, 20)))
    parsed = parse(document, pages=[3, 2])
    assert parsed.line_df["text"].tolist() == ["Part 2", "Part 3"]
    assert parsed.page_df["page_num"].tolist() == [2, 3]
    assert parsed.toc_df["title"].tolist() == ["Part 2", "Part 3"]
    with pytest.raises(OptionError, match=r"pages holds 4, but report.json has pages 1 to 3"):
        parse(document, pages=[4])


def test_more_pages_than_the_limit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROWLENS_MAX_PAGES", "2")
    with pytest.raises(LimitExceeded, match=r"report\.json is to give 3 pages; at most 2"):
        parse(paged(3))
    assert len(parse(paged(3), pages=[1, 3]).page_df) == 2


def test_the_file_beside_it_gives_the_sizes() -> None:
    document = paged()
    document.add_text(label=DocItemLabel.TEXT, text="x", prov=at(1, (10, 20, 90, 30)))
    with pymupdf.open() as pdf:
        pdf.new_page(width=400, height=600)
        beside = pdf.tobytes()
    parsed = parse(document, beside=beside)
    assert boxes(parsed.line_df) == [[20, 40, 180, 60]]
    assert parsed.page_df.to_numpy().tolist() == [[1, 400, 600, 0]]
    assert parsed.notes == ()


CELL = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(st.lists(st.lists(CELL, min_size=2, max_size=2), min_size=1, max_size=5))
def test_any_cells_come_out_as_docling_writes_them(rows: list[list[str]]) -> None:
    document = DoclingDocument(name="report")
    document.add_table(plain_table(rows))
    expected = document.export_to_markdown().split("\n")
    assert texts(parse(document)) == expected


def damaged(**changes: Any) -> bytes:
    document = paged()
    document.add_table(span_table(), prov=at(1, (8, 98, 125, 150)))
    document.add_text(label=DocItemLabel.TEXT, text="Hello", prov=at(1, (10, 20, 90, 30)))
    content = json.loads(saved(document).data)
    for path, value in changes.items():
        *way, last = path.split("__")
        place = content
        for key in way:
            place = place[int(key) if key.isdigit() else key]
        place[last] = value
    return json.dumps(content).encode()


NAME = b'{"schema_name": "DoclingDocument", "name": "x", '


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(damaged()[:-40], id="truncated"),
        pytest.param(b'{"schema_name": "DoclingDocument"}', id="nothing but the schema"),
        pytest.param(NAME + b'"body": [], "texts": {}, "pages": 7}', id="wrong types"),
        pytest.param(NAME + b'"texts": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", id="deep"),
        pytest.param(damaged().replace(b"Hello", b"He\x00lo"), id="raw NUL"),
        pytest.param(damaged(texts__0__prov=[{"page_no": 10**30}]), id="place without a box"),
        pytest.param(damaged(tables__0__data__num_rows=10**9), id="a billion rows"),
        pytest.param(damaged(tables__0__data__num_rows=-1), id="negative rows"),
        pytest.param(
            json.dumps(
                json.loads(damaged())
                | {"body": {"self_ref": "#/body", "children": [{"$ref": "#/texts/99"}]}}
            ).encode(),
            id="dangling reference",
        ),
        pytest.param(damaged(version="99.0.0"), id="newer version"),
        pytest.param(
            damaged().replace(b'"page_no": 1', b'"page_no": 1' + b"0" * 30), id="huge page number"
        ),
        pytest.param(damaged().replace(b'"page_no": 1', b'"page_no": -1'), id="page -1"),
    ],
)
def test_a_damaged_file_is_refused_with_its_name(data: bytes) -> None:
    with pytest.raises(DocumentError, match=r"broken\.json"):
        parse_document(Source("broken.json", data), "docling")


def test_an_escaped_nul_is_text() -> None:
    parsed = parse_document(Source("nul.json", damaged(texts__0__text="a\x00b")), "docling")
    assert parsed.line_df["text"].tolist()[-1] == "a\x00b"


@pytest.mark.parametrize("edge", [math.inf, -math.inf, math.nan])
def test_a_box_that_is_no_number_is_none(edge: float) -> None:
    geometry = Geometry({1: (200, 300)})
    assert geometry.box(1, BoundingBox(l=edge, t=20, r=90, b=30)) == pytest.approx(
        NO_BOX, nan_ok=True
    )
    assert geometry.box(1, BoundingBox(l=10, t=20, r=90, b=30)) == (10, 20, 90, 30)


SAVED = [
    "core__2408.09869v5_enriched_summary",
    *(
        f"project+docling__{name}"
        for name in (
            "1706.03762_main.tex",
            "2203.01017v2",
            "2206.01062",
            "2305.03393v1-pg9",
            "2305.03393v1",
            "amt_handbook_sample",
            "code_and_formula",
            "csv-comma.csv",
            "deepseek_example.md",
            "elife-56337.nxml",
            "example_03.html",
            "example_04.html",
            "example_05.html",
            "example_08.html",
            "ipa20180000016",
            "multi_page",
            "normal_4pages",
            "powerpoint_sample.pptx",
            "redp5110_sampled",
            "right_to_left_01",
            "right_to_left_03",
            "table_mislabeled_as_picture",
            "wiki_duck.html",
            "word_tables.docx",
            "xlsx_01.xlsx",
            "xlsx_06_edge_cases_.xlsx",
        )
    ),
]


@pytest.mark.parametrize("name", SAVED)
def test_every_saved_document_reads_as_docling_s_markdown(shared: Path, name: str) -> None:
    path = shared / "documents/docling" / f"{name}.json"
    parsed = parse_document(path, "docling")
    document = DoclingDocument.load_from_json(path)
    line_df = parsed.line_df
    markdown = [line for line in document.export_to_markdown().split("\n") if is_row(line)]
    assert [line for line in line_df["text"] if is_row(line)] == markdown

    written = squeeze("".join(line_df["text"]))
    kept = [text for text in body_texts(document) if squeeze(text) not in written]
    assert kept == []

    # Each table of docling's is one table here, and each of its rows has its line in it.
    tables = line_df[line_df["block_class"] == "table"]
    blocks = [len(block) for _, block in tables.groupby(["page_num", "block_num"], sort=False)]
    assert [len(read.line_df) for read in read_tables(line_df)] == blocks
    if not document.pictures:  # charts are further tables
        items = [item for item in document.tables if in_body(item) and item.data.num_rows]
        groups = tables.groupby(["page_num", "block_num"], sort=False)["text"]
        for item, (_, lines) in zip(items, groups, strict=True):
            n_body = len(lines) - 2
            body = list(zip(item.data.grid[-n_body:], lines[2:], strict=True)) if n_body else []
            head = [(row, lines.iloc[0]) for row in item.data.grid[: item.data.num_rows - n_body]]
            assert [row for row, line in (*head, *body) if not holds(line, row)] == []


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("2305.03393v1-pg9", 0),
        ("normal_4pages", 0),
        ("table_mislabeled_as_picture", 0),
        # Cells of page 8 quote a bullet by its name in the font, where the page prints it.
        ("redp5110_sampled", 2),
    ],
)
def test_a_row_s_box_holds_the_row_s_words(shared: Path, name: str, missing: int) -> None:
    folder = shared / "documents/docling"
    pdf = folder / f"{name}.pdf"
    parsed = parse_document(folder / f"project+docling__{name}.json", "docling", beside=pdf)
    assert parsed.notes == ()
    rows = parsed.line_df[parsed.line_df["block_class"] == "table"].dropna(subset=BOX)
    rows = rows[rows["y1"] > rows["y0"]]
    assert len(rows) > 3
    outside = 0
    with pymupdf.open(pdf) as document:
        for page_num, text, *box in rows[["page_num", "text", *BOX]].to_numpy().tolist():
            x0, y0, x1, y1 = box
            rect = pymupdf.Rect(x0 - 1, y0 - 1, x1 + 1, y1 + 1)
            words = document[page_num - 1].get_text("words")
            inside = bare(
                "".join(
                    word[4]
                    for word in words
                    if pymupdf.Point((word[0] + word[2]) / 2, (word[1] + word[3]) / 2) in rect
                )
            )
            outside += sum(bare(word) not in inside for word in set(text.split()))
            assert rect.height < 140
    assert outside == missing


def is_row(line: str) -> bool:
    return line.startswith("|") and line.rstrip().endswith("|")


def holds(line: str, row: list[TableCell]) -> bool:
    """Whether a line shows every cell of a grid row; cells that refer to other items aside."""
    plain = [each.text for each in row if not isinstance(each, RichTableCell)]
    return all(squeeze(text.replace("|", "&#124;")) in squeeze(line) for text in plain)


def in_body(item: Any) -> bool:
    return item.content_layer is ContentLayer.BODY


def body_texts(document: DoclingDocument) -> list[str]:
    """Texts of the document itself, those inside pictures left out."""
    inside = {
        item.self_ref
        for picture in document.pictures
        for item, _ in document.iterate_items(root=picture, traverse_pictures=True)
        if item is not picture
    } - {ref.cref for picture in document.pictures for ref in picture.captions}
    return [text.text for text in document.texts if in_body(text) and text.self_ref not in inside]


def squeeze(text: str) -> str:
    return re.sub(r"\s+", "", text)


def bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.replace("&#124;", "|")).casefold()

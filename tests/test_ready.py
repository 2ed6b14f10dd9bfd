"""Ready frames: whatever usual layout a line_df comes in, it opens, and what was done is said."""

from __future__ import annotations

import contextlib
import io
import json
from typing import Any

import numpy as np
import pandas as pd
import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import parse_document, serialize_table_rows
from core.errors import DocumentError, LimitExceeded, LineFrameError, OptionError, RowlensError
from core.frames import check_line_df
from core.parsers import ParsedDocument, Source, detect_format
from core.parsers.column_names import map_columns, plain_name, split_header
from core.parsers.formats import Format

RECORDS = [
    {"page_num": 1, "line_num": 1, "text": "| Event | Cap |"},
    {"page_num": 1, "line_num": 2, "text": "|---|---|"},
    {"page_num": 1, "line_num": 3, "text": "| Theft | 25,000 EUR |"},
]


def opened(data: bytes | str | Any, name: str = "lines", **options: Any) -> ParsedDocument:
    """What `frame` makes of bytes, text, or a value as JSON."""
    if isinstance(data, str):
        data = data.encode()
    if not isinstance(data, bytes):
        data = json.dumps(data).encode()
    return parse_document(Source(name, data), "frame", **options)


def parquet(frame: pd.DataFrame) -> bytes:
    """A frame as pandas writes it."""
    out = io.BytesIO()
    frame.to_parquet(out)
    return out.getvalue()


def pdf(n_pages: int = 1, width: float = 612, height: float = 792) -> bytes:
    """Blank pages."""
    with pymupdf.open() as document:
        for _ in range(n_pages):
            document.new_page(width=width, height=height)
        return document.tobytes()


# --------------------------------------------------------------------------- layouts


@pytest.mark.parametrize(
    "value",
    [
        RECORDS,
        {"line_df": RECORDS},
        {"columns": list(RECORDS[0]), "data": [list(record.values()) for record in RECORDS]},
        {name: [record[name] for record in RECORDS] for name in RECORDS[0]},
        {name: {str(at): record[name] for at, record in enumerate(RECORDS)} for name in RECORDS[0]},
        {str(at): record for at, record in enumerate(RECORDS)},
        {"schema": {"fields": []}, "data": RECORDS},
        {"line_df": {name: [record[name] for record in RECORDS] for name in RECORDS[0]}},
    ],
)
def test_json_opens_in_every_usual_layout(value: Any) -> None:
    document = opened(value)
    assert document.parser == "frame"
    rows = serialize_table_rows(document.line_df)
    assert rows["row_serialized"].tolist() == ["Event: Theft | Cap: 25,000 EUR"]


def test_json_lines_open_even_if_there_is_one() -> None:
    text = "\n".join(map(json.dumps, RECORDS))
    assert opened(text).line_df["line_num"].tolist() == [1, 2, 3]
    assert opened(json.dumps(RECORDS[0])).line_df["text"].tolist() == ["| Event | Cap |"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
def test_csv_opens_with_every_usual_delimiter_and_encoding(delimiter: str, encoding: str) -> None:
    rows = [["page_num", "line_num", "text"], ["1", "1", '"Größe, ""x""; y\nz"'], ["2", "1", "b"]]
    text = "\r\n".join(delimiter.join(row) for row in rows) + "\r\n"
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    document = opened((mark + text).encode(encoding), "lines.csv")
    assert document.line_df["text"].tolist() == ['Größe, "x"; y\nz', "b"]
    assert document.page_df["page_num"].tolist() == [1, 2]


def test_csv_of_a_german_spreadsheet_opens() -> None:
    text = "sep=;\r\npage;text;x0;y0;x1;y1\r\n1;Größe;72,5;100;144,25;112,5\r\n"
    document = opened(text.encode("cp1252"), "lines.csv")
    assert document.line_df["text"].tolist() == ["Größe"]
    assert document.line_df[["x0", "x1"]].to_numpy().tolist() == [[72.5, 144.25]]
    assert "Windows-1252" in document.notes[0]
    assert any("Decimal commas" in note for note in document.notes)


def test_further_columns_of_a_csv_stay_text_unless_they_are_plain_numbers() -> None:
    text = "page_num,line_num,text,code,score,date\n1,1,NA,007,0.5,2026-01-02\n1,2,null,010,2,x\n"
    line_df = opened(text).line_df
    assert line_df["text"].tolist() == ["NA", "null"]
    assert line_df["code"].tolist() == ["007", "010"]
    assert line_df["score"].tolist() == [0.5, 2.0]
    assert line_df["date"].tolist() == ["2026-01-02", "x"]


def test_parquet_opens_with_lists_nullable_numbers_categories_and_missing_text() -> None:
    frame = pd.DataFrame(
        {
            "page_num": pd.array([1, 1], dtype="Int64"),
            "line_num": pd.Categorical([1, 2]),
            "text": pd.Series(["a", None], dtype="string"),
            "x0": pd.array([10, None], dtype="Int32"),
            "y0": ["10", None],
            "x1": [100.0, np.nan],
            "y1": [22.0, np.nan],
            "cells": [["a", "b"], None],
        }
    )
    line_df = opened(parquet(frame)).line_df
    assert line_df["text"].tolist() == ["a", ""]
    assert line_df["x0"].tolist()[0] == 10.0
    assert line_df["y0"].tolist()[0] == 10.0
    assert list(line_df["cells"][0]) == ["a", "b"]
    assert line_df["character_count"].tolist() == [1, 0]
    assert line_df["parsing_method"].tolist() == ["frame", "frame"]


def test_an_index_with_names_is_read_as_columns() -> None:
    frame = pd.DataFrame(RECORDS).set_index(["page_num", "line_num"])
    assert opened(parquet(frame)).line_df["line_num"].tolist() == [1, 2, 3]


def test_what_the_file_says_already_is_kept() -> None:
    records = [{**RECORDS[0], "parsing_method": "ours", "character_count": 99, "confidence": 0.5}]
    line_df = opened(records).line_df
    assert line_df["parsing_method"].tolist() == ["ours"]
    assert line_df["character_count"].tolist() == [99]
    assert line_df["confidence"].tolist() == [0.5]


# --------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    "page", ["page", "Page", "page_number", "page_no", "pageNumber", "Page Number", "PAGE_NUM"]
)
@pytest.mark.parametrize("text", ["text", "content", "line_text", "Content"])
def test_usual_names_are_mapped_and_noted(page: str, text: str) -> None:
    document = opened([{page: 1, "lineNumber": 2, text: "a"}])
    assert document.line_df[["page_num", "line_num", "text"]].to_numpy().tolist() == [[1, 2, "a"]]
    assert f"{page!r} as page_num" in " ".join(document.notes)
    assert "'lineNumber' as line_num" in " ".join(document.notes)


BOX = [72.0, 100.0, 300.0, 112.0]


@pytest.mark.parametrize(
    "box",
    [
        dict(zip(["x0", "y0", "x1", "y1"], BOX, strict=True)),
        dict(zip(["X0", "Y0", "X1", "Y1"], BOX, strict=True)),
        dict(zip(["x_0", "y_0", "x_1", "y_1"], BOX, strict=True)),
        dict(zip(["x1", "y1", "x2", "y2"], BOX, strict=True)),
        dict(zip(["left", "top", "right", "bottom"], BOX, strict=True)),
        dict(zip(["x0", "top", "x1", "bottom"], BOX, strict=True)),
        dict(zip(["xmin", "ymin", "xmax", "ymax"], BOX, strict=True)),
        dict(zip(["xMin", "yMin", "xMax", "yMax"], BOX, strict=True)),
        {"x": 72, "y": 100, "width": 228, "height": 12},
        {"x": 72, "y": 100, "w": 228, "h": 12},
        {"left": 72, "top": 100, "width": 228, "height": 12},
        {"bbox": BOX},
        {"bbox": "72,100,300,112"},
        {"bounding_box": "(72.0, 100.0, 300.0, 112.0)"},
        {"bbox": "[72, 100, 300, 112]"},
        {"bbox": {"l": 72, "t": 100, "r": 300, "b": 112}},
        {"boundingBox": [72, 100, 300, 100, 300, 112, 72, 112]},
        {"polygon": [[72, 100], [300, 100], [300, 112], [72, 112]]},
    ],
)
def test_boxes_are_found_under_every_usual_name(box: dict[str, Any]) -> None:
    document = opened([{"page_num": 1, "line_num": 1, "text": "a", **box}])
    assert document.line_df[["x0", "y0", "x1", "y1"]].to_numpy().tolist() == [BOX]
    assert not set(box) - {"x0", "y0", "x1", "y1"} & set(document.line_df.columns)


def test_width_and_height_beside_a_whole_box_pass_through() -> None:
    box = dict(zip(["x0", "y0", "x1", "y1"], BOX, strict=True))
    line_df = opened([{"page_num": 1, "text": "a", **box, "width": 595, "height": 842}]).line_df
    assert line_df[["x0", "y0", "x1", "y1"]].to_numpy().tolist() == [BOX]
    assert line_df[["width", "height"]].to_numpy().tolist() == [[595, 842]]


def test_lines_without_numbers_are_counted_by_page_and_said_so() -> None:
    document = opened([{"page": page, "text": "a"} for page in (2, 1, 2)])
    assert document.line_df[["page_num", "line_num"]].to_numpy().tolist() == [
        [1, 1],
        [2, 1],
        [2, 2],
    ]
    assert any("order of the file" in note for note in document.notes)
    assert any("no boxes" in note for note in document.notes)


def test_pages_and_lines_from_0_are_counted_from_1_and_said_so() -> None:
    document = opened([{"page": page, "line": 0, "text": "a"} for page in (0, 1)])
    assert document.line_df[["page_num", "line_num"]].to_numpy().tolist() == [[1, 1], [2, 1]]
    assert [note for note in document.notes if "counted from 0" in note] == [
        "Pages are counted from 0 in the file: 1 is added to each number.",
        "Lines are counted from 0 in the file: 1 is added to each number.",
    ]


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("pageNumber", "page_number"),
        (" Page Number ", "page_number"),
        ("X0", "x0"),
        ("x-min", "x_min"),
    ],
)
def test_names_are_compared_in_plain_form(name: str, plain: str) -> None:
    assert plain_name(name) == plain


def test_a_csv_of_other_things_is_no_line_frame() -> None:
    for header in ("page,views,content", "name,text,page_count", "a,b,c", "text"):
        assert not map_columns(split_header(f"{header}\n1,2,3\n")[0]).is_lines
        assert detect_format(Source("x.csv", f"{header}\n1,2,3\n".encode())) is Format.CSV


# --------------------------------------------------------------------------- units


def page_of_lines(scale: tuple[float, float] = (1, 1), n_lines: int = 30) -> pd.DataFrame:
    """Lines down a page of 612 x 792 points, in a unit of so many points."""
    top = 72.0 + 20 * np.arange(n_lines)
    x, y = scale
    return pd.DataFrame(
        {
            "page_num": 1,
            "line_num": np.arange(1, n_lines + 1),
            "text": "a line",
            "x0": 72 / x,
            "y0": top / y,
            "x1": 520 / x,
            "y1": (top + 12) / y,
        }
    )


def boxes(document: ParsedDocument | pd.DataFrame) -> np.ndarray:
    """Boxes as an array."""
    line_df = document if isinstance(document, pd.DataFrame) else document.line_df
    return line_df[["x0", "y0", "x1", "y1"]].to_numpy(float)


@pytest.mark.parametrize(
    ("scale", "unit"),
    [
        ((72, 72), "inches"),
        ((612, 792), "fractions of the page"),
        ((6.12, 7.92), "percent of the page"),
    ],
)
def test_units_that_only_one_reading_explains_are_converted_and_said(
    scale: tuple[float, float], unit: str
) -> None:
    document = opened(parquet(page_of_lines(scale)), beside=pdf())
    np.testing.assert_allclose(boxes(document), boxes(page_of_lines()))
    assert any(f"in {unit}" in note for note in document.notes)
    assert document.page_df[["width", "height"]].to_numpy().tolist() == [[612, 792]]


def test_points_are_taken_as_they_are_without_a_word() -> None:
    document = opened(parquet(page_of_lines()), beside=pdf())
    np.testing.assert_array_equal(boxes(document), boxes(page_of_lines()))
    assert document.notes == ()


def test_pixels_of_unknown_resolution_stay_and_are_warned_of() -> None:
    frame = page_of_lines((0.36, 0.36))
    document = opened(parquet(frame), beside=pdf())
    np.testing.assert_array_equal(boxes(document), boxes(frame))
    assert any("look like pixels" in note for note in document.notes)


def test_pixels_of_the_image_beside_are_converted() -> None:
    with pymupdf.open(stream=pdf()) as document:
        picture = document[0].get_pixmap(dpi=200)
        picture.set_dpi(200, 200)
        image = picture.tobytes("png")
    found = opened(parquet(page_of_lines((0.36, 0.36))), beside=image)
    width, height = found.page_df[["width", "height"]].to_numpy()[0]
    expected = boxes(page_of_lines()) * np.tile([width / 612, height / 792], 2)
    np.testing.assert_allclose(boxes(found), expected, rtol=1e-3)


def test_y_from_the_bottom_is_turned_over_and_said() -> None:
    upright = page_of_lines()
    frame = upright.assign(y0=792 - upright["y1"], y1=792 - upright["y0"])
    document = opened(parquet(frame), beside=pdf())
    np.testing.assert_allclose(boxes(document), boxes(upright))
    assert any("from the bottom" in note for note in document.notes)


def test_upper_side_first_from_the_bottom_is_turned_over_too() -> None:
    upright = page_of_lines()
    frame = upright.assign(y0=792 - upright["y0"], y1=792 - upright["y1"])
    document = opened(parquet(frame), beside=pdf())
    np.testing.assert_allclose(boxes(document), boxes(upright))


def test_a_mixed_order_is_warned_of_but_not_turned() -> None:
    frame = page_of_lines(n_lines=20)
    order = np.array([4, 3, 2, 5, 1, 0, 9, 8, 7, 6, 12, 11, 10, 15, 14, 13, 19, 18, 17, 16])
    frame = frame.assign(y0=frame["y0"].to_numpy()[order], y1=frame["y1"].to_numpy()[order])
    document = opened(parquet(frame), beside=pdf())
    np.testing.assert_array_equal(boxes(document), boxes(frame))
    assert any("boxes go up the page" in note for note in document.notes)


def test_boxes_far_beyond_the_page_are_warned_of() -> None:
    frame = page_of_lines((0.001, 0.001))
    document = opened(parquet(frame), beside=pdf())
    np.testing.assert_array_equal(boxes(document), boxes(frame))
    assert any("fit in no usual unit" in note for note in document.notes)


def test_page_sizes_of_the_file_scale_the_boxes_to_its_pdf() -> None:
    frame = page_of_lines((0.5, 0.5))
    value = {
        "line_df": frame.to_dict("records"),
        "page_df": [{"page_num": 1, "width": 1224, "height": 1584, "rotation": 0}],
    }
    alone, beside = opened(value), opened(value, beside=pdf())
    assert alone.page_df[["width", "height"]].to_numpy().tolist() == [[1224, 1584]]
    np.testing.assert_array_equal(boxes(alone), boxes(frame))
    np.testing.assert_allclose(boxes(beside), boxes(page_of_lines()))


def test_without_sizes_pages_are_as_large_as_their_boxes_need() -> None:
    document = opened(parquet(page_of_lines()))
    assert document.page_df[["width", "height"]].to_numpy().tolist() == [[556, 700]]
    assert any("guessed" in note for note in document.notes)


def test_boxes_that_are_no_points_are_doubted_without_a_pdf_too() -> None:
    document = opened(parquet(page_of_lines((72, 72))))
    assert any("hardly PDF points" in note for note in document.notes)


def test_pages_can_be_chosen() -> None:
    value = [{"page": page, "text": f"page {page}"} for page in (1, 2, 3)]
    assert opened(value, pages=[3, 1]).line_df["text"].tolist() == ["page 1", "page 3"]
    with pytest.raises(OptionError, match="pages 1 to 3"):
        opened(value, pages=[4])


# --------------------------------------------------------------------------- Markdown


def test_markdown_is_one_line_per_line_with_headings_as_outline() -> None:
    table = "| a | b |\r|---|---|\n| 1 | 2 |"
    text = f"# Guarantees #\r\n\r\n{table}\n\n```\n# no heading\n```\nSmall\n---"
    document = opened(text, "notes.md")
    assert document.line_df["text"].tolist() == [
        "# Guarantees #",
        "",
        "| a | b |",
        "|---|---|",
        "| 1 | 2 |",
        "",
        "```",
        "# no heading",
        "```",
        "Small",
        "---",
    ]
    assert document.line_df["line_num"].tolist() == list(range(1, 12))
    assert document.toc_df.to_numpy().tolist() == [[1, "Guarantees", 1, 1], [2, "Small", 1, 10]]
    assert document.page_df["width"].isna().all()
    assert len(serialize_table_rows(document.line_df)) == 1


def test_form_feeds_are_page_breaks() -> None:
    document = opened("a\n# b\n\fc\n\f", "out.txt")
    places = document.line_df[["page_num", "line_num", "text"]].to_numpy().tolist()
    assert places == [[1, 1, "a"], [1, 2, "# b"], [2, 1, "c"]]
    assert document.page_df["page_num"].tolist() == [1, 2]
    assert document.toc_df["page_num"].tolist() == [1]


def test_a_blank_line_ends_a_table() -> None:
    text = "| a | b |\n|---|---|\n| 1 | 2 |\n\n| c | d |\n|---|---|\n| 3 | 4 |\n"
    rows = serialize_table_rows(opened(text).line_df)
    assert rows["row_serialized"].tolist() == ["a: 1 | b: 2", "c: 3 | d: 4"]


def test_a_rule_below_a_table_makes_no_heading_of_it() -> None:
    text = "| a | b |\n|---|---|\n| 1 | 2 |\n---\n# Real\n"
    assert opened(text).toc_df["title"].tolist() == ["Real"]


def test_front_matter_is_no_heading() -> None:
    assert opened("---\ntitle: x\n---\n# Real\n").toc_df["title"].tolist() == ["Real"]


@pytest.mark.parametrize(
    "start", ["[link](https://example.org)", "[1] A note", "[^1]: x", "{{ x }}"]
)
def test_markdown_may_begin_with_a_bracket(start: str) -> None:
    assert opened(f"{start}\n").line_df["text"].tolist() == [start]


def test_damaged_text_is_shown_with_a_note() -> None:
    document = opened("Größe, Länge, Höhe\n".encode() + b"x\xffy\n")
    assert document.line_df["text"].tolist() == ["Größe, Länge, Höhe", "x\ufffdy"]
    assert "1 character is damaged" in document.notes[0]


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_no_character_of_a_text_is_lost(text: str) -> None:
    # The first line keeps the text from looking like another format.
    document = opened(f"plain words {'x' * 400}\n{text}")
    rest = document.line_df["text"].tolist()[1:]
    for ending in ("\r\n", "\n", "\r", "\f"):
        text = text.replace(ending, "")
    assert "".join(rest) == text


# --------------------------------------------------------------------------- faults


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "no column 'text'"),
        ([{"page_num": 1}], "no column 'text'"),
        ([{"text": "a", "line_num": 1}], "no column 'page_num'"),
        ([{"page_num": 1, "text": "a"}, 5], "row 1 is '5'"),
        (
            [{"page_num": 1, "text": "a"}, {"page_num": "two", "text": "b"}],
            "page_num.*'two' in row 1",
        ),
        ([{"page_num": 1.5, "text": "a"}], "page_num.*1.5 in row 0"),
        ([{"page_num": None, "text": "a"}], "page_num.*row 0"),
        ([{"page_num": [1], "text": "a"}], r"page_num.*\[1\] in row 0"),
        ([{"page_num": 1e300, "text": "a"}], "page_num.*1e\\+300 in row 0"),
        ([{"page_num": True, "text": "a"}], "page_num"),
        ([{"page_num": -1, "text": "a"}], "page_num"),
        ([{"page_num": 1, "text": ["a"]}], "'text'.*row 0"),
        ([{"page_num": 1, "text": {"a": 1}}], "'text'.*row 0"),
        ([{"page_num": 1, "line_num": 1, "text": t} for t in "ab"], "page 1, line 1"),
        ([{"page_num": 1, "text": "a", "bbox": [1, 2, 3]}], "'bbox'.*row 0"),
        ([{"page_num": 1, "text": "a", "bbox": "x"}], "'bbox'.*row 0"),
        ({"page_num": [1, 2], "text": ["a"]}, "'text' has 1 values"),
        (
            {"columns": ["page_num", "text"], "data": [[1, "a"], [1]]},
            "row 1 of 'data' has 1 values",
        ),
        (
            [
                {"page_num": 1, "text": "a", "x0": 5, "y0": 1, "x1": 1, "y1": 2},
                {"page_num": 1, "text": "a", "x0": 0, "y0": 1, "x1": 1, "y1": 2},
            ],
            "'x1'.*row 0",
        ),
        ({"row_df": [{"row_serialized": "a: b"}]}, "line_df is needed"),
        ([{"row_serialized": "a: b", "row_cells": ["b"]}], "line_df is needed"),
    ],
)
def test_a_frame_that_breaks_the_contract_names_column_and_row(value: Any, message: str) -> None:
    with pytest.raises(LineFrameError, match=message):
        opened(value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("5", "a number"),
        ('"text"', "a text"),
        ("null", "null"),
        ("true", "a truth value"),
        ("[[1, 2]", "damaged JSON"),
        ('{"a": 1}', "keys are 'a'"),
        ("{}", "keys are none"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ('[{"page_num": 1, "text": "a", "x": ' + "[" * 100_000, "nested too deeply"),
        ('{"page_num": 1, "text": "a"}\n{"page_num": 1, "text"', "line 2"),
    ],
)
def test_json_that_is_no_frame_is_refused(data: str, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        opened(data, "lines.json")


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"page_num": [1], "text": [b"bytes"]}),
        pd.DataFrame({"page_num": pd.to_datetime(["2026-01-01"]), "text": ["a"]}),
        pd.DataFrame({"page_num": [[1, 2]], "text": ["a"]}),
        pd.DataFrame({"page_num": [1], "text": [["a"]]}),
        pd.DataFrame({"a": [1]}),
        pd.DataFrame(),
    ],
)
def test_parquet_of_other_types_is_refused(frame: pd.DataFrame) -> None:
    with pytest.raises(LineFrameError, match="line_df"):
        opened(parquet(frame))


@pytest.mark.parametrize("cut", [5, 100, -8])
def test_a_cut_parquet_file_is_refused(cut: int) -> None:
    with pytest.raises(DocumentError, match="Parquet"):
        opened(parquet(pd.DataFrame(RECORDS))[:cut])


def test_a_csv_with_a_short_row_is_refused_with_its_row() -> None:
    with pytest.raises(DocumentError, match="#3"):
        opened("page_num,line_num,text\n1,1,a\n1,2\n")


def test_too_many_lines_and_too_many_pages_are_refused() -> None:
    many = pd.DataFrame({"page_num": np.ones(2_000_001, np.int64), "text": "a"})
    with pytest.raises(LimitExceeded, match="2,000,001 lines"):
        opened(parquet(many))
    pages = pd.DataFrame({"page_num": np.arange(1, 2_002), "text": "a"})
    with pytest.raises(LimitExceeded, match="2,001 pages"):
        opened(parquet(pages))


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(DocumentError):
        opened(b"words\n" + bytes(range(128, 256)) * 50)


def test_nul_and_half_surrogates_open() -> None:
    text = '[{"page_num": 1, "text": "a\\u0000b"}, {"page_num": 1, "text": "x\\ud800y"}]'
    assert opened(text).line_df["text"].tolist() == ["a\x00b", "x\ufffdy"]


def test_an_empty_frame_opens_and_says_so() -> None:
    document = opened(b"page_num,line_num,text\n")
    assert len(document.line_df) == 0
    assert len(document.page_df) == 0
    assert any("no lines" in note for note in document.notes)


def opened_or_refused(data: bytes | str, name: str = "lines") -> ParsedDocument | None:
    """What `frame` makes of it, None if it refuses; any error but ours fails the test."""
    with contextlib.suppress(RowlensError):
        return opened(data, name)
    return None


_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["a", "x0", "text"]), inner)
    ),
    max_leaves=4,
)
_NAMES = st.sampled_from(
    [
        *("page_num", "page", "line_num", "text", "content", "x0", "y0", "x1", "y1", "bbox"),
        *("x", "y", "width", "height", "data", "columns"),
        *("line_df", "page_df", "dtypes", "row_df"),
    ]
)


@given(
    st.one_of(
        st.lists(st.dictionaries(_NAMES, _VALUES, max_size=9), max_size=4),
        st.dictionaries(_NAMES, st.one_of(_VALUES, st.lists(_VALUES, max_size=3)), max_size=6),
    )
)
def test_any_json_opens_or_is_refused_in_our_words(value: Any) -> None:
    document = opened_or_refused(json.dumps(value), "lines.json")
    if document is not None:
        pd.testing.assert_frame_equal(check_line_df(document.line_df), document.line_df)


@given(st.text("page_num,text;\t\"'|\n\r\x00=1", max_size=80))
def test_any_csv_opens_or_is_refused_in_our_words(text: str) -> None:
    document = opened_or_refused(f"page_num,line_num,text\n{text}", "lines.csv")
    if document is not None:
        pd.testing.assert_frame_equal(check_line_df(document.line_df), document.line_df)


@given(st.binary(max_size=200), st.integers(0, 2_000), st.integers(0, 30))
def test_any_damage_to_parquet_opens_or_is_refused(noise: bytes, at: int, length: int) -> None:
    data = bytearray(parquet(pd.DataFrame(RECORDS)))
    data[at : at + length] = noise
    document = opened_or_refused(bytes(data))
    if document is not None:
        pd.testing.assert_frame_equal(check_line_df(document.line_df), document.line_df)

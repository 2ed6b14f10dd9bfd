"""The report of a finding: one file, the right row in it, and a document's words are only words."""

from __future__ import annotations

import base64
import io
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html
from PIL import Image

from core.report import Finding, finding_report
from core.report.finding import report_data
from core.report.picture import image_source
from core.report.render import render_report, visible
from tests.reports import THEFT, sample_finding, text_finding

THEFT_ROW = (
    "Covered event: Vehicle theft | Cap: 25,000 EUR | Deductible: 500 EUR | "
    "Eligibility condition: Tracker installed and active"
)
EVIL = "<script>alert(1)</script>\"'><img src=http://evil.example/x onerror=alert(2)>{{ 7 * 7 }}"


@pytest.fixture(scope="module")
def theft() -> str:
    return finding_report(sample_finding(THEFT))


def tree(report: str) -> html.HtmlElement:
    return html.document_fromstring(report.encode(), parser=html.HTMLParser(encoding="utf-8"))


def text(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


def section(report: str, name: str) -> str:
    """Text of the section that is headed by the element of that id."""
    (found,) = tree(report).xpath(f"//section[@aria-labelledby='{name}']")
    return text(found)


def context_of(report: str) -> str:
    (found,) = tree(report).xpath("//pre[contains(@class, 'lines')]")
    return str(found.text_content()).removesuffix("\n")


def test_the_head_says_question_answer_document_and_row(theft: str) -> None:
    page = tree(theft)
    assert text(page.find(".//h1")) == THEFT
    assert text(page.xpath("//p[@class='headline']")[0]) == (
        "1 of 40 rows, 96% fewer tokens than the whole table as Markdown."
    )
    assert text(page.xpath("//dl[@class='facts']")[0]) == (
        f"Documentmotor_insurance Page2 SHA-256{'ab' * 32}"
    )
    assert text(page.xpath("//dl[@class='best']")[0]) == (
        "Covered eventVehicle theft Cap25,000 EUR Deductible500 EUR "
        "Eligibility conditionTracker installed and active Row 11 of t1p. 2, l. 21"
    )
    assert "2026-03-04 05:06 UTC" in theft


def test_words_are_marked_by_where_they_hit(theft: str) -> None:
    best = tree(theft).xpath("//dl[@class='best']")[0]
    assert [(text(mark), mark.get("class")) for mark in best.iter("mark")] == [
        ("Vehicle", "value-hit"),
        ("theft", "value-hit"),
        ("Cap", "label-hit"),
    ]


def test_the_decision_and_the_sizes_are_in_numbers(theft: str) -> None:
    decision = section(theft, "decision")
    assert "26.6×" in decision
    assert "1 of 40 rowsof t1Row-level" in decision
    assert "Coverage 2.5%, widened from 60% on. 23 more rows would widen." in decision
    sizes = tree(theft).xpath("//table[@class='bars']//tr")[1:]
    assert [text(row) for row in sizes[:2]] == ["Context29122", "Table, Markdown77126.6×2,589"]
    assert "Break-even: 26 of 40 rows" in section(theft, "sizes")


def test_the_context_is_what_generation_gets_and_the_rest_is_said(theft: str) -> None:
    assert context_of(theft) == THEFT_ROW
    assert tree(theft).xpath("//pre/span/@data-cite") == ["p. 2, l. 21"]
    assert "It holds “vehicle” and “theft”" in section(theft, "why")
    assert "Every column has its own label on one line." in section(theft, "headers")
    assert "Header repeated on page 3: not a row." in section(theft, "notes")
    settings = section(theft, "settings")
    assert "Widening threshold0.60" in settings
    assert "?q=cap&page=2" in settings
    assert re.search(r"Python 3\.\d+\.\d+ · pandas \d", theft)


def test_the_page_is_a_picture_with_its_boxes_and_words_for_it(theft: str) -> None:
    page = tree(theft)
    (image,) = page.xpath("//img")
    kind, data = image.get("src").removeprefix("data:image/").split(";base64,")
    with Image.open(io.BytesIO(base64.b64decode(data))) as picture:
        assert (picture.format or "").lower() == kind
        assert picture.height > picture.width > 800
    assert image.get("alt") == ("Page 2 of 5; table t1, matched row 11 (in Covered event).")
    (matched,) = page.xpath("//*[name()='g' and contains(@class, 'row matched')]")
    assert text(matched) == "11"
    assert len(matched.xpath("./*[@class='cell']")) == 1
    assert len(page.xpath("//*[name()='g' and starts-with(@class, 'row')]")) == 31
    assert text(page.find(".//figcaption")) == (
        "Page 2 of 5 Table Header rows Matched row Matched cell"
    )


def test_a_report_of_a_sample_is_small(theft: str) -> None:
    assert len(theft.encode()) < 300_000
    assert len(finding_report(sample_finding("Which events are covered?")).encode()) < 500_000


def test_a_widened_table_is_shown_on_all_its_pages_with_all_its_rows() -> None:
    report = finding_report(sample_finding("Which events are covered?"))
    assert "The whole table t1 with its 40 rows" in report
    assert tree(report).xpath("//figcaption/span[@class='page']/text()") == [
        "Page 2 of 5",
        "Page 3 of 5",
    ]
    assert len(tree(report).xpath("//table[@class='grid']/tbody/tr")) == 40
    assert len(tree(report).xpath("//*[name()='g' and @class='table widened']")) == 2
    assert context_of(report).startswith("|Covered event|Cap|Deductible|Eligibility condition|")
    assert not tree(report).xpath("//*[@aria-labelledby='why']")  # every row counts


def test_a_folded_header_is_told_column_by_column() -> None:
    finding = sample_finding("How does GNMT + RL score on EN-DE?", "attention_report")
    rows = tree(finding_report(finding)).xpath("//table[@class='fold']//tr")
    assert [text(row) for row in rows[2:4]] == [
        "2BLEUEN-DEBLEU EN-DE23.75",
        "3BLEUEN-FRBLEU EN-FR",
    ]
    assert rows[3].xpath("./td[1]/span/@class") == ["carried"]


def test_paragraphs_answer_without_any_row() -> None:
    question = "What happens to a stolen vehicle that is found within thirty days?"
    finding = sample_finding(question, use_row_level=False)
    report = finding_report(finding)
    assert "lines of text; no row matched." in report
    assert "stolen vehicle that is found" in section(report, "paragraphs")
    assert tree(report).xpath("//*[@class='quoted']")
    assert not tree(report).xpath("//table[@class='grid']")
    assert finding.retrieval is not None
    assert context_of(report) == finding.retrieval.context


def test_nothing_matched_is_said_and_nothing_is_returned() -> None:
    report = finding_report(sample_finding("xyzzy quux"))
    assert "Nothing matched, so nothing is returned." in report
    assert not tree(report).xpath("//*[@aria-labelledby='context' or @aria-labelledby='sizes']")
    assert "Page 2 of 5" in report


def test_without_a_question_the_tables_of_the_page_are_reported() -> None:
    report = finding_report(sample_finding(""))
    assert text(tree(report).find(".//h1")) == "Tables on page 2"
    assert "1 table on page 2; no question was asked." in report
    assert "Third-party bodily injury" in section(report, "rows")
    assert not tree(report).xpath("//*[@aria-labelledby='decision']")


def test_a_document_without_tables_has_a_report_too() -> None:
    report = finding_report(text_finding("Only prose here.", ""))
    assert "No tables on page 1; no question was asked." in report


def test_many_rows_are_cut_with_a_sentence_that_says_so() -> None:
    body = "\n".join(f"| Bolt {at} | {at} |" for at in range(450))
    report = finding_report(text_finding(f"| Part | Stock |\n|---|---|\n{body}", "List all parts."))
    assert len(tree(report).xpath("//table[@class='grid']/tbody/tr")) == 60
    assert "60 of 450 rows are shown here" in report
    assert "The first 400 of 452 lines" in report
    assert "The page is long: a part of it is shown." in report
    assert len(report.encode()) < 600_000


def test_many_pages_are_cut_and_named() -> None:
    pages = "\f".join(
        f"| Part | Stock |\n|---|---|\n| Bolt {at} | {at} |\n| Screw {at} | {at} |"
        for at in range(9)
    )
    many = text_finding(pages, "Which parts are there?")
    assert many.retrieval is not None
    assert len({page for page, _ in many.retrieval.citations}) == 9
    report = finding_report(many)
    assert len(tree(report).xpath("//img")) == 6
    assert "Not shown: 3 more cited pages" in report


def test_wide_tables_are_set_as_serialized_lines() -> None:
    labels = [f"Measure {at}" for at in range(14)]
    lines = [labels, ["---"] * 14, [f"a{at}" for at in range(14)], [f"b{at}" for at in range(14)]]
    finding = text_finding("\n".join(f"| {' | '.join(line)} |" for line in lines), "What is a3?")
    rows = tree(finding_report(finding)).xpath("//table[@class='grid']//td[@class='serialized']")
    assert finding.retrieval is not None
    assert [text(row) for row in rows] == [finding.retrieval.context]


def hostile() -> Finding:
    table = f"| Name | {EVIL} |\n|---|---|\n| {EVIL} one | \u202egpj.exe |\n| Other | plain |"
    finding = text_finding(table, f"What is {EVIL} one\u202e\x00?", name=f"{EVIL}.md")
    return replace(
        finding,
        settings={EVIL: EVIL},
        query=f"?q={EVIL}",
        parser_notes=[EVIL],
        content_hash=EVIL,
    )


def test_whatever_is_said_stays_text() -> None:
    report = finding_report(hostile())
    page = tree(report)
    assert not page.xpath("//script | //link | //iframe | //object | //form | //a | //base")
    assert not page.xpath("//@*[starts-with(name(), 'on')]")
    assert not page.xpath("//*[@src and not(starts-with(@src, 'data:image/'))]")
    assert "http://evil.example" not in "".join(page.xpath("//@src | //@href | //@style"))
    assert "{{ 7 * 7 }}" in text(page.find(".//h1"))
    assert "\u202e" not in report
    assert "\x00" not in report
    assert "⟨U+202E⟩" in text(page.find(".//h1"))
    assert "alert(1)" in page.findtext(".//title")


def test_the_policy_comes_first_and_forbids_everything_else(theft: str) -> None:
    metas = tree(theft).xpath("//head/*")
    assert metas[0].get("charset") == "utf-8"
    assert metas[1].get("http-equiv") == "Content-Security-Policy"
    assert metas[1].get("content").startswith("default-src 'none'; style-src 'unsafe-inline'; ")
    assert "script" not in metas[1].get("content")
    assert not re.search(r"url\((?!#veil-)|@import|https?://", theft.replace("data:", ""))


@given(st.text(st.characters(), max_size=30))
def test_any_text_comes_back_as_it_was_and_makes_no_element(said: str) -> None:
    report = render_report("finding.html.j2", {**_DATA, "title": said, "query": said})
    report.encode()  # halves of surrogate pairs are written out
    page = tree(report)
    assert [child.tag for child in page.find(".//h1")] == []
    expected = visible(said).replace("\r\n", "\n").replace("\r", "\n")
    assert page.findtext(".//h1") == expected or (not said and page.find(".//h1").text is None)


_DATA = report_data(
    text_finding("| Part | Stock |\n|---|---|\n| Bolt | 4 |\n| Nut | 5 |", "Stock of bolt?")
)


def test_characters_nobody_sees_are_written_out() -> None:
    assert visible("a\x00b\u202ec\ud800d\U000e0041") == "a⟨U+0000⟩b⟨U+202E⟩c⟨U+D800⟩d⟨U+E0041⟩"
    assert visible("tab\tand\nline, \u200fעברית\u200d, é, 👩‍🚒") == (
        "tab\tand\nline, \u200fעברית\u200d, é, 👩‍🚒"
    )


def test_headings_follow_each_other_and_ids_are_distinct() -> None:
    for finding in (sample_finding(THEFT), sample_finding("Which events are covered?"), hostile()):
        page = tree(finding_report(finding))
        levels = [int(heading.tag[1]) for heading in page.xpath("//h1 | //h2 | //h3")]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(after - before <= 1 for before, after in pairwise(levels))
        ids = page.xpath("//@id")
        assert len(ids) == len(set(ids))
        assert set(page.xpath("//@aria-labelledby")) <= set(ids)
        assert page.get("lang") == "en"
        assert all(image.get("alt") for image in page.iter("img"))


def test_a_picture_is_kept_in_whichever_format_is_smallest() -> None:
    noise = np.random.default_rng(0).integers(0, 255, (900, 600, 3), dtype=np.uint8)
    page = np.full((900, 600, 3), 255, dtype=np.uint8)
    for pixels, most in ((noise, 900_000), (page, 2_000)):
        out = io.BytesIO()
        Image.fromarray(pixels).save(out, "PNG")
        whole = image_source(out.getvalue())
        assert len(whole) < min(most, len(out.getvalue()) * 4 / 3 + 40)
        cut = image_source(out.getvalue(), 0.5, 0.25)
        with Image.open(io.BytesIO(base64.b64decode(cut.split(",")[1]))) as part:
            assert part.size == (600, 225)


def test_the_style_sheet_is_not_read_as_a_template() -> None:
    sheet = (Path(__file__).parents[1] / "core/report/templates/report.css").read_text()
    assert not re.search(r"\{[{%#]", sheet)
    assert not re.search(r"@import|url\(", sheet)

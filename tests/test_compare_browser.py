"""Compare in the real app and a real browser: two readings, what differs, and a report of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from core.export import frame_to_bytes
from tests.documents import table_pdf
from tests.test_compare import GUARANTEES, tables_frame

pytestmark = pytest.mark.browser
expect.set_options(timeout=15_000)  # a loaded machine is slow, not wrong

FIRST_VIEW_MS = 60_000
THEFT = "What is the cap for vehicle theft?"
CUT = "PyMuPDF (strict) cuts Table 1 into 2 tables."


@pytest.fixture
def compare(app_url: str, page: Page) -> Page:
    """The first sample, read by default and strictly."""
    page.goto(app_url)
    page.get_by_role("link", name="Compare").click(timeout=FIRST_VIEW_MS)
    expect(summary(page)).to_have_text(CUT, timeout=FIRST_VIEW_MS)
    return page


def summary(page: Page) -> Locator:
    return page.get_by_role("region", name="Summary").locator(".sentence").first


def rows(page: Page) -> Locator:
    return page.get_by_role("region", name="Differences, row by row").locator("tbody tr")


def both(page: Page) -> Locator:
    return page.get_by_role("region", name="Page with both sides")


def add_output(page: Page, name: str, data: bytes) -> None:
    page.get_by_text("Add another parser's output").click()
    page.locator("input[type=file]").last.set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": data}
    )


def test_both_readings_stand_on_one_page_and_their_differences_beside_it(compare: Page) -> None:
    expect(rows(compare)).to_have_count(1)
    expect(rows(compare)).to_contain_text("header only in B")
    expect(both(compare).locator(".side.a .table")).to_have_count(1)
    expect(both(compare).locator(".side.b .table")).to_have_count(1)
    solid, dashed = (both(compare).locator(f".side.{side} .outline").first for side in ("a", "b"))
    expect(solid).to_have_css("stroke-dasharray", "none")
    expect(dashed).not_to_have_css("stroke-dasharray", "none")
    compare.get_by_text("Only differences").click()
    expect(rows(compare)).to_have_count(42)
    expect(compare).to_have_url(re.compile("changes=all"))


def test_rows_are_reached_by_keys_and_turn_to_their_page(compare: Page) -> None:
    compare.get_by_text("Only differences").click()
    expect(rows(compare)).to_have_count(42)
    rows(compare).first.focus()
    compare.keyboard.press("End")
    expect(rows(compare).last).to_be_focused()
    compare.keyboard.press("Enter")
    expect(both(compare).get_by_text("Page 3 of 5")).to_be_visible()
    compare.keyboard.press("Home")
    expect(rows(compare).first).to_be_focused()


def test_a_question_is_answered_by_both_sides(compare: Page) -> None:
    box = compare.get_by_role("textbox", name="Question")
    box.fill(THEFT)
    box.press("Enter")
    expect(compare.get_by_text("Both bring back the same row.")).to_be_visible()
    expect(compare.get_by_text("1 of 40 rows")).to_be_visible()
    expect(both(compare).locator(".row.matched")).to_have_count(2)


def test_a_link_restores_sides_tables_and_view(compare: Page, browser: Browser) -> None:
    compare.get_by_role("button", name="Exchange A and B").click()
    compare.get_by_role("radio", name="Side by side").click()
    expect(compare).to_have_url(re.compile(r"a=pymupdf\.strict&b=pymupdf.*view=beside"))
    context = browser.new_context()
    try:
        fresh = context.new_page()
        fresh.goto(compare.url)
        expect(summary(fresh)).to_have_text(CUT, timeout=FIRST_VIEW_MS)
        expect(fresh.get_by_role("region", name="Page view")).to_have_count(2)
    finally:
        context.close()


def test_a_parse_kept_from_before_is_timed_when_asked(compare: Page) -> None:
    side = compare.get_by_role("region", name="What side A found")
    side.get_by_role("button", name="Time this parser").click()
    expect(side).to_contain_text(re.compile(r"\d\.\d s ?to parse"), timeout=60_000)
    expect(compare.get_by_role("region", name="What side B found")).to_contain_text("to parse")


def test_an_added_output_shows_what_the_other_parser_did(compare: Page) -> None:
    merged = [f"{one} {other}" for one, other in zip(GUARANTEES[2], GUARANTEES[3], strict=True)]
    nasty = "<img src=x onerror=alert(1)>"
    other = [*GUARANTEES[:2], merged, [nasty, *GUARANTEES[4][1:]]]
    compare.on("dialog", lambda dialog: pytest.fail(f"A script ran: {dialog.message}"))
    pdf = table_pdf(GUARANTEES[0], GUARANTEES[1:])
    compare.locator("input[type=file]").first.set_input_files(
        {"name": "cover.pdf", "mimeType": "application/pdf", "buffer": pdf}
    )
    expect(summary(compare)).to_contain_text("read the one table the same", timeout=FIRST_VIEW_MS)
    add_output(compare, "other.csv", frame_to_bytes(tables_frame(other), "csv"))
    expect(summary(compare)).to_contain_text("Ready frame merges 2 rows of table t1 into 1")
    expect(rows(compare).filter(has_text="2 in A, 1 in B")).to_have_count(1)
    expect(compare.get_by_text(nasty).first).to_be_visible()
    assert compare.locator("img[src=x]").count() == 0


def test_the_report_opens_from_disk_without_a_network(
    compare: Page, browser: Browser, tmp_path: Path
) -> None:
    compare.get_by_role("button", name="Export").click()
    with compare.expect_download() as download:
        compare.get_by_role("button", name="Report (HTML)").click()
    path = tmp_path / "report.html"
    download.value.save_as(path)
    context = browser.new_context(offline=True)
    try:
        report = context.new_page()
        asked: list[str] = []
        report.on("request", lambda request: asked.append(request.url))
        report.goto(path.as_uri())
        expect(report.get_by_role("heading", level=1)).to_have_text(CUT)
        expect(report.get_by_role("row").filter(has_text="header only in B")).to_have_count(1)
        expect(report.locator(".sheet img").first).to_have_js_property("complete", True)
        assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    finally:
        context.close()

"""The report in a real browser: from disk without a network, on paper, in both themes, and out of
the app's menu."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs

import pymupdf
import pytest
from playwright.sync_api import Browser, Page, expect

from core.report import Finding, finding_report
from tests.browser import open_page
from tests.reports import THEFT, sample_finding
from tests.test_inspector_browser import FIRST_VIEW_MS, ask, rows_in_list, rows_on_page
from tests.test_report import hostile

pytestmark = pytest.mark.browser
expect.set_options(timeout=15_000)  # a loaded machine is slow, not wrong

LEAST_CONTRAST = 4.5
"""WCAG 2.2, 1.4.3, for text that is not large."""

CONTRASTS = """() => {
  const channel = (value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true })
  const paint = (colours) => {
    context.clearRect(0, 0, 1, 1)
    for (const colour of colours) {
      context.fillStyle = colour
      context.fillRect(0, 0, 1, 1)
    }
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
    return [red, green, blue].map((value) => channel(value / 255))
  }
  const luminance = ([red, green, blue]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue
  const below = (element) => {
    const colours = []
    for (let at = element; at; at = at.parentElement) {
      colours.unshift(getComputedStyle(at).backgroundColor)
    }
    return colours
  }
  const found = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement
    if (!walker.currentNode.data.trim() || element.closest("svg, style")) continue
    const backgrounds = below(element)
    const behind = luminance(paint(backgrounds))
    const front = luminance(paint([...backgrounds, getComputedStyle(element).color]))
    const [high, low] = [Math.max(behind, front), Math.min(behind, front)]
    found.push([(high + 0.05) / (low + 0.05), walker.currentNode.data.trim()])
  }
  return found
}"""


@contextmanager
def opened(
    browser: Browser, folder: Path, finding: Finding, *, width: int = 1280, dark: bool = False
) -> Iterator[tuple[Page, list[str]]]:
    """The report opened from disk where nothing else can be reached, and what it asked for."""
    path = folder / "report.html"
    path.write_text(finding_report(finding), encoding="utf-8")
    asked: list[str] = []
    with open_page(browser, width=width, dark=dark) as page:
        page.on("request", lambda request: asked.append(request.url))
        page.on("dialog", lambda dialog: pytest.fail(f"A script ran: {dialog.message}"))
        page.on("console", lambda said: pytest.fail(f"The browser says: {said.text}"))
        page.context.set_offline(True)
        page.route(re.compile("^(?!file:|data:)"), lambda route: route.abort())
        page.goto(path.as_uri())
        yield page, [url for url in asked if not url.startswith((path.as_uri(), "data:"))]


@pytest.mark.parametrize("width", [1280, 1600, 420])
def test_it_opens_from_disk_and_asks_for_nothing(
    browser: Browser, tmp_path: Path, width: int
) -> None:
    with opened(browser, tmp_path, sample_finding(THEFT), width=width) as (page, elsewhere):
        expect(page.get_by_role("heading", level=1)).to_have_text(THEFT)
        expect(page.get_by_role("img", name=re.compile("matched row 11"))).to_be_visible()
        loaded = "image => image.complete && image.naturalWidth > 800"
        assert page.locator("img").evaluate(loaded)
        overflow = "() => document.documentElement.scrollWidth - innerWidth"
        assert page.evaluate(overflow) <= 0
        assert elsewhere == []


def test_hostile_words_run_nothing_and_fetch_nothing(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, hostile()) as (page, elsewhere):
        expect(page.get_by_role("heading", level=1)).to_contain_text("<script>alert(1)</script>")
        assert page.locator("script, a, form, img[onerror]").count() == 0
        assert elsewhere == []


def test_the_row_on_the_picture_is_amber_and_where_the_page_has_it(
    browser: Browser, tmp_path: Path
) -> None:
    with opened(browser, tmp_path, sample_finding(THEFT)) as (page, _):
        row = page.locator(".row.matched .box").bounding_box()
        sheet = page.locator(".sheet").bounding_box()
        assert row is not None
        assert sheet is not None
        middle = (row["y"] + row["height"] / 2 - sheet["y"]) / sheet["height"]
        box = next(one for one in _rows_on_page_two() if one[0] == 11)
        assert middle == pytest.approx((box[1] + box[2]) / 2 / 842, abs=0.005)
        clip = {"x": row["x"] + row["width"] - 12, "y": row["y"] + 3, "width": 6, "height": 6}
        pixel = pymupdf.Pixmap(page.screenshot(clip=clip)).pixel(3, 3)  # type: ignore[arg-type]
        assert pixel[0] > pixel[1] > pixel[2] + 30


@pytest.mark.parametrize(("paper", "width"), [("A4", 595), ("Letter", 612)])
def test_it_prints_light_with_the_row_on_its_first_page(
    browser: Browser, tmp_path: Path, paper: str, width: int
) -> None:
    with opened(browser, tmp_path, sample_finding(THEFT), dark=True) as (page, _):
        data = page.pdf(format=paper, print_background=True)
    with pymupdf.open(stream=data) as printed:
        first = printed[0]
        said = " ".join(first.get_text().split())
        assert THEFT in said
        assert "25,000 EUR" in said
        assert "1 of 40 rows, 96% fewer tokens" in said
        assert len(printed) <= 3
        assert first.rect.width == pytest.approx(width, abs=1)
        assert first.get_pixmap().pixel(5, 5) == (255, 255, 255)
        # Nothing is cut off at the right.
        assert max(word[2] for sheet in printed for word in sheet.get_text("words")) < width - 30
        everything = " ".join(" ".join(sheet.get_text().split()) for sheet in printed)
    assert "Deductible: 500 EUR | Eligibility condition: Tracker installed and active" in everything


def test_a_long_table_is_printed_with_its_header_on_every_page(
    browser: Browser, tmp_path: Path
) -> None:
    with opened(browser, tmp_path, sample_finding("")) as (page, _):
        data = page.pdf(format="A4", print_background=True)
    with pymupdf.open(stream=data) as printed:
        texts = [" ".join(sheet.get_text().split()) for sheet in printed]
    with_rows = [said for said in texts if re.search(r"p\. [23], l\. \d+", said)]
    assert len(with_rows) > 1
    assert all("Eligibility condition Cited" in said for said in with_rows)


@pytest.mark.parametrize("dark", [False, True])
def test_every_text_has_contrast(browser: Browser, tmp_path: Path, dark: bool) -> None:
    for finding in (
        sample_finding("What happens to a stolen vehicle that is found within thirty days?"),
        sample_finding("How does GNMT + RL score on EN-DE?", "attention_report"),
        hostile(),
    ):
        with opened(browser, tmp_path, finding, dark=dark) as (page, _):
            contrasts = page.evaluate(CONTRASTS)
            assert len(contrasts) > 60
            assert [one for one in contrasts if one[0] < LEAST_CONTRAST] == []


def test_the_export_menu_makes_report_and_context(app_url: str, page: Page) -> None:
    page.goto(app_url)
    expect(rows_on_page(page).first).to_be_attached(timeout=FIRST_VIEW_MS)
    ask(page, THEFT)
    expect(page.get_by_text("1 of 40 rows")).to_be_visible()
    page.get_by_role("button", name="Export").click()
    report = downloaded(page, "HTML")
    assert report.startswith("<!DOCTYPE html>")
    assert "Tracker installed and active" in report
    assert "1 of 40 rows, 96% fewer tokens" in report
    assert "66ef9f176b22bd95303e7fb0744f89f3b7bdc6d1f91ede581e4d7fd210604e0f" in report
    assert "data:image/" in report
    (query,) = re.findall(r'<pre class="verbatim">\?(.*?)</pre>', report)
    assert parse_qs(query.replace("&amp;", "&")) == {"q": [THEFT], "page": ["2"]}
    context = downloaded(page, "TXT")
    assert context.startswith("Covered event: Vehicle theft | Cap: 25,000 EUR")
    assert downloaded(page, "CITED TXT").startswith("[p. 2, l. 21]   Covered event: Vehicle theft")


def test_a_report_follows_the_question_that_is_asked(app_url: str, page: Page) -> None:
    page.goto(f"{app_url}/?q=Which+events+are+covered%3F")
    expect(rows_in_list(page).first).to_be_attached(timeout=FIRST_VIEW_MS)
    page.get_by_role("button", name="Export").click()
    assert "The whole table t1 with its 40 rows" in downloaded(page, "HTML")
    page.keyboard.press("Escape")
    ask(page, THEFT)
    expect(page.get_by_text("1 of 40 rows")).to_be_visible()
    page.get_by_role("button", name="Export").click()
    assert "1 of 40 rows, 96% fewer tokens" in downloaded(page, "HTML")


def downloaded(page: Page, name: str) -> str:
    """What the button of that name gives."""
    with page.expect_download() as download:
        page.get_by_role("button", name=name, exact=True).first.click()
    return download.value.path().read_text(encoding="utf-8")


def _rows_on_page_two() -> list[tuple[int, float, float]]:
    """Number, top and bottom in points of the rows on the sample's second page."""
    row_df = sample_finding(THEFT).index.row_df
    here = row_df[(row_df["page_num"] == 2) & (row_df["table_id"] == "t1")]
    return list(zip(here["row_index"] + 1, here["y0"], here["y1"], strict=True))

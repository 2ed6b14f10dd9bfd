"""Choosing a threshold in the real app and a real browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.test_inspector_browser import FIRST_VIEW_MS, ask, matched, rows_on_page

pytestmark = pytest.mark.browser

TERRITORIES = "In which territories are all guarantees covered?"


@pytest.fixture
def tune(app_url: str, page: Page) -> Page:
    """The sample set of the first sample, worked out."""
    page.set_viewport_size({"width": 1280, "height": 1600})
    page.goto(f"{app_url}/tune")
    expect(verdict(page)).to_contain_text("Recommended", timeout=FIRST_VIEW_MS)
    expect(points(page).first).to_be_attached()
    return page


def verdict(page: Page) -> Locator:
    return page.get_by_role("region", name="Threshold", exact=True)


def points(page: Page) -> Locator:
    """Marks of the strip."""
    return page.locator(".st-key-tune-strip .point")


def test_a_threshold_is_taken_and_seen_in_inspect(tune: Page) -> None:
    expect(verdict(tune)).to_contain_text("0.60")
    tune.get_by_role("button", name="Use 0.20").click()
    expect(tune).to_have_url(re.compile("threshold=0.2"))
    expect(verdict(tune).locator(".tile").first).to_contain_text("95%")
    tune.get_by_role("link", name="Inspect").first.click()
    expect(rows_on_page(tune).first).to_be_attached()
    ask(tune, TERRITORIES)
    expect(tune.get_by_text("3 of 10 rows")).to_be_visible()
    expect(tune.get_by_text("Widened", exact=True)).to_be_visible()


def test_a_mark_leads_to_its_question_and_on_to_inspect(tune: Page) -> None:
    at = points(tune).nth(0).bounding_box()
    assert at is not None
    tune.mouse.click(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    open_it = tune.get_by_role("button", name="Open in Inspect")
    expect(open_it).to_be_visible()
    open_it.click()
    expect(tune).to_have_url(re.compile(r"/(inspect)?\?.*q="))
    expect(matched(rows_on_page(tune)).first).to_be_attached()


def test_arrow_keys_on_the_slider_change_every_reading(tune: Page) -> None:
    slider = tune.get_by_role("slider", name="Widening threshold")
    slider.focus()
    tune.keyboard.press("Home")
    expect(verdict(tune)).to_contain_text("0.00")
    expect(verdict(tune).locator(".tile").nth(3)).to_contain_text("19")
    expect(tune).to_have_url(re.compile("threshold=0(&|$)"))


def test_a_row_expected_in_inspect_is_in_the_set(app_url: str, page: Page) -> None:
    page.goto(f"{app_url}/?q=What+is+the+cap+for+keys+lost%3F&row=t1:12")
    expect(matched(rows_on_page(page)).first).to_be_attached(timeout=FIRST_VIEW_MS)
    page.get_by_role("button", name="Expect …").click()
    page.get_by_role("button", name="Row t1:12").click()
    expect(page.get_by_role("button", name="Expects t1:12")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Tune").first.click()
    expect(page.get_by_text("21 questions, 21 with an expectation")).to_be_visible()


def test_the_curve_and_the_set_are_taken_away(tune: Page, tmp_path: Path) -> None:
    tune.get_by_test_id("stSidebar").get_by_role("button", name="Export").click()
    kept = tmp_path / "kept"
    for key in ("Question-set-JSONL", "Curve-over-all-thresholds-CSV"):
        with tune.expect_download() as download:
            tune.locator(f".st-key-tune-export-{key} button").click()
        download.value.save_as(kept)
        lines = kept.read_text(encoding="utf-8").splitlines()
        assert len(lines) == 20 if "JSONL" in key else "recall" in lines[0]

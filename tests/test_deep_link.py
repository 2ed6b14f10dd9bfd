"""A link into a page must work as the first thing a fresh server sees (pages/ui/frame.py)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("path", ["", "inspector"])
def test_the_first_link_on_a_cold_server_opens_the_page_in_its_frame(
    cold_app_url: str, page: Page, path: str
) -> None:
    page.goto(f"{cold_app_url}/{path}?q=What+is+the+cap+for+vehicle+theft%3F")
    expect(page.get_by_text("1 of 40 rows")).to_be_visible(timeout=30_000)
    expect(page.get_by_role("img", name="Logo")).to_be_visible()
    expect(page.get_by_text("Page not found")).to_have_count(0)
    expect(page).to_have_title("Rowlens")


@pytest.mark.parametrize(
    ("path", "says"), [("tune", "Sample set"), ("compare", "cuts Table 1 into 2 tables")]
)
def test_every_page_opens_by_its_link_on_a_cold_server(
    cold_app_url: str, page: Page, path: str, says: str
) -> None:
    page.goto(f"{cold_app_url}/{path}")
    expect(page.get_by_text(says).first).to_be_visible(timeout=30_000)
    expect(page.get_by_role("img", name="Logo")).to_be_visible()
    expect(page.get_by_text("Page not found")).to_have_count(0)

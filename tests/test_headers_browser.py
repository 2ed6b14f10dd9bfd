"""Headers and Notes in the real app and a real browser: set a header by hand, follow a note."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
expect.set_options(timeout=15_000)  # a loaded machine is slow, not wrong

FIRST_VIEW_MS = 30_000
REPORT = "doc=attention_report&table=t2"
QUESTION = "How does GNMT + RL score on EN-DE?"


@pytest.fixture
def headers_tab(app_url: str, page: Page) -> Page:
    """The second table of the report, its question asked, at the tab Headers."""
    page.goto(f"{app_url}/?{REPORT}&tab=Headers")
    box = page.get_by_role("textbox", name="Question")
    expect(box).to_be_visible(timeout=FIRST_VIEW_MS)
    box.fill(QUESTION)
    box.press("Enter")
    expect(page.get_by_text("2 of 10 rows")).to_be_visible()
    return page


def choose(page: Page, header_lines: str) -> None:
    page.get_by_role("radio", name=header_lines, exact=True).click()


def test_a_header_set_by_hand_changes_rows_and_decision_and_can_be_reset(
    headers_tab: Page,
) -> None:
    expect(headers_tab.get_by_role("cell", name="Training Cost (FLOPs) EN-FR")).to_be_visible()
    choose(headers_tab, "1")
    expect(headers_tab.get_by_text("3 of 11 rows")).to_be_visible()
    expect(headers_tab.get_by_text("Set by hand to 1 header line")).to_be_visible()
    expect(headers_tab).to_have_url(re.compile("headers=t2.1"))

    headers_tab.reload()
    expect(headers_tab.get_by_text("3 of 11 rows")).to_be_visible(timeout=FIRST_VIEW_MS)
    headers_tab.get_by_role("button", name="Reset header of t2").click()
    expect(headers_tab.get_by_text("2 of 10 rows")).to_be_visible()
    expect(headers_tab).not_to_have_url(re.compile("headers="))


def test_a_header_set_by_hand_outlasts_a_question_and_a_turned_page(headers_tab: Page) -> None:
    choose(headers_tab, "0")
    expect(headers_tab.get_by_text("3 of 12 rows", exact=True)).to_be_visible()
    headers_tab.get_by_role("button", name="What layer types are compared?").click()
    expect(headers_tab.get_by_text("4 of 4 rows", exact=True)).to_be_visible()
    headers_tab.get_by_role("button", name=QUESTION).click()
    expect(headers_tab.get_by_text("3 of 12 rows", exact=True)).to_be_visible()


def test_a_note_lights_its_place_on_the_page(app_url: str, page: Page) -> None:
    page.goto(f"{app_url}/?{REPORT}&tab=Notes&headers=t2.1&page=1")
    note = page.get_by_role("button", name=re.compile("Error Row 1"))
    note.click(timeout=FIRST_VIEW_MS)
    expect(page.get_by_text("Page 2 of 2")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("Row 1, column 2"))).to_be_attached()
    expect(note).to_have_attribute("aria-pressed", "true")


def test_clean_tables_raise_no_alarm(app_url: str, page: Page) -> None:
    page.goto(f"{app_url}/?doc=motor_insurance&tab=Notes")
    expect(page.get_by_text("Header repeated on page 3: not a row.")).to_be_visible(
        timeout=FIRST_VIEW_MS
    )
    expect(page.get_by_text(re.compile("Error|Warning"))).to_have_count(0)

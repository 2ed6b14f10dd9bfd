"""Why a row is in or out, in the real app and a real browser: one click, in place, no jumps."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.documents import table_pdf
from tests.test_inspector_browser import THEFT, ask, rows_in_list, rows_on_page

pytestmark = pytest.mark.browser
expect.set_options(timeout=15_000)  # a loaded machine is slow, not wrong

FIRST_VIEW_MS = 30_000


@pytest.fixture
def answered(app_url: str, page: Page) -> Page:
    """The first sample with its first question answered."""
    page.goto(app_url)
    expect(rows_on_page(page).first).to_be_attached(timeout=FIRST_VIEW_MS)
    ask(page, THEFT)
    expect(page.get_by_text("1 of 40 rows")).to_be_visible()
    return page


def why(page: Page) -> Locator:
    return page.get_by_role("region", name=re.compile("^Why"))


def top_of(locator: Locator) -> float:
    box = locator.bounding_box()
    assert box is not None
    return box["y"]


def test_the_best_row_is_explained_before_any_click(answered: Page) -> None:
    panel = why(answered)
    expect(panel).to_contain_text("Why this row?")
    expect(panel).to_contain_text("Row 11 of t1")
    expect(panel).to_contain_text("It holds “vehicle” and “theft”")
    expect(panel.get_by_role("img", name=re.compile(r"Score \d+\.\d\d = words"))).to_be_visible()
    expect(rows_in_list(answered).first).to_contain_text(re.compile(r"#1 · \d+\.\d\d"))


def test_a_click_in_the_list_says_why_not_and_nothing_jumps(answered: Page) -> None:
    rows_in_list(answered).nth(2).scroll_into_view_if_needed()
    before = [top_of(rows_in_list(answered).nth(at)) for at in range(4)]
    rows_in_list(answered).nth(2).click()
    panel = why(answered)
    expect(panel).to_contain_text("Why not this row?")
    expect(panel).to_contain_text("Row 2 of t1")
    expect(panel).to_contain_text("“cap” is only a label")
    expect(panel.get_by_text("Left out")).to_be_visible()
    assert [top_of(rows_in_list(answered).nth(at)) for at in range(4)] == before


def test_a_click_on_the_page_is_answered_in_the_list(answered: Page) -> None:
    rows_on_page(answered).nth(4).locator(".box").click()
    panel = why(answered)
    expect(panel).to_contain_text("Row 5 of t1")
    expect(panel).to_contain_text("It holds “vehicle” but not “theft”")
    rows_on_page(answered).nth(4).locator(".box").click()  # chosen no more
    expect(panel).to_contain_text("Row 11 of t1")


def test_a_typo_is_marked_where_it_hits(answered: Page) -> None:
    ask(answered, "cap for vehicle thefft")
    expect(why(answered)).to_contain_text("thefft ~ “theft” (typo) in the row's name")
    hits = rows_in_list(answered).first.locator("mark")
    expect(hits).to_have_text(["Vehicle", "theft"])


def test_a_better_paragraph_stands_first_and_turns_to_its_page(answered: Page) -> None:
    ask(answered, "What happens to a stolen vehicle that is found within thirty days?")
    card = answered.get_by_role("button", name=re.compile("A paragraph answers better"))
    expect(card).to_be_visible()
    expect(card.locator("mark").first).to_be_visible()
    answered.get_by_role("button", name=re.compile("Page 1")).click()
    expect(answered.get_by_text("Page 1 of 5")).to_be_visible()
    card.click()
    expect(answered.get_by_text("Page 3 of 5")).to_be_visible()


def test_words_are_switched_off_in_the_settings(answered: Page) -> None:
    answered.get_by_text("Reading and retrieval").click()
    answered.get_by_text("Words", exact=True).click()
    expect(answered).to_have_url(re.compile("words=off"))
    answered.reload()
    expect(answered.get_by_role("textbox", name="Question")).to_have_value(
        THEFT, timeout=FIRST_VIEW_MS
    )
    answered.get_by_text("Reading and retrieval").click()
    expect(answered.get_by_role("switch", name="Words")).not_to_be_checked()
    answered.get_by_text("Words", exact=True).click()
    expect(answered).not_to_have_url(re.compile("words="))
    expect(answered.get_by_text("1 of 40 rows")).to_be_visible()


def test_what_is_explained_is_never_markup(answered: Page) -> None:
    nasty = "<img src=x onerror=alert(1)>"
    pdf = table_pdf(["Name", "<b>Note</b>"], [[nasty, "**bold** :red[x]"], ["Other", "plain"]])
    answered.on("dialog", lambda dialog: pytest.fail(f"A script ran: {dialog.message}"))
    answered.locator("input[type=file]").set_input_files(
        {"name": "evil.pdf", "mimeType": "application/pdf", "buffer": pdf}
    )
    expect(rows_in_list(answered)).to_have_count(2, timeout=FIRST_VIEW_MS)
    ask(answered, "<b>note</b> of <img src=x onerror=alert(1)> bold")
    expect(why(answered)).to_contain_text("onerror in the row's name")
    expect(why(answered)).to_contain_text("“<b>Note</b>”")
    assert answered.locator("img[src=x], .why b b, .why img").count() == 0

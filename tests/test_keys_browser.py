"""Inspect by keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.test_inspector_browser import FIRST_VIEW_MS, matched, rows_on_page

pytestmark = pytest.mark.browser

COMPARED = "Summarise the vehicle-theft cap and compare it with the fire cap"


def test_a_question_is_asked_its_rows_walked_and_cleared_without_a_mouse(
    app_url: str, page: Page
) -> None:
    page.goto(app_url)
    expect(rows_on_page(page).first).to_be_attached(timeout=FIRST_VIEW_MS)
    page.keyboard.press("/")
    box = page.get_by_role("textbox", name="Question")
    expect(box).to_be_focused()
    page.keyboard.type(COMPARED)
    page.keyboard.press("Enter")
    expect(matched(rows_on_page(page))).to_have_count(2)
    box.blur()
    page.keyboard.press("n")
    expect(page).to_have_url(re.compile("row=t1%3A8"))
    page.keyboard.press("n")
    expect(page).to_have_url(re.compile("row=t1%3A10"))
    page.keyboard.press("n")
    expect(page).to_have_url(re.compile("row=t1%3A8"))
    page.keyboard.press("Shift+N")
    expect(page).to_have_url(re.compile("row=t1%3A10"))
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    expect(box).to_have_value("")
    expect(page).not_to_have_url(re.compile("q="))


def test_arrows_turn_pages_and_a_question_mark_lists_the_keys(app_url: str, page: Page) -> None:
    page.goto(f"{app_url}/?page=2")
    expect(rows_on_page(page).first).to_be_attached(timeout=FIRST_VIEW_MS)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("page=3"))
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("page=2"))
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("next matched row")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).not_to_be_visible()


def test_letters_typed_into_the_question_are_letters(app_url: str, page: Page) -> None:
    page.goto(app_url)
    expect(rows_on_page(page).first).to_be_attached(timeout=FIRST_VIEW_MS)
    box = page.get_by_role("textbox", name="Question")
    box.click()
    page.keyboard.type("n/N?")
    expect(box).to_have_value("n/N?")
    expect(page.get_by_role("dialog")).to_have_count(0)

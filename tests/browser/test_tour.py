"""A first visit: the tour leads from Home to a run, its front, a design and a comparison, by keyboard alone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.site import Site


@pytest.mark.long
def test_the_tour_is_taken_ended_and_taken_again(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = sign_in("demo")
    page.goto(f"{site.url}/")
    box, title = page.locator("#tour"), page.locator("#tour-title")
    expect(box).to_be_hidden()
    page.get_by_role("button", name="Take the tour").press("Enter")
    expect(title).to_have_text("All runs are listed here")
    expect(page.get_by_role("button", name="Next")).to_be_focused()
    expect(page.locator("#tour-invitation")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    expect(title).to_have_text("A result")
    for name, place in (("The front", "#run-front"), ("Limits", "#run-limit-box"), ("One design", "#run-grid")):
        page.get_by_role("button", name="Next").press("Enter")
        expect(title).to_contain_text(name)
        expect(page.locator(f".tour-here:has({place}), {place}.tour-here")).to_have_count(1)
    shot(page, "tour")
    page.get_by_role("button", name="Back").press("Enter")
    expect(title).to_have_text("Limits")
    page.get_by_role("button", name="Next").press("Enter")
    page.get_by_role("button", name="Next").press("Enter")
    expect(page).to_have_url(re.compile(r"/compare\?runs="))
    expect(title).to_have_text("Compare")
    page.get_by_role("button", name="Next").focus()
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()

    # Anyone who has ended it is not asked again, and finds it in the menu.
    page.goto(f"{site.url}/")
    expect(page.locator("#home-runs")).to_be_visible()
    expect(page.locator("#tour-invitation")).to_be_hidden()
    page.get_by_role("button", name="demo: menu").click()
    page.get_by_role("menuitem", name="Two-minute tour").click()
    expect(title).to_have_text("All runs are listed here")
    page.get_by_role("button", name="End").click()
    expect(box).to_be_hidden()

"""The form of a new exploration: engines by question, found by words, folded once chosen; what experts set is folded."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.site import WINDOW, Site


@pytest.mark.long
def test_an_engine_is_found_by_what_it_decides_or_by_its_author_and_folds(
    site: Site, sign_in: Callable[[str], Page]
) -> None:
    page = sign_in("demo")
    page.goto(f"{site.url}/new")
    chooser, find = page.locator("#new-chooser"), page.get_by_label("Search engines")
    expect(chooser.get_by_role("group", name="Map to a system on a chip")).to_contain_text("SoC mapping")
    expect(chooser.locator(".chooser-recent")).to_contain_text("Last used")
    find.fill("goyal adaptive")
    expect(chooser.locator(".chooser-engine:visible")).to_have_text([re.compile("Adaptive sensing")])
    find.fill("nothing of the kind")
    expect(chooser).to_contain_text("No engine matches this search")
    find.press("Escape")
    expect(chooser.get_by_role("group")).not_to_have_count(1)
    find.fill("soc mapping")
    find.press("Enter")
    expect(page.locator("#new-summary")).to_contain_text("SoC mapping")
    expect(chooser).not_to_have_attribute("open", re.compile(".*"))
    expect(page).to_have_url(re.compile("engine=soc-mapping"))


@pytest.mark.long
def test_the_usual_exploration_fits_on_one_screen_and_tells_what_is_folded(
    site: Site, sign_in: Callable[[str], Page]
) -> None:
    page = sign_in("demo")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{site.url}/new?engine=scar")
    experts = page.locator("summary", has_text="For experts")
    expect(experts).to_be_in_viewport()
    expect(page.locator("#new-start")).to_be_in_viewport()
    page.wait_for_function("() => document.documentElement.scrollHeight <= 800")
    expect(page.get_by_label("Samples per step", exact=False).first).not_to_be_in_viewport()
    experts.click()
    expect(page.locator("#new-parameters details[open]")).to_have_count(1)
    page.set_viewport_size(WINDOW)  # type: ignore[arg-type]

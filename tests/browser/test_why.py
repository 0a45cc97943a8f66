"""Why a design is as good as it is, and what if the hardware were another: moved, and kept by who may."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import RUN_MS
from tests.browser.test_accessibility import accessible
from tests.support.site import Site


def test_a_design_says_why_and_which_change_helps(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")
    page.goto(f"{site.url}{site.first_run}?design=12&tab=why")
    expect(page.get_by_text(re.compile(r"^Latency of Design 0012 is"))).to_be_visible()
    expect(page.locator("#why-made-of .main-svg").first).to_be_visible()
    page.locator("#why-how").click()
    page.get_by_role("option", name="by kind of work").click()
    expect(page).to_have_url(re.compile("parts=by"))
    expect(page.locator("#why-made-of").get_by_text(re.compile("is compute"))).to_be_visible()
    page.get_by_role("button", name="Try changes").click()
    expect(page.locator("#why-changes table")).to_be_visible(timeout=RUN_MS)
    expect(page.locator("#why-changes")).to_contain_text(re.compile(r"\d+ of \d+ tried"))
    accessible(page)


def test_hardware_is_moved_by_a_slider_and_kept_as_a_version(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")
    page.goto(f"{site.url}{site.first_run}?design=12&tab=what-if")
    clock = page.get_by_role("slider", name="Clock")
    keep = page.get_by_role("button", name="Keep as a new version")
    expect(keep).to_be_disabled()
    clock.focus()
    for _ in range(3):
        page.keyboard.press("PageUp")
    page.keyboard.press("End")
    row = page.locator("#what-if-moved tr", has_text="Latency")
    expect(row).to_contain_text("−", timeout=RUN_MS)
    expect(page.locator("#what-if-front-words")).to_contain_text("of the stored front stay on it", timeout=RUN_MS)
    accessible(page)
    keep.click()
    expect(page.locator("#what-if-kept")).to_contain_text("version 1")
    page.get_by_role("link", name="Run on this hardware").click()
    expect(page).to_have_url(re.compile(r"hardware=.*what-if"))
    expect(page.get_by_role("heading", name="New run")).to_be_visible()
    expect(page.get_by_text("(what if)").first).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Reset").click()
    expect(keep).to_be_disabled()

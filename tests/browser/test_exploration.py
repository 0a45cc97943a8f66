"""Point 2 of what a new user does: describe an exploration, watch it, stop it, continue it, start another from it."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RUN_MS
from tests.browser.slow_line import unanswered
from tests.browser.test_accessibility import accessible
from tests.support.site import Site

FOREVER = "1000000"  # evaluations; minutes of work, so that there is something to stop


def evaluations_of(page: Page) -> int:
    """The number of evaluations that the page shows as made."""
    expect(page.locator("#run-progress")).to_have_text(re.compile(r"\d\s(?:of|evaluations)"))
    text = page.locator("#run-progress").inner_text()
    found = re.match(r"([\d\s]+?)\s(?:of|evaluations)", text)
    assert found, text
    return int(re.sub(r"\D", "", found.group(1)))


def wait_for_more(page: Page, evaluations: int) -> None:
    """Wait until the page shows more evaluations than that. A step of the search takes seconds on a busy machine."""
    deadline = time.monotonic() + 120
    while evaluations_of(page) <= evaluations:
        assert time.monotonic() < deadline, "the page does not follow the run"
        page.wait_for_timeout(200)


def fill_evaluations(page: Page, value: str) -> None:
    field = page.get_by_label("Evaluations", exact=True)
    field.fill(value)
    field.press("Tab")
    expect(page.locator("#new-command")).to_contain_text(f"evaluations={value}")


def test_start_waits_for_the_summary_of_what_is_chosen(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = sign_in("grace")
    page.goto(f"{site.url}/new?engine=scar")
    start, summary = page.locator("#new-start"), page.locator("#new-summary")
    expect(start).to_be_enabled()
    page.locator("#new-chooser > summary").click()
    with unanswered(page):
        page.get_by_role("button", name=re.compile("^SoC mapping")).click()
        expect(start).to_be_disabled()
        expect(summary).to_have_class("stale")
    expect(page.locator(".new-fit")).to_contain_text("does not fit SoC mapping")
    expect(summary).to_contain_text("SoC mapping")
    expect(start).to_be_enabled()
    expect(summary).not_to_have_class("stale")
    shot(page, "2-new-fitted")

    # A key and a click in the same moment: the click does not count.
    page.get_by_label("Seed", exact=True).press_sequentially("1")
    assert page.evaluate("""() => {
        const field = [...document.querySelectorAll('.new-form input')].find((one) => one.ariaLabel === 'Seed');
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        document.getElementById('new-start').click();
        return location.pathname;
    }""") == "/new"  # fmt: skip
    expect(summary).to_contain_text("Seed")
    expect(start).to_be_enabled()
    assert page.url.partition("?")[0].endswith("/new")

    page.get_by_role("group", name="Hardware").get_by_role("button", name=re.compile("Jetson AGX Xavier")).first.click()
    page.get_by_role("textbox", name="Workload", exact=True).fill("ResNet-50")
    page.get_by_role("option", name=re.compile("^ResNet-50")).first.click()
    expect(summary).to_contain_text("How to fix it")
    expect(start).to_be_disabled()
    shot(page, "2-new-refused")
    page.get_by_role("button", name="Choose “Estimated like others”").click()
    expect(summary).to_contain_text("Estimated like others")
    expect(start).to_be_enabled()
    expect(page.get_by_label("Seed", exact=True)).to_have_value(re.compile("1"))
    start.click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))


@pytest.mark.long
def test_an_exploration_is_described_watched_stopped_continued_and_repeated(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = sign_in("ada")
    page.add_init_script("""window.Notification = function (title, more) { (window.told ||= []).push([title, more.body]); };
        window.Notification.requestPermission = () => Promise.resolve("granted");""")
    page.goto(f"{site.url}/")
    expect(page.get_by_role("heading", name="Estimate your network on every device")).to_be_visible()
    accessible(page)
    shot(page, "2-home-empty")

    page.get_by_role("link", name="New run").first.click()
    expect(page).to_have_url(re.compile(r"/new"))
    expect(page.get_by_role("heading", name="New run")).to_be_visible()
    page.get_by_role("link", name=re.compile("^SCAR")).click()
    page.get_by_text(re.compile("^Simba 3.3 Het-CB$")).click()
    expect(page.locator("#new-summary")).to_contain_text("Het-CB")
    expect(page.locator("#new-summary")).to_contain_text("on one worker")
    fill_evaluations(page, "5")
    expect(page.locator("#new-start")).to_be_disabled()
    shot(page, "2-new-out-of-bounds")
    fill_evaluations(page, FOREVER)
    page.get_by_label("Title").fill("Checkerboard, long")
    expect(page.locator("#new-start")).to_be_enabled()
    # From its top: an engine of the list of which the bar above covers all but a sliver would count as a small target.
    page.evaluate("scrollTo(0, 0)")
    accessible(page)
    shot(page, "2-new")

    page.locator("#new-start").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    expect(page.locator("#run-header")).to_have_text("Running")
    expect(page.get_by_role("heading", name="Checkerboard, long")).to_be_visible()
    expect(page.locator("#run-front .main-svg").first).to_be_visible()
    expect(page.locator("#run-progress")).to_contain_text("evaluations")
    wait_for_more(page, evaluations_of(page))
    shot(page, "2-live")

    second_tab = page.context.new_page()
    second_tab.goto(page.url)
    expect(second_tab.locator("#run-header")).to_have_text("Running")
    page.get_by_role("button", name="Notify me in this browser").click()
    expect(page.get_by_text("Notification on")).to_be_visible()
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator("#run-header")).to_have_text("Stopped")
    page.wait_for_function("window.told.length === 2")
    _, told = page.evaluate("window.told")
    assert told[0] == "Checkerboard, long" and told[1].endswith("has ended: stopped")
    expect(second_tab.locator("#run-header")).to_have_text("Stopped")
    second_tab.close()
    stopped_at = evaluations_of(page)
    assert stopped_at > 0
    shot(page, "2-stopped")

    page.get_by_role("button", name="Continue", exact=True).click()
    expect(page.locator("#run-header")).to_have_text("Running")
    assert evaluations_of(page) > 0, "continued from the beginning, not from its last checkpoint"
    wait_for_more(page, stopped_at)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator("#run-header")).to_have_text("Stopped")

    page.get_by_role("link", name="Start from this").click()
    expect(page).to_have_url(re.compile(r"/new\?from=\d+"))
    expect(page.get_by_label("Evaluations", exact=True)).to_have_value(re.compile(r"1\D?000\D?000"))
    expect(page.locator("#new-summary")).to_contain_text("Het-CB")
    shot(page, "2-start-from-this")
    fill_evaluations(page, "2000")
    page.locator("#new-start").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    expect(page.locator("#run-header")).to_have_text("Done", timeout=RUN_MS)
    expect(page.locator("#run-grid .main-svg").first).to_be_visible()
    shot(page, "2-done")

    page.goto(f"{site.url}/")
    rows = page.locator("#home-table .ag-center-cols-container .ag-row")
    expect(rows).to_have_count(2)
    expect(page.locator("#home-table")).to_contain_text("Checkerboard, long")
    shot(page, "2-home")
    page.get_by_role("link", name=re.compile("Checkerboard, long")).first.click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))

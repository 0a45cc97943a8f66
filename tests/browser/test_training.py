"""A run whose product are curves: they grow on the tab on which one lands, through stop and continue, and under Convergence."""

import importlib.util
import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.tabs import open_tab
from tests.support.site import Site

pytestmark = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="a training needs torch")
POINTS = "plots => plots.map(plot => plot.calcdata ? plot.calcdata[0].length : 0)"


def points(page: Page, place: str) -> int:
    """The least number of points of the curves in `place`."""
    return int(min(page.locator(f"{place} .js-plotly-plot").evaluate_all(POINTS), default=0))


def wait_for_points(page: Page, place: str, more_than: int) -> int:
    deadline = time.monotonic() + 240
    while points(page, place) <= more_than:
        assert time.monotonic() < deadline, "the curves do not grow"
        page.wait_for_timeout(200)
    return points(page, place)


@pytest.mark.long
def test_curves_of_a_training_grow_through_stop_and_continue(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = sign_in("grace")
    page.goto(f"{site.url}/new?engine=train-supernet")
    page.locator("summary", has_text="For experts").click()
    for label, value in (("Width", "4"), ("Batch", "16")):  # steps of a tenth of a second
        field = page.get_by_label(label, exact=True)
        field.fill(value)
        field.press("Tab")
    expect(page.locator("#new-command")).to_contain_text("batch_size=16")
    page.locator("#new-start").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    for name in ("Grid", "Schedule", "Traces"):
        expect(page.get_by_role("tab", name=name, exact=True)).to_be_hidden()
    for card in (".run-upper", "#run-schedule-card"):
        expect(page.locator(card)).to_be_hidden()

    first = wait_for_points(page, ".run-own", 0)
    expect(page.locator(".run-own").get_by_role("heading", name="Training loss")).to_be_visible()
    expect(page.locator("#run-progress")).to_contain_text("Epoch")
    page.locator(".run-own .js-plotly-plot").evaluate_all("plots => plots.forEach(plot => { plot.seen = true; })")
    grown = wait_for_points(page, ".run-own", first)
    # Not made again, so that a reader's zoom and place stay.
    assert page.locator(".run-own .js-plotly-plot").evaluate_all("plots => plots.every(plot => plot.seen)")
    shot(page, "training-live")

    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator("#run-header")).to_have_text("Stopped")
    expect(page.locator(".run-own")).to_be_visible()
    page.get_by_role("button", name="Continue", exact=True).click()
    expect(page.locator("#run-header")).to_have_text("Running")
    open_tab(page, "Convergence")
    wait_for_points(page, ".panel-convergence", grown)
    shot(page, "training-convergence")
    page.get_by_role("tab", name="Data").click()
    there = wait_for_points(page, ".panel-data", 0)
    wait_for_points(page, ".panel-data", there)
    page.get_by_role("tab", name="Overview").click()
    wait_for_points(page, ".run-own", grown)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator("#run-header")).to_have_text("Stopped")

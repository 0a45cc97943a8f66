"""The view in space of a live run is drawn anew while designs come: what the reader has turned stays."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.test_exploration import FOREVER, fill_evaluations
from tests.support.site import Site

PLOT = "document.querySelector('#run-front .js-plotly-plot')"
COUNT = "(sum, trace) => sum + (trace.x || trace.dimensions[0].values || []).length"
POINTS = f"{PLOT}._fullData.reduce({COUNT}, 0)"
CAMERA = f"JSON.stringify({PLOT}._fullLayout.scene.camera)"


def drag(page: Page, area: str, by_px: int) -> None:
    """Across the middle of the first `area`, with the pointer as a reader does it: only that is kept by plotly.js."""
    box = page.locator(area).first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x - by_px, y - by_px)
    page.mouse.down()
    page.mouse.move(x + by_px, y + by_px, steps=5)
    page.mouse.up()


def stays_while_designs_come(page: Page, area: str, by_px: int, looked_at: str) -> None:
    page.wait_for_function(f"() => {PLOT} && {PLOT}._fullData && {PLOT}._fullData.length > 1 && {POINTS} > 0")
    before = page.evaluate(looked_at)
    drag(page, area, by_px)
    page.wait_for_function(f"before => {looked_at} !== before", arg=before)
    turned, points = page.evaluate(looked_at), page.evaluate(POINTS)
    page.wait_for_function(f"points => {POINTS} > points", arg=points)
    assert page.evaluate(looked_at) == turned


def test_the_camera_stays_while_designs_come(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("ada")
    page.goto(f"{site.url}/new?engine=scar")
    page.get_by_text(re.compile("^Simba 3.3 Het-CB$")).click()
    fill_evaluations(page, FOREVER)
    expect(page.locator("#new-start")).to_be_enabled()
    page.locator("#new-start").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    expect(page.locator("#run-header")).to_have_text("Running")
    run = page.url.partition("?")[0]
    page.goto(f"{run}?view=3d")
    stays_while_designs_come(page, "#run-front .js-plotly-plot", 60, CAMERA)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator("#run-header")).to_have_text("Stopped")

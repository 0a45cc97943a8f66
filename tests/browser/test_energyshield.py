"""A vehicle that sends its frames to a server: from a new exploration to a design that is driven."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RUN_MS
from tests.browser.tabs import open_tab
from tests.support.site import Site

_VEHICLE = """() => {
    const plot = document.querySelector(".ground-track .js-plotly-plot");
    return plot?._fullData?.[plot.layout?.meta?.track?.trace]?.x?.[0] ?? null;
}"""


def _moved(page: Page, far_enough: Callable[[float], bool]) -> bool:
    """Whether the vehicle comes where it should within a minute; asked from here, for the page lets nothing evaluate text."""
    for _ in range(600):
        found = page.evaluate(_VEHICLE)
        if found is not None and far_enough(found):
            return True
        page.wait_for_timeout(100)
    return False


@pytest.mark.long
def test_a_design_is_picked_and_driven(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = sign_in("grace")
    page.goto(f"{site.url}/new?engine=energyshield")
    expect(page.locator("#new-command")).to_contain_text("energyshield")
    page.locator("#new-start").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    expect(page.locator("#run-header")).to_contain_text("Done", timeout=RUN_MS)
    expect(page.locator("#run-front .js-plotly-plot")).to_be_visible()
    shot(page, "energyshield")
    open_tab(page, "Traces")
    expect(page.locator(".ground-track .js-plotly-plot").first).to_be_visible()
    expect(page.get_by_text("Counterexample").first).to_be_visible()
    assert _moved(page, lambda metres: metres == 0)  # the picture stands before the vehicle does
    strip = page.locator(".time-strip:visible").first
    strip.focus()
    for key in ("Shift+ArrowRight", "Shift+ArrowRight"):
        page.keyboard.press(key)
    assert _moved(page, lambda metres: metres > 10)
    shot(page, "energyshield-drive")

"""Chiplets around a hub: from a new exploration to a package and its cost."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RUN_MS
from tests.support.site import Site


@pytest.mark.long
def test_a_package_from_the_form_to_its_cost(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = sign_in("grace")
    page.goto(f"{site.url}/new?engine=neksus")
    expect(page.locator("#new-command")).to_contain_text("neksus")
    page.locator("summary", has_text="For experts").click()
    # Some hundred packages instead of the ten thousand that it begins with.
    for label, value in (
        ("Networks of the hub", "crossbar, mesh"),
        ("Chiplets of a mini-chain", "1, 2"),
        ("Orders of the chiplets", "1"),
    ):
        field = page.get_by_label(label, exact=True)
        field.fill(value)
        field.press("Tab")
        expect(field).to_have_value(value)
    expect(page.locator("#new-command")).to_contain_text("orders=1")
    expect(page.locator("#new-start")).to_be_enabled()
    page.locator("#new-start").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    expect(page.locator("#run-header")).to_contain_text("Done", timeout=RUN_MS)
    expect(page.locator("#run-front .js-plotly-plot")).to_be_visible()
    shot(page, "neksus")
    page.get_by_role("tab", name="Data").click()
    for words in (
        "Best designs and baselines",
        "Cost of a system over how many are made",
        "Yield over the number of chiplets",
    ):
        expect(page.get_by_text(words).first).to_be_visible()
    shot(page, "neksus-data")

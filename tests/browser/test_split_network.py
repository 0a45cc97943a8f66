"""A network between a device and a server: from a new exploration to a picked cut."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RUN_MS
from tests.support.site import Site


@pytest.mark.long
def test_a_split_network_from_the_form_to_a_cut(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = sign_in("grace")
    page.goto(f"{site.url}/new?engine=split-network")
    expect(page.locator("#new-command")).to_contain_text("split-network")
    page.locator("#new-start").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    expect(page.locator("#run-header")).to_contain_text("Done", timeout=RUN_MS)
    expect(page.locator("#run-front .js-plotly-plot")).to_be_visible()
    shot(page, "split-network")
    page.get_by_role("tab", name="Data").click()
    for words in (
        "Best cut for bandwidth and delay of the server",
        "Latency of the best cut by bandwidth",
        "Best designs and baselines",
    ):
        expect(page.get_by_text(words).first).to_be_visible()
    shot(page, "split-network-data")

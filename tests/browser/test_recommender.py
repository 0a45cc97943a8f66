"""A recommender split between device and datacentre: from a new exploration to a picked split."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RUN_MS
from tests.browser.pictures import in_both_schemes
from tests.support.site import Site


@pytest.mark.long
def test_a_split_recommender_from_the_form_to_its_graph(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = sign_in("grace")
    page.goto(f"{site.url}/new?engine=duet")
    expect(page.locator("#new-command")).to_contain_text("duet")
    in_both_schemes(page, shot, "recommender-form")
    page.locator("#new-start").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    expect(page.locator("#run-header")).to_contain_text("Done", timeout=RUN_MS)
    expect(page.locator("#run-front .js-plotly-plot")).to_be_visible()
    in_both_schemes(page, shot, "recommender")
    page.get_by_role("tab", name="Data").click()
    for words in (
        "Latency compared with the monolithic model",
        "Throughput gained by batch",
        "Session handed over by Bluetooth",
    ):
        expect(page.get_by_text(words).first).to_be_visible()
    in_both_schemes(page, shot, "recommender-data")

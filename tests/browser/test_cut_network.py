"""A network cut across units: from a new exploration to a picked configuration."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RUN_MS
from tests.support.site import Site


@pytest.mark.long
def test_a_cut_network_from_the_form_to_a_design(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = sign_in("grace")
    page.goto(f"{site.url}/new?engine=map-and-conquer&workload=vgg19&hardware=jetson-agx-xavier")
    expect(page.locator("#new-command")).to_contain_text("map-and-conquer")
    page.locator("#new-start").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    expect(page.locator("#run-header")).to_contain_text("Done", timeout=RUN_MS)
    expect(page.locator("#run-front .js-plotly-plot")).to_be_visible()
    shot(page, "cut-network")
    page.get_by_role("tab", name="Data").click()
    for words in (
        "Best designs and baselines",
        "Features that later stages reuse",
        "Bounds of the stated model",
    ):
        expect(page.get_by_text(words).first).to_be_visible()

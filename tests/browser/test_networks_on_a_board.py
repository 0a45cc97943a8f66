"""Networks that share a board: from a new exploration to a picked mapping."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RUN_MS
from tests.support.site import Site


@pytest.mark.long
def test_networks_on_a_board_from_the_form_to_a_mapping(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = sign_in("grace")
    page.goto(f"{site.url}/new?engine=mapformer&workload=mlperf-scenario-1&hardware=jetson-agx-xavier")
    expect(page.locator("#new-command")).to_contain_text("mlperf-scenario-1")
    page.locator("#new-start").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    expect(page.locator("#run-header")).to_contain_text("Done", timeout=RUN_MS)
    expect(page.locator("#run-front .js-plotly-plot")).to_be_visible()
    page.locator("#run-short-list tbody tr.click").last.click()
    expect(page).to_have_url(re.compile(r"design=\d+"))
    lanes = page.locator("#run-schedule")
    expect(lanes.locator(".main-svg").first).to_be_visible()
    expect(lanes).to_contain_text("GPU")
    shot(page, "networks-on-a-board")

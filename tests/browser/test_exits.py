"""Networks that stop early: from a new exploration to a picked set of exits."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RUN_MS
from tests.support.site import Site


@pytest.mark.long
def test_exits_of_a_network_from_the_form_to_a_picked_design(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = sign_in("grace")
    page.goto(f"{site.url}/new?engine=hadas&workload=attentivenas-a0&hardware=jetson-tx2")
    expect(page.locator("#new-command")).to_contain_text("hadas")
    shot(page, "exits-form")
    page.locator("#new-start").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    expect(page.locator("#run-header")).to_have_text("Done", timeout=RUN_MS)
    expect(page.locator("#run-front .js-plotly-plot")).to_be_visible()
    for width, scheme in ((1280, "light"), (1920, "dark"), (1920, "light"), (1280, "dark")):
        page.set_viewport_size({"width": width, "height": 900 if width == 1280 else 1080})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.reload()
        expect(page.locator("#run-front .js-plotly-plot")).to_be_visible()
        shot(page, f"exits-run-{width}-{scheme}")
    page.emulate_media(color_scheme="light")
    page.reload()
    expect(page.get_by_role("heading", name="Where inputs leave")).to_be_visible()
    page.locator("#run-short-list tbody tr").nth(2).click()
    expect(page).to_have_url(re.compile(r"design=\d+"))
    page.get_by_role("tab", name="Data").click()
    graph = page.get_by_role("heading", name="Network with its exits")
    graph.scroll_into_view_if_needed()
    expect(graph).to_be_visible()
    shot(page, "exits-graph")

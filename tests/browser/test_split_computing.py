"""Run-time control of split computing: from a new exploration to a controller's drive."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RUN_MS
from tests.support.site import Site


@pytest.mark.long
def test_controllers_from_the_form_to_the_run(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = sign_in("grace")
    page.goto(f"{site.url}/new?engine=split-computing&ready=exact")
    expect(page.locator("#new-command")).to_contain_text("split-computing")
    page.locator("#new-start").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    expect(page.locator("#run-header")).to_contain_text("Done", timeout=RUN_MS)
    expect(page.locator("#run-front .js-plotly-plot")).to_be_visible()
    shot(page, "split-computing")
    page.locator("#run-short-list tbody tr").nth(1).click()
    expect(page).to_have_url(re.compile(r"design=\d+"))
    expect(page.get_by_text("A drive of 10 s").first).to_be_visible()
    page.get_by_role("tab", name="Data").click()
    for words in ("Comparison of controllers", "Actions of the controllers"):
        expect(page.get_by_text(words).first).to_be_visible()
    shot(page, "split-computing-data")

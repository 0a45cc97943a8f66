"""A package of one's own: copied, one chiplet changed, saved, explored with."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RUN_MS
from tests.support.site import Site


@pytest.mark.long
def test_a_copy_is_changed_in_the_form_saved_and_explored_with(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = sign_in("grace")
    page.goto(f"{site.url}/catalogue/hardware/simba-3x3-het-sides")
    page.get_by_role("link", name="Edit a copy").click()
    expect(page.get_by_role("heading", name=re.compile("Edit a copy of Simba"))).to_be_visible()
    expect(page.locator("#hardware-picture .main-svg").first).to_be_visible()

    page.get_by_label("Title").fill("Weak centre")
    page.get_by_label("Slug").fill("weak-centre")
    page.get_by_role("button", name=re.compile(r"^C3,")).press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#hardware-chiplet-title")).to_contain_text("class S, 2 others equal to it")
    expect(page.get_by_role("button", name=re.compile(r"^C4,"))).to_be_focused()
    elements = page.get_by_label("Processing elements")
    elements.fill("3")
    elements.press("Tab")
    expect(page.get_by_text("Must be a number at least 16. Got 3 instead")).to_have_count(2)
    expect(page.locator("#hardware-save")).to_be_disabled()
    shot(page, "5-hardware-mistake")
    elements.fill("1024")
    elements.press("Tab")
    expect(page.locator("#hardware-facts")).to_contain_text(re.compile(r"1\D?024 or 4\D?096"))
    expect(page.locator("#hardware-where")).to_have_text("Saves version 1 of grace/weak-centre")
    shot(page, "5-hardware-form")

    page.get_by_text("YAML", exact=True).first.click()
    text = page.get_by_label("The document as YAML")
    expect(text).to_have_value(re.compile("- N A N"))
    written = text.input_value()
    text.fill(written.replace("clock_mhz: 500", "clock_mhz: fast"))
    expect(page.locator("#hardware-errors")).to_contain_text(re.compile(r"Line \d+, Clock: Must be a number"))
    shot(page, "5-hardware-text")
    text.fill(written)
    expect(page.locator("#hardware-errors")).to_be_empty()
    page.get_by_text("Form", exact=True).click()
    expect(page.get_by_label("Title")).to_have_value("Weak centre")

    with page.expect_download() as download:
        page.locator("#hardware-download").click()
    assert download.value.suggested_filename == "weak-centre.yaml"
    page.locator("#hardware-save").click()
    expect(page.locator("#hardware-saved")).to_contain_text("Saved as version 1 of grace/weak-centre.")
    shot(page, "5-hardware-saved")

    page.get_by_role("link", name="Start a run with this").click()
    expect(page.locator("#new-summary")).to_contain_text("Weak centre")
    evaluations = page.get_by_label("Evaluations", exact=True)
    evaluations.fill("1000")
    evaluations.press("Tab")
    expect(page.locator("#new-command")).to_contain_text("evaluations=1000")
    page.locator("#new-start").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    expect(page.locator("#run-header")).to_have_text("Done", timeout=RUN_MS)

"""A report: begun from a run, written, read, saved as a file that needs no network."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.support.site import Site


def test_a_run_is_added_to_a_report_which_is_saved_as_a_file(
    site: Site, sign_in: Callable[[str], Page], tmp_path: Path
) -> None:
    page = sign_in("demo")
    page.goto(site.url + site.first_run)
    page.get_by_role("link", name="Add to report").click()
    page.get_by_role("textbox", name="Report", exact=True).click()
    page.get_by_role("option", name="A new report").click()
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page).to_have_url(re.compile(r"/reports/edit\?report=\d+"))
    page.get_by_label("Title of the report").fill("Which package?")
    text = page.get_by_label("Text of the report")
    expect(text).not_to_be_empty()
    text.fill(f"**Measured** here.\n\n{text.input_value()}")
    page.get_by_role("button", name="Save").click()
    expect(page).to_have_url(re.compile(r"/reports/\d+$"))
    expect(page.get_by_role("heading", name="Which package?")).to_be_visible()
    expect(page.locator(".report-front .main-svg").first).to_be_visible()
    expect(page.locator(".report-caveats")).to_contain_text("Error band")
    with page.expect_download() as download:
        page.get_by_role("link", name="HTML").click()
    file = tmp_path / "report.html"
    download.value.save_as(file)
    written = file.read_text()
    assert "<strong>Measured</strong>" in written and " src=" not in written.split("<script>")[0]
    page.get_by_role("link", name="Repeat with my network").first.click()
    expect(page.get_by_text(re.compile("All inputs are those of run 1. Choose your own workload"))).to_be_visible()

"""A study is put together in the form, followed, read as a table, and one of its cells is opened."""

import re
import zipfile
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RUN_MS
from tests.browser.pictures import in_both_schemes
from tests.browser.slow_line import unanswered
from tests.browser.test_accessibility import accessible
from tests.support.site import Site


def pick(page: Page, label: str, title: str) -> None:
    """Choose one more document of a slot; `title` is a pattern."""
    page.get_by_role("textbox", name=label, exact=True).click()
    page.get_by_role("option", name=re.compile(title)).click()
    page.keyboard.press("Escape")


@pytest.mark.timeout(600)
@pytest.mark.long  # its eight runs take minutes on two cores
def test_a_study_is_put_together_followed_and_read(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = sign_in("grace")
    page.goto(f"{site.url}/")
    page.get_by_role("link", name="Studies", exact=True).click()
    expect(page.get_by_text("No studies here yet")).to_be_visible()
    page.get_by_role("link", name="New study").first.click()
    expect(page.get_by_role("heading", name="New study")).to_be_visible()

    # The address fills in what is to be varied, here the lightest scenario.
    page.goto(f"{site.url}/studies/new?workload=mlperf-scenario-1")
    # The number of cells follows the form, and a wrong cell is told beside its field.
    pick(page, "Chiplet package", "^Simba 3.3 Het-CB$")
    summary = page.locator("#new-study-summary")
    expect(summary).to_contain_text("2 cells")
    evaluations = page.get_by_label("Evaluations", exact=True)
    evaluations.fill("120")
    evaluations.press("Tab")
    page.get_by_label("Window boundaries: each of several values", exact=True).check()
    expect(page.locator(".study-field .mantine-Pill-root")).to_have_text("4")
    splits = page.get_by_role("textbox", name="Window boundaries", exact=True)
    splits.fill("99")
    splits.press("Enter")
    expect(page.locator("#new-study-start")).to_be_disabled()
    expect(page.locator(".study-field .field.invalid")).to_contain_text("Got 99")
    splits.press("Backspace")
    splits.fill("2")
    splits.press("Enter")
    expect(page.locator("#new-study-start")).to_be_enabled()
    with unanswered(page):
        page.get_by_role("textbox", name="Seeds").fill("0-1")
        # What can be started is what the summary shows: while it is made again, Start waits.
        expect(page.locator("#new-study-start")).to_be_disabled()
    expect(summary).to_contain_text("8 cells")
    expect(summary).to_contain_text("for all runs on one worker")
    expect(page.locator("#new-study-document")).to_contain_text("seeds: [0, 1]", use_inner_text=False)
    expect(page).to_have_url(re.compile("hardware=simba-3x3-het-sides,simba-3x3-het-checkerboard(&|$)"))
    page.get_by_label("Title").fill("Patterns and boundaries")
    page.get_by_label("Title").press("Tab")
    accessible(page)
    in_both_schemes(page, shot, "study-new")

    expect(page.locator("#new-study-start")).to_be_enabled()
    page.locator("#new-study-start").click()
    expect(page).to_have_url(re.compile(r"/studies/\d+"))
    expect(page.get_by_role("heading", name="Patterns and boundaries")).to_be_visible()
    shot(page, "study-live")
    expect(page.locator("#study-header")).to_have_text("Done", timeout=2 * RUN_MS)  # eight runs
    expect(page.locator("#study-progress")).to_contain_text("8 of 8 runs ended")
    cells = page.locator("[data-study-cell]")
    expect(cells).to_have_count(4)

    # A picked cell stands in the address with its runs; another arrangement is another table.
    cells.nth(1).click()
    picked = page.get_by_role("region", name="Runs of the selected combination").locator("table")
    expect(picked.get_by_role("link")).to_have_count(2)
    expect(page).to_have_url(re.compile(r"cell=0\.1"))
    accessible(page)
    in_both_schemes(page, shot, "study")
    page.goto(page.url)
    expect(picked.get_by_role("link")).to_have_count(2)
    page.get_by_role("textbox", name="Columns").click()
    page.get_by_role("option", name="Baselines").click()
    expect(page.locator("#study-table")).to_contain_text("Best found")
    expect(page).to_have_url(re.compile("columns=baselines"))
    expect(picked).to_have_count(0)
    shot(page, "study-baselines")
    with page.expect_download() as download:
        page.locator("#study-csv").click()
    assert len(download.value.path().read_text().splitlines()) > 4

    # What the seeds say can be read as a table, and goes into a paper with what to cite.
    fronts = page.get_by_role("figure").filter(has_text="Attained fronts")
    fronts.get_by_role("button", name="Save or show as table").press("Enter")
    page.get_by_role("menuitem", name="Show as table").press("Enter")
    read = page.get_by_role("dialog", name="Attained fronts as a table")
    expect(read.get_by_role("columnheader").nth(1)).to_have_text(re.compile(r"^Latency \("))
    expect(read.get_by_role("row").nth(1)).to_contain_text("A median")
    page.keyboard.press("Escape")
    expect(read).to_have_count(0)
    expect(fronts.get_by_role("button", name="Save or show as table")).to_be_focused()
    fronts.get_by_role("button", name="Save or show as table").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="For a paper, one column").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        assert sorted(name.rpartition(".")[2] for name in archive.namelist()) == ["bib", "csv", "svg", "txt"]

    cells.first.click()
    picked.get_by_role("link").first.click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    expect(page.locator("#run-header")).to_have_text("Done")
    page.goto(f"{site.url}/studies")
    expect(page.locator("#studies-table")).to_contain_text("Patterns and boundaries")
    shot(page, "studies")

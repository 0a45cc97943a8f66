"""Two designs of a run beside each other, a figure for a paper, and the run in another project."""

import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RUN_MS
from tests.browser.test_accessibility import accessible
from tests.support.site import Site


@pytest.mark.long
def test_two_designs_a_figure_for_a_paper_and_a_run_that_moves(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None], tmp_path: Path
) -> None:
    page = sign_in("demo")
    page.goto(f"{site.url}{site.first_run}?design=12")
    expect(page.locator("#run-schedule .main-svg").first).to_be_visible()

    # Arrows step from block to block and say what each is.
    page.locator(".schedule-keys").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".schedule-words")).to_contain_text("compute")

    # A design of one's own: what the selected one decides, changed by hand, all by keyboard.
    page.goto(f"{site.url}{site.first_run}?design=3")
    page.locator("#own-design-open").focus()
    page.keyboard.press("Enter")
    decision = page.get_by_label("Decision as JSON")
    expect(decision).to_have_value(re.compile('"windows"'))
    expect(decision).to_be_focused()
    for words, written in (("Feasible", decision.input_value()), ("windows", '{"windows": []}'), ("Line 1", "{")):
        decision.fill(written)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator("#own-design-result")).to_contain_text(words, timeout=RUN_MS)
        expect(page.locator("#own-design-state")).to_be_empty()
        if words == "Feasible":
            accessible(page)
            shot(page, "own-design")
    page.keyboard.press("Escape")
    expect(page.locator("#own-design-open")).to_be_focused()

    page.goto(f"{site.url}{site.first_run}?design=12")
    expect(page.locator("#run-schedule .main-svg").first).to_be_visible()

    # The pinned design stands in the address, and the difference names what moved.
    page.locator("#run-pin-button").click()
    expect(page).to_have_url(re.compile(r"pin=12"))
    page.goto(f"{site.url}{site.first_run}?design=3&pin=12&tab=difference")
    expect(page.get_by_role("heading", name="What it costs")).to_be_visible()
    expect(page.get_by_role("heading", name="Schedules on one time axis")).to_be_visible()
    shot(page, "difference")

    # A figure for a paper: picture, data and what to cite in one file.
    card = page.get_by_role("region", name="Schedules on one time axis")
    card.get_by_role("button", name="Save").click()
    with page.expect_download() as saved:
        card.get_by_text("For a paper, two columns").click()
    with zipfile.ZipFile(saved.value.path()) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert sorted(name.rpartition(".")[2] for name in names) == ["bib", "csv", "svg", "txt"]
        picture = archive.read(next(name for name in names if name.endswith(".svg"))).decode()
        assert 'width="7.16in"' in picture and "@phdthesis{odema-2024" in archive.read("method.bib").decode()

    # The run leaves as one file and comes back as another run, marked.
    answer = page.request.get(f"{site.url}/api/v1{site.first_run}/bundle.zip")
    file = tmp_path / "run.zip"
    file.write_bytes(answer.body())
    page.goto(f"{site.url}/import-run")
    with page.expect_file_chooser() as chooser:
        page.locator("#run-import-choose").click()
    chooser.value.set_files(file)
    page.get_by_role("link", name="Open the run").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+$"))
    page.goto(f"{page.url}?tab=provenance")
    expect(page.get_by_text("of another installation")).to_be_visible()

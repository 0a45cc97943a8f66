"""Two runs are laid over each other, read, kept under a question and taken away as a file."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pictures import in_both_schemes
from tests.browser.test_accessibility import accessible
from tests.support.site import Site

COMMAND = (
    "manage.py", "explore", "scar", "--hardware", "simba-3x3-nvdla", "--workload", "mlperf-scenario-1", "--user", "demo",
    "--set", "search=greedy", "--set", "evaluations=100", "--seed", "2",
)  # fmt: skip


@pytest.mark.long
def test_two_runs_are_compared_kept_and_taken_away(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None], tmp_path: Path
) -> None:
    site.python(*COMMAND)
    page = sign_in("demo")
    page.goto(f"{site.url}/runs/1")
    page.locator(".head").get_by_role("link", name="Compare", exact=True).click()
    expect(page.get_by_text("Add a second run")).to_be_visible()
    page.get_by_role("textbox", name="Add a run").click()
    page.get_by_role("option").filter(has_text="Simba 3").first.click()

    # What differs is said, fronts and measures are there, and both schedules end on one axis.
    expect(page.locator(".compare-differs")).to_contain_text("simba-3x3-nvdla")
    expect(page.locator("#compare-fronts .scatterlayer .points path").first).to_be_visible()
    expect(page.locator(".compare-table")).to_contain_text("Hypervolume")
    expect(page.locator(".compare-strips .time-strip .main-svg").first).to_be_visible()
    page.wait_for_function("""() => {
      const ends = [...document.querySelectorAll('.compare-strips .time-strip')].map((strip) => strip.dataset.end);
      return ends.length === 2 && ends[0] && ends[0] === ends[1];
    }""")

    accessible(page)

    # One cursor for both; with the keyboard too.
    strip = page.locator(".compare-strips .time-strip").first
    width = strip.evaluate("strip => strip.clientWidth")
    words = page.locator("#compare-cursor-words")
    strip.hover(position={"x": width / 2, "y": 60})
    expect(words).to_have_text(re.compile(r"at .*s of the work is done: A\s\d+\s%, B\s\d+\s%"))
    before = words.inner_text()
    strip.focus()
    page.keyboard.press("Shift+ArrowRight")
    expect(words).not_to_have_text(before)
    expect(page.locator(".time-rule")).to_have_count(2)

    # A click on a front picks the design that is looked at.
    address = page.url
    page.locator("#compare-fronts .scatterlayer .points path").last.click(force=True)
    in_both_schemes(page, shot, "compare")

    # Keeping takes a question, and gives a permanent address that shows the same.
    page.goto(address)
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("alert")).to_contain_text("title: takes a question")
    page.get_by_label("Question or name").fill("Does mixing dataflows pay?")
    page.get_by_role("button", name="Keep").click()
    expect(page).to_have_url(re.compile(r"/compare/\d+$"))
    expect(page.get_by_text("kept", exact=True)).to_be_visible()

    with page.expect_download() as download:
        page.locator("#compare-export").click()
    saved = tmp_path / "comparison.html"
    download.value.save_as(saved)
    browser = page.context.browser
    assert browser is not None
    alone = browser.new_page()
    alone.goto(saved.as_uri())
    expect(alone.get_by_role("heading", name="Does mixing dataflows pay?")).to_be_visible()
    expect(alone.locator("#figure-1 .main-svg").first).to_be_visible()
    alone.close()
    page.goto(f"{site.url}/compare")
    expect(page.get_by_role("link", name="Does mixing dataflows pay?")).to_be_visible()

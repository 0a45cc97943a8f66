"""Point 3 of what a new user does: look at a result from all sides, pick designs, take files away."""

import contextlib
import csv
import io
import json
import re
import sqlite3
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.browser.tabs import open_tab
from tests.support.site import Site

# Where on the screen the graph draws the first of its front's designs.
LAST_OF_THE_FRONT = """node => {
  const graph = node.querySelector(".js-plotly-plot"), layout = graph._fullLayout, box = graph.getBoundingClientRect();
  let best = null;
  for (const trace of graph._fullData) {
    if (!trace.visible || !trace.customdata || trace.line?.shape !== "hv") continue;
    for (let i = 0; i < trace.x.length; i++) {
      const x = layout.xaxis._offset + layout.xaxis.l2p(trace.x[i]), y = layout.yaxis._offset + layout.yaxis.l2p(trace.y[i]);
      if (x < layout.xaxis._offset || x > layout.xaxis._offset + layout.xaxis._length) continue;
      if (!best || x > best.x) best = { x, y };
    }
  }
  return { x: box.left + best.x, y: box.top + best.y };
}"""


def reached(page: Page) -> tuple[float, float]:
    """Where the last of the front is, which is not selected, once the pointer meets it: again while the picture is drawn again."""
    for _ in range(40):
        place = page.locator("#run-front-summary").evaluate(LAST_OF_THE_FRONT)
        page.mouse.move(place["x"] - 40, place["y"])
        page.mouse.move(place["x"], place["y"])
        with contextlib.suppress(PlaywrightTimeoutError):
            page.locator("#run-front .hoverlayer .hovertext").first.wait_for(timeout=3000)
            return place["x"], place["y"]
    raise AssertionError("the pointer meets no design of the front")


def test_the_result_is_looked_at_from_all_sides(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = sign_in("demo")
    page.goto(site.url + site.first_run)
    head, name = page.locator("#run-design-head"), page.locator("#run-design-head h2")
    grid = page.locator("#run-grid-summary")
    expect(head).to_contain_text("best EDP")  # and the knee: energy hardly differs along this front
    expect(page.locator("#run-schedule .main-svg").first).to_be_visible()

    # A pick on the front drives grid, schedule and address.
    first_design, first_grid = name.inner_text(), grid.get_attribute("aria-label")
    page.mouse.click(*reached(page))
    expect(name).not_to_have_text(first_design)
    expect(page).to_have_url(re.compile(r"design=\d+"))
    expect(grid).not_to_have_attribute("aria-label", first_grid or "")
    shot(page, "3-picked")

    # Another window: the grid changes, the design does not.
    picked, window_one = name.inner_text(), grid.get_attribute("aria-label")
    page.get_by_role("group", name="Windows").get_by_role("button").nth(1).click()
    expect(grid).not_to_have_attribute("aria-label", window_one or "")
    expect(page).to_have_url(re.compile(r"window=2"))
    assert name.inner_text() == picked
    shot(page, "3-second-window")

    # The address alone brings the same view back.
    page.goto(page.url)
    expect(name).to_have_text(picked)
    expect(page.get_by_role("group", name="Windows").get_by_role("button").nth(1)).to_have_attribute(
        "aria-pressed", "true"
    )

    open_tab(page, "Designs")
    rows = page.locator("#run-table .ag-center-cols-container .ag-row")
    expect(rows.first).to_be_visible()
    expect(page.locator("#run-table")).to_contain_text("Simba NVDLA")
    shot(page, "3-designs")
    for tab, words in {
        "Schedule": "By chiplet",
        "Grid": "W1",
        "Convergence": "Hypervolume",
        "Provenance": "Problem hash",
        "Log": "",
    }.items():
        open_tab(page, tab)
        panel = page.locator(".run-panel:visible")
        expect(panel).to_contain_text(words)
        expect(panel).not_to_be_empty()
        shot(page, f"3-{tab.lower()}")


@pytest.mark.long
def test_files_are_taken_away(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")
    page.goto(site.url + site.first_run)
    expect(page.locator("#run-schedule .main-svg").first).to_be_visible()

    def taken(name: str) -> bytes:
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=name).click()
        page.keyboard.press("Escape")
        return download.value.path().read_bytes()

    rows = list(csv.DictReader(io.StringIO(taken("Designs as CSV").decode())))
    assert len(rows) > 1000
    assert any(name.startswith("latency") for name in rows[0])
    assert taken("Designs as Parquet")[:4] == b"PAR1"
    assert json.loads(taken("Schedule as Chrome trace (Perfetto)"))["traceEvents"]
    assert json.loads(taken("Problem as JSON"))["engine"] == "scar"


def test_the_table_of_designs_is_opened_by_a_link_as_its_sender_saw_it(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = sign_in("demo")
    page.goto(f"{site.url}{site.first_run}?tab=designs&filter=kind:contains,front")
    table, cells = page.locator("#run-table"), page.locator("#run-table .ag-center-cols-container [col-id=energy_j]")
    shown, clear = page.locator("#run-table-shown"), page.get_by_role("button", name="Clear sort and filters")
    expect(shown).to_contain_text("designs shown")
    expect(table).not_to_contain_text("dominated")

    heading = table.get_by_role("columnheader", name="Energy").locator(".ag-header-cell-text")
    heading.click()
    expect(page).to_have_url(re.compile(r"sort=energy_j%3Aasc"))
    heading.click()
    expect(page).to_have_url(re.compile(r"sort=energy_j%3Adesc"))
    expect(page).to_have_url(re.compile(r"filter=kind%3Acontains%2Cfront"))
    shot(page, "3-designs-sorted")

    page.goto(page.url)
    expect(shown).to_contain_text("designs shown")
    expect(table).not_to_contain_text("dominated")
    expect(table.get_by_role("columnheader", name="Energy")).to_have_attribute("aria-sort", "descending")
    expect(cells.first).to_be_visible()
    energies = [float(text) for text in cells.all_inner_texts()]
    assert energies == sorted(energies, reverse=True)

    clear.click()
    expect(page).not_to_have_url(re.compile("sort=|filter="))
    expect(shown).to_be_empty()
    expect(clear).to_be_hidden()


@pytest.mark.long
def test_the_page_of_an_import_follows_until_the_run_is_whole(site: Site, sign_in: Callable[[str], Page]) -> None:
    """What becomes of the row is what the import writes into it: its share, and in the end the run's own state."""
    number = int(site.first_run.rpartition("/")[2])

    def becomes(status: str, fraction: float) -> None:
        with contextlib.closing(sqlite3.connect(f"{site.variables['PARETOSCOPE_VAR']}/paretoscope.sqlite3")) as stored:
            stored.execute("UPDATE runs_run SET status = ?, fraction = ? WHERE id = ?", (status, fraction, number))
            stored.commit()

    page = sign_in("demo")
    becomes("importing", 0.25)
    try:
        page.goto(site.url + site.first_run)
        strip = page.locator(".run-strip")
        expect(strip).to_contain_text("25")
        becomes("importing", 0.5)
        expect(strip).to_contain_text("50")
    finally:
        becomes("done", 1.0)
    expect(page.locator("#run-header")).to_have_text("Done")
    expect(strip).to_have_count(0)
    expect(page.locator("#run-design-head")).to_contain_text("knee point")

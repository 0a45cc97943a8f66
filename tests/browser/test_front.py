"""The front of a run of many designs: views, constraints, lasso, short lists, keys, address and undo."""

import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.support.site import Site

DESIGNS = 30_000
# Points of the picture that lie in the browser, over all traces.
POINTS = """() => document.querySelector("#run-front .js-plotly-plot")._fullData
  .reduce((sum, trace) => sum + ((trace.x && trace.x.length) || 0), 0)"""

LASSO = """() => document.querySelector("#run-front .js-plotly-plot")._fullLayout.dragmode === "lasso" """


@pytest.fixture(scope="module")
def many(site: Site) -> str:
    """Path of a run of many designs."""
    return "/runs/" + site.python("-m", "benchmarks.many_designs", str(DESIGNS)).strip()


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    expect(page.locator("#run-front .js-plotly-plot")).to_be_visible()
    expect(page.locator("#run-schedule .main-svg").first).to_be_visible()
    return page


def remaining(page: Page) -> int:
    return int(re.sub(r"\D", "", page.locator("#run-remaining .remaining").inner_text()))


def slider(page: Page, at: int) -> Locator:
    return page.locator("#run-limit-box [role=slider]").nth(at)


def draw_lasso(page: Page) -> None:
    page.locator("[data-lasso]").click()
    page.wait_for_function(LASSO)
    box: Any = page.locator("#run-front .nsewdrag").first.bounding_box()
    corners = ((0.3, 0.3), (0.6, 0.3), (0.6, 0.97), (0.3, 0.97), (0.3, 0.33))
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in corners]
    page.mouse.move(*places[0])
    page.mouse.down()
    for x, y in places[1:]:
        page.mouse.move(x, y, steps=4)
    page.mouse.up()


@pytest.mark.long
def test_many_designs_are_bounded_filtered_and_brought_back(
    site: Site, sign_in: Callable[[str], Page], many: str, shot: Callable[[Page, str], None]
) -> None:
    page = opened(sign_in("demo"), site.url + many)
    drawn = page.locator("#run-front-drawn")
    expect(drawn).to_have_text(re.compile(r"20\s000 of 30\s000 drawn; density behind"))
    assert 19_000 < page.evaluate(POINTS) <= 20_400  # lines of equal product have points, too
    shot(page, "front-many")

    # A constraint filters at once, stands in the address, and Ctrl+Z takes it back.
    slider(page, 0).press("PageDown")
    slider(page, 0).press("Home")
    expect(page).to_have_url(re.compile("limits=latency_s"))
    expect(page.locator("#run-remaining .remaining")).not_to_have_text(re.compile(r"30\s000"))
    few = remaining(page)
    assert 0 < few < DESIGNS
    slider(page, 1).press("Home")
    over = page.locator("#run-front-empty")
    expect(over).to_contain_text("is in the way")
    shot(page, "front-none-left")
    over.get_by_role("button", name=re.compile("Nearest: design")).click()
    expect(page).to_have_url(re.compile(r"design=\d+"))
    limited = page.url
    over.get_by_role("button", name=re.compile("Relax to")).click()
    expect(over).to_be_empty()
    expect(page).not_to_have_url(limited)
    kept = remaining(page)
    assert kept >= 1

    # The address alone brings the same filter back.
    opened(page, page.url)
    expect(page.locator("#run-remaining .remaining")).to_have_text(re.compile(rf"^{kept}\b"))


@pytest.mark.long
def test_a_lasso_filters_picture_and_table(
    site: Site, sign_in: Callable[[str], Page], many: str, shot: Callable[[Page, str], None]
) -> None:
    page = opened(sign_in("demo"), site.url + many)
    draw_lasso(page)
    expect(page.locator("#run-remaining")).to_contain_text("Only inside the lasso")
    expect(page).to_have_url(re.compile("lasso=latency_s"))
    inside = remaining(page)
    assert 0 < inside < DESIGNS
    shot(page, "front-lasso")
    page.get_by_role("tab", name=re.compile("^Designs")).click()
    expect(page.locator("#run-table .ag-center-cols-container .ag-row").first).to_be_visible()
    page.get_by_role("tab", name="Overview").click()
    page.keyboard.press("Control+z")
    expect(page.locator("#run-remaining")).not_to_contain_text("lasso")
    expect(page).not_to_have_url(re.compile("lasso="))
    assert remaining(page) == DESIGNS


@pytest.mark.long
def test_every_view_follows_the_one_selection(
    site: Site, sign_in: Callable[[str], Page], many: str, shot: Callable[[Page, str], None]
) -> None:
    page = opened(sign_in("demo"), site.url + many + "?colour=edp_js&log=x")
    name = page.locator("#run-design-head h2")
    views = page.get_by_role("group", name="View").first
    for view, key in (("3-D", "3d"), ("Matrix", "matrix"), ("Parallel", "parallel")):
        views.get_by_role("button", name=view).click()
        expect(page).to_have_url(re.compile(f"view={key}"))
        expect(page.locator("#run-front-drawn")).to_have_text(re.compile(r"5\s000 of 30\s000 drawn"))
        before = name.inner_text()
        page.keyboard.press("ArrowRight" if view != "Parallel" else "ArrowLeft")
        expect(name).not_to_have_text(before)
        shot(page, f"front-{key}")
    views.get_by_role("button", name="2-D").click()
    expect(page).not_to_have_url(re.compile("view="))
    expect(page).to_have_url(re.compile("colour=edp_js"))


@pytest.mark.long
def test_weights_order_the_short_list_and_a_row_picks(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = opened(sign_in("demo"), f"{site.url}{site.first_run}?rank=weights:latency_s=1,energy_j=0")
    rows = page.locator("#run-short-list tr[id]")  # without the head, and without the words below designs alike
    quickest = rows.first.get_attribute("title")
    weight = page.get_by_label("Weighted ranks: Energy")
    weight.fill("9")
    weight.press("Enter")
    expect(rows.first).not_to_have_attribute("title", quickest or "")
    expect(page).to_have_url(re.compile("rank=weights"))
    rows.nth(1).click()
    expect(rows.nth(1)).to_have_class(re.compile("sel"))
    number = int((rows.nth(1).get_attribute("title") or "").removeprefix("Design ").partition(",")[0])
    expect(page.locator("#run-design-head h2")).to_have_text(re.compile(f"Design 0*{number}$"))
    shot(page, "front-weights")
    page.get_by_role("link", name="Add to report").click()
    expect(page).to_have_url(re.compile(rf"/reports/add\?runs=\d+&designs={number}$"))
    expect(page.get_by_role("heading", name="Add to a report")).to_be_visible()


def test_a_pick_made_while_the_server_is_asked_stays(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = opened(sign_in("demo"), f"{site.url}{site.first_run}?design=7")
    page.wait_for_load_state("networkidle")
    held: list[Route] = []

    def hold(route: Route) -> None:
        if "run-followed.data" in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    page.route("**/_dash-update-component*", hold)
    page.keyboard.press("ArrowLeft")  # onto the front, which the server knows
    deadline = time.monotonic() + 60
    while not held and time.monotonic() < deadline:
        page.wait_for_timeout(50)
    assert held, "the server is asked"
    row = page.locator("#run-short-list tr[id]").nth(2)
    number = int((row.get_attribute("title") or "").removeprefix("Design ").partition(",")[0])
    row.click()
    with page.expect_response("**/_dash-update-component*"):
        held[0].continue_()
    page.wait_for_load_state("networkidle")
    expect(page.locator("#run-design-head h2")).to_have_text(re.compile(f"Design 0*{number}$"))
    expect(page).to_have_url(re.compile(f"design={number}(&|$)"))
    page.unroute("**/_dash-update-component*", hold)
    page.keyboard.press("Escape")
    expect(page.locator("#run-design-head h2")).not_to_have_text(re.compile(f"Design 0*{number}$"))


@pytest.mark.long
def test_the_next_step_along_the_front_is_there_before_it_is_taken(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = opened(sign_in("demo"), f"{site.url}{site.first_run}?design=7")
    page.wait_for_load_state("networkidle")
    asked: list[int] = []
    page.on(
        "request",
        lambda request: (
            asked.append(int(parse_qs(urlsplit(request.url).query)["design"][0]))
            if "/_dash-run-pick/" in request.url
            else None
        ),
    )

    def step(key: str, requests: int) -> None:
        """Until it is drawn and so many designs were asked for in all."""
        page.keyboard.press(key)
        expect(page.locator("#run-design-head")).not_to_have_text(shown[-1])
        while len(asked) < requests:
            page.wait_for_timeout(50)
        page.wait_for_load_state("networkidle")
        shown.append(page.locator("#run-design-head").inner_text())

    shown = [page.locator("#run-design-head").inner_text()]
    step("ArrowLeft", 1)  # onto the front
    step("ArrowLeft", 3)
    second = asked[2]
    step("ArrowLeft", 4)
    # What stands there is the second one, and it was asked for once, before the key.
    assert asked.count(second) == 1 and f"design={second}" in page.url


@pytest.mark.long
def test_the_last_change_of_whatever_kind_is_undone_first_and_done_again_first(
    site: Site, sign_in: Callable[[str], Page]
) -> None:
    page = opened(sign_in("demo"), site.url + site.first_run)
    dominated, axis = page.get_by_label("Dominated designs"), page.get_by_label("Horizontal axis").first
    usual = axis.input_value()
    asked = [query(page)]

    def act(change: Callable[[], None]) -> None:
        change()
        page.wait_for_function("before => location.search !== before", arg=asked[-1])
        asked.append(query(page))

    def choose_axis() -> None:
        axis.click()
        page.get_by_role("option", name="EDP", exact=True).click()

    act(dominated.uncheck)
    act(choose_axis)
    act(lambda: slider(page, 0).press("ArrowLeft"))
    page.get_by_label("Colour, size and scales").click()
    logarithmic = page.get_by_label("Logarithmic y")
    act(logarithmic.check)
    assert {"hide", "x", "limits", "log"} <= set(parse_qs(asked[-1].removeprefix("?")))

    for key, wanted in (("Control+z", asked[-2::-1]), ("Control+Shift+z", asked[1:])):
        for search in wanted:
            page.keyboard.press(key)
            page.wait_for_function("search => location.search === search", arg=search)
    expect(dominated).not_to_be_checked()
    expect(axis).to_have_value("EDP")
    expect(logarithmic).to_be_checked()

    # Faster than the page follows.
    for key in ("Control+z", "Control+z", "Control+y", "Control+z", "Control+z", "Control+z"):
        page.keyboard.press(key)
    page.wait_for_function("search => location.search === search", arg=asked[0])
    expect(dominated).to_be_checked()
    expect(axis).to_have_value(usual)
    # A new change after it leaves nothing to do again.
    dominated.uncheck()
    page.wait_for_function("search => location.search === search", arg=asked[1])
    page.keyboard.press("Control+y")
    page.wait_for_timeout(500)
    assert query(page) == asked[1]


def query(page: Page) -> str:
    """What of the page stands in its address."""
    search: str = page.evaluate("location.search")
    return search

"""What the server refuses or does not answer stands beside the control that was used, with the reason and a way to ask again."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import Watch
from tests.support.site import Site

CALLBACKS = "**/_dash-update-component*"
LOST = 0
STATUSES = (LOST, 400, 401, 403, 404, 409, 413, 429, 500, 502, 503)
Control = tuple[str, str, str]
# Page, role and name of what is used there.
CONTROLS: tuple[Control, ...] = (
    ("report", "button", "Save"),
    ("report", "button", "Preview"),
    ("report", "button", "Insert"),
    ("run", "tab", "Data"),
    ("run", "tab", "Why?"),
    ("run", "button", "Star"),
    ("run", "button", "Set tags"),
    ("new", "button", "Start run"),
)
_NEAR = """used => {
  const box = document.querySelector(".refused").getBoundingClientRect(), at = used.getBoundingClientRect();
  return box.top <= at.bottom + 12 && box.bottom >= at.top - 12;
}"""
ALL = list(itertools.product(CONTROLS, STATUSES))
SOME = random.Random(53).sample(ALL, 30)


PATHS = {"report": "/reports/edit", "run": "{run}", "new": "/new?engine=soc-mapping"}


def refuse(page: Page, status: list[int]) -> None:
    """Answer every callback with the status that stands in the list."""

    def answer(route: Route) -> None:
        if status[0] == LOST:
            route.abort()
        else:
            headers = {"Retry-After": "30"} if status[0] == 429 else {}
            route.fulfill(status=status[0], json={"detail": f"Told with {status[0]}."}, headers=headers)

    page.route(CALLBACKS, answer)


def box(page: Page) -> Locator:
    return page.locator(".refused")


def control_on(page: Page, control: Control) -> Locator:
    return page.get_by_role(control[1], name=control[2], exact=True).first  # type: ignore[arg-type]


def settle(page: Page, control: Control) -> None:
    """Wait until the page has asked for everything that it opens with."""
    expect(control_on(page, control)).to_be_enabled()
    page.wait_for_load_state("networkidle")
    page.wait_for_function("() => !document.querySelector('[data-dash-is-loading=true]')")


def check(page: Page, control: Control, status: int) -> None:
    name, used = control[2], control_on(page, control)
    used.click()
    expect(box(page)).to_have_count(1)
    expect(box(page)).to_contain_text(f"Not done: {name}")
    expect(box(page)).to_contain_text("no connection" if status == LOST else f"{status}: Told with {status}.")
    if status == 429:
        expect(box(page)).to_contain_text(re.compile(r"takes the next request in \d+ s"))
    if status == 401:
        expect(box(page).get_by_role("link", name="Sign in")).to_have_attribute("target", "_blank")
    page.wait_for_function(_NEAR, arg=used.element_handle())
    expect(used).to_be_enabled()
    expect(box(page).get_by_role("button", name="Try again")).to_be_enabled()
    box(page).get_by_role("button", name="Close").click()
    page.evaluate("() => document.querySelectorAll('dialog:modal').forEach(each => each.close())")


def check_all(site: Site, page: Page, cases: Iterable[tuple[Control, int]]) -> None:
    for name, found in itertools.groupby(sorted(cases), key=lambda case: case[0][0]):
        group, answered = list(found), [LOST]
        page.goto(site.url + PATHS[name].format(run=site.first_run))
        settle(page, group[0][0])
        refuse(page, answered)
        for control, answered[0] in group:
            check(page, control, answered[0])
        page.unroute(CALLBACKS)
        page.goto("about:blank")


@pytest.mark.parametrize("cases", [pytest.param(SOME, id="some"), pytest.param(ALL, id="all", marks=pytest.mark.long)])
def test_every_status_is_told_beside_the_control(
    site: Site, sign_in: Callable[[str], Page], watch: Watch, cases: list[tuple[Control, int]]
) -> None:
    watch.expected.append("Failed to load resource")
    check_all(site, sign_in("demo"), cases)


def test_a_click_without_a_connection_is_not_lost(site: Site, sign_in: Callable[[str], Page], watch: Watch) -> None:
    watch.expected.append("Failed to load resource")
    page = sign_in("demo")
    page.goto(f"{site.url}{site.first_run}?tab=notes")
    settle(page, ("run", "button", "Add note"))
    notes = page.locator(".note").count()
    field = page.get_by_role("textbox", name="Note", exact=True)
    field.fill("Typed without a connection")
    page.context.set_offline(True)
    try:
        page.get_by_role("button", name="Add note").click()
        expect(box(page)).to_contain_text("Not done: Add note. There is no connection")
        expect(field).to_have_value("Typed without a connection")
    finally:
        page.context.set_offline(False)
    box(page).get_by_role("button", name="Try again").click()
    expect(page.locator(".note")).to_have_count(notes + 1)
    expect(field).to_have_value("")
    expect(box(page)).to_have_count(0)


@pytest.mark.parametrize("status", [LOST, 401, 502])
@pytest.mark.parametrize("address", ["_dash-layout", "_dash-dependencies"])
def test_a_page_that_did_not_load_says_why_and_asks_again(
    site: Site, sign_in: Callable[[str], Page], watch: Watch, address: str, status: int
) -> None:
    watch.expected.append("Failed to load resource")
    page, pattern = sign_in("demo"), f"**/{address}*"
    page.route(
        pattern, lambda route: route.fulfill(status=status, json={"detail": "Told."}) if status else route.abort()
    )
    page.goto(f"{site.url}/reports")
    told = page.get_by_role("alert").filter(has_text="This page did not load")
    expect(told).to_contain_text(f"{status}: Told." if status else "no connection")
    expect(told.get_by_role("link", name="Sign in")).to_have_count(int(status == 401))
    expect(page.get_by_text("Error loading")).to_have_count(0)
    page.unroute(pattern)
    told.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="Reports").first).to_be_visible()
    expect(told).to_have_count(0)

"""A phone held upright: no page is wider than its screen, nothing of the bar lies over something else, the menu leads on."""

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, expect

from tests.browser.tabs import open_tab
from tests.browser.test_accessibility import accessible, settle
from tests.frontend.test_permission_matrix import OPEN_PAGES
from tests.support.site import Site

PHONE = {"width": 390, "height": 844}
DOCUMENTS = (
    "/catalogue/hardware/simba-3x3-het-sides", "/catalogue/workload/resnet50", "/catalogue/calibration/xavier-magnas",
    "/catalogue/environment/uav-two-hour-flight", "/catalogue/data/synthetic-routes", "/reproductions/scar",
)  # fmt: skip
TABS = ("schedule", "grid", "designs", "convergence", "data", "why", "notes", "provenance", "log", "difference")
# What is wider than the screen, and what of the bar lies over something else or is too small for a finger.
_TOO_WIDE = """() => {
  const found = [], width = document.documentElement.scrollWidth;
  if (width > innerWidth) { found.push(`the page is ${width} px wide`); }
  const shown = [...document.querySelectorAll(".topbar :is(a, button, input)")].filter(each => each.checkVisibility());
  const boxes = shown.map(each => [each, each.getBoundingClientRect()]);
  boxes.forEach(([one, a], at) => {
    if (Math.min(a.width, a.height) < 24) { found.push(`${one.outerHTML} is small`); }
    boxes.slice(at + 1).forEach(([other, b]) => {
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0) {
        found.push(`${one.outerHTML} lies over ${other.outerHTML}`);
      }
    });
  });
  return found;
}"""


def faults(page: Page, site: Site, paths: Sequence[str], width: int = PHONE["width"]) -> list[str]:
    """What does not fit on these pages."""
    page.set_viewport_size({"width": width, "height": PHONE["height"]})
    found = []
    for path in paths:
        page.goto(site.url + path)
        settle(page)
        found += [f"{path}: {words}" for words in page.evaluate(_TOO_WIDE)]
    return found


def test_the_bar_folds_into_a_menu_and_pages_fit(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")
    assert faults(page, site, ["/catalogue/hardware/jetson-agx-xavier", "/new?engine=scar"]) == []
    expect(page.locator("#new-start")).to_be_in_viewport()
    menu, link = page.get_by_role("button", name="Pages and project"), page.get_by_role("link", name="Catalogue")
    expect(link).to_be_hidden()
    menu.click()
    assert page.evaluate(_TOO_WIDE) == []
    page.keyboard.press("Escape")
    expect(link).to_be_hidden()
    expect(menu).to_be_focused()
    menu.press("Enter")
    link.click()
    expect(page.get_by_role("heading", name="Catalogue")).to_be_visible()
    expect(link).to_be_hidden()
    assert page.evaluate(_TOO_WIDE) == []


@pytest.mark.parametrize("width", [640, 900, 1199])  # 640: 1280 px at 200 % zoom
def test_pages_fit_between_phone_and_desktop(site: Site, sign_in: Callable[[str], Page], width: int) -> None:
    page = sign_in("demo")
    assert faults(page, site, ["/new?engine=soc-mapping", site.first_run], width) == []


def test_seven_tabs_at_most_stand_in_the_line_and_the_others_in_a_menu(
    site: Site, sign_in: Callable[[str], Page]
) -> None:
    page = sign_in("demo")
    tab, tabs = page.get_by_role("tab", selected=True), page.get_by_role("tab")
    more = page.get_by_role("button", name="More", exact=True)
    assert faults(page, site, [f"{site.first_run}?tab=provenance"]) == []
    expect(tabs).to_have_count(4)
    for name in ("Provenance", "What if"):
        open_tab(page, name)
        expect(tab).to_have_text(name)
        expect(tab).to_be_in_viewport(ratio=1)
        expect(more).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(tabs).to_have_count(6)
    more.press("Enter")
    expect(page.get_by_role("menu")).to_have_text("ConvergenceDecisionsDifferenceScheduleGridNotesProvenanceLog")
    accessible(page)
    page.keyboard.press("Escape")
    expect(more).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(tab).to_have_text("Log")
    expect(tab).to_be_focused()
    expect(tabs).to_have_count(7)


@pytest.mark.long
def test_every_page_fits(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")
    assert (
        faults(page, site, sorted([*OPEN_PAGES, *DOCUMENTS, "/new?engine=soc-mapping", "/survey?workload=resnet50"]))
        == []
    )
    page.get_by_role("button", name="Pages and project").click()
    accessible(page)


@pytest.mark.long
def test_every_tab_of_a_run_fits(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")
    run = site.first_run
    paths = [run, f"/compare?runs={run.rpartition('/')[2]}", *(f"{run}?design=3&tab={tab}" for tab in TABS)]
    assert faults(page, site, paths) == []

"""A phone held upright, and 200 % zoom: no page is wider than its screen, nothing lies over something else, the menu leads on."""

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watch
from tests.browser.tabs import open_tab
from tests.browser.test_accessibility import accessible, settle
from tests.frontend.test_permission_matrix import BUILT_IN_PAGES, OPEN_PAGES, OWNED_PAGES
from tests.support.site import Site

PHONE = {"width": 390, "height": 844}
DOCUMENTS = (
    "/catalogue/hardware/simba-3x3-het-sides", "/catalogue/workload/resnet50", "/catalogue/calibration/xavier-magnas",
    "/catalogue/environment/uav-two-hour-flight", "/catalogue/data/synthetic-routes", "/reproductions/scar",
)  # fmt: skip
# Pages outside Dash, and the one for an address that does not exist.
OTHER_PAGES = (
    "/accounts/account/", "/accounts/password_change/", "/accounts/token/", "/docs/errors/", "/no-such-page", "/runs/99999",
)  # fmt: skip
WITHOUT_ACCOUNT = ("/accounts/login/", "/accounts/password_reset/")
# Stores one item of each kind that has a page of its own, and prints "template address" for each.
ITEMS = """
from django.contrib.auth import get_user_model
from webapp.comparisons.models import Comparison
from webapp.reports import service as reports
from webapp.studies import service as studies
from webapp.teams.visibility import personal_project
demo = get_user_model().objects.get(username="demo")
project = personal_project(demo)
entries = [{{"run": {run}, "design": None}}, {{"run": {run}, "design": 3}}]
inputs = {{"hardware": "jetson-tx2", "workload": "digits-chain", "radio": "wifi-smartphone"}}
study = studies.create(demo, {{"engine": "split-network", "inputs": inputs, "seeds": [1, 2]}}, project=project)
comparison = Comparison.objects.create(project=project, owner=demo, title="Which?", entries=entries)
text = "[[front run={run}]]\\n[[designs run={run}]]\\n[[design run={run} design=3]]\\n[[caveats]]"
report = reports.write(demo, "Which?", text, project)
print("MADE /runs/<run_id> /runs/{run}")
print(f"MADE /studies/<study_id> /studies/{{study.pk}}")
print(f"MADE /compare/<number> /compare/{{comparison.pk}}")
print(f"MADE /reports/<number> /reports/{{report.pk}}")
print(f"MADE /team/<slug> /team/{{project.slug}}")
print("MADE /catalogue/hardware/<name> /catalogue/hardware/jetson-agx-xavier")
"""
TABS = ("schedule", "grid", "designs", "convergence", "data", "why", "notes", "provenance", "log", "difference")
# What is wider than the screen or scrolls sideways, what lies over something else, and what of the bar is too small for a finger.
_TOO_WIDE = """() => {
  const found = [], width = document.documentElement.scrollWidth;
  if (width > innerWidth) { found.push(`the page is ${width} px wide`); }
  const visible = { visibilityProperty: true };
  const shown = selector => [...document.querySelectorAll(selector)].filter(each => each.checkVisibility(visible));
  const words = each => each.outerHTML.slice(0, 160);
  // What of an element is in sight: what its ancestors cut off is not, and what is fixed lies over a page on purpose.
  const seen = (element, own) => {
    if (getComputedStyle(element).position === "fixed") { return null; }
    let { left, top, right, bottom } = own || element.getBoundingClientRect();
    for (let each = own ? element : element.parentElement; each && each !== document.body; each = each.parentElement) {
      const style = getComputedStyle(each), box = each.getBoundingClientRect();
      if (style.position === "fixed") { return null; }
      if (style.overflowX === "visible") { continue; }
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return right - left > 2 && bottom - top > 2 ? { left, top, right, bottom } : null;
  };
  // Links in a line of text reach some pixels into the lines around it.
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 6;
  shown(".topbar :is(a, button, input)").forEach(each => {
    const box = each.getBoundingClientRect();
    if (Math.min(box.width, box.height) < 24) { found.push(`${words(each)} is small`); }
  });
  // Pictures and tables of cells have rules of their own.
  const plain = selector => shown(selector).filter(each => !each.closest(".js-plotly-plot, .ag-root, .visually-hidden"));
  const texts = plain(":is(.topbar, main) :not(script, option, svg, svg *)").flatMap(each =>
    [...each.childNodes].filter(node => node.nodeType === 3 && node.data.trim()).map(node => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return [each, seen(each, range.getBoundingClientRect())];
    })).filter(each => each[1]);
  const controls = plain(":is(.topbar, main) :is(a, button, input, select, summary)")
    .map(each => [each, seen(each)]).filter(each => each[1]);
  controls.forEach(([one, a]) => [...controls, ...texts].forEach(([other, b]) => {
    const field = one.parentElement.closest("[class*=-root]");  // a control of several parts
    const apart = Boolean(one.closest(".topbar")) !== Boolean(other.closest(".topbar"));  // its open menu lies over the page
    const related = one.contains(other) || other.contains(one) || (field && field.contains(other));
    if (!related && !apart && over(a, b)) { found.push(`${words(one)} lies over ${words(other)}`); }
  }));
  const wide = each => each.scrollWidth > each.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(each).overflowX);
  const may = `pre, .log, .edit-lanes, .time-strip, .schedule-picture, .compare-strip, .document-picture, .repro-picture,
    [class*=ag-]`;
  shown("main *").filter(wide).forEach(each => {
    if (!each.matches(may) && !each.querySelector("table, .ag-root, .time-strip, .compare-strip, .win")) {
      found.push(`${words(each)} scrolls sideways`);
    }
  });
  return found;
}"""
WIDTHS = (390, 640)  # a phone; 1280 px at 200 % zoom


def faults(page: Page, site: Site, paths: Sequence[str], widths: Sequence[int] = WIDTHS) -> list[str]:
    """Return what does not fit on these pages, each opened once."""
    found = []
    for path in paths:
        page.goto(site.url + path)
        for width in widths:
            page.set_viewport_size({"width": width, "height": PHONE["height"]})
            settle(page)
            found += [f"{path} at {width} px: {words}" for words in page.evaluate(_TOO_WIDE)]
    return found


def test_the_bar_folds_into_a_menu_and_pages_fit(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")
    assert faults(page, site, ["/catalogue/hardware/jetson-agx-xavier", "/new?engine=scar"], (390,)) == []
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


def test_pages_fit_between_phone_and_desktop(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")
    assert faults(page, site, ["/new?engine=soc-mapping", site.first_run], (640, 900, 1199)) == []


def test_seven_tabs_at_most_stand_in_the_line_and_the_others_in_a_menu(
    site: Site, sign_in: Callable[[str], Page]
) -> None:
    page = sign_in("demo")
    tab, tabs = page.get_by_role("tab", selected=True), page.get_by_role("tab")
    more = page.get_by_role("button", name="More", exact=True)
    assert faults(page, site, [f"{site.first_run}?tab=provenance"], (390,)) == []
    expect(tabs).to_have_count(4)
    for name in ("Provenance", "What if"):
        open_tab(page, name)
        expect(tab).to_have_text(name)
        expect(tab).to_be_in_viewport(ratio=1)
        expect(more).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(tabs).to_have_count(6)
    more.press("Enter")
    expect(page.get_by_role("menu")).to_have_text(
        "ConvergenceDecisionsCost modelsDifferenceScheduleGridNotesProvenanceLog"
    )
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


@pytest.mark.long
def test_every_page_of_an_item_and_outside_dash_fits(site: Site, sign_in: Callable[[str], Page], watch: Watch) -> None:
    watch.expected.append("404")
    told = site.python("manage.py", "shell", "--no-imports", "-c", ITEMS.format(run=site.first_run.rpartition("/")[2]))
    items = dict(line.split()[1:] for line in told.splitlines() if line.startswith("MADE "))
    assert set(items) == set(OWNED_PAGES), "a new page needs an item here"
    assert {path.rpartition("/")[0] for path in BUILT_IN_PAGES} <= {path.rpartition("/")[0] for path in DOCUMENTS}
    page = sign_in("demo")
    assert faults(page, site, [*items.values(), *OTHER_PAGES]) == []
    page.context.clear_cookies()
    assert faults(page, site, WITHOUT_ACCOUNT) == []

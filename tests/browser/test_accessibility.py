"""Every page in both schemes by axe-core: nothing that keeps people out, by the rules of WCAG 2.2 AA.

At every change the main pages are looked at in one scheme where other tests have them before them (`accessible`).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from tests.browser.conftest import RUN_MS
from tests.browser.tabs import open_tab
from tests.support.site import Site

RULES = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
# What leads readers through a page that they do not see. Axe takes these rules for good practice; here they hold.
OUTLINE = ("heading-order", "empty-heading", "page-has-heading-one", "landmark-unique", "landmark-one-main")
# What another scheme can change.
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
# A plot is one picture with a sentence (`role="img"`): its parts are not read out.
# A table of AG Grid that has not got its size yet shows nothing, and its header has roles without children.
LEFT_OUT = {"exclude": [[".js-plotly-plot"], [".ag-delay-render"]]}
STUDY = """
engine: scar
title: Two seeds
inputs: {hardware: [simba-3x3-nvdla, simba-3x3-het-sides], workload: mlperf-scenario-1}
params: {evaluations: 100}
seeds: [0, 1]
"""
# No mapping of it is that fast.
INFEASIBLE = (
    "soc-mapping", "--hardware", "jetson-agx-xavier", "--workload", "magnas-vig-s-gin", "--user", "demo",
    "--set", "latency_limit_s=0.000001",
)  # fmt: skip
# Nothing that is seen is still to come; panels behind other tabs wait for being opened.
# It is so at several looks: callbacks begin a moment after what causes them.
_SETTLED = """() => {
  const settled = document.querySelector('h1') && !document.querySelector('[data-dash-is-loading]')
    && [...document.querySelectorAll('.sk')].every(each => each.offsetParent === null);
  window.settledLooks = settled ? (window.settledLooks || 0) + 1 : 0;
  return window.settledLooks > 3;
}"""


def violations(page: Page, rules: dict[str, Any]) -> list[str]:
    """Return the violations of the page that are serious or critical, or spoil its outline; in words."""
    options = {"resultTypes": ["violations"], "runOnly": rules}
    if rules is RULES:
        options["rules"] = {name: {"enabled": True} for name in OUTLINE}
    found = Axe().run(page, context=LEFT_OUT, options=options).response
    return [
        f"{page.url}: {broken['id']} ({broken['impact']}) {node['target']} {node['html'][:160]}"
        for broken in found["violations"]
        if broken["impact"] in ("serious", "critical") or broken["id"] in OUTLINE
        for node in broken["nodes"]
    ]


# Figures that are seen and cannot be saved, or say nothing to those who do not see them.
_SILENT_FIGURES = """() => [...document.querySelectorAll(".js-plotly-plot")].filter(graph => {
  if (graph.offsetParent === null) return false;
  const box = graph.closest(".picture, .card"), named = graph.closest("[role=img], [role=group]");
  const menu = box && [...box.querySelectorAll("button")].some(button => /^Save/.test(button.getAttribute("aria-label")));
  return !menu || !named || !named.getAttribute("aria-label");
}).map(graph => (graph.closest("[aria-label]") || graph).getAttribute("aria-label"))"""


def judged(page: Page, views: Callable[[], Iterator[None]], also_other_scheme: bool) -> list[str]:
    """Violations of every view; the page then has its own scheme again.

    Args:
        page: signed in.
        views: brings the page to one view after the other.
        also_other_scheme: look at its colours in the other scheme too.
    """
    found = []
    for rules in (RULES, COLOURS) if also_other_scheme else (RULES,):
        for _ in views():
            settle(page)
            found += violations(page, rules)
            found += [f"{page.url}: figure without menu or words: {each}" for each in page.evaluate(_SILENT_FIGURES)]
        if also_other_scheme:
            page.goto(page.url.partition("/accounts")[0])
            page.locator("#scheme-toggle").click()
    return found


def visits(page: Page, site: Site, paths: Sequence[str]) -> Callable[[], Iterator[None]]:
    """The pages at these paths, one after the other."""

    def views() -> Iterator[None]:
        for path in paths:
            page.goto(site.url + path)
            yield

    return views


def settle(page: Page) -> None:
    """Wait until nothing that is seen is still to come."""
    page.evaluate("() => { window.settledLooks = 0; }")
    page.wait_for_function(_SETTLED, polling=100)


def accessible(page: Page) -> None:
    """The page as it stands keeps nobody out."""
    settle(page)
    assert violations(page, RULES) == []


def test_before_signing_in(site: Site, page: Page) -> None:
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{site.url}/accounts/login/")
        assert violations(page, RULES) == []
        page.get_by_label("Username").fill("nobody")
        page.get_by_label("Password").fill("nothing")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("alert")).to_be_visible()
        assert violations(page, RULES) == []


@pytest.mark.long
@pytest.mark.parametrize(
    "paths",
    [
        ("/", "/reproductions", "/nowhere", "/accounts/token/", "/accounts/password_change/"),
        ("/new", "/new?engine=scar", "/scenarios/new", "/hardware/new", "/studies/new", "/survey?workload=resnet50"),
        ("/catalogue", "/catalogue/upload", "/catalogue/hardware/simba-3x3-nvdla", "/catalogue/hardware/jetson-agx-xavier",
         "/catalogue/workload/mlperf-scenario-1", "/catalogue/workload/resnet50"),
    ],
    ids=["home", "forms", "catalogue"],
)  # fmt: skip
def test_pages(site: Site, sign_in: Callable[[str], Page], paths: Sequence[str], watch: Any) -> None:
    watch.expected.append("404")
    page = sign_in("demo")
    assert judged(page, visits(page, site, paths), also_other_scheme=True) == []


@pytest.mark.long
def test_pages_that_few_come_to(site: Site, sign_in: Callable[[str], Page], watch: Any) -> None:
    watch.expected.append("404")
    page = sign_in("demo")
    run = site.first_run
    paths = [
        "/import-run", "/measured-values/import", "/catalogue/calibrate", "/catalogue/calibration/xavier-magnas",
        "/catalogue/data/synthetic-routes",
        "/catalogue/environment/uav-two-hour-flight", "/reproductions/scar", "/reproductions/sbrs", "/runs/999999",
        "/catalogue/hardware/none-of-that-name", "/catalogue/hardware/rk3588?tab=measured",
        f"{run}?view=3d", f"{run}?view=matrix", f"{run}?view=parallel",
        f"{run}?limits=latency_s:0.001", f"{run}?design=3&pin=12&tab=difference",
    ]  # fmt: skip
    assert judged(page, visits(page, site, paths), also_other_scheme=True) == []


@pytest.mark.long
def test_what_opens_over_a_page(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")
    page.goto(f"{site.url}{site.first_run}?tab=data")

    def opened() -> Iterator[None]:
        for closed in ("demo: menu", "Save or show as table"):
            page.get_by_role("button", name=closed).and_(page.locator(":visible")).first.click()
            yield
            page.keyboard.press("Escape")
        page.get_by_role("button", name="Save or show as table").and_(page.locator(":visible")).first.click()
        page.get_by_role("menuitem", name="Show as table").click()
        expect(page.locator("dialog.figure-table")).to_be_visible()
        yield
        page.keyboard.press("Escape")
        page.keyboard.press("?")
        expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
        yield
        page.keyboard.press("Escape")

    assert judged(page, opened, also_other_scheme=False) == []


@pytest.mark.parametrize(
    "both", [pytest.param(False, id="one-scheme"), pytest.param(True, id="both-schemes", marks=pytest.mark.long)]
)
def test_the_front_of_a_run(site: Site, sign_in: Callable[[str], Page], both: bool) -> None:
    page = sign_in("demo")
    assert judged(page, visits(page, site, [site.first_run]), both) == []


@pytest.mark.long
def test_a_run_with_every_tab(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")

    def tabs() -> Iterator[None]:
        page.goto(site.url + site.first_run)
        settle(page)
        names = page.locator(".ptab-line > :not([hidden])").evaluate_all(
            "tabs => tabs.map(tab => tab.firstChild.nodeValue)"
        )
        assert len(names) > 7
        for name in names:
            open_tab(page, name)
            yield
        page.get_by_role("button", name="More", exact=True).click()
        yield

    assert judged(page, tabs, also_other_scheme=True) == []


# The page tells of a failure what the keeper stored of it; a search that breaks on purpose is none of the product's.
FAIL = """
from engines.running.runner.child_exit import Ending
from webapp.runs.worker.failures import failure_detail
from webapp.runs.models import Run
ending = Ending("failed", reason="signal", message="The process was ended by SIGKILL.", signal_name="SIGKILL")
detail = failure_detail(ending, 1024.0, ["step 3", "step 4"])
Run.objects.filter(pk={run}).update(status="failed", outcome="error", outcome_detail=detail)
"""


@pytest.mark.long
def test_runs_that_are_live_stopped_failed_and_infeasible(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")
    told = site.python("manage.py", "explore", *INFEASIBLE)
    infeasible = re.findall(r"/runs/\d+", told)[-1]
    page.goto(f"{site.url}/new?engine=scar")
    evaluations = page.get_by_label("Evaluations", exact=True)
    evaluations.fill("1000000")
    evaluations.press("Tab")
    expect(page.locator("#new-command")).to_contain_text("evaluations=1000000")
    page.locator("#new-start").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    run = urlsplit(page.url).path
    header = page.locator("#run-header")
    expect(header).to_have_text("Running")
    expect(page.locator("#run-front .main-svg").first).to_be_visible()
    assert judged(page, visits(page, site, [run]), also_other_scheme=True) == []
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(header).to_have_text("Stopped")
    assert judged(page, visits(page, site, [run]), also_other_scheme=True) == []
    site.python("manage.py", "shell", "--no-imports", "-c", FAIL.format(run=run.rpartition("/")[2]))
    for path, words in ((run, "Failed"), (infeasible, "Infeasible")):
        page.goto(site.url + path)
        expect(page.get_by_role("heading", name=words)).to_be_visible()
        assert judged(page, visits(page, site, [path]), also_other_scheme=True) == []


@pytest.mark.long
def test_studies_and_comparisons(site: Site, sign_in: Callable[[str], Page], tmp_path: Path) -> None:
    grid = tmp_path / "grid.yaml"
    grid.write_text(STUDY)
    site.python("manage.py", "study", str(grid), "--user", "demo")
    page = sign_in("demo")
    page.goto(f"{site.url}/studies")
    page.get_by_text("Two seeds").first.click()
    expect(page.locator("#study-header")).to_have_text("Done", timeout=RUN_MS)
    expect(page.get_by_text("Significance of the differences")).to_be_visible()
    study = urlsplit(page.url).path
    compared = page.get_by_role("link", name="Compare median runs").get_attribute("href") or ""
    assert judged(page, visits(page, site, ["/compare", "/studies", study, compared]), also_other_scheme=True) == []

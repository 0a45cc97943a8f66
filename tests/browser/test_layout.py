"""Pages at two widths and in both schemes beside the layouts that are kept: nothing bursts, moves or goes."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.layout import MOST_CHANGED, burst, changed, keep, layout_of, reference
from tests.browser.test_accessibility import settle
from tests.support.site import Site

SIZES = ((1280, 800), (1920, 1080))
_DRAWN_MS = 800  # figures are drawn again for another width or scheme
OTHER = (
    "manage.py", "explore", "scar", "--hardware", "simba-3x3-nvdla", "--workload", "mlperf-scenario-1", "--user", "demo",
    "--set", "search=greedy", "--set", "evaluations=100", "--seed", "3",
)  # fmt: skip
# What an edit of a style sheet can do to a page.
BREAKS = (
    ".run-overview { display: block !important; }",
    ".card > .ch { height: 90px !important; }",
    ".run-schedule { display: none !important; }",
)


def settled_share(page: Page, name: str) -> float:
    """How much of the page stands elsewhere than in the layout of that name, once it is drawn, however long that takes."""
    deadline = time.monotonic() + 60
    while (share := changed(layout_of(page), reference(name))) > MOST_CHANGED and time.monotonic() < deadline:
        page.wait_for_timeout(_DRAWN_MS)
    return share


def differences(page: Page, name: str) -> list[str]:
    """What is wrong with the page at either width in either scheme, in words; it has its scheme again afterwards."""
    found = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        settle(page)
        for other in (False, True):
            page.wait_for_timeout(_DRAWN_MS)
            where = f"{name}-{width}, {page.locator('html').get_attribute('data-mantine-color-scheme')}"
            if not other:
                keep(f"{name}-{width}", layout_of(page))
            share = settled_share(page, f"{name}-{width}")
            found += [f"{where}: {words}" for words in burst(page)]
            if share > MOST_CHANGED:
                found.append(f"{where}: {share:.0%} of what stood there stands elsewhere")
            page.locator("#scheme-toggle").click()
            page.mouse.move(2, 2)
    return found


@pytest.mark.parametrize(
    ("name", "path"),
    [
        pytest.param("new", "/new?engine=scar", marks=pytest.mark.long),
        pytest.param("hardware-new", "/hardware/new", marks=pytest.mark.long),
        pytest.param("study-new", "/studies/new", marks=pytest.mark.long),
        pytest.param("catalogue", "/catalogue", marks=pytest.mark.long),
        pytest.param("package", "/catalogue/hardware/simba-3x3-het-sides", marks=pytest.mark.long),
    ],
)
def test_pages_stand_as_they_did(site: Site, sign_in: Callable[[str], Page], name: str, path: str) -> None:
    page = sign_in("demo")
    page.goto(site.url + path)
    assert differences(page, name) == []


@pytest.mark.long
def test_a_run_stands_as_it_did_and_what_breaks_it_is_seen(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")
    page.goto(f"{site.url}{site.first_run}?design=12")
    expect(page.locator("#run-schedule .main-svg").first).to_be_visible()
    assert differences(page, "run") == []
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    for rule in BREAKS:
        style = page.add_style_tag(content=rule)
        page.wait_for_timeout(_DRAWN_MS)
        assert changed(layout_of(page), reference("run-1280")) > MOST_CHANGED, rule
        style.evaluate("tag => tag.remove()")


@pytest.mark.long
@pytest.mark.parametrize("tab", ["schedule", "grid", "convergence", "data"])
def test_tabs_of_a_run_stand_as_they_did(site: Site, sign_in: Callable[[str], Page], tab: str) -> None:
    page = sign_in("demo")
    page.goto(f"{site.url}{site.first_run}?design=12&tab={tab}")
    expect(page.locator(".run-panel:visible .main-svg").first).to_be_visible()
    assert differences(page, f"run-{tab}") == []


@pytest.mark.long
def test_a_comparison_stands_as_it_did(site: Site, sign_in: Callable[[str], Page]) -> None:
    other = re.findall(r"/runs/(\d+)", site.python(*OTHER))[-1]
    page = sign_in("demo")
    page.goto(f"{site.url}/compare?runs={site.first_run.rpartition('/')[2]},{other}")
    expect(page.locator(".compare-strips .time-strip .main-svg").first).to_be_visible()
    assert differences(page, "compare") == []

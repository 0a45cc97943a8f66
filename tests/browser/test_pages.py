"""Pages in a window that changes: whatever the console says of it fails the test, by the watch over every page."""

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, Route

from tests.support.site import WINDOW, Site

_NOTICE = """() => {
    const place = document.getElementById("_pages_content"), style = place && getComputedStyle(place, "::before");
    return Boolean(place) && style.visibility === "visible" && style.content.includes("Loading the page");
}"""


def test_a_page_that_takes_long_says_so(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")
    late: list[Route] = []
    page.route(
        "**/_dash-update-component*",
        lambda route: late.append(route) if "_pages_content" in str(route.request.post_data) else route.continue_(),
    )
    page.goto(f"{site.url}/compare")
    page.wait_for_function(_NOTICE)
    for route in late:
        route.continue_()
    page.wait_for_function(f"() => document.querySelector('#_pages_content h1') && !({_NOTICE})()")


@pytest.mark.parametrize(
    "paths",
    [
        pytest.param(("/compare", "/compare?runs={run}", "/compare?runs=999999"), id="compare"),
        pytest.param(
            ("/", "/new", "/new?engine=scar", "/studies", "/studies/new", "/catalogue",
             "/catalogue/hardware/simba-3x3-nvdla", "/hardware/new",
             "/catalogue/workload/resnet50", "/scenarios/new", "/reproductions/scar", "/runs/{run}"),
            id="others", marks=pytest.mark.long,
        ),
    ],
)  # fmt: skip
def test_scheme_and_width_may_change(site: Site, sign_in: Callable[[str], Page], paths: Sequence[str]) -> None:
    page = sign_in("demo")
    for path in paths:
        page.goto(site.url + path.format(run=site.first_run.rpartition("/")[2]))
        page.wait_for_load_state("networkidle")
        page.locator("#scheme-toggle").click()
        page.set_viewport_size({"width": 1280, "height": 800})
        page.wait_for_timeout(400)  # the width is told when it has stayed a while
        page.wait_for_load_state("networkidle")
        page.set_viewport_size(WINDOW)  # type: ignore[arg-type]

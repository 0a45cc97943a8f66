"""The run page of 10,000 designs in headless Chromium: the first picture, and every callback of opening it and looking around."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, Request, expect, sync_playwright

from benchmarks.report import Figure, show
from tests.support.site import CHROMIUM_FLAGS, WINDOW, Site, running_site
from tools.browser import MESSAGE, find_browser

DESIGNS = 10_000
VISITS = 5
CALLBACK_LIMIT_MS = 100
PICTURE_LIMIT_S = 1.5
# A design of the front, not the empty frame that stands there before.
FRONT = "#run-front .scatterlayer .points path"


class Callbacks:
    """Times every callback of a page, from the request to the first byte of the answer.

    Not to the last byte: the browser notes that one only when its own drawing lets it.
    """

    def __init__(self, page: Page) -> None:
        self.took_ms: list[tuple[float, str]] = []
        page.on("requestfinished", self._note)

    def _note(self, request: Request) -> None:
        if "_dash-update-component" in request.url:
            timing = request.timing
            body = request.post_data_json or {}
            self.took_ms.append((timing["responseStart"] - timing["requestStart"], str(body.get("output", ""))[:60]))

    def take(self) -> list[tuple[float, str]]:
        """Return what was timed since the last call."""
        found, self.took_ms = self.took_ms, []
        return found


def first_picture_s(page: Page, url: str) -> float:
    """Return the seconds from the navigation until the front is drawn."""
    begun = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.locator(FRONT).first.wait_for(state="visible")
    return time.perf_counter() - begun


def look_around(page: Page) -> None:
    """Pick designs along the front, change the window, open the table and the convergence."""
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(400)
    for tab in ("Designs", "Convergence", "Schedule", "Grid"):
        page.get_by_role("tab", name=tab).click()
        page.wait_for_timeout(600)


def measure(site: Site, number: str) -> list[Figure]:
    """Return all figures of the run page."""
    found = find_browser()
    if found is None:
        raise SystemExit(MESSAGE.format(reason="none was found"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(found), args=CHROMIUM_FLAGS)
        page = browser.new_page(viewport=WINDOW)  # type: ignore[arg-type]
        page.goto(f"{site.url}/")
        page.get_by_label("Username").fill("demo")
        page.get_by_label("Password").fill(site.passwords["demo"])
        page.get_by_role("button", name="Sign in").click()
        expect(page).to_have_url(f"{site.url}/")
        url = f"{site.url}/runs/{number}"
        cold_s = first_picture_s(page, url)
        callbacks = Callbacks(page)
        page.wait_for_load_state("networkidle")
        callbacks.take()
        visits = []
        for _ in range(VISITS):
            visits.append(first_picture_s(page, url))
            page.wait_for_load_state("networkidle")
        opening = callbacks.take()
        look_around(page)
        around = callbacks.take()
        browser.close()
    slowest = sorted(opening + around, reverse=True)[:5]
    for took_ms, output in slowest:
        print(f"    among the slowest callbacks: {took_ms:.0f} ms {output}")
    name = f"run page of {DESIGNS:,} designs"
    return [
        Figure(f"{name}: first picture, first visit", cold_s, "s"),
        Figure(f"{name}: first picture, warm (median of {VISITS})", median(visits), "s", PICTURE_LIMIT_S),
        Figure(f"{name}: callbacks of opening it, median", median(ms for ms, _ in opening), "ms", CALLBACK_LIMIT_MS),
        Figure(f"{name}: callbacks of opening it, slowest", max(ms for ms, _ in opening), "ms", CALLBACK_LIMIT_MS),
        Figure(f"{name}: callbacks of looking around, median", median(ms for ms, _ in around), "ms", CALLBACK_LIMIT_MS),
        Figure(f"{name}: callbacks of looking around, slowest", max(ms for ms, _ in around), "ms", CALLBACK_LIMIT_MS),
    ]


def main() -> int:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, running_site(Path(folder)) as site:
        site.make_first_exploration()
        number = site.python("-m", "benchmarks.many_designs", str(DESIGNS)).strip()
        return show(measure(site, number))


if __name__ == "__main__":
    sys.exit(main())

"""The run page in headless Chromium: 10,000 and 100,000 designs, and a run that grows by 1,000 designs a second.

Every figure is the median of five. A pick and a step of a slider are timed in the browser, from the key or the choice until the
last picture that it changes is drawn. The browser's main thread is busy as far as Chromium's own task counter says so; the
server's time is the processor time of all web processes, divided by the polls that they answered.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Page, expect, sync_playwright

from benchmarks.report import Figure, show, tell
from benchmarks.table_of_designs import export_figures, table_figures
from paretoscope import up
from tests.support.site import CHROMIUM_FLAGS, ROOT, WINDOW, Site, running_site
from tools.browser import MESSAGE, find_browser

REPEATS = 5
SIZES = ((10_000, 1.5), (100_000, 3.0))
ACTION_LIMIT_MS = 300
# The windows together see the whole picture being drawn again, which a page that is extended does every 60 s.
LIVE_DESIGNS, LIVE_PER_S, LIVE_WARM_S, LIVE_WINDOW_S = 90_000, 1_000, 6, 13
BUSY_LIMIT_PERCENT = 20
POLL_LIMIT_MS = 10
# A design of the front, not the empty frame that stands there before.
FRONT = "#run-front .scatterlayer .points path"

# Notes when each picture was drawn last, and when the words beside it changed.
WATCH = """() => {
  window.drawn = {};
  for (const id of ["run-front", "run-grid", "run-schedule"]) {
    const graph = document.querySelector("#" + id + " .js-plotly-plot");
    if (graph) graph.on("plotly_afterplot", () => { window.drawn[id] = performance.now(); });
  }
  const words = document.getElementById("run-remaining");
  new MutationObserver(() => { window.drawn.words = performance.now(); })
    .observe(words, { childList: true, subtree: true, characterData: true });
  document.addEventListener("keydown", () => { window.drawn = {}; window.pressed = performance.now(); }, true);
}"""
DONE = "wanted => wanted.every(name => window.drawn[name])"
TOOK = "wanted => Math.max(...wanted.map(name => window.drawn[name])) - window.pressed"
PICK = """design => {
  window.drawn = {};
  window.pressed = performance.now();
  window.paretoscopeFront.choose(design);
}"""
ORDER = "() => window.dash_component_api.getLayout('run-front-order').props.data"
PICTURES = ["run-front", "run-grid", "run-schedule"]
QUIET_MS = 700


def first_picture_s(page: Page, url: str) -> float:
    """Return the seconds from the navigation until the front is drawn."""
    begun = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.locator(FRONT).first.wait_for(state="visible")
    return time.perf_counter() - begun


def key_ms(page: Page, key: str, wanted: list[str]) -> float:
    """Return the milliseconds from a key until the last of the `wanted` pictures is drawn."""
    page.keyboard.press(key)
    page.wait_for_function(DONE, arg=wanted, timeout=20_000)
    page.wait_for_timeout(QUIET_MS)
    return float(page.evaluate(TOOK, wanted))


def pick_ms(page: Page, design: int) -> float:
    """Return the milliseconds from the pick of a design, as by its row in the short list, until the last picture is drawn."""
    page.evaluate(PICK, design)
    page.wait_for_function(DONE, arg=PICTURES, timeout=20_000)
    page.wait_for_timeout(QUIET_MS)
    return float(page.evaluate(TOOK, PICTURES))


def finished_run(page: Page, url: str, count: int, limit_s: float) -> list[Figure]:
    """Return first picture, pick and slider of a finished run."""
    name = f"{count:,} designs"
    cold_s = first_picture_s(page, url)
    page.wait_for_load_state("networkidle")
    visits = []
    for _ in range(REPEATS):
        visits.append(first_picture_s(page, url))
        page.wait_for_load_state("networkidle")
    page.evaluate(WATCH)
    # Designs that nobody looked at; then along the front, where the page asks ahead from the second step on.
    picks = [pick_ms(page, count * (at + 1) // (REPEATS + 2)) for at in range(REPEATS)]
    front = page.evaluate(ORDER)
    pick_ms(page, front[0])
    steps = [key_ms(page, "ArrowRight", PICTURES) for _ in front[1 : REPEATS + 2]][1:]
    page.locator("#run-limit-box [role=slider]").first.focus()
    slides = [key_ms(page, "ArrowLeft", ["run-front", "words"]) for _ in range(REPEATS)]
    return [
        Figure(f"{name}: first picture, first visit", cold_s, "s"),
        Figure(f"{name}: first picture, warm", median(visits), "s", limit_s),
        Figure(f"{name}: a pick has changed all pictures", median(picks), "ms", ACTION_LIMIT_MS),
        Figure(f"{name}: a further step along the front has, too", median(steps), "ms", ACTION_LIMIT_MS),
        Figure(f"{name}: a constraint has filtered", median(slides), "ms", ACTION_LIMIT_MS),
    ]


# -- a live run -------------------------------------------------------------------------------------------------------


def processor_s(site: Site) -> float:
    """Return the processor time of the web server's processes so far, in seconds."""
    return sum(_spent_s(number) for number in web_processes(site))


def web_processes(site: Site) -> list[int]:
    """Return the numbers of the web server's processes."""
    web = next(service for service in site.services if service.name == "web")
    assert web.process is not None
    return with_children(web.process.pid)


def _spent_s(number: int) -> float:
    try:
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def with_children(number: int) -> list[int]:
    """Return the numbers of a process and of all that it started."""
    found = [number]
    for task in Path(f"/proc/{number}/task").glob("*/children"):
        for child in task.read_text().split():
            found += with_children(int(child))
    return found


def busy_s(session: Any) -> float:
    """Return the seconds that the page's main thread has worked so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))


def live_run(page: Page, site: Site) -> list[Figure]:
    """Return the page of a run while `LIVE_PER_S` designs a second arrive."""
    command = [up.PYTHON, "-m", "benchmarks.many_designs", str(LIVE_DESIGNS), str(LIVE_PER_S)]
    environment = {**os.environ, **site.variables}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        number = writer.stdout.readline().strip()
        polls: list[str] = []
        page.on(
            "requestfinished", lambda request: polls.append(request.url) if "_dash-run-state" in request.url else None
        )
        first_picture_s(page, f"{site.url}/runs/{number}")
        session = page.context.new_cdp_session(page)
        # Processor time of the thread: waiting for a core that others use is not being busy.
        session.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
        session.send("Performance.enable")
        page.wait_for_timeout(1000 * LIVE_WARM_S)
        busy, spent, begun_with, begun_at = list[float](), list[float](), processor_s(site), len(polls)
        for _ in range(REPEATS):
            begun, busy_before = time.perf_counter(), busy_s(session)
            spent_before, asked = processor_s(site), len(polls)
            page.wait_for_timeout(1000 * LIVE_WINDOW_S)
            busy.append(100 * (busy_s(session) - busy_before) / (time.perf_counter() - begun))
            spent.append(1000 * (processor_s(site) - spent_before) / max(1, len(polls) - asked))
        together = 1000 * (processor_s(site) - begun_with) / max(1, len(polls) - begun_at)
        writer.kill()
    name = f"{LIVE_PER_S:,} designs/s live"
    return [
        Figure(f"{name}: main thread busy", median(busy), "%", BUSY_LIMIT_PERCENT),
        Figure(f"{name}: server per poll and viewer", median(spent), "ms", POLL_LIMIT_MS),
        Figure(f"{name}: the same, with every whole picture", together, "ms"),
    ]


def signed_in(page: Page, site: Site) -> Page:
    """Return the page after signing in."""
    page.goto(f"{site.url}/")
    page.get_by_label("Username").fill("demo")
    page.get_by_label("Password").fill(site.passwords["demo"])
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(f"{site.url}/")
    return page


def measure(site: Site) -> list[Figure]:
    """Return all figures."""
    found = find_browser()
    if found is None:
        raise SystemExit(MESSAGE.format(reason="none was found"))
    figures = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(found), args=CHROMIUM_FLAGS)
        page = signed_in(browser.new_page(viewport=WINDOW), site)  # type: ignore[arg-type]
        for count, limit_s in SIZES:
            tell(f"{count:,} designs")
            number = site.python("-m", "benchmarks.many_designs", str(count)).strip()
            figures += finished_run(page, f"{site.url}/runs/{number}", count, limit_s)
        name = f"{count:,} designs"
        figures += table_figures(page, f"{site.url}/runs/{number}", name)
        cookie = "; ".join(f"{each['name']}={each['value']}" for each in page.context.cookies())
        figures += export_figures(site.url, number, cookie, name, lambda: web_processes(site))
        tell(f"a live run of {LIVE_PER_S:,} designs a second")
        figures += live_run(page, site)
        browser.close()
    return figures


def main() -> int:
    """Measure and print."""
    tell("a site starts, with its first exploration")
    with tempfile.TemporaryDirectory() as folder, running_site(Path(folder)) as site:
        site.make_first_exploration()
        return show(measure(site))


if __name__ == "__main__":
    sys.exit(main())

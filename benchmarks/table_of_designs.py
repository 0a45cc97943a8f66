"""The table of all designs and their downloads, for `bench_ui`: blocks of rows after a sort or a filter, statistics, exports.

A block of rows is timed twice: at the server, from the request to the first byte of the answer, and in the browser, from the
click to the rows. An export is read as it comes; its memory is what the web processes hold at most beyond what they held before.
"""

from __future__ import annotations

import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, Request

from benchmarks.report import Figure

BLOCK_LIMIT_MS = 300
EXPORT_MEMORY_LIMIT_MB = 64
REPEATS = 5
FORMATS = ("csv", "parquet", "arrow", "json")
_READ_BYTES = 64 * 1024
_ROWS = "run-table.getRowsResponse"

# Asks for rows and answers, once those that were asked for are there, the milliseconds that it took.
_SHOWN = """([what, value, row]) => new Promise(answer => {
  const api = window.dash_ag_grid.getApi("run-table"), begun = performance.now();
  let asked = false;
  const done = () => {
    const node = api.getDisplayedRowAtIndex(row < 0 ? api.getDisplayedRowCount() - 1 : row);
    if (asked && node && node.data) { clearInterval(look); answer(performance.now() - begun); }
  };
  const look = setInterval(done, 5);
  if (what === "sort") { api.applyColumnState({ state: [value], defaultState: { sort: null } }); }
  if (what === "filter") { api.setFilterModel(value); }
  if (what === "end") { api.ensureIndexVisible(api.getDisplayedRowCount() - 1); }
  setTimeout(() => { asked = true; }, 20);
})"""


def table_figures(page: Page, url: str, name: str) -> list[Figure]:
    """Return the blocks of rows and column statistics of the run at `url`, in a page that is signed in."""
    served: list[float] = []

    def note(request: Request) -> None:
        if "_dash-update-component" in request.url and _ROWS in str((request.post_data_json or {}).get("output")):
            served.append(request.timing["responseStart"] - request.timing["requestStart"])

    page.on("requestfinished", note)
    page.goto(f"{url}?tab=designs")
    page.locator("#run-table .ag-row [col-id=kind]:not(:empty)").nth(1).wait_for(state="visible")
    page.wait_for_timeout(500)
    found = [Figure(f"{name}: first rows of the table, server", median(served), "ms", BLOCK_LIMIT_MS)]
    for words, steps in _STEPS.items():
        served.clear()
        shown = []
        for at in range(REPEATS):
            what, value, row = steps[at % len(steps)]
            shown.append(float(page.evaluate(_SHOWN, [what, value, row])))
            page.wait_for_timeout(300)
        # Rows that the browser holds already are not asked for again.
        found.append(Figure(f"{name}: {words}, server", max(served), "ms", BLOCK_LIMIT_MS))
        found.append(Figure(f"{name}: {words}, until the rows are there", median(shown), "ms"))
    page.remove_listener("requestfinished", note)
    begun = time.perf_counter()
    page.get_by_role("tab", name="Data", exact=True).click()
    page.locator(".panel-data .spread").first.wait_for(state="visible")
    return [*found, Figure(f"{name}: column statistics", 1000 * (time.perf_counter() - begun), "ms")]


def _sorts(column: str) -> list[tuple[str, object, int]]:
    return [("sort", {"colId": column, "sort": direction}, 0) for direction in ("asc", "desc")]


_BELOW = {"filterType": "number", "type": "lessThan"}
_STEPS: dict[str, list[tuple[str, object, int]]] = {
    "sorted by a quantity": _sorts("latency_s"),
    "sorted by kind": _sorts("kind"),
    "filtered by a quantity": [
        ("filter", {"latency_s": {**_BELOW, "filter": most}}, 0) for most in (700, 800, 900, 1000, 1100)
    ],
    "filtered by kind": [
        ("filter", {"kind": {"filterType": "text", "type": "contains", "filter": part}}, 0)
        for part in ("front", "dominated", "dom")
    ],
    "scrolled to the end": [("filter", None, 0), ("end", None, -1), *_sorts("energy_j"), ("end", None, -1)],
}


def export_figures(url: str, run: str, cookie: str, name: str, processes: Callable[[], list[int]]) -> list[Figure]:
    """Return the time and memory of each format, decisions included.

    Args:
        url: of the site.
        run: number of the run.
        cookie: of somebody who is signed in.
        name: of the run in the figures.
        processes: numbers of the web server's processes.
    """
    found = []
    for ending in FORMATS:
        held = _held_mb(processes())
        address = f"{url}/api/v1/runs/{run}/designs.{ending}?decisions=true"
        request = urllib.request.Request(address, headers={"Cookie": cookie})
        begun, most_mb, count = time.perf_counter(), held, 0
        # A proxy knows nothing of this machine's ports.
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=120) as answer:
            while piece := answer.read(_READ_BYTES):
                count += len(piece)
                most_mb = max(most_mb, _held_mb(processes()))
        took_s = time.perf_counter() - begun
        words = f"{name}: {ending.upper()} with decisions, {count / 1e6:.0f} MB"
        found += [
            Figure(words, took_s, "s"),
            Figure(f"{name}: {ending.upper()}, memory beyond", most_mb - held, "MB", EXPORT_MEMORY_LIMIT_MB),
        ]
    return found


def _held_mb(numbers: list[int]) -> float:
    """Return what processes hold in memory of their own."""
    total = 0
    for number in numbers:
        try:
            fields = Path(f"/proc/{number}/statm").read_text().split()
        except OSError:
            continue
        total += (int(fields[1]) - int(fields[2])) * 4096
    return total / 1e6

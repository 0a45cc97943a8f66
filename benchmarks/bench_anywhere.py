"""A site anywhere: the size of its wheel, its idle memory, 50 guests on the gallery, and 200 pull workers.

Waiting times depend on what else the machine does: the load average stands before them. Processor times hardly depend on it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import requests

from benchmarks.bench_sizes import held_mb
from benchmarks.bench_ui import processor_s, web_processes
from benchmarks.pull_workers import pull_workers
from benchmarks.report import Figure, load, show, tell
from tests.support.site import running_site

ROOT = Path(__file__).resolve().parent.parent
GUESTS, VISITS, THINK_S = 50, 5, 5.0
GALLERY_LIMIT_MS, IDLE_LIMIT_MB, WHEEL_LIMIT_MB = 300, 175.0, 25.0


def guest_times_ms(url: str) -> list[float]:
    """Return how long each answer to each of the guests took: the frame and the content of the gallery."""
    took: list[float] = []
    body = _router_body(url)
    begin = threading.Barrier(GUESTS)

    def visit(number: int) -> None:
        session = requests.Session()
        session.get(f"{url}/gallery", timeout=60)
        session.headers["X-CSRFToken"] = session.cookies["csrftoken"]
        begin.wait()
        time.sleep(THINK_S * number / GUESTS)  # people do not arrive in the same moment
        for _ in range(VISITS):
            for ask in (
                lambda: session.get(f"{url}/gallery", timeout=60),
                lambda: session.post(f"{url}/_dash-update-component", json=body, timeout=60),
            ):
                since = time.perf_counter()
                answer = ask()
                took.append(1000 * (time.perf_counter() - since))
                assert answer.status_code == 200, answer.text[:200]
            time.sleep(THINK_S)

    threads = [threading.Thread(target=visit, args=(number,)) for number in range(GUESTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return took


def _router_body(url: str) -> dict[str, Any]:
    """Return what a browser sends for the content of the gallery."""
    declared = requests.get(f"{url}/_dash-dependencies", timeout=60).json()
    router = next(each for each in declared if "_pages_content.children" in each["output"])
    parts = [part.rsplit(".", 1) for part in router["output"].strip(".").split("...")]
    values = {"pathname": "/gallery", "search": ""}

    def given(names: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [
            {"id": each["id"], "property": each["property"], "value": values.get(each["property"])} for each in names
        ]

    return {
        "output": router["output"],
        "outputs": [{"id": name, "property": prop} for name, prop in parts],
        "inputs": given(router["inputs"]),
        "state": given(router["state"]),
        "changedPropIds": ["_pages_location.pathname"],
    }


def guests() -> list[Figure]:
    """Return the figures of guests on a site of its own, and of its idle web server before they come."""
    with tempfile.TemporaryDirectory() as folder, running_site(Path(folder) / "var", PARETOSCOPE_GUESTS="1") as site:
        idle_mb = max(held_mb([number]) for number in web_processes(site))
        site.python("manage.py", "gallery")
        tell(f"{GUESTS} guests come; {load()}")
        before = processor_s(site)
        took = guest_times_ms(site.url)
        spent_ms = 1000 * (processor_s(site) - before) / len(took)
        tell(load())
    words = f"gallery, {GUESTS} guests, one visit each per {THINK_S:g} s, {len(took)} answers"
    return [
        Figure("web process, idle", idle_mb, "MB", IDLE_LIMIT_MB),
        Figure(f"{words}: processor time of each", spent_ms, "ms"),
        Figure(f"{words}: median", float(np.median(took)), "ms"),
        Figure(f"{words}: 95th percentile", float(np.percentile(took, 95)), "ms", GALLERY_LIMIT_MS),
    ]


def wheel() -> list[Figure]:
    """Return the size of the wheel of this checkout."""
    with tempfile.TemporaryDirectory() as folder:
        build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, str(ROOT)]
        subprocess.run(build, check=True)
        (found,) = Path(folder).glob("paretoscope-*.whl")
        return [Figure("wheel", found.stat().st_size / 1e6, "MB", WHEEL_LIMIT_MB)]


if __name__ == "__main__":
    sys.exit(show([*wheel(), *guests(), *pull_workers()]))

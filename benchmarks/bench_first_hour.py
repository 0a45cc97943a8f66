"""The first hour: what a new user waits for. A row per figure; add yours to `ROWS`."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.bench_up import FIRST_RUN, measure
from benchmarks.report import Figure, median_ms, show
from engines.contract.encoding.decoding import from_plain
from engines.documents.builtin import builtin_documents
from engines.documents.problems import make_problem
from engines.running.design_variants import opening_of
from engines.running.inspection import designs_of_run
from engines.running.runner.interactive_process import InteractiveProcess
from engines.running.runner.limited_process import ChildLimits
from engines.running.runner.protocol import InteractiveQuestion
from engines.running.runner.questions import ask_child
from engines.survey.survey_result import SCHEMAS, Survey
from engines.workloads.builtins import builtin_networks
from hardware.soc.movable import soc_figures

LONGEST_SURVEY_S = 3.0
LONGEST_OWN_SHARE_S = 15.0
LONGEST_ANSWER_MS = 300.0
LONGEST_DESIGN_MS, LONGEST_FRONT_S, LONGEST_OWN_MS = 200.0, 1.0, 20.0
_FRONT = 1000
_SHARES = (0.5, 0.7, 1.3, 2.0, 3.0)
# Engine -> inputs and parameters of a run with a design to edit.
_EDITED: dict[str, tuple[dict[str, str], dict[str, Any]]] = {
    "scar": ({"hardware": "simba-3x3-het-sides", "workload": "mlperf-scenario-4"}, {"evaluations": 200}),
    "soc-mapping": ({"hardware": "jetson-agx-xavier", "workload": "magnas-vig-s-gin"}, {}),
}
_LIMITS = ChildLimits(memory_mb=3072.0, cpu_s=40, time_s=60.0)


def survey() -> list[Figure]:
    """Return the ResNet-50 on every built-in device, with the start of the limited process that prices it."""
    devices = [
        (name, each.content)
        for name, each in builtin_documents("hardware").items()
        if each.content["schema"] in SCHEMAS
    ]
    question: dict[str, Any] = {"network": builtin_networks()["resnet50"], "devices": devices, "calibrations": []}
    begin = time.perf_counter()
    found = from_plain(Survey, ask_child("survey", question, "The survey", _LIMITS))
    words = f"survey of ResNet-50: {len(found.able)} devices that run it, {len(found.unable)} that do not"
    return [Figure(words, time.perf_counter() - begin, "s", LONGEST_SURVEY_S)]


@cache
def signed_in() -> Any:
    """Return a client of a site in this process with data of its own, and the only user it has."""
    os.environ["PARETOSCOPE_VAR"] = tempfile.mkdtemp(prefix="paretoscope-bench-")
    import django

    django.setup()

    from django.conf import settings
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.test import Client

    settings.ALLOWED_HOSTS = ["testserver"]
    call_command("migrate", verbosity=0)
    client, user = Client(), get_user_model().objects.create_user("ann")
    client.force_login(user)
    return client, user


def new_answers() -> list[Figure]:
    """Return the answer of *New run* to the choice of each engine, the slowest told.

    Without the first answer in a process, which reads the engine and its documents.
    """
    client, _ = signed_in()

    from engines.registry import engine_names
    from frontend.bridge import get_app
    from tests.support.callbacks import ask

    router = next(output for output in get_app().callback_map if output.startswith(".._pages_content"))

    def answer(engine: str) -> None:
        where = {"_pages_location.pathname": "/new", "_pages_location.search": f"?engine={engine}"}
        found = ask(client, router, where, {}, "_pages_location.pathname")
        if found.status_code != 200:
            raise SystemExit(f"/new?engine={engine}: {found.status_code}")

    took = {engine: median_ms(partial(answer, engine)) for engine in engine_names()}
    slowest = max(took, key=lambda engine: took[engine])
    words = f"answer of New run to the choice of an engine, slowest of {len(took)} ({slowest})"
    return [Figure(words, took[slowest], "ms", LONGEST_ANSWER_MS)]


def up() -> list[Figure]:
    """Return `make up` on fresh data without installations: to the first finished run, and to those of all questions of Home."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = measure(Path(folder))
    return [
        Figure(
            "make up to the first finished run, the product's own share", seconds[FIRST_RUN], "s", LONGEST_OWN_SHARE_S
        ),
        Figure("make up to finished runs of every question, the product's own share", seconds["own"], "s"),
    ]


def what_if() -> list[Figure]:
    """Return a figure of the board moved: the design, a front of 1,000 designs, and what the process that asks computes itself."""
    inputs = {
        "hardware": builtin_documents("hardware")["jetson-agx-xavier"],
        "workload": builtin_documents("workload")["magnas-vig-s-gin"],
    }
    problem = make_problem("soc-mapping", inputs, {}, seed=1)
    found = list(designs_of_run(problem).decisions)
    front = dict(enumerate((found * _FRONT)[:_FRONT]))
    opening = opening_of(problem, front, [], _LIMITS.memory_mb)
    content = json.dumps(opening, default=dict).encode()
    talk = InteractiveProcess(
        InteractiveQuestion("designs", content, _LIMITS.memory_mb, _LIMITS.cpu_s), _LIMITS, "Trying designs"
    )
    figures = soc_figures(inputs["hardware"].content)
    width = next(figure for figure in figures if figure.name == "memory-width")

    def ask(share: float, together: bool) -> tuple[float, float]:
        """Return the seconds on the clock and of this process."""
        values = {"hardware": width.at(width.value * share)}
        begin, computed = time.perf_counter(), time.process_time()
        talk.ask({"what": "hardware", "values": values, "decision": found[0], "front": together})
        return time.perf_counter() - begin, time.process_time() - computed

    try:
        ask(1.0, True)  # the child reads its problem once
        designs, fronts = ([ask(share, together) for share in _SHARES] for together in (False, True))
    finally:
        talk.end()
    own = median(each[1] for each in designs)
    return [
        Figure("what if: the selected design", 1e3 * median(each[0] for each in designs), "ms", LONGEST_DESIGN_MS),
        Figure(f"what if: a front of {_FRONT} designs", median(each[0] for each in fronts), "s", LONGEST_FRONT_S),
        Figure("what if: own share of the process that asks", 1e3 * own, "ms", LONGEST_OWN_MS),
    ]


def edit() -> list[Figure]:
    """Return a piece of a stored design moved by hand, with all that the callback of the page does.

    The slower of two engines told.
    """
    client, user = signed_in()

    from frontend.bridge import get_app
    from frontend.ids.edit import EditIds
    from frontend.ids.run import RunIds
    from tests.support.callbacks import ask as call
    from webapp.runs.foreground import run_here

    key = next(output for output in get_app().callback_map if output.startswith(f"..{EditIds.SAID}."))

    def asked(run_id: int, moves: list[list[str]]) -> tuple[Any, float, float]:
        """Return what came, seconds on the clock and of this process."""
        given = {f"{EditIds.ASKED}.data": {"n": 1, "moves": moves}, f"{RunIds.RUN}.data": run_id}
        given[f"{RunIds.SELECTION}.data"] = {"design": 0}
        begin, computed = time.perf_counter(), time.process_time()
        found = call(client, key, given, {}, f"{EditIds.ASKED}.data")
        took = time.perf_counter() - begin, time.process_time() - computed
        if found.status_code != 200:
            raise SystemExit(f"edit: {found.status_code}")
        return found.json()["response"][EditIds.ANSWERED]["data"], *took

    slowest, own = 0.0, 0.0
    for engine, (inputs, params) in _EDITED.items():
        run = run_here(user, {"engine": engine, "inputs": inputs, "params": params, "seed": 1})
        told, *_ = asked(run.pk, [])  # the child reads its problem once
        piece, places = told["boards"][0]["pieces"][0], told["boards"][0]["places"]
        tried = [asked(run.pk, [[piece["name"], place["name"]]])[1:] for place in places for _ in range(3)]
        slowest = max(slowest, median(each[0] for each in tried))
        own = max(own, median(each[1] for each in tried))
    return [
        Figure("edit: the design after a move, whole callback", 1e3 * slowest, "ms", LONGEST_DESIGN_MS),
        Figure("edit: own share of the web process", 1e3 * own, "ms", LONGEST_OWN_MS),
    ]


ROWS: tuple[Callable[[], list[Figure]], ...] = (survey, new_answers, what_if, edit, up)


def main() -> int:
    """Measure and print."""
    return show([figure for row in ROWS for figure in row()])


if __name__ == "__main__":
    sys.exit(main())

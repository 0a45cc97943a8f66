"""The first hour: what a new user waits for. A row per figure; add yours to `ROWS`."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.bench_up import measure
from benchmarks.report import Figure, median_ms, show
from engines.documents.builtin import builtin_documents
from engines.running.runner.limited import ChildLimits
from engines.running.runner.questions import ask_child
from engines.survey.found import SCHEMAS, survey_from_plain
from engines.workloads.builtins import builtin_networks

LONGEST_SURVEY_S = 3.0
LONGEST_OWN_SHARE_S = 15.0
LONGEST_ANSWER_MS = 300.0
_LIMITS = ChildLimits(memory_mb=3072.0, cpu_s=40, time_s=60.0)


def survey() -> list[Figure]:
    """ResNet-50 on every built-in device, with the start of the limited process that prices it."""
    devices = [
        (name, each.content)
        for name, each in builtin_documents("hardware").items()
        if each.content["schema"] in SCHEMAS
    ]
    question: dict[str, Any] = {"network": builtin_networks()["resnet50"], "devices": devices, "calibrations": []}
    begin = time.perf_counter()
    found = survey_from_plain(ask_child("survey", question, "The survey", _LIMITS))
    words = f"survey of ResNet-50: {len(found.able)} devices that run it, {len(found.unable)} that do not"
    return [Figure(words, time.perf_counter() - begin, "s", LONGEST_SURVEY_S)]


def new_answers() -> list[Figure]:
    """The answer of *New exploration* to the choice of each engine, the slowest told.

    Without the first answer in a process, which reads the engine and its documents.
    """
    os.environ["PARETOSCOPE_VAR"] = tempfile.mkdtemp(prefix="paretoscope-bench-")
    import django

    django.setup()

    from django.conf import settings
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.test import Client

    from engines.registry import engine_names
    from frontend.bridge import get_app
    from tests.support.callbacks import ask

    settings.ALLOWED_HOSTS = ["testserver"]
    call_command("migrate", verbosity=0)
    client = Client()
    client.force_login(get_user_model().objects.create_user("ann"))
    router = next(output for output in get_app().callback_map if output.startswith(".._pages_content"))

    def answer(engine: str) -> None:
        where = {"_pages_location.pathname": "/new", "_pages_location.search": f"?engine={engine}"}
        found = ask(client, router, where, {}, "_pages_location.pathname")
        if found.status_code != 200:
            raise SystemExit(f"/new?engine={engine}: {found.status_code}")

    took = {engine: median_ms(partial(answer, engine)) for engine in engine_names()}
    slowest = max(took, key=lambda engine: took[engine])
    words = f"answer of New exploration to the choice of an engine, slowest of {len(took)} ({slowest})"
    return [Figure(words, took[slowest], "ms", LONGEST_ANSWER_MS)]


def up() -> list[Figure]:
    """`make up` on fresh data, to finished runs of several engines, without installations."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = measure(Path(folder))
    return [Figure("make up to finished runs, the product's own share", seconds["own"], "s", LONGEST_OWN_SHARE_S)]


ROWS: tuple[Callable[[], list[Figure]], ...] = (survey, new_answers, up)


def main() -> int:
    """Measure and print."""
    return show([figure for row in ROWS for figure in row()])


if __name__ == "__main__":
    sys.exit(main())

"""Lists of ten thousand runs on both databases: Home, and REST by page and by cursor; and what permissions add to a page.

Server time: from the request to the whole answer, through Django's middleware and Dash, in one process and without a network.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

os.environ["PARETOSCOPE_VAR"] = tempfile.mkdtemp(prefix="paretoscope-bench-")

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from django.core.cache import cache  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from benchmarks.report import Figure, median_ms, show, tell  # noqa: E402
from frontend.bridge import get_app  # noqa: E402
from tests.support.callbacks import ask  # noqa: E402
from tests.support.databases import Templates, using  # noqa: E402
from tests.support.permission_queries import permission_queries  # noqa: E402
from tests.support.postgresql import NoServerError, server  # noqa: E402
from webapp.runs.models import Run, RunInput, StepRecord  # noqa: E402
from webapp.studies.models import Study  # noqa: E402
from webapp.teams.models import Membership, Project  # noqa: E402

RUNS, PROJECTS, STEPS, STUDIES = 10_000, 11, 3, 50
ALL = RUNS // (PROJECTS - 1) * PROJECTS
LIMIT_MS = 150.0
MOST_QUERIES = 3
INPUTS = (("hardware", "simba-3x3-het-sides"), ("workload", "mlperf-scenario-4"))


def fill() -> Any:
    """Runs of two people in eleven projects, of which one person sees ten; each with its inputs and steps."""
    users = get_user_model().objects
    ann, bob = users.create_user("ann"), users.create_user("bob")
    projects = [Project.objects.create(slug=f"p{number}", title=f"Project {number}") for number in range(PROJECTS)]
    for number, project in enumerate(projects):
        Membership.objects.create(project=project, user=bob, role="maintainer")
        if number < PROJECTS - 1:
            Membership.objects.create(project=project, user=ann, role="viewer")
    now = timezone.now()
    for start in range(0, ALL, 1000):
        Run.objects.bulk_create(_run(number, projects, (ann, bob), now) for number in range(start, start + 1000))
    _studies(projects, ann)
    numbers = list(Run.objects.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(numbers), 1000):
        _parts(numbers[start : start + 1000])
    return ann


def _studies(projects: list[Project], owner: Any) -> None:
    """A tenth of the runs belong to studies, in every project a few."""
    for number in range(STUDIES):
        project = projects[number % PROJECTS]
        study = Study.objects.create(
            project=project, owner=owner, title=f"Study {number}", engine="scar", engine_version=4
        )
        members = Run.objects.filter(project=project, study=None).order_by("pk")[: RUNS // 10 // STUDIES]
        Run.objects.filter(pk__in=list(members.values_list("pk", flat=True))).update(study=study)


def _run(number: int, projects: list[Project], people: tuple[Any, Any], now: Any) -> Run:
    problem = {"engine": "scar", "inputs": dict(INPUTS), "params": {"objective": "edp", "n_splits": 4}, "seed": number}
    return Run(
        project=projects[number % PROJECTS], owner=people[number % 2], title=f"Schedule {number}", engine="scar", engine_version=4,
        params=problem["params"], seed=number, problem=problem, problem_hash=f"{number:064x}", plan={"evaluations": 5000},
        status=("done", "done", "done", "stopped", "failed")[number % 5], outcome="feasible" if number % 5 < 3 else "",
        fraction=1.0, message="Window 5 of 5", metrics={"latency_s": 0.01, "energy_j": 0.2, "edp_js": 0.002},
        evaluations=5000, design_count=120, step_number=STEPS, created=now - timedelta(minutes=number),
        started=now - timedelta(minutes=number), finished=now - timedelta(minutes=number - 1),
    )  # fmt: skip


def _parts(numbers: list[int]) -> None:
    RunInput.objects.bulk_create(
        RunInput(run_id=run, slot=slot, kind=slot, slug=slug, version=1, content={}, content_hash="0" * 64)
        for run in numbers
        for slot, slug in INPUTS
    )
    StepRecord.objects.bulk_create(
        StepRecord(run_id=run, number=step, attempt=1, fraction=step / STEPS, hypervolume=float(step), metrics={})
        for run in numbers
        for step in range(1, STEPS + 1)
    )


def figures(kind: str) -> list[Figure]:
    """The lists as somebody sees them from whom one project is hidden."""
    client = Client()
    client.force_login(fill())
    settings.ALLOWED_HOSTS = ["testserver"]
    tell(f"{ALL:,} runs are stored on {kind}, {RUNS:,} of them to be seen")
    asked = {
        "REST, first page": "/api/v1/runs/",
        "REST, a page of 500": "/api/v1/runs/?page_size=500",
        "REST, last page": f"/api/v1/runs/?page={RUNS // 50}",
        "REST, by cursor": "/api/v1/runs/?cursor=&page_size=100",
        "REST, filtered": "/api/v1/runs/?status=failed&mine=1",
    }
    lists = {name: lambda address=address: _got(client, address) for name, address in asked.items()}
    lists["Home, frame"] = lambda: _got(client, "/")
    lists["Home, one engine"] = lambda: _content(client, "/", "?engine=scar&show=Done")
    lists["Home, content"] = lambda: _content(client, "/")
    run = Run.objects.filter(project__memberships__user__username="ann").latest("pk")
    pages: dict[str, Callable[[], Any]] = {
        **lists,
        "page of a run": lambda: _content(client, f"/runs/{run.pk}"),
        "Studies": lambda: _content(client, "/studies"),
        "Catalogue": lambda: _content(client, "/catalogue"),
        "Team": lambda: _content(client, "/team"),
    }
    most = max((len(permission_queries(work)), name) for name, work in pages.items())
    return [
        *(Figure(f"{RUNS:,} runs: {name} ({kind})", median_ms(work), "ms", LIMIT_MS) for name, work in lists.items()),
        Figure(f"queries for permission, most of a page: {most[1]} ({kind})", most[0], "", MOST_QUERIES),
    ]


def _got(client: Client, address: str) -> None:
    cache.clear()  # how often one may ask is no part of this
    answer = client.get(address)
    if answer.status_code != 200:
        raise SystemExit(f"{address}: {answer.status_code}")
    if address.startswith("/api/") and not json.loads(answer.content)["results"]:
        raise SystemExit(f"{address}: an empty list")


def _content(client: Client, path: str, query: str = "") -> None:
    """What Dash puts into the frame at a path."""
    router = next(output for output in get_app().callback_map if output.startswith(".._pages_content"))
    where = {"_pages_location.pathname": path, "_pages_location.search": query}
    answer = ask(client, router, where, {}, "_pages_location.pathname")
    if answer.status_code != 200:
        raise SystemExit(f"{path}: {answer.status_code}")


def main() -> int:
    """Measure on SQLite, and on PostgreSQL where there is one."""
    folder, measured = Path(tempfile.mkdtemp()), []
    with Templates(folder, None).sqlite(folder) as database, using(database.url):
        measured += figures("SQLite")
    try:
        with server() as found_server:
            templates = Templates(folder, found_server)
            with templates.postgresql(folder) as database, using(database.url):
                measured += figures("PostgreSQL")
            templates.close()
    except NoServerError as error:
        tell(str(error))
    return show(measured)


if __name__ == "__main__":
    sys.exit(main())

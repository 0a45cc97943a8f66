"""Ten thousand finished runs in the real store, for benchmarks of lists and of a large site.

`python -m benchmarks.many_runs demo` stores them on the site of the environment's settings, for the person of that name to see.
Importing this needs Django set up.
"""

from __future__ import annotations

import sys
from datetime import timedelta
from typing import Any

if __name__ == "__main__":
    import django

    django.setup()

from django.contrib.auth import get_user_model
from django.utils import timezone

from webapp.runs.models import Run, RunInput, StepRecord
from webapp.studies.models import Study
from webapp.teams.models import Membership, Project

RUNS, PROJECTS, STEPS, STUDIES = 10_000, 11, 3, 50
ALL = RUNS // (PROJECTS - 1) * PROJECTS
INPUTS = (("hardware", "simba-3x3-het-sides"), ("workload", "mlperf-scenario-4"))


def fill(reader: str = "ann") -> Any:
    """Return the runs of two people in eleven projects, of which one person sees ten; each with its inputs and steps.

    Args:
        reader: name of the person who sees ten; made where there is none of that name.

    Returns:
        that person.
    """
    users = get_user_model().objects
    ann, bob = users.filter(username=reader).first() or users.create_user(reader), users.create_user("bob")
    projects = [Project.objects.create(slug=f"p{number}", title=f"Project {number}") for number in range(PROJECTS)]
    for number, project in enumerate(projects):
        Membership.objects.create(project=project, user=bob, role="maintainer")
        if number < PROJECTS - 1:
            Membership.objects.create(project=project, user=ann, role="viewer")
    now = timezone.now()
    for start in range(0, ALL, 1000):
        Run.objects.bulk_create(_run(number, projects, (ann, bob), now) for number in range(start, start + 1000))
    _studies(projects, ann)
    numbers = list(Run.objects.filter(project__in=projects).order_by("pk").values_list("pk", flat=True))
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


if __name__ == "__main__":
    fill(*sys.argv[1:2])

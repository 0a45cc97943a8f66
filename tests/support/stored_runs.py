"""Runs as a worker leaves them, stored without one: for tests of what reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction

from engines import registry
from engines.contract.designs import table_to_bytes
from engines.contract.encoding.result_json import to_json
from engines.contract.engine import InputKind
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from tests.support.toy_engine import ToyEngine, ToyWithoutCheckpointsEngine
from webapp.runs import service
from webapp.runs.inputs.problems import problem_of
from webapp.runs.models import DesignChunk, LogLine, Run, RunFile, RunResult, StepRecord
from webapp.runs.storage.files import put_content
from webapp.teams.models import Membership, Project


@dataclass(frozen=True)
class People:
    """A project with everybody who may be around it."""

    project: Project
    owner: Any
    editor: Any
    viewer: Any
    stranger: Any


def make_people() -> People:
    """Ann owns the project "lab"; Eve edits in it, Vic views it, Sam is a stranger."""
    users = get_user_model().objects
    ann, eve, vic, sam = (
        users.create_user(name, password=f"{name}-has-a-password") for name in ("ann", "eve", "vic", "sam")
    )
    project = Project.objects.create(slug="lab", title="Lab")
    for user, role in ((ann, "maintainer"), (eve, "editor"), (vic, "viewer")):
        Membership.objects.create(project=project, user=user, role=role)
    return People(project, ann, eve, vic, sam)


def finished_run(people: People, **params: Any) -> Run:
    """A run of the toy, computed here and stored step by step."""
    return computed_run(people, {"engine": "toy", "params": params, "seed": 3, "title": "Toy run"})


def computed_run(people: People, document: dict[str, Any]) -> Run:
    """A run of a problem, computed here and stored step by step."""
    run = service.create(people.owner, document, people.project)
    problem = problem_of(run)
    engine, count = get_engine(run.engine), 0
    chunks, records, results, lines = [], [], [], []
    for number, step in enumerate(drive(engine, problem, LocalContext(problem)), 1):
        if step.designs is not None:
            added = len(step.designs)
            chunk = DesignChunk(
                run=run,
                number=count + added,
                first_index=count,
                count=added,
                step_number=number,
                scalars=table_to_bytes(step.designs.scalars_table()),
                decisions=table_to_bytes(step.designs.decisions_table()),
            )
            chunks.append(chunk)
            count += added
        facts = {"fraction": step.fraction, "metrics": dict(step.metrics), "evaluations": count, "design_count": count}
        records.append(StepRecord(run=run, number=number, attempt=1, hypervolume=float(number), **facts))
        for result in step.results:
            content = to_json(result)
            results.append(
                RunResult(run=run, name=result.name, type=content["type"], step_number=number, content=content)
            )
        lines.append(LogLine(run=run, number=number, attempt=1, level="info", text=step.message))
    for model, rows in ((DesignChunk, chunks), (StepRecord, records), (RunResult, results), (LogLine, lines)):
        model.objects.bulk_create(rows)
    with transaction.atomic():
        blob = put_content(b"made for tests")
    RunFile.objects.create(run=run, name="notes.txt", media_type="text/plain", step_number=1, blob_id=blob)
    Run.objects.filter(pk=run.pk).update(step_number=number, **facts, status="done", outcome="feasible")
    run.refresh_from_db()
    vars(run).pop("listed_inputs", None)  # tests add some
    return run


def give_workload(monkeypatch: Any, run: Run, slug: str, content: str = "a") -> None:
    """The run computes a workload from now on, which its engine takes, unlike another engine that stands beside it."""
    slot = InputKind("workload", "Workload", "For tests.", dict, required=False)
    monkeypatch.setattr(ToyEngine, "inputs", {**ToyEngine.inputs, "workload": slot})
    run.inputs.create(slot="workload", kind="workload", slug=slug, version=1, content={}, content_hash=content * 64)
    vars(run).pop("listed_inputs", None)  # which never change, but here


def give_other_engine(monkeypatch: Any, run: Run) -> None:
    """The run is one of another engine, with the inputs that the toy had and with its estimator."""
    monkeypatch.setattr(ToyWithoutCheckpointsEngine, "inputs", dict(ToyEngine.inputs))
    for cost in (ToyEngine, ToyWithoutCheckpointsEngine):
        monkeypatch.setattr(cost, "estimator", lambda self, problem: ("sums of three numbers", "predicted"))
    registry.register(ToyWithoutCheckpointsEngine.name, ToyWithoutCheckpointsEngine)
    Run.objects.filter(pk=run.pk).update(engine=ToyWithoutCheckpointsEngine.name)
    run.refresh_from_db()

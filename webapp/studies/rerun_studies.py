"""Runs that an edit of a document made out of date, again: as studies with the version they pinned next to the newest."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from django.db.models import QuerySet

from engines.contract.designs import canonical_json
from engines.contract.engine import Engine
from engines.contract.errors import ProblemError, UnknownEngineError
from engines.documents.builtin import builtin_documents
from engines.registry import get_engine
from hardware.family import DocumentKind
from webapp.catalogue.models import Document, DocumentVersion
from webapp.runs.models import Run, RunInput
from webapp.runs.outdated import outdated_runs
from webapp.studies.models import Study
from webapp.studies.service import create
from webapp.teams.models import Project
from webapp.teams.visibility import Principal, visible

MOST_RUNS = 200
_LONGEST_NAME = 80


@dataclass(frozen=True)
class RerunStudy:
    """Runs that differ in their seeds alone, and the study that computes them before and after.

    Attributes:
        name: represents what would be started.
        runs: their numbers, the newest first.
        study: the study document.
        cells: number of runs of the study.
    """

    name: str
    engine: Engine
    runs: tuple[int, ...]
    study: Mapping[str, Any]
    cells: int


def seen_out_of_date(principal: Principal, document: Document) -> QuerySet[Run]:
    """Return the runs with an older version that `principal` may see, the newest first."""
    return visible(principal, outdated_runs(document))


def offers(principal: Principal, document: Document) -> list[RerunStudy]:
    """Return the repeatable ones of the newest `MOST_RUNS` runs: engines are installed and `principal` still sees the inputs."""
    newest = document.versions.order_by("-number").values_list("number", flat=True).first() or 0
    base = f"{document.project.slug}/{document.slug}"
    numbers = {each.content_hash: each.number for each in document.versions.order_by("-number").defer("content")}
    groups: dict[str, tuple[Engine, dict[str, Any], list[Run]]] = {}
    named: dict[tuple[str, str, str], str | None] = {}
    for run in seen_out_of_date(principal, document).prefetch_related("inputs")[:MOST_RUNS]:
        engine = _engine(run)
        inputs: dict[str, list[str | None]] = {}
        for item in run.inputs.all():
            if (item.kind, item.slug) == (document.kind, document.slug) and item.content_hash in numbers:
                inputs[item.slot] = [f"{base}@{numbers[item.content_hash]}", f"{base}@{newest}"]
                continue
            key = (item.kind, item.slug, item.content_hash)
            named[key] = named[key] if key in named else _reference(principal, item)
            inputs[item.slot] = [named[key]]
        if engine is None or any(name is None for names in inputs.values() for name in names):
            continue
        facts: dict[str, Any] = {"engine": run.engine, "inputs": inputs, "params": dict(run.params)}
        if run.stop_after_minutes is not None:
            facts["stop_after_minutes"] = run.stop_after_minutes
        groups.setdefault(canonical_json(facts), (engine, facts, []))[2].append(run)
    return [_again(document, newest, *group) for group in groups.values()]


def start(principal: Principal, document: Document, name: str, project: Project | None = None) -> Study:
    """Start the study that `name` represents; it belongs to `principal`.

    Raises:
        ProblemError: there is no such offer any more, or a cell cannot be run, as its engine takes other parameters by now.
        NotVisible, NotAllowed: as `webapp.studies.service.create`.
    """
    found = next((each for each in offers(principal, document) if each.name == name), None)
    if found is None:
        reason = "These runs have changed since the page was loaded."
        raise ProblemError("runs", name, "runs that are out of date", reason=reason, remedies=["Reload the page."])
    return create(principal, dict(found.study), project)


def _again(document: Document, newest: int, engine: Engine, facts: dict[str, Any], runs: list[Run]) -> RerunStudy:
    seeds = sorted({run.seed for run in runs})
    varied = [names for names in facts["inputs"].values() if len(names) > 1]
    before = varied[0][0].rpartition("@")[2]
    title = f"{document.slug[:_LONGEST_NAME]}: version {before} and {newest}, {engine.title}"
    study = {**facts, "seeds": seeds, "title": title}
    name = hashlib.sha256(canonical_json(study).encode()).hexdigest()[:16]
    return RerunStudy(name, engine, tuple(run.pk for run in runs), study, len(seeds) * 2 ** len(varied))


def _engine(run: Run) -> Engine | None:
    try:
        return get_engine(run.engine)
    except UnknownEngineError:
        return None


def _reference(principal: Principal, item: RunInput) -> str | None:
    """Return the name by which a study finds a pinned input; None where `principal` does not see it any more."""
    builtin = builtin_documents(cast(DocumentKind, item.kind)).get(item.slug)
    if builtin is not None and builtin.content_hash() == item.content_hash:
        return item.slug
    versions = visible(principal, DocumentVersion.objects.select_related("document__project")).defer("content")
    same = versions.filter(document__kind=item.kind, document__slug=item.slug, content_hash=item.content_hash)
    found = same.order_by("-number").first()
    return f"{found.document.project.slug}/{item.slug}@{found.number}" if found else None

"""Runs of the gallery: bundles of the package, opened once onto the official shelf, which nobody but administrators changes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from django.contrib.auth import get_user_model

from webapp.base.actor import COMMAND, Actor, acting
from webapp.catalogue.official_documents import official_project
from webapp.runs.bundles.bundle_export import write_bundle
from webapp.runs.bundles.bundle_import import store_bundle
from webapp.runs.foreground import run_here
from webapp.runs.models import Run
from webapp.runs.service import visible_runs
from webapp.teams.visibility import Principal

FOLDER = Path(__file__).parent / "runs"
# A space in a name keeps people from taking it.
OWNER = "Paretoscope gallery"


@dataclass(frozen=True)
class GalleryEntry:
    """A run that comes with the software.

    Attributes:
        method: name of its engine.
        question: question that it answers, the title of the run.
        inputs, params: inputs and parameters of its problem.
    """

    method: str
    question: str
    inputs: Mapping[str, Any] = field(default_factory=dict)
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def file(self) -> Path:
        """The bundle."""
        return FOLDER / f"{self.method}.zip"


@lru_cache(maxsize=1)
def gallery_entries() -> tuple[GalleryEntry, ...]:
    """Return the entries in the order of their tiles."""
    return tuple(GalleryEntry(**each) for each in yaml.safe_load((FOLDER / "questions.yaml").read_text()))


@lru_cache(maxsize=64)
def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def gallery_runs(principal: Principal) -> list[Run]:
    """Return the opened runs that `principal` may see, in the order of the entries; other columns when they are used."""
    runs = visible_runs(principal, gallery=True).filter(project__official=True, owner__username=OWNER)
    small = runs.exclude(status=Run.Status.IMPORTING).only(
        "title", "engine", "imported", "owner__username", "project__slug"
    )
    by_file = {run.imported.get("sha256"): run for run in small}
    found = (by_file.get(_digest(each.file)) for each in gallery_entries() if each.file.exists())
    return [run for run in found if run is not None]


def open_missing() -> Iterator[Run]:
    """Open the runs that are not there yet, one after the other; those that an administrator deleted stay away.

    Raises:
        ProblemError: a bundle is not of the installed engine.
    """
    users = get_user_model()._default_manager
    with acting(Actor(lambda: COMMAND, lambda: None)):
        owner, _ = users.get_or_create(username=OWNER, defaults={"is_active": False, "password": "!"})
        shelf = official_project()
        there = {run.imported.get("sha256") for run in Run.objects.filter(project=shelf, owner=owner)}
        for each in gallery_entries():
            if each.file.exists() and _digest(each.file) not in there:
                yield store_bundle(owner, shelf, each.file.read_bytes(), each.file.name, packaged=True)


def write_entry(person: Principal, entry: GalleryEntry) -> int:
    """Run the exploration of an entry here and write its bundle. Returns the bytes of the file.

    Raises:
        ProblemError: the engine refuses the problem.
    """
    document = {"engine": entry.method, "inputs": entry.inputs, "params": entry.params, "seed": 0}
    run = run_here(person, document, title=entry.question)
    with write_bundle(run) as bundle:
        return entry.file.write_bytes(bundle.read())

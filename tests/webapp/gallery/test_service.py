"""Runs of the gallery: one per method, of the installed engines, opened once, changed by administrators alone."""

from __future__ import annotations

import json
import zipfile
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.core.management import call_command

from engines.registry import get_engine
from engines.reproduction.reproductions import engines_of, reproducible_engines
from tests.support.stored_runs import make_people
from webapp.gallery import service
from webapp.gallery.service import GalleryEntry, gallery_entries, gallery_runs, open_missing
from webapp.runs.inputs.planning import is_loaded
from webapp.runs.inputs.problems import pinned_problem
from webapp.runs.service import visible_runs
from webapp.teams.permissions import Action, Guest, may

MOST_BYTES = 2_000_000


def manifest(entry: GalleryEntry) -> Any:
    with zipfile.ZipFile(entry.file) as bundle:
        return json.loads(bundle.read("bundle.json"))


def test_every_method_has_a_run_of_its_installed_engine() -> None:
    methods = {entry.method for entry in gallery_entries()}
    assert len(gallery_entries()) == 14 and methods <= {*reproducible_engines(), "soc-mapping"}
    assert all(methods & {each, *engines_of(each)} for each in reproducible_engines())
    for entry in gallery_entries():
        told = manifest(entry)
        made = (told["engine"], told["engine_version"], told["run"]["title"], told["run"]["status"])
        wanted = (entry.method, get_engine(entry.method).version, entry.question, "done")
        assert made == wanted, f"paretoscope gallery --write {entry.method}"
    assert sum(entry.file.stat().st_size for entry in gallery_entries()) < MOST_BYTES


@pytest.mark.django_db
def test_runs_are_opened_once_for_everybody_and_changed_by_administrators_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    people = make_people()
    smallest = min(gallery_entries(), key=lambda entry: entry.file.stat().st_size)
    monkeypatch.setattr(service, "gallery_entries", lambda: (smallest,))
    call_command("gallery")
    assert smallest.question in capsys.readouterr().out and list(open_missing()) == []
    administrator = get_user_model().objects.create_superuser("root", password="root-has-a-password")
    (run,) = gallery_runs(people.stranger)
    assert is_loaded(pinned_problem(run)), "no child process is needed to look at it"
    assert run.title == smallest.question and gallery_runs(AnonymousUser()) == []
    assert [each.pk for each in gallery_runs(Guest({}, "guest x"))] == [run.pk]
    assert not visible_runs(people.stranger).exists(), "lists of one's own runs stay as they are"
    for action in (Action.EDIT, Action.RUN, Action.SHARE, Action.MOVE):
        assert not may(people.stranger, action, run) and not may(Guest({}, "guest x"), action, run)
    assert may(administrator, Action.EDIT, run) and may(people.stranger, Action.VIEW, run)
    run.delete()
    assert gallery_runs(people.stranger) == []

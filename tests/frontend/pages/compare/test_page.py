from __future__ import annotations

from typing import Any

import pytest

from frontend.pages.compare.query import study_entries
from tests.frontend.pages.compare.cases import page
from tests.support.stored_runs import People
from tests.webapp.studies.statistics_for_tests import give
from webapp.runs.models import Run
from webapp.studies import service as studies


def test_the_page_shows_runs_differences_and_measures(people: People, runs: list[Any]) -> None:
    shown = page(people.viewer, "/compare", f"?runs={runs[0].pk},{runs[1].pk}")
    for words in ("Differs in", "steps", "3 → 5", "Hypervolume", "Covers the others", "Epsilon indicator"):
        assert words in shown, words
    assert "not kept" in shown


def test_a_study_opens_as_the_median_runs_of_its_groups(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    grid = {"engine": "toy", "params": {"steps": {"each": [1, 2]}}, "seeds": [1, 2, 3], "title": "Two ways"}
    study = studies.create(people.owner, grid, project=people.project)
    assert "This study has nothing to compare" in page(people.owner, "/compare", f"?study={study.pk}")
    for run in study.runs.all():
        give(run, [(run.params["steps"] + run.seed / 10, 1.0)])
    entries = study_entries(people.viewer, {"study": str(study.pk), "measure": "latency_s"})
    runs = [Run.objects.get(pk=entry["run"]) for entry in entries]
    assert [(run.params["steps"], run.seed) for run in runs] == [(1, 2), (2, 2)]
    assert runs[0].title in page(people.viewer, "/compare", f"?study={study.pk}&measure=latency_s")
    assert study_entries(people.stranger, {"study": str(study.pk)}) == []
    assert "This study has nothing" in page(people.stranger, "/compare", f"?study={study.pk}")

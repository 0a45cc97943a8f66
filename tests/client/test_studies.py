"""Studies over the client."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from paretoscope_client import NotFoundError, Paretoscope
from tests.support.stored_runs import People
from webapp.runs.models import Run


@pytest.fixture
def study(site: Paretoscope) -> Any:
    return site.study("toy", params={"steps": {"each": [2, 3]}}, seeds=[1, 2], title="Steps", project="lab")


def test_a_study_has_a_table_and_runs(study: Any, site: Paretoscope) -> None:
    assert study.progress.total == 4 and not study.progress.ended
    table = study.table(columns="seed")
    assert table.index.name == "params.steps" and table.index.tolist() == [2, 3] and table.columns.tolist() == [1, 2]
    assert table.isna().all().all() and (study.table(value="values", columns="seed") == 0).all().all()
    assert sorted(run.facts["cell"]["seed"] for run in study.runs()) == [1, 1, 2, 2]
    assert [each.number for each in site.studies(project="lab", mine=True)] == [study.number]
    assert site.study_number(study.number).title == "Steps"


def test_a_study_is_stopped_gone_on_with_and_deleted(study: Any) -> None:
    assert study.stop().progress.stopped == 4 and study.progress.ended
    assert study.wait(1, progress=False).progress.stopped == 4
    assert study.go_on().progress.queued == 4
    study.delete()
    with pytest.raises(NotFoundError):
        study.refresh()
    assert Run.objects.count() == 4


def test_waiting_counts_what_went_wrong(study: Any, capsys: pytest.CaptureFixture[str]) -> None:
    numbers = [run.number for run in study.runs()]
    ended = {"finished": timezone.now(), "fraction": 1.0}
    Run.objects.update(status="done", outcome="feasible", **ended)
    Run.objects.filter(pk=numbers[0]).update(status="failed", outcome="error")
    Run.objects.filter(pk=numbers[1]).update(outcome="infeasible")
    study.wait()
    assert f"Study {study.number}: 3 of 4 runs done, 1 infeasible, 1 failed" in capsys.readouterr().err


def test_the_same_key_makes_one_study(site: Paretoscope, people: People) -> None:
    assert site.study("toy", key="mine").number == site.study("toy", key="mine").number

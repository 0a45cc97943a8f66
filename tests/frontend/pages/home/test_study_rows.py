"""Studies in the list of runs."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from frontend.pages.home.data import AskedRuns, home_view
from tests.support.stored_runs import People, finished_run
from webapp.runs.models import Run
from webapp.studies import service as studies
from webapp.studies.models import Study


@pytest.fixture
def study(people: People) -> Study:
    """A study of two runs that have ended, the better at 1.25 s."""
    made = studies.create(people.owner, {"engine": "toy", "seeds": [1]}, project=people.project)
    Run.objects.filter(study=made).delete()
    for latency_s in (1.25, 2.5):
        run = finished_run(people)
        Run.objects.filter(pk=run.pk).update(study=made, metrics={"latency_s": latency_s})
    return made


def test_the_runs_of_a_study_stand_in_one_row_with_their_best(people: People, run: Run, study: Study) -> None:
    rows = home_view(people.owner).rows
    assert [row["id"] for row in rows] == [f"study-{study.pk}", str(run.pk)]
    assert (rows[0]["runs"], rows[0]["best"], rows[0]["state"]) == ("2 runs", "1.25\u00a0s", "Done")


def test_unfolded_its_runs_stand_below_it(people: People, run: Run, study: Study) -> None:
    rows = home_view(people.owner, AskedRuns(unfolded=(study.pk,))).rows
    assert [row.get("of") for row in rows] == [None, f"study-{study.pk}-open", f"study-{study.pk}-open", None]
    assert rows[0]["unfolded"] and rows[0]["id"] == rows[1]["of"]


def test_the_best_follows_what_is_stored(people: People, study: Study) -> None:
    assert home_view(people.owner).rows[0]["best"] == "1.25\u00a0s"
    found = Run.objects.filter(study=study).latest("pk")
    Run.objects.filter(pk=found.pk).update(metrics={"latency_s": 0.5}, step_number=found.step_number + 1)
    assert home_view(people.owner).rows[0]["best"] == "500\u00a0ms"


def test_runs_of_a_deleted_study_are_runs_of_their_own(people: People, study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(deleted=timezone.now())
    assert all("study" not in row for row in home_view(people.owner).rows)


def test_a_filter_leaves_only_what_it_asks_for(people: People, study: Study) -> None:
    assert home_view(people.owner, AskedRuns("Failed")).rows == ()
    assert home_view(people.stranger).rows == ()


def test_queries_do_not_grow_with_the_studies(people: People, study: Study) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            home_view(people.owner)
        return len(seen)

    queries()
    first = queries()
    for _ in range(3):
        made = studies.create(people.owner, {"engine": "toy", "seeds": [1]}, project=people.project)
        Run.objects.filter(study=made).update(status="done", metrics={"latency_s": 1.0})
    queries()
    assert queries() == first

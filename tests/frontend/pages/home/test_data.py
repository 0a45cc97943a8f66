"""The rows of the Home page."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from frontend.components.pictures.spark import thinned
from frontend.figures.numbers import MISSING, si
from frontend.pages.home.data import FILTERS, AskedRuns, home_view, read_asked
from tests.support.stored_runs import People, finished_run
from webapp.runs.models import Run
from webapp.runs.results.readers import load_designs


def test_it_shows_runs_to_members_alone(people: People, run: Run) -> None:
    assert [row["id"] for row in home_view(people.viewer).rows] == [str(run.pk)]
    assert home_view(people.stranger).rows == () and home_view(people.stranger).team.total == 0
    assert home_view(AnonymousUser()).rows == ()


def test_a_row_says_what_best_is_and_how_it_stands(people: People, run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(metrics={"latency_s": 1.25}, owner=people.owner)
    row = home_view(people.owner).rows[0]
    assert (row["title"], row["state"], row["kind"], row["best"]) == ("Toy run", "Done", "good", "1.25\u00a0s")
    assert row["spark"] == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert (row["owner"], row["initials"]) == ("ann", "AN")


def test_best_comes_of_the_designs_where_the_engine_reports_none(people: People, run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(metrics={"evaluations": 40})
    least = load_designs(run).columns["latency_s"].min()
    row = home_view(people.owner).rows[0]
    assert (row["best"], row["bestOf"]) == (si(least, "s"), "Latency")
    Run.objects.filter(pk=run.pk).update(design_count=0)
    assert home_view(people.owner).rows[0]["best"] == MISSING


def test_a_count_is_no_best(people: People, run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(engine="reproduction", params={"method": "scar"}, metrics={"compared": 12.0})
    row = home_view(people.owner).rows[0]
    assert (row["best"], row["bestOf"]) == (MISSING, "")


def test_the_digest_changes_with_the_runs_and_only_then(people: People, run: Run) -> None:
    now = timezone.now()
    first = home_view(people.owner, now=now).digest
    assert home_view(people.owner, now=now).digest == first
    Run.objects.filter(pk=run.pk).update(status="failed")
    assert home_view(people.owner, now=now).digest != first


@pytest.mark.parametrize(
    ("status", "outcome", "shown"),
    [
        ("running", "", {"All", "Running"}),
        ("queued", "", {"All", "Running"}),
        ("done", "feasible", {"All", "Done"}),
        ("done", "infeasible", {"All", "Done", "Failed"}),
        ("failed", "error", {"All", "Failed"}),
        ("stopped", "", {"All", "Stopped"}),
    ],
)
def test_filters(people: People, run: Run, status: str, outcome: str, shown: set[str]) -> None:
    Run.objects.filter(pk=run.pk).update(status=status, outcome=outcome, started=timezone.now())
    found = {kind for kind in FILTERS if home_view(people.owner, AskedRuns(kind)).rows}
    assert found == shown
    assert home_view(people.owner).live == (status in ("running", "queued"))


def test_one_engine_alone_may_be_shown(people: People, run: Run) -> None:
    other = finished_run(people)
    Run.objects.filter(pk=other.pk).update(engine="scar")
    view = home_view(people.owner, AskedRuns(engine="scar"))
    assert [row["id"] for row in view.rows] == [str(other.pk)]
    assert {name for name, _ in view.engines} == {"toy", "scar"}, "the choice names all that there are"


def test_an_address_says_what_is_shown() -> None:
    asked = read_asked({"show": "Failed", "engine": "scar", "open": "3,x,3,12", "star": "1"})
    assert (asked.kind, asked.engine, asked.unfolded, asked.marks.star) == ("Failed", "scar", (3, 12), True)
    assert read_asked({"show": "nonsense"}) == AskedRuns()


def test_the_number_of_queries_does_not_grow_with_the_runs(people: People, run: Run) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            home_view(people.owner)
        return len(seen)

    queries()
    few = queries()
    for _ in range(4):
        finished_run(people, steps=2)
    queries()
    assert queries() == few <= 9
    # As of an engine that reports no best value; runs with another title are read again.
    Run.objects.update(metrics={}, title="Other")
    assert queries() == few + 4
    assert queries() == few


def test_a_row_that_is_kept_changes_with_its_run(people: People, run: Run) -> None:
    home_view(people.owner)
    Run.objects.filter(pk=run.pk).update(title="Renamed", status="stopped", fraction=0.5)
    type(people.owner).objects.filter(pk=people.owner.pk).update(first_name="Ada", last_name="Byron")
    [row] = home_view(people.owner).rows
    assert (row["title"], row["state"], row["fact"], row["owner"]) == ("Renamed", "Stopped", "at 50\xa0%", "Ada Byron")
    [later] = home_view(people.owner, now=timezone.now() + timedelta(days=3)).rows
    assert later["updated"] != row["updated"]


def test_runs_of_this_week_are_counted(people: People, run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(created=timezone.now() - timedelta(days=8))
    assert home_view(people.owner).team.this_week == 0


def test_sparklines_keep_first_and_last() -> None:
    values: list[Any] = list(range(1000))
    kept = thinned(values, 32)
    assert len(kept) == 32 and kept[0] == 0 and kept[-1] == 999
    assert thinned([1.23456789]) == [1.2346]


def test_counts_come_from_an_index_alone(people: People, run: Run) -> None:
    with CaptureQueriesContext(connection) as queries:
        home_view(people.viewer)
    (counts,) = (each["sql"] for each in queries if "this_week" in each["sql"])
    with connection.cursor() as cursor:
        assert "COVERING INDEX runs_counted" in str(cursor.execute(f"EXPLAIN QUERY PLAN {counts}").fetchall())

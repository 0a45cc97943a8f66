"""What is taken, and that asking costs one short query each."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet, Sum

from tests.support.stored_runs import People, finished_run
from webapp.limits import usage
from webapp.limits.models import PersonLimits
from webapp.runs.models import Run
from webapp.runs.storage.stored_bytes import count_again
from webapp.runs.usage import ACTIVE


def test_runs_and_bytes_of_a_person_and_a_project(people: People) -> None:
    run = finished_run(people)
    count_again(run.pk)
    run.refresh_from_db()
    PersonLimits.objects.create(person=people.owner, stored_mb=1)
    found = {(use.of, use.name): use for use in usage.uses(people.project, people.owner.pk)}
    assert found["project", "stored_mb"].used == found["person", "stored_mb"].used == run.stored_bytes / 1e6 > 0
    assert found["person", "active_runs"].used == 0 and found["person", "active_runs"].left is None
    assert usage.near(people.project, people.owner.pk) == []
    Run.objects.filter(pk=run.pk).update(stored_bytes=900_000)
    assert usage.near(people.project, people.owner.pk) == [usage.Use("stored_mb", "person", 0.9, 1)]
    assert usage.Use("active_runs", "person", 8, 10).near and usage.Use("active_runs", "person", 12, 10).left == 0


@pytest.mark.parametrize("key", ["project", "owner"])
def test_figures_come_from_an_index_alone(people: People, key: str) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("SQLite says which index it takes; PostgreSQL decides by the size of the table.")
    runs = Run.objects.filter(**{key: 1}).order_by()
    of_index = f"USING COVERING INDEX runs_room_of_{key}"
    assert of_index in _plan("SELECT SUM(stored_bytes)", runs)
    assert of_index in _plan("SELECT COUNT(*)", runs.filter(study__isnull=False, deleted__isnull=True))
    active = _plan("SELECT COUNT(*)", runs.filter(status__in=ACTIVE))
    assert f"USING COVERING INDEX runs_active_of_{key}" in active


def _plan(select: str, runs: QuerySet[Run]) -> str:
    query = runs.values("pk") if "COUNT" in select else runs.values(key=Sum("stored_bytes"))
    sql, params = query.query.sql_with_params()
    _, _, rest = sql.partition(" FROM ")
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {select} FROM {_ungrouped(rest)}", params)
        rows: list[Any] = cursor.fetchall()
    return " ".join(str(row[-1]) for row in rows)


def _ungrouped(rest: str) -> str:
    return rest.partition(" GROUP BY ")[0]

"""Rows of comparisons."""

from __future__ import annotations

from typing import Any

from tests.support.stored_runs import People
from webapp.comparisons.models import Comparison


def test_what_was_asked_and_the_order_of_runs_come_back(people: People, runs: list[Any]) -> None:
    entries = [{"run": run.pk, "design": None} for run in reversed(runs)]
    made = Comparison.objects.create(
        project=people.project, owner=people.owner, title="Which?", entries=entries, axes={"y": "b", "x": "a"}
    )
    found = Comparison.objects.get(pk=made.pk)
    assert found.entries == entries and list(found.axes) == ["y", "x"]
    assert str(found) == f"Comparison {made.pk}: Which?"

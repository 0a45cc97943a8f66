"""Rows of reproductions."""

from __future__ import annotations

from typing import Any

from tests.support.stored_runs import finished_run, make_people
from webapp.reproductions.models import Reproduction


def test_it_outlives_the_run_that_computed_it(db: Any, toys: None) -> None:
    run = finished_run(make_people(), steps=1, designs_per_step=2)
    made = Reproduction.objects.create(
        engine="toy", engine_version=2, quick=False, run=run, comparisons=[{"b": None, "a": 1.5}], platform={}, duration_s=1.5
    )  # fmt: skip
    run.delete()
    found = Reproduction.objects.get(pk=made.pk)
    assert found.run is None and list(found.comparisons[0]) == ["b", "a"]
    assert str(found) == f"Reproduction of toy 2, {found.created:%Y-%m-%d}"

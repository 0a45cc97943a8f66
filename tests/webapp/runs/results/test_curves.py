"""How a run came along, read bit by bit."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support.stored_runs import finished_run, make_people
from webapp.runs.models import Run, StepRecord
from webapp.runs.results.curves import Convergence, convergence


@pytest.fixture
def run(db: Any, toys: None) -> Run:
    """A finished run of six steps."""
    return finished_run(make_people(), steps=6, designs_per_step=4)


def same(one: Convergence, other: Convergence) -> bool:
    assert one.metrics.keys() == other.metrics.keys()
    pairs = [(getattr(one, each.name), getattr(other, each.name)) for each in fields(one) if each.name != "metrics"]
    pairs += [(one.metrics[name], other.metrics[name]) for name in one.metrics]
    return all(np.allclose(a, b, equal_nan=True) if len(a) == len(b) else False for a, b in pairs)


def test_what_is_read_bit_by_bit_is_what_is_read_at_once(run: Run) -> None:
    later = list(StepRecord.objects.filter(run=run, number__gt=2).order_by("number"))
    StepRecord.objects.filter(run=run, number__gt=2).delete()
    known = convergence(run)
    assert known.step.tolist() == [1, 2]
    later[-1].metrics = {**later[-1].metrics, "only_here": 7.0}
    StepRecord.objects.bulk_create(later)
    with CaptureQueriesContext(connection) as queries:
        found = convergence(run, known)
    assert len(queries) == 1 and found.step.tolist() == [1, 2, 3, 4, 5, 6]
    assert same(found, convergence(run)) and found.metrics["only_here"][-1] == 7.0
    assert same(convergence(run, found), found)


def test_a_run_that_went_back_is_read_anew(run: Run) -> None:
    known = convergence(run)
    StepRecord.objects.filter(run=run, number__gt=3).delete()
    assert convergence(run, known).step.tolist() == [1, 2, 3]
    StepRecord.objects.filter(run=run, number=3).update(hypervolume=0.125)
    assert convergence(run, convergence(run)).hypervolume[-1] == 0.125


def test_a_curve_that_was_measured_again_is_read_anew(run: Run) -> None:
    known = convergence(run)
    StepRecord.objects.filter(run=run, number=1).update(hypervolume=0.125)
    run.hypervolume_reference = [7.0, 7.0]
    found = convergence(run, known)
    assert found.hypervolume[0] == 0.125 and found.reference == (7.0, 7.0)

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import ValidationError

from webapp.api.shapes.studies import NewStudy, StudyCell, StudyEstimate


def test_a_cell_shows_its_runs_by_number_and_state() -> None:
    run = SimpleNamespace(run=SimpleNamespace(pk=7, status="done", outcome="completed"), value=1.5)
    cell = StudyCell.model_validate(SimpleNamespace(median=1.5, low=1.5, high=1.5, count=1, runs=[run]))
    assert (cell.min, cell.max, cell.values) == (1.5, 1.5, 1)
    assert (cell.runs[0].id, cell.runs[0].status, cell.runs[0].value) == (7, "done", 1.5)


def test_needs_stand_in_the_order_of_letters() -> None:
    facts = {"cells": 1, "evaluations": 1, "time_s": (1, 2), "longest_s": 2, "memory_mb": 1, "misfits": [], "notes": []}
    assert StudyEstimate.model_validate({**facts, "needs": {"torch", "gpu"}}).needs == ["gpu", "torch"]


@pytest.mark.parametrize("given", [{}, {"engine": "toy", "seeds": [-1]}, {"engine": "toy", "cells": 3}])
def test_what_cannot_be_taken_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        NewStudy.model_validate(given)

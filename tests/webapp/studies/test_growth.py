"""Hypervolume against evaluations, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from engines.registry import get_engine
from tests.webapp.studies.statistics_for_tests import give, runs
from webapp.studies import growth
from webapp.studies.growth import growth_of, growth_surfaces
from webapp.studies.models import Study
from webapp.studies.statistics import study_statistics


def test_every_group_has_median_and_quartiles_up_to_one_reference(study: Study) -> None:
    for run in runs(study, 1):  # found in the order of their numbers
        give(run, [(2, 2), (1, 2), (1, 1)])
    give(runs(study, 2)[0], [(2, 2)])
    found = study_statistics(study)
    assert found.reference is not None
    x, y = found.reference.tolist()
    joint = (x - 1) * (y - 1)
    best, median, worst = growth_surfaces(found)[0]
    wanted = [[0, (x - 2) * (y - 2) / joint], [1, (x - 1) * (y - 2) / joint], [2, 1.0]]
    for surface in (best, median, worst):
        assert surface == pytest.approx(np.array(wanted))
    other = growth_surfaces(found)[1]  # one of three ended, and it alone takes part
    assert other[1] == pytest.approx(np.array(wanted[:1]))


def test_runs_of_very_many_designs_are_left_out(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    give(runs(study, 1)[0], [(2, 2), (1, 1)])
    monkeypatch.setattr(growth, "MOST_DESIGNS", 1)
    assert growth_surfaces(study_statistics(study)) == []


def test_long_runs_are_looked_at_so_often_alone(study: Study) -> None:
    run = runs(study, 1)[0]
    give(run, [(200.0 - at, 1.0) for at in range(100)])
    found = study_statistics(study)
    designs = growth._designs(found.groups[0].runs[0].run, get_engine("toy").quantities)
    curve = growth_of(designs, get_engine("toy").quantities, np.array([300.0, 2.0]))
    assert len(curve) == 30 and curve[[0, -1]].tolist() == [[0, 100], [99, 199]]
    assert (np.diff(curve, axis=0) > 0).all()

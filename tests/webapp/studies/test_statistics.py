"""Statistics over the seeds of a study, against designs as stored and against examples worked out by hand."""

from __future__ import annotations

from math import isnan

import pytest

from engines.contract.errors import ProblemError
from tests.support.stored_runs import People
from tests.webapp.studies.statistics_for_tests import GRID, give, runs
from webapp.studies import service
from webapp.studies.document import read_grid
from webapp.studies.models import Study
from webapp.studies.service import grid_of
from webapp.studies.statistics import HYPERVOLUME, group_axes, places, quantities_at, shares_of, study_statistics


def test_median_and_quartile_surfaces_of_a_group(study: Study) -> None:
    for run, points in zip(runs(study, 1), ([(1, 5), (2, 2)], [(2, 2)], [(1, 4), (4, 1)]), strict=True):
        give(run, points)
    found = study_statistics(study)
    best, median, worst = found.surfaces(found.groups[0], *found.objectives)
    assert median.tolist() == [[1, 5], [2, 2]] and worst.tolist() == [[2, 4], [4, 2]] and len(best) == 3
    turned = found.surfaces(found.groups[0], found.objectives[1], found.objectives[0])[1]
    assert turned.tolist() == [[2, 2], [5, 1]]
    assert all(not len(surface) for surface in found.surfaces(found.groups[1], *found.objectives))


def test_stopped_runs_and_baselines_take_no_part(study: Study) -> None:
    done, stopped, failed = runs(study, 1)
    give(done, [(2, 2)], status="running")
    give(done, [(1, 1)], origin="baseline")
    give(stopped, [(1, 1)], status="stopped")
    give(failed, [(1, 1)], status="failed")
    group = study_statistics(study).groups[0]
    assert group.left_out == 2 and [each.front.tolist() for each in group.runs] == [[[2, 2]]]


def test_a_quantity_instead_of_the_hypervolume(study: Study) -> None:
    for position, run in enumerate(runs(study, 1) + runs(study, 2)):
        give(run, [(1.0 + position, 9.0)])
    found = study_statistics(study, measure="latency_s")
    assert [group.values for group in found.groups] == [[1, 2, 3], [4, 5, 6]]
    (pair,) = found.pairs
    assert pair.effect == 1.0 and pair.p_value == pytest.approx(0.1) and not pair.decidable
    median = found.groups[1].median_run
    assert median is not None and median.value == 5 and median.run.cell["seed"] == 2


def test_equal_fronts_have_equal_hypervolumes_whatever_their_order(study: Study) -> None:
    points = [(0.1, 0.9), (0.23, 0.71), (0.37, 0.53), (0.61, 0.29), (0.83, 0.13)]
    for position, run in enumerate(runs(study, 1) + runs(study, 2)):
        give(run, [*points[position % 5 :], *points[: position % 5], *points[:position]])
    found = study_statistics(study)
    assert [group.values for group in found.groups] == [[1.0] * 3] * 2
    assert found.equal_fronts and found.equal_values
    (pair,) = found.pairs
    assert (pair.effect, pair.p_value) == (0.5, 1.0)
    give(runs(study, 2)[0], [(0.05, 2.0)])
    other = study_statistics(study)
    assert not other.equal_fronts and not other.equal_values


@pytest.mark.parametrize(("measure", "effect"), [("latency_s", 1.0), ("hypervolume", 1.0)])
def test_a_run_that_found_nothing_is_the_worst(study: Study, measure: str, effect: float) -> None:
    """All that found something are equal: one group always did, the other never."""
    for run in runs(study, 1):
        give(run, [(2.0, 2.0)])
    for run in runs(study, 2):
        give(run, [])
    found = study_statistics(study, measure=measure)
    (pair,) = found.pairs
    assert pair.effect == effect and pair.p_value == pytest.approx(0.1)
    assert [len(group.found_nothing) for group in found.groups] == [0, 3]
    assert found.groups[1].values == ([0.0] * 3 if measure == "hypervolume" else [])
    assert found.all_same == pytest.approx(0.1) and found.all_same_error == 0.0


def test_shares_are_at_most_one_and_rounded() -> None:
    assert shares_of([0.30000000000000004, 0.3, 0.15, 0.0], 0.3).tolist() == [1.0, 1.0, 0.5, 0.0]
    assert shares_of(1.001, 1.0).item() == 1.0, "an approximation may be above that of the joint front"


def test_nothing_has_ended_yet(study: Study) -> None:
    found = study_statistics(study)
    assert found.reference is None and found.pairs == () and isnan(found.all_same)
    assert [(group.runs, group.left_out, group.median_run) for group in found.groups] == [((), 3, None)] * 2


def test_axes_and_places(people: People) -> None:
    grid = {**GRID, "params": {"steps": {"each": [1, 2]}, "designs_per_step": {"each": [2, 4, 6]}}}
    study = service.create(people.owner, grid, project=people.project)
    assert group_axes(grid_of(study)) == ("params.steps", "params.designs_per_step", "")
    assert places(grid_of(study), "params.steps")[2] == {"params.designs_per_step": 6}
    assert len(places(grid_of(study), "")) == 6
    found = study_statistics(study, "params.designs_per_step", 1)
    assert [group.left_out for group in found.groups] == [3, 3, 3] and found.place == {"params.steps": 2}
    alone = study_statistics(study, "", 0)
    assert len(alone.groups) == 1 and alone.groups[0].left_out == 3
    for asked, field in ((("seed",), "by"), (("", 6), "at"), ((None, None, "nothing"), "measure")):
        with pytest.raises(ProblemError) as caught:
            study_statistics(study, *asked)
        assert caught.value.field == field
    assert study_statistics(study).measure == HYPERVOLUME


def test_objectives_are_those_that_all_groups_pursue(people: People) -> None:
    """The engine of systems on a chip is told what to pursue."""
    ask = {"engine": "soc-mapping", "params": {"objectives": "latency_power"}}
    one = quantities_at(read_grid(ask), "", {})
    assert [quantity.name for quantity in one if quantity.role == "objective"] == ["latency_s", "power_w"]
    both = read_grid({**ask, "params": {"objectives": {"each": ["latency_power", "latency_energy"]}}})
    shared = quantities_at(both, "params.objectives", {})
    assert [quantity.name for quantity in shared if quantity.role == "objective"] == ["latency_s"]

"""Statistics over the seeds of a study, against designs as stored and against examples worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engines.contract.designs import Designs, table_to_bytes
from engines.contract.errors import ProblemError
from tests.support.stored_runs import People, make_people
from webapp.runs.models import DesignChunk, Run
from webapp.studies import service
from webapp.studies.document import read_grid
from webapp.studies.models import Study
from webapp.studies.service import grid_of
from webapp.studies.statistics import HYPERVOLUME, group_axes, places, quantities_at, study_statistics

GRID = {"engine": "toy", "params": {"steps": {"each": [1, 2]}}, "seeds": [1, 2, 3]}


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.runs.bell.ring", lambda: None)


@pytest.fixture
def people(db: None, toys: None) -> People:
    return make_people()


@pytest.fixture
def study(people: People) -> Study:
    return service.create(people.owner, GRID, project=people.project)


def give(run: Run, points: Sequence[tuple[float, float]], *, status: str = "done", origin: str = "search") -> None:
    """Store designs of that latency and energy as the run's."""
    count = len(points)
    if count:
        latency, energy = np.array(points, dtype=np.float64).T
        columns = {"latency_s": latency, "energy_j": energy, "spread": np.zeros(count)}
        labels = ("Other",) * count if origin == "baseline" else ()
        designs = Designs(columns, [{"x": [0.0] * 3}] * count, np.arange(count), (origin,) * count, labels)
        first = run.design_count
        DesignChunk.objects.create(
            run=run, number=first + count, first_index=first, count=count, step_number=1,
            scalars=table_to_bytes(designs.scalars_table()), decisions=table_to_bytes(designs.decisions_table()),
        )  # fmt: skip
    run.design_count += count
    run.status = status
    Run.objects.filter(pk=run.pk).update(status=status, design_count=run.design_count, step_number=1, attempt=1)


def runs(study: Study, steps: int) -> list[Run]:
    return list(study.runs.filter(params__steps=steps).order_by("seed"))


def test_hypervolume_is_a_share_of_the_joint_front(study: Study) -> None:
    """All fronts together span 1..3 x 1..3: the reference is (3.2, 3.2), and one point (1, 1) would dominate 2.2 x 2.2."""
    for run, points in zip(runs(study, 1), ([(1, 1)], [(1, 3), (3, 1)], [(2, 2), (2, 3)]), strict=True):
        give(run, points)
    give(runs(study, 2)[0], [])
    found = study_statistics(study)
    assert found.reference is not None and found.reference.tolist() == pytest.approx([3.2, 3.2])
    assert found.joint == pytest.approx(2.2 * 2.2)
    first, second = found.groups
    union = 2.2 * 0.2 + 0.2 * 2.2 - 0.2 * 0.2
    assert first.values == pytest.approx([1, union / 4.84, 1.2**2 / 4.84])
    assert (first.value, second.value, second.left_out) == (1, 2, 2)
    assert second.values == [0.0], "a run that found nothing dominates nothing, and counts"


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


def test_every_front_is_read_once(study: Study) -> None:
    for run in runs(study, 1) + runs(study, 2):
        give(run, [(1, 2), (2, 1)])
    study_statistics(study)
    with CaptureQueriesContext(connection) as seen:
        study_statistics(study)
    assert len(seen) == 1, "only the list of runs"


def test_objectives_are_those_that_all_groups_pursue(people: People) -> None:
    """The engine of systems on a chip is told what to pursue."""
    ask = {"engine": "soc-mapping", "params": {"objectives": "latency_power"}}
    one = quantities_at(read_grid(ask), "", {})
    assert [quantity.name for quantity in one if quantity.role == "objective"] == ["latency_s", "power_w"]
    both = read_grid({**ask, "params": {"objectives": {"each": ["latency_power", "latency_energy"]}}})
    shared = quantities_at(both, "params.objectives", {})
    assert [quantity.name for quantity in shared if quantity.role == "objective"] == ["latency_s"]

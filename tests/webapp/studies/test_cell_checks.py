from __future__ import annotations

from typing import Any

import pytest

from engines.contract.errors import ProblemError
from tests.support.databases import SQLITE
from tests.support.live import LiveSite
from tests.webapp.studies.services_for_tests import GRID
from webapp.runs.models import Run
from webapp.studies import service
from webapp.studies.cell_checks import check, seed_notes
from webapp.studies.document import CellError, read_grid
from webapp.studies.models import Study


@SQLITE
@pytest.mark.parametrize(
    ("document", "field", "cell"),
    [
        ({"engine": "toy", "params": {"steps": {"each": [2, 0]}}, "seeds": [1, 2]}, "params.steps",
         {"params.steps": 0, "seed": 1}),
        ({"engine": "toy", "params": {"nothing": 1}, "seeds": [4, 5]}, "params.nothing", {"seed": 4}),
        ({"engine": "toy", "params": {"steps": {"each": [10, 20_000]}, "designs_per_step": 1000}}, "params.steps",
         {"params.steps": 20_000}),
        ({"engine": "toy", "params": {"steps": {"each": [2, 2.0]}}}, "params.steps", {"params.steps": 2.0}),
        ({"engine": "toy", "inputs": {"weights": ["no-such"]}}, "inputs.weights", None),
        ({"engine": "toy", "inputs": {"nothing": ["x"]}}, "inputs.nothing", None),
        ({"engine": "scar", "inputs": {"hardware": ["simba-3x3-nvdla"]}}, "inputs.workload",
         {"inputs.hardware": "simba-3x3-nvdla", "seed": 0}),
    ],
)  # fmt: skip
def test_one_wrong_cell_stores_nothing_and_is_named(
    live_site: LiveSite, document: Any, field: str, cell: dict[str, Any] | None
) -> None:
    with pytest.raises(ProblemError) as caught:
        service.create(live_site.ann, document)
    assert caught.value.field == field
    assert getattr(caught.value, "cell", None) == cell
    assert isinstance(caught.value, CellError) == (cell is not None)
    assert not Study.objects.exists() and not Run.objects.exists()


@SQLITE
def test_the_estimate_sums_what_single_runs_are_planned_to_take(live_site: LiveSite) -> None:
    estimate = check(live_site.ann, {**GRID, "params": {"steps": {"each": [2, 3]}, "step_seconds": 2.0}}).estimate
    assert (estimate.cells, estimate.evaluations) == (6, 3 * 4 * (2 + 3))
    assert estimate.time_s == (3 * (4 + 6), 3 * (5 + 7)) and estimate.longest_s == 7
    assert estimate.misfits == ()
    tight = check(live_site.ann, {"engine": "toy", "params": {"energy_limit_j": {"each": [0.5, 2.0]}}}).estimate
    assert tight.misfits == ("energy_limit_j=0.5: Some design needs 1 J or less.",)
    assert not Study.objects.exists()


@pytest.mark.parametrize(
    ("params", "seeds", "notes"),
    [
        ({"steps": {"each": [1, 2]}}, 3, [("2 values of steps", "p is 0.1 (", "at least 4 seeds")]),
        ({"steps": {"each": [1, 2]}}, 4, []),
        ({"steps": {"each": [1, 2, 3]}}, 4, [("3 values of steps", "p is 0.086 (", "3 comparisons", "at least 5 seeds")]),
        ({"steps": {"each": [1, 2, 3]}}, 5, []),
        ({"steps": {"each": [1, 2]}, "designs_per_step": {"each": [2, 4, 6]}}, 1,
         [("1 seed cannot", "of steps", "p is 1 (", "4 seeds"), ("of designs_per_step", "5 seeds")]),
        ({}, 1, []),
    ],
)  # fmt: skip
def test_too_few_seeds_are_told_before_the_start(
    toys: None, params: dict[str, Any], seeds: int, notes: list[tuple[str, ...]]
) -> None:
    found = seed_notes(read_grid({"engine": "toy", "params": params, "seeds": list(range(seeds))}))
    assert len(found) == len(notes)
    assert all(word in note for note, words in zip(found, notes, strict=True) for word in words)


@SQLITE
def test_the_estimate_tells_of_too_few_seeds(live_site: LiveSite) -> None:
    note, _ = check(live_site.ann, GRID).estimate.notes
    assert (
        note.startswith("3 seeds cannot show a difference between the 2 values of steps.")
        and "at least 4 seeds" in note
    )

"""The study document and the grid that it spans."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from engines.contract.errors import ProblemError
from webapp.studies.document import CellError, read_grid

pytestmark = pytest.mark.usefixtures("toys")
FULL = {
    "engine": "toy",
    "title": "Grid",
    "inputs": {"weights": ["even", "odd"]},
    "params": {"steps": {"each": [2, 3]}, "designs_per_step": 6},
    "seeds": [5, 7],
}


def test_the_seed_varies_fastest_and_every_cell_is_there_once() -> None:
    grid = read_grid(FULL)
    cells = list(grid.cells())
    assert grid.size == len(cells) == 8
    assert cells[0] == {"inputs.weights": "even", "params.steps": 2, "seed": 5}
    assert cells[1]["seed"] == 7 and cells[2]["params.steps"] == 3 and cells[4]["inputs.weights"] == "odd"
    assert grid.params_of(cells[2]) == {"designs_per_step": 6, "steps": 3}
    assert grid.inputs_of(cells[4]) == {"weights": "odd"}


def test_the_full_document_reads_as_the_same_grid() -> None:
    grid = read_grid(FULL)
    again = grid.document("Grid")
    assert again == {**FULL, "version": 1}
    assert list(read_grid(again).cells()) == list(grid.cells())


def test_what_is_left_out_is_one_cell() -> None:
    grid = read_grid({"engine": "toy"})
    assert list(grid.cells()) == [{"seed": 0}] and grid.varying == ()
    assert list(read_grid({"engine": "toy", "inputs": {"weights": "even"}}).cells()) == [
        {"inputs.weights": "even", "seed": 0}
    ]


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"engine": "nothing"}, "engine"),
        ({"engine": None}, "engine"),
        ({"version": 9}, "version"),
        ({"colour": 1}, "colour"),
        ({"inputs": ["even"]}, "inputs"),
        ({"inputs": {"weights": [1]}}, "inputs.weights"),
        ({"inputs": {"weights": {"slug": "even"}}}, "inputs.weights"),
        ({"inputs": {"weights": ["even", "even"]}}, "inputs.weights"),
        ({"params": [1]}, "params"),
        ({"params": {"steps": {"each": []}}}, "params.steps.each"),
        ({"params": {"steps": {"each": 3}}}, "params.steps.each"),
        ({"params": {"steps": {"each": [2, 2]}}}, "params.steps.each"),
        ({"params": {"steps": {"each": [2, {3}]}}}, "params.steps.each"),
        ({"seeds": []}, "seeds"),
        ({"seeds": 3}, "seeds"),
        ({"seeds": [1, 1]}, "seeds"),
        ({"seeds": [True]}, "seeds"),
        ({"seeds": [1, 1e0]}, "seeds"),
        ({"seeds": [1.5]}, "seeds"),
        ({"stop_after_minutes": float("nan")}, "stop_after_minutes"),
        ({"seeds": [-1]}, "seeds"),
        ({"seeds": [10**30]}, "seeds"),
        ({"seeds": list(range(251))}, "study"),
        ({"seeds": list(range(1001))}, "seeds"),
    ],
)
def test_a_wrong_document_names_its_field(changed: dict[str, Any], field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read_grid({**FULL, **changed})
    assert caught.value.field == field and caught.value.accepted


@pytest.mark.parametrize("document", [None, 3, ["engine"], "engine: toy"])
def test_what_is_no_mapping_is_refused(document: Any) -> None:
    with pytest.raises(ProblemError, match="a mapping with the keys engine"):
        read_grid(document)


def test_a_thousand_cells_are_allowed_and_one_more_says_what_makes_them() -> None:
    assert read_grid({"engine": "toy", "seeds": list(range(1000))}).size == 1000
    with pytest.raises(ProblemError, match=r"1002 cells \(2 params\.steps x 501 seed\)"):
        read_grid({"engine": "toy", "params": {"steps": {"each": [1, 2]}}, "seeds": list(range(501))})


def test_an_error_of_a_cell_survives_a_process_pool() -> None:
    error = pickle.loads(pickle.dumps(CellError("params.steps", 0, "at least 1", {"seed": 4})))
    assert (error.field, error.got, error.cell) == ("params.steps", 0, {"seed": 4})
    assert str(error).count("The combination seed=4 is refused") == 1

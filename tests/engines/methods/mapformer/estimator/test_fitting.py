"""Estimators that do not fit are refused, with both names or with the limit."""

import json
from dataclasses import replace
from typing import Any

import pytest

from engines.contract.engine import Document
from engines.contract.errors import ProblemError
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.mapformer.engine import MapFormerEngine
from engines.methods.mapformer.estimator.document import builtin_estimators, builtin_for
from engines.methods.mapformer.estimator.fitting import check_mix, clock_rows, estimator_of
from engines.methods.mapformer.problem.instance import instance_of
from tests.engines.methods.mapformer.problems import mix, mix_problem

SHIPPED = "jetson-agx-xavier"


def content(**changes: Any) -> dict[str, Any]:
    found = json.loads(json.dumps(next(iter(builtin_estimators().values()))))
    return {**found, **changes}


def problem_with(weights: dict[str, Any], **params: Any) -> Any:
    plain = mix_problem({"manager": "mapformer", **params})
    documents = {**plain.inputs, "weights": Document("weights", weights["slug"], 1, weights)}
    return make_problem("mapformer", documents, plain.params.model_dump(), seed=0)


def refusal(problem: Any) -> ProblemError:
    with pytest.raises(ProblemError) as error:
        MapFormerEngine().prepare(problem)
    return error.value


def test_the_shipped_one_fits_any_choice_of_clocks() -> None:
    said = builtin_for(SHIPPED)
    assert said is not None
    for choices in ("", "gpu: 675 1377"):
        board = instance_of(mix_problem({"clock_choices": choices})).board
        rows = clock_rows(said, board, SHIPPED)
        assert len(rows) == board.rows and rows[0] == 0 and sorted(set(rows.tolist())) == rows.tolist()


def test_one_for_another_board_is_refused_with_both_names() -> None:
    error = refusal(problem_with(content(board="jetson-tx2")))
    assert error.field == "inputs.weights"
    assert "jetson-tx2" in str(error) and "jetson-agx-xavier" in str(error)


def test_one_without_the_clocks_of_the_board_is_refused() -> None:
    units = content()["units"]
    units[1]["clocks_mhz"][-1] += 50.0
    assert "MHz of gpu" in str(refusal(problem_with(content(units=units))))


def test_other_units_are_refused() -> None:
    assert "dla-2" in str(refusal(problem_with(content(units=content()["units"][:2]))))


def test_more_layers_than_it_takes_are_refused_with_the_limit() -> None:
    shape = {**content()["shape"], "most_layers": 4}
    error = refusal(problem_with(content(shape=shape)))
    assert error.field == "inputs.workload.models" and "at most 4 layers" in str(error)


def test_more_networks_or_segments_than_it_takes_are_refused() -> None:
    said = builtin_for(SHIPPED)
    assert said is not None
    board = instance_of(mix_problem(workload=mix((3, 16), (2, 32), (2, 8)))).board
    small = replace(said, shape=replace(said.shape, networks=2))
    with pytest.raises(ProblemError, match="at most 2 networks"):
        check_mix(small, board, 2)
    with pytest.raises(ProblemError, match="at most 3"):
        check_mix(said, board, 4)


def test_a_device_without_an_estimator_says_where_one_comes_from() -> None:
    plain = mix_problem({"manager": "mapformer"})
    own = {**get_builtin("hardware", SHIPPED).content, "slug": "my-board"}
    documents = {**plain.inputs, "hardware": Document("hardware", "my-board", 1, own)}
    error = refusal(make_problem("mapformer", documents, plain.params.model_dump(), seed=0))
    assert error.field == "inputs.weights" and "train-estimator" in str(error)


def test_others_ask_no_estimator_but_refuse_a_wrong_one() -> None:
    assert "jetson-tx2" in str(refusal(problem_with(content(board="jetson-tx2"), manager="ours")))
    MapFormerEngine().prepare(mix_problem())


def test_a_manager_that_asks_none_gets_none() -> None:
    problem = mix_problem({"manager": "ours"})
    assert estimator_of(problem, instance_of(problem)) is None


def test_a_manager_that_asks_one_gets_that_of_its_board() -> None:
    problem = mix_problem({"manager": "mapformer", "clock_choices": ""})
    found = estimator_of(problem, instance_of(problem))
    assert found is not None and found.board == "jetson-agx-xavier"


def test_a_mix_in_more_segments_than_it_takes_is_refused() -> None:
    usual = mix_problem({"manager": "mapformer", "clock_choices": ""})
    found = estimator_of(usual, instance_of(usual))
    assert found is not None
    problem = mix_problem({"manager": "mapformer", "clock_choices": "", "segments": found.segments + 1})
    with pytest.raises(ProblemError) as error:
        estimator_of(problem, instance_of(problem))
    assert error.value.field == "params.segments" and f"at most {found.segments}" in str(error.value)

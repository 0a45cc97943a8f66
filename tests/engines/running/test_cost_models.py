from __future__ import annotations

import json

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.registry import get_engine
from engines.running.cost_models import (
    answer,
    compare_models,
    cost_models_of,
    has_cost_models,
    question_of,
    with_cost_model,
)
from engines.running.inspection import designs_of_run, evaluate
from engines.search.rank_agreement import rank_agreement
from tests.engines.methods.scar.problems import scar_problem
from tests.engines.methods.soc_mapping.problems import mapping_problem
from tests.support.toy_engine import ToyEngine


def test_designs_of_a_run_are_evaluated_under_each_model() -> None:
    problem = scar_problem()
    designs = designs_of_run(problem)
    found = answer(
        json.loads(json.dumps(question_of(problem, designs.decisions, ["dataflow", "ideal-array"], 500.0), default=str))
    )
    json.dumps(found, allow_nan=False)
    own, other = (evaluate(with_cost_model(problem, name), designs.decisions) for name in found["models"])
    np.testing.assert_array_equal(found["values"]["dataflow"]["latency_s"], designs.columns["latency_s"])
    np.testing.assert_array_equal(found["values"]["ideal-array"]["energy_j"], other.columns["energy_j"])
    ((_, _, tau),) = found["agreement"]
    assert found["metric"] == "edp_js"
    assert tau == rank_agreement(own.columns["edp_js"].tolist(), other.columns["edp_js"].tolist())
    assert set(found["always"]) <= set(found["sometimes"]) and found["always"]
    layers = found["layers"]
    assert len(layers["layer"]) == 2 * 2 * 3 == len(layers["latency_s"]["ideal-array"])
    assert layers["disagreements"]["ideal-array"] and list(layers["by_kind"]) == ["ideal-array"]


def test_a_table_is_among_the_models_where_the_problem_has_one() -> None:
    assert cost_models_of(scar_problem()) == ("dataflow", "ideal-array")
    assert cost_models_of(scar_problem({"cost_model": "ideal-array", "cost_table": "x"})) == (
        "ideal-array", "dataflow", "table",
    )  # fmt: skip


def test_a_device_with_a_calibration_has_one_model_alone() -> None:
    problem = mapping_problem({}, "alexnet", hardware="jetson-agx-xavier")
    with pytest.raises(ProblemError, match="a device with arrays of processing elements"):
        compare_models(problem, [], ["dataflow"])


def test_an_engine_without_cost_models_is_refused() -> None:
    assert has_cost_models(get_engine("soc-mapping")) and not has_cost_models(ToyEngine())
    problem = scar_problem()
    with pytest.raises(ProblemError, match="Got 'abacus'"):
        compare_models(problem, [], ["abacus"])

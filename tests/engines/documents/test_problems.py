from collections.abc import Mapping
from typing import Any

import pytest

from engines.contract.engine import Document
from engines.contract.errors import ProblemError
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem, require_version

WEIGHTS = Document("data", "even", 1, {"schema": "toy/1", "weights": [1.0, 2.0, 3.0]})


def refusal(**changes: Any) -> ProblemError:
    arguments: dict[str, Any] = {"engine_name": "toy", "inputs": {}, "params": {}, "seed": 0} | changes
    with pytest.raises(ProblemError) as caught:
        make_problem(**arguments)
    return caught.value


def test_a_problem_has_parsed_values_and_defaults() -> None:
    problem = make_problem("toy", {"weights": WEIGHTS}, {"steps": 3}, seed=5)
    assert problem.values["weights"] == (1.0, 2.0, 3.0)
    assert (problem.params.steps, problem.params.designs_per_step, problem.seed, problem.version) == (3, 4, 5, 1)


def test_an_unknown_engine_is_named_with_those_that_exist() -> None:
    error = refusal(engine_name="tooy")
    assert (error.field, error.got) == ("engine", "tooy")
    assert "toy" in error.accepted


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, float("nan"), True, "1"])
def test_a_seed_out_of_range_is_refused(seed: Any) -> None:
    assert refusal(seed=seed).field == "seed"


@pytest.mark.parametrize(
    ("params", "field", "words"),
    [
        ({"steps": 0}, "params.steps", "greater than or equal to 1"),
        ({"steps": "many"}, "params.steps", "valid integer"),
        ({"stepz": 1}, "params.stepz", "designs_per_step"),
        ({"crash_kind": "soft"}, "params.crash_kind", "'exception'"),
    ],
)
def test_a_parameter_that_does_not_fit_is_named(params: Mapping[str, Any], field: str, words: str) -> None:
    error = refusal(params=params)
    assert error.field == field
    assert error.got == next(iter(params.values()))
    assert words in error.accepted


def test_params_that_are_no_mapping_are_refused() -> None:
    assert refusal(params=[1, 2]).field == "params"


@pytest.mark.parametrize(
    ("inputs", "field"),
    [
        ({"wait": WEIGHTS}, "inputs.wait"),
        ({"weights": Document("hardware", "p", 1, {"schema": "toy/1"})}, "inputs.weights"),
        ({"weights": Document("data", "p", 1, {"schema": "toy/2"})}, "inputs.weights.schema"),
        ({"weights": Document("data", "p", 1, {})}, "inputs.weights.schema"),
        ({"weights": Document("data", "p", 1, {"schema": "toy/1", "weights": [1]})}, "inputs.weights.weights"),
    ],
)
def test_an_input_that_does_not_fit_is_named(inputs: Mapping[str, Document], field: str) -> None:
    assert refusal(inputs=inputs).field == field


def test_a_missing_required_input_is_named() -> None:
    error = refusal(engine_name="scar")
    assert error.field.startswith("inputs.")
    assert "document" in error.accepted


def test_an_error_of_the_hardware_loader_keeps_its_key() -> None:
    content = {"schema": "chiplet-package/1", "slug": "broken"}
    error = refusal(engine_name="scar", inputs={"hardware": Document("hardware", "broken", 1, content)})
    assert error.field.startswith("inputs.")


@pytest.mark.parametrize(
    ("slug", "schema"),
    [
        ("jetson-agx-xavier", "soc/1"),
        ("fitness-tracker", "sensor-node/1"),
        ("lte-smartphone", "radio/1"),
        ("fitness-tracker-battery", "battery/1"),
    ],
)
def test_an_engine_for_packages_refuses_other_hardware_in_words(slug: str, schema: str) -> None:
    error = refusal(engine_name="scar", inputs={"hardware": get_builtin("hardware", slug),
                                                "workload": get_builtin("workload", "mlperf-scenario-4")})  # fmt: skip
    assert (error.field, error.got) == ("inputs.hardware.schema", schema)
    assert error.accepted == ("one of chiplet-package/1")


def test_another_engine_version_is_refused() -> None:
    with pytest.raises(ProblemError, match="version"):
        require_version(make_problem("toy", {}, {}), 2)

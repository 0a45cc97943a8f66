"""What is refused, with what is accepted."""

from __future__ import annotations

from typing import Any

import pytest

from engines.contract.engine import Document
from engines.contract.errors import ProblemError
from engines.methods.map_and_conquer.problem.instance import instance_of
from tests.engines.methods.map_and_conquer.problems import chain, cut_problem


@pytest.mark.parametrize(
    ("params", "field", "words"),
    [
        ({"stages": 3}, "params.stages", "runs on the units: gpu, dla.*Must be at most 2"),
        ({"reuse_least_percent": 80, "reuse_most_percent": 50}, "params.reuse_least_percent", "at most 50"),
        ({"reuse_least_percent": 51, "reuse_most_percent": 60}, "params.reuse_least_percent", "multiple of 1/4"),
        ({"clock_steps": 64, "partition_steps": 16}, "params.clock_steps", "fewer"),
        ({"power_mode": "turbo"}, "params.power_mode", "one of"),
    ],
)
def test_what_cannot_be_is_named(params: dict[str, Any], field: str, words: str) -> None:
    with pytest.raises(ProblemError, match=words) as refused:
        instance_of(cut_problem(params))
    assert refused.value.field == field


def test_a_unit_that_cannot_run_an_operator_is_named_with_it() -> None:
    network = chain()
    operations = [*network.content["operations"]]
    operations.insert(2, {"name": "normal", "kind": "norm", "k": 16, "c": 16, "y": 28, "x": 28})
    strange = Document("workload", "strange", 1, {**network.content, "operations": operations})
    with pytest.raises(ProblemError, match="normal") as refused:
        instance_of(cut_problem({}, strange, calibration="xavier-magnas"))
    assert ("params.unmeasured", "assumed") in [each[1:] for each in refused.value.remedies]


def test_a_device_by_dataflow_is_refused() -> None:
    with pytest.raises(ProblemError, match="units a calibration or a data sheet covers") as refused:
        instance_of(cut_problem(hardware="three-dataflow-accelerators"))
    assert refused.value.field == "inputs.hardware"
    assert ("params.unmeasured", "datasheet") in [each[1:] for each in refused.value.remedies]


def test_a_layer_narrower_than_the_stages_is_refused() -> None:
    with pytest.raises(ProblemError, match="conv0 is 1 wide"):
        instance_of(cut_problem({}, chain(width=1)))


def test_estimated_units_bring_more_stages() -> None:
    assert instance_of(cut_problem({"unmeasured": "datasheet", "clocks": "fixed"})).stages == 3

"""What is refused before the start."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.hadas.setup import build_setup
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from tests.engines.methods.hadas.problems import measured_problem, single_problem


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"unit": "npu"}, "params.unit"),
        ({"first_exit": 500}, "params.first_exit"),
        ({"power_mode": "no"}, "params.power_mode"),
    ],
)
def test_bad_parameters_are_named(params: dict[str, object], field: str) -> None:
    problem = single_problem(params)
    with pytest.raises(ProblemError) as error:
        list(drive(get_engine("hadas"), problem, LocalContext(problem)))
    assert error.value.field == field


def test_a_unit_that_nobody_measured_is_refused_and_estimated_on_request() -> None:
    documents = {
        "hardware": get_builtin("hardware", "jetson-agx-xavier"),
        "workload": get_builtin("workload", "attentivenas-a0"),
    }
    refused = make_problem("hadas", documents, {"clock_steps": 2})
    with pytest.raises(ProblemError) as error:
        get_engine("hadas").prepare(refused)
    assert ("params.unmeasured", "assumed") in [each[1:] for each in error.value.remedies]
    allowed = make_problem("hadas", documents, {"clock_steps": 2, "unmeasured": "assumed"})
    assert build_setup(allowed).unit == "gpu"


def test_a_unit_that_cannot_run_an_operator_is_named_with_it() -> None:
    documents = {
        name: get_builtin(kind, slug)
        for name, kind, slug in (
            ("hardware", "hardware", "jetson-agx-xavier"),
            ("workload", "workload", "attentivenas-a0"),
            ("calibration", "calibration", "xavier-map-and-conquer"),
        )
    }
    with pytest.raises(ProblemError, match="depthwise on dla") as error:
        get_engine("hadas").prepare(make_problem("hadas", documents, {"clock_steps": 1, "unit": "dla"}))
    assert ("params.unmeasured", "assumed") in [each[1:] for each in error.value.remedies]


def test_a_network_beside_measured_exits_is_refused() -> None:
    inputs = {**measured_problem().inputs, "workload": get_builtin("workload", "attentivenas-a0")}
    with pytest.raises(ProblemError, match="Measured exits name their network"):
        get_engine("hadas").prepare(make_problem("hadas", inputs, {"clock_steps": 3}))


def test_bits_are_those_asked_for_and_other_than_the_calibrations_are_predicted() -> None:
    usual, narrow = (build_setup(single_problem({"bits": bits})) for bits in ("", "w4a16"))
    assert (narrow.covered.bits, narrow.covered.certainty()) == ("w4a16", "predicted")
    trunks = [setup.given.costs(setup.highest)[0] for setup in (usual, narrow)]
    assert narrow.covered.widths.weight_bytes < usual.covered.widths.weight_bytes
    assert str(trunks[0]) != str(trunks[1])

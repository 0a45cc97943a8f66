from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.methods.soc_mapping.problem.instance import instance_of
from engines.registry import get_engine
from engines.running.prepared_problems import ready_of
from tests.engines.methods.soc_mapping.problems import mapping_problem, run, searched


def test_operations_that_no_calibration_covers_are_refused_by_block() -> None:
    with pytest.raises(ProblemError, match="no measurement of") as refused:
        ready_of(get_engine("soc-mapping"), mapping_problem(None, "resnet50", calibration="xavier-magnas"))
    assert refused.value.field == "inputs.calibration"


def test_without_fall_back_a_unit_gets_only_what_it_runs_itself() -> None:
    steps = run(mapping_problem({"fallback": False}))
    units = np.array([decision["units"] for decision in searched(steps).decisions])
    blocks = instance_of(mapping_problem()).blocks
    graphers = [number for number, block in enumerate(blocks) if block.startswith("grapher")]
    assert (units[:, graphers] == "gpu").all() and (units == "dla").any()

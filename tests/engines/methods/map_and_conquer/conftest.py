"""What tests of this folder share."""

from __future__ import annotations

import pytest

from engines.methods.map_and_conquer.problem.instance import CutInstance, instance_of
from tests.engines.methods.map_and_conquer.problems import cut_problem


@pytest.fixture(scope="module")
def instance() -> CutInstance:
    return instance_of(cut_problem({"partition_steps": 4, "clock_steps": 2}))

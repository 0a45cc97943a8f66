"""What tests of this folder share."""

from __future__ import annotations

import pytest

from engines.contract.engine import Step
from engines.testing.conformance import TinyProblem, run_all
from tests.engines.methods.hadas.problems import single_problem


@pytest.fixture(scope="session")
def steps() -> list[Step]:
    """A run over one network."""
    return run_all(TinyProblem(single_problem()))

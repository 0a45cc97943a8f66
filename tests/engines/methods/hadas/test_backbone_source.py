from __future__ import annotations

from typing import Any

import pytest

from engines.contract.errors import ProblemError
from engines.testing.conformance import TinyProblem, run_all
from tests.engines.methods.hadas.problems import measured_problem


def _with_network(problem: Any) -> Any:
    from engines.documents.builtin import get_builtin
    from engines.documents.problems import make_problem

    inputs = {**problem.inputs, "workload": get_builtin("workload", "attentivenas-a0")}
    return make_problem("hadas", inputs, {"clock_steps": 3})


def test_a_network_beside_measured_exits_is_refused() -> None:
    problem = measured_problem()
    with pytest.raises(ProblemError, match="Measured exits name their network"):
        run_all(TinyProblem(_with_network(problem)))

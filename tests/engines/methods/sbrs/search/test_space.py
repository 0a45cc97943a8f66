from __future__ import annotations

import pytest

from engines.contract.errors import DecisionError, ProblemError
from engines.methods.sbrs.search.engine import SbrsSearchEngine
from engines.running.inspection import evaluate
from engines.running.prepared_problems import ready_of
from tests.engines.methods.sbrs.search.problems import search_problem

pytest.importorskip("torch")


def test_it_refuses_what_it_cannot_search() -> None:
    engine = SbrsSearchEngine()
    with pytest.raises(ProblemError, match="baseline"):
        ready_of(engine, search_problem({"space": "baseline"}))
    problem = search_problem()
    with pytest.raises(DecisionError):
        evaluate(problem, [{"clusters": []}])

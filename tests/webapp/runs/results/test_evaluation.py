from __future__ import annotations

from typing import Any

import pytest

from engines.contract.engine import Problem
from engines.running.runner.evaluation import EvaluationError
from tests.webapp.api.views.evaluations_for_tests import GOOD
from webapp.runs.models import Run
from webapp.runs.results import evaluation


@pytest.mark.parametrize(("planned_mb", "given_mb"), [(100.0, 4096.0), (9000.0, 9000.0), (99_000.0, 12_000.0)])
def test_an_engine_that_needs_more_memory_gets_it(
    run: Run, planned_mb: float, given_mb: float, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PARETOSCOPE_RUN_MEMORY_MAX_MB = 12_000
    seen = []

    def evaluate(problem: Problem, decisions: list[Any], limits: Any) -> None:
        seen.append(limits.memory_mb)
        raise EvaluationError("enough")

    monkeypatch.setattr(evaluation, "evaluate_in_child", evaluate)
    run.plan = {**run.plan, "memory_mb": planned_mb}
    with pytest.raises(EvaluationError):
        evaluation.score_decisions(run, [GOOD])
    assert seen == [given_mb]

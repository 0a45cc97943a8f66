from __future__ import annotations

import pytest

from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.map_and_conquer.engine import MapAndConquerEngine
from engines.running.inspection import plan as plan_of


@pytest.mark.parametrize("ready", MapAndConquerEngine.presets, ids=lambda each: each.name)
def test_ready_made_problems_can_be_planned(ready) -> None:
    engine = MapAndConquerEngine()
    documents = {slot: get_builtin(engine.inputs[slot].kind, slug) for slot, slug in ready.inputs.items()}
    problem = make_problem(engine.name, documents, dict(ready.params))
    plan = plan_of(problem)
    assert all(check.ok for check in plan.checks) and plan.bounds[0].value > 0

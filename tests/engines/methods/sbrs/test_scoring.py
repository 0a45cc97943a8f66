from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.errors import DecisionError
from engines.running.inspection import evaluate
from tests.engines.methods.sbrs.problems import found, sbrs_problem


def test_it_scores_every_application() -> None:
    assert len(found()) == 4 * 8
    designs = found({"smallest_set": 1})
    assert len(designs) == 7 * 8
    assert np.isnan(designs.columns["mission_accuracy_percent"]).all()
    alone = designs.columns["networks"] == 1
    assert (designs.columns["response_delay_s"][alone] == 0).all()
    assert (designs.columns["response_delay_s"] <= designs.columns["naive_delay_s"]).all()
    assert (designs.columns["memory_bytes"] <= designs.columns["naive_memory_bytes"] + 1e-12).all()


def test_more_adaptive_attributes_need_no_more_memory_as_in_table_10() -> None:
    memory = {tuple(d["adaptive"]): m for d, m in zip(*_columns(found()), strict=True) if len(d["networks"]) == 3}
    assert memory["I", "O", "par"] <= memory["I", "O"] <= memory[()]


def _columns(designs: Designs) -> tuple[Any, Any]:
    return designs.decisions, designs.columns["memory_bytes"]


@pytest.mark.parametrize(
    "decision", [{}, {"networks": ["tiny"], "adaptive": []}, {"networks": ["small"], "adaptive": ["op"]}]
)
def test_it_refuses_decisions_of_other_problems(decision: Mapping[str, Any]) -> None:
    problem = sbrs_problem()
    with pytest.raises(DecisionError):
        evaluate(problem, [decision])

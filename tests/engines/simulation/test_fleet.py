from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.simulation.fleet import Modes, Policy
from engines.simulation.simulate import Clock
from tests.engines.simulation.cases import steady


@pytest.mark.parametrize(
    ("policy", "field"),
    [
        (Policy(np.array([[2]])), "policy.table"),
        (Policy(np.array([[0, 0]])), "policy.table"),
        (Policy(np.array([[0, 0, 0]]), np.array([0.5, 0.5])), "policy.charge_edges"),
        (Policy(np.array([[0]]), first_mode=2), "policy.first_mode"),
    ],
)
def test_what_does_not_fit_is_refused(policy: Policy, field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        steady(3, policy)
    assert caught.value.field == field


def test_powers_and_clocks_are_checked() -> None:
    with pytest.raises(ProblemError, match="powers_w"):
        Modes(("a",), np.array([np.nan]))
    with pytest.raises(ProblemError, match="steps"):
        Clock(1.0, 0)

"""The reward by hand."""

import pytest

from engines.methods.privynas.reward import reward


def test_the_reward_is_that_of_equation_a_6() -> None:
    assert reward(0.8, 0.1, 2.8, (0.05, 2.8), (0.0, 0.0)) == 0.8
    assert reward(0.8, 0.1, 1.4, (0.05, 2.8), (1.0, 2.0)) == pytest.approx(0.8 * 0.5 * 4)


def test_a_slower_network_or_a_larger_budget_is_worth_less() -> None:
    of = [
        reward(0.8, seconds, epsilon, (0.05, 2.8), (0.07, 0.1))
        for seconds, epsilon in ((0.05, 2.8), (0.06, 2.8), (0.05, 5.0))
    ]
    assert of[0] == pytest.approx(0.8) and of[1] < of[0] > of[2]

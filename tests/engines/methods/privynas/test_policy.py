"""The gradient of the reward by hand, and what the probabilities learn."""

import numpy as np
import pytest

from engines.methods.privynas.choice import Choice

torch = pytest.importorskip("torch")


def test_the_gradient_of_two_arms_is_what_it_is_by_hand() -> None:
    from engines.methods.privynas.policy import Policy

    policy = Policy([2], [1], [2.8])
    with torch.no_grad():
        policy.alpha[0].copy_(torch.tensor([0.0, np.log(3.0)]))  # probabilities 1/4 and 3/4
    choices, rewards, baseline = [Choice((0,), 1, 2.8), Choice((1,), 1, 2.8)], [1.0, 0.4], 0.6
    policy.objective(choices, rewards, baseline).backward()
    # -(R - b) (indicator - p), mean over both: -(0.4 (3/4, -3/4) - 0.2 (-1/4, 1/4)) / 2
    expected = -(0.4 * np.array([0.75, -0.75]) - 0.2 * np.array([-0.25, 0.25])) / 2
    np.testing.assert_allclose(policy.alpha[0].grad.numpy(), expected, rtol=1e-6)
    assert policy.gamma.grad.abs().max() == 0 and policy.theta.grad.abs().max() == 0  # one arm alone


def test_budgets_learn_at_the_cut_alone_where_they_were_drawn() -> None:
    from engines.methods.privynas.policy import Policy

    policy = Policy([1], [1, 3], [1.0, 2.0])
    policy.objective([Choice((0,), 3, 2.0)], [1.0], 0.0).backward()
    assert policy.theta.grad[0].abs().max() == 0
    np.testing.assert_allclose(policy.theta.grad[1].numpy(), [0.5, -0.5])


def test_the_better_arm_becomes_likely() -> None:
    from engines.methods.privynas.policy import Policy

    policy, stream, baseline = Policy([2], [1, 2], [1.0]), np.random.default_rng(2), 0.5
    optimizer = torch.optim.Adam(policy.parameters(), lr=0.05)
    for _ in range(150):
        choices = [policy.draw(stream) for _ in range(4)]
        rewards = [0.9 if each.operations == (1,) and each.position == 2 else 0.3 for each in choices]
        optimizer.zero_grad()
        policy.objective(choices, rewards, baseline).backward()
        optimizer.step()
        baseline = 0.9 * baseline + 0.1 * float(np.mean(rewards))
    assert policy.likeliest(2, 1.0).operations == (1,) and policy.cuts()[1] > 0.8

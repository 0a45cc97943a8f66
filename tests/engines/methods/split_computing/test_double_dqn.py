"""What the double DQN collects and copies, window by window."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from engines.methods.split_computing import double_dqn  # noqa: E402
from engines.methods.split_computing.double_dqn import DoubleDqn, observed  # noqa: E402
from engines.methods.split_computing.instance import instance_of  # noqa: E402
from engines.running.context import LocalContext  # noqa: E402
from tests.engines.methods.split_computing.problems import control_problem  # noqa: E402


def training(updates: int) -> DoubleDqn:
    problem = control_problem({"dqn": True, "dqn_updates": updates, "hidden": 4})
    return DoubleDqn(instance_of(problem), LocalContext(problem))


def weights(network: torch.nn.Module) -> list[list[float]]:
    return [part.flatten().tolist() for part in network.parameters()]


def test_every_update_collects_the_eight_windows_that_follow() -> None:
    dqn = training(30)
    dqn.train_chunk()
    assert (dqn.updates, dqn.stored) == (3, 24)
    windows = dqn.instance.windows(dqn.context, 3 * 8 + 1, "training", 0)
    seen, action = observed(dqn.instance, windows), dqn.action[:24]
    np.testing.assert_array_equal(dqn.seen[:24], seen[:24])
    np.testing.assert_array_equal(dqn.next[:24], seen[1:25])
    assert not dqn.seen[24:].any()
    system = dqn.instance.system
    risky, robust = system.rewards(windows.energy_j, windows.missed, dqn.instance.params.penalty)
    expected = [robust[a, n] if windows.robust[n] else risky[a] for n, a in enumerate(action.tolist())]
    np.testing.assert_allclose(dqn.reward[:24], expected, rtol=1e-6)
    dqn.train_chunk()
    assert (dqn.updates, dqn.stored) == (6, 48)
    after = observed(dqn.instance, dqn.instance.windows(dqn.context, 3 * 8 + 1, "training", 1))
    np.testing.assert_array_equal(dqn.seen[24:48], after[:24])


def test_the_target_network_is_copied_after_so_many_updates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(double_dqn, "_COPY_EVERY", 4)
    dqn = training(30)
    begun = weights(dqn.target)
    dqn.train_chunk()
    assert weights(dqn.target) == begun != weights(dqn.online)
    dqn.train_chunk()
    assert begun != weights(dqn.target) != weights(dqn.online)
    while not dqn.done:
        dqn.train_chunk()
    assert dqn.updates == 30

"""Episodes window by window agree with their sums."""

import pytest

from engines.methods.energyshield.episodes import POLICIES, Choice, Drive
from engines.methods.energyshield.instance import instance_of
from engines.methods.energyshield.recording import Recording
from engines.running.context import LocalContext
from tests.engines.methods.energyshield.problems import shield_problem


def test_windows_add_up_to_the_totals_of_their_episode() -> None:
    problem = shield_problem()
    instance, recording = instance_of(problem), Recording()
    designs = [Choice(0.28, 4.0, 0.5, POLICIES.index(policy), 4) for policy in ("local", "eager")]
    drive = Drive(instance.world, instance.conditions(LocalContext(problem)), designs)
    totals = drive.run(recording.see)
    for row in range(2 * drive.episodes):
        found = recording.of(drive, row)
        assert len(found.time_s) == totals.windows[row]
        assert found.spent_j.sum() == pytest.approx(totals.energy_j[row])
        assert found.h.min() == pytest.approx(totals.least_h_per_m[row])
        assert found.time_s[1] == pytest.approx(instance.world.window_s)
        assert len(found.obstacles_m) == 1
    local = recording.of(drive, 0)
    assert not local.sending.any() and local.computing.all()

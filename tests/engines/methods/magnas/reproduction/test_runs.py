from __future__ import annotations

from math import isnan

import numpy as np

from engines.methods.magnas.reproduction.runs import Case


def test_a_run_gives_the_front_within_its_limit() -> None:
    found = Case("magnas-cifar-100-a3", (("latency_slack_percent", 10),)).run()
    assert found.latency_s.max() <= found.gpu[0] * 1.1 and (np.diff(found.energy_j) < 0).all()
    assert isnan(found.share_percent) and len(found.decisions) == len(found.gpu_share)

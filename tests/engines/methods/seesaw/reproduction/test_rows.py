from __future__ import annotations

import numpy as np

from engines.methods.seesaw.costs.power import node_power
from engines.methods.seesaw.reproduction.rows import CAMERA, TRACKER, node_of, power_of


def test_each_device_has_its_own_fitted_share() -> None:
    tracker, camera = (node_power(node_of(slug), "shares", standby, sleep)
                       for slug, standby, sleep in ((TRACKER, 0.31, 0.0), (CAMERA, 0.0, 0.42)))  # fmt: skip
    for expected, slug in ((tracker, TRACKER), (camera, CAMERA)):
        np.testing.assert_array_equal(power_of(slug, "shares").active_w, expected.active_w)

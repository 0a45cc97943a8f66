"""What is read out of a search."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.methods.map_and_conquer.quantities import QUANTITIES
from engines.methods.map_and_conquer.reproduction import REPRODUCTION
from engines.methods.map_and_conquer.reproduction.searches import Search, _found, cut_networks, single_units


def test_extremes_and_gains_are_of_what_counts() -> None:
    # GPU and DLA alone, then two configurations and one that breaks a limit.
    columns = {quantity.name: np.ones(5) for quantity in QUANTITIES}
    columns["latency_s"] = np.array([0.02, 0.06, 0.025, 0.015, 0.001])
    columns["energy_j"] = np.array([0.2, 0.07, 0.05, 0.09, 0.001])
    columns["accuracy_percent"] = np.array([88.0, 88.0, 87.9, 80.0, 88.0])
    columns["reuse_percent"] = np.array([0.0, 0.0, 60.0, 20.0, 0.0])
    columns["limit_slack"] = np.array([1.0, 1.0, 1.0, 1.0, -1.0])
    decisions = [{"units": [unit]} for unit in ("gpu", "dla")] + [{"units": ["gpu", "dla"]}] * 3
    designs = Designs(columns, decisions, origin=["baseline"] * 2 + ["search"] * 3)
    found = _found(designs, 88.0)
    assert found.alone == {"gpu": pytest.approx((20.0, 200.0)), "dla": pytest.approx((60.0, 70.0))}
    assert found.fastest == pytest.approx((15.0, 90.0, 20.0)) and found.cheapest == pytest.approx((25.0, 50.0, 60.0))
    assert found.energy_gain == pytest.approx(4.0) and found.speed_gain == pytest.approx(2.4)
    assert found.least_reuse == 60.0 and found.most_accurate == pytest.approx(0.1)


def test_nothing_found_is_no_number() -> None:
    assert np.isnan(Search("vgg19", "c50").blank().energy_gain)


def test_every_row_says_how_ours_came_about() -> None:
    rows = [row for part in REPRODUCTION.parts for row in part.listed()]
    assert REPRODUCTION.headline in {row.name for row in rows}

    def blank(case):
        return case.blank()

    assert {row.kind for row in single_units(blank)} == {"fitted"}
    assert {row.kind for row in cut_networks(blank)} == {"predicted"}

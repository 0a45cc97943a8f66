"""What each kind of operation reaches, on a profile made by hand."""

from __future__ import annotations

import pytest

from engines.cost.calibration.own import About, own_calibration
from engines.cost.profiles.measured_operators import operator_report
from engines.cost.profiles.measured_profile import Profile
from engines.cost.profiles.profile_reader import profile_rows
from engines.workloads.loader import load_network
from hardware.soc.loader import load_soc
from tests.engines.cost.profiles.test_profile_reader import PEAK, SOC


def test_it_says_what_is_reached_and_how_far_the_model_is_off() -> None:
    head = {"schema": "network/1", "slug": "two", "title": "Two", "short_title": "Two", "source": "test"}
    conv = {"kind": "conv", "k": 64, "c": 64, "r": 3, "s": 3, "y": 56, "x": 56, "pad": 1}
    operations = [
        {"name": "a", **conv},
        {"name": "b", "kind": "pool", "input_elements": 200_704, "output_elements": 64},
    ]
    network = load_network({**head, "operations": operations})
    profiles = [Profile("two", 6e-3, (("a", "Conv", 5000.0), ("b", "GlobalAveragePool", 1000.0)))]
    soc, networks = load_soc(dict(SOC)), {"two": network}
    rows = profile_rows(profiles, networks, "test")
    calibration = own_calibration(rows, soc, networks.__getitem__, About("c", "C", "ann", "test", "fp32"))
    conv_entry, pool_entry = operator_report(profiles, networks, soc, calibration)
    assert (conv_entry["kind"], pool_entry["kind"]) == ("conv", "pool")
    assert conv_entry["share"] == pytest.approx(5 / 6)
    macs = network.operations[0].macs
    assert conv_entry["of_peak"] == pytest.approx(2 * macs / 5e-3 / PEAK) and pool_entry["of_peak"] is None
    assert conv_entry["off"] == pytest.approx(abs(conv_entry["estimated_over_measured"] - 1))

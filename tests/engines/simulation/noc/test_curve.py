"""Curves over the load."""

import pytest

from engines.simulation.noc.curve import knee, latency_curve, saturation_throughput
from engines.simulation.noc.networks import crossbar
from engines.simulation.noc.simulation import Sampling
from engines.simulation.noc.traffic import uniform

SHORT = Sampling(period_cycles=500, packets=10)


def test_a_curve_is_the_same_with_any_number_of_threads() -> None:
    traffic = uniform(8, 1.0)
    curves = [latency_curve(crossbar(8), traffic, [0.1, 0.5, 0.9], sampling=SHORT, threads=count) for count in (1, 3)]
    assert [one.mean_latency_cycles for one in curves[0]] == [one.mean_latency_cycles for one in curves[1]]
    assert [one.saturated for one in curves[0]] == [False, False, True]


def test_the_knee_lies_between_two_points() -> None:
    network, traffic = crossbar(8), uniform(8, 1.0)
    outcomes = latency_curve(network, traffic, [0.2, 0.4, 0.6, 0.65], sampling=Sampling(period_cycles=1000))
    found = knee(network, traffic, outcomes)
    assert found is not None
    assert 0.4 <= found <= 0.65
    assert knee(network, traffic, outcomes[:1]) is None


def test_a_crossbar_with_one_terminal_takes_four_flits_in_five_cycles_of_each_channel() -> None:
    # Nothing to share; with four channels the pauses of one are filled by the others.
    assert saturation_throughput(crossbar(1), uniform(1, 0.5)) == pytest.approx(1.0, rel=0.01)


def test_no_traffic_does_not_saturate() -> None:
    with pytest.raises(ValueError, match=r"a rate above 0\. Got no traffic"):
        saturation_throughput(crossbar(2), uniform(2, 0.0))

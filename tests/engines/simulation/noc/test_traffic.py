"""Patterns of traffic."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engines.simulation.noc.traffic import chained, neighbour, traced, uniform


def test_every_terminal_offers_its_rate() -> None:
    np.testing.assert_allclose(uniform(5, 0.3).injection_rate, 0.3)
    np.testing.assert_allclose(neighbour(5, 0.3).injection_rate, 0.3)
    np.testing.assert_allclose(chained([[0, 1, 2]], 4, 0.3).injection_rate, [0.3, 0.3, 0, 0])


def test_scaling_multiplies_the_rates() -> None:
    np.testing.assert_allclose(uniform(4, 0.1).scaled(3).injection_rate, 0.3)


def test_a_trace_tells_its_mean_rates() -> None:
    trace = traced([(9, 0, 1, 4), (0, 0, 1, 6)], 2)
    assert trace.rate_flits[0, 1] == 1.0
    assert trace.trace is not None
    assert trace.trace[0].tolist() == [0, 0, 1, 6]
    with pytest.raises(ValueError, match="own times"):
        trace.scaled(2)


def test_chains_with_loops_are_refused() -> None:
    with pytest.raises(ValueError, match="must not have loops"):
        chained([[0, 1, 0]], 4, 0.1)


def test_terminals_that_are_not_there_are_refused() -> None:
    with pytest.raises(ValueError, match="Terminals are 0 to 3"):
        chained([[0, 4]], 4, 0.1)
    with pytest.raises(ValueError, match="terminals 0 to 1"):
        traced([(0, 0, 2, 1)], 2)
    with pytest.raises(ValueError, match="at least one packet"):
        traced([], 2)


def test_bad_rates_are_refused() -> None:
    with pytest.raises(ValueError, match="from 0 on"):
        uniform(4, -0.1)
    with pytest.raises(ValueError, match="packet_flits"):
        uniform(4, 0.1, 0)


@pytest.mark.parametrize("flits", [2.5, 0.5, True, float("nan"), "4"])
def test_packets_have_whole_flits(flits: Any) -> None:
    with pytest.raises(ValueError, match="packet_flits must be a whole number from 1 on"):
        uniform(4, 0.1, flits)
    assert type(uniform(4, 0.1, np.float64(4)).packet_flits) is int  # type: ignore[arg-type]


@pytest.mark.parametrize("packet", [(0.5, 0, 1, 4), (0, 0.2, 1, 4), (0, 0, 1, 2.5), (float("nan"), 0, 1, 4), (0, 1, 4)])
def test_packets_of_a_trace_are_whole_numbers(packet: Any) -> None:
    with pytest.raises(ValueError, match=r"must be four whole numbers: cycle, source, destination, flits\. Got"):
        traced([packet], 2)


@pytest.mark.parametrize("make", [uniform, neighbour, lambda terminals, rate: chained([], terminals, rate)])
@pytest.mark.parametrize("terminals", [0, -1, 2.5])
def test_there_is_a_terminal(make: Any, terminals: Any) -> None:
    with pytest.raises(ValueError, match="terminals must be a whole number from 1 on"):
        make(terminals, 0.5)


def test_a_trace_by_itself_holds_whole_numbers() -> None:
    with pytest.raises(ValueError, match="whole numbers"):
        replace(traced([(0, 0, 1, 4)], 2), trace=np.array([[0.5, 0, 1, 4]]))

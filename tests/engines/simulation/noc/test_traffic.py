"""Patterns of traffic."""

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

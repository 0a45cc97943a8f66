"""Packets simulated at a light load take what the formula says."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.results import Curve, Note
from engines.methods.neksus import network_simulation
from engines.methods.neksus.dataflow import traffic_of
from engines.methods.neksus.instance import instance_of
from engines.methods.neksus.outcome import baselines
from engines.simulation.noc.precompilation import compile_once
from tests.engines.methods.neksus.problems import neksus_problem


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """The first cycle of a checkout compiles the simulation, which is no test's own."""
    compile_once()


@pytest.mark.parametrize("number", [1, 3])
def test_a_light_load_takes_what_the_formula_says(number: int) -> None:
    instance = instance_of(neksus_problem({"applications": "youtube, photo-capture", "simulate_network": True}))
    traffic = traffic_of(instance.system, instance.chains, list(baselines(instance).values())[number])
    curve, note = network_simulation.simulated_network(instance, traffic)
    again, _ = network_simulation.simulated_network(instance, traffic)
    assert isinstance(curve, Curve) and isinstance(again, Curve) and isinstance(note, Note)
    alone, found = (series.y for series in curve.series)
    # A twentieth of the busiest channel's time: some packets wait, and few are measured.
    assert found[0] == pytest.approx(alone[0], rel=0.08)
    assert "Saturation, simulated: between" in note.text
    assert np.isnan(found[-1])
    np.testing.assert_array_equal(found, again.series[1].y)


def test_what_is_too_much_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = instance_of(neksus_problem({"simulate_network": True}))
    traffic = traffic_of(instance.system, instance.chains, next(iter(baselines(instance).values())))
    monkeypatch.setattr(network_simulation, "_MOST_WORK", 1)
    (note,) = network_simulation.simulated_network(instance, traffic)
    assert isinstance(note, Note) and "was not simulated" in note.text

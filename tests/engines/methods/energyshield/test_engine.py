"""The engine: what it finds, explains and refuses."""

from typing import Any

import numpy as np
import pytest

from engines import explore
from engines.contract.engine import Document, Infeasibility
from engines.contract.errors import DecisionError, ProblemError
from engines.contract.results import Note, Table, Trace
from engines.documents.builtin import get_builtin
from engines.methods.energyshield.engine import EnergyShieldEngine
from engines.methods.energyshield.instance import instance_of
from engines.recordings.csv_file import read_csv
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import explain
from tests.engines.methods.energyshield.problems import shield_problem

DESIGN = {
    "sigma": 0.28, "radius_m": 4.0, "margin_m": 0.5, "policy": "uniform", "most_windows": 10, "radio": "wifi-smartphone",
    "load": 0.97,
}  # fmt: skip


def test_a_design_is_driven_and_the_printed_rule_stands_beside_it() -> None:
    problem = shield_problem({"controller": "poor", "road_m": 60.0, "noise_m": 1.5, "spread_m": 5.0})
    results = explain(problem, DESIGN)
    traces = {result.name: result for result in results if isinstance(result, Trace)}
    assert float(traces["drive"].series[0].y.min()) > 0
    assert float(traces["printed"].series[0].y.min()) < 0
    table = next(result for result in results if isinstance(result, Table))
    assert table.table_columns[0].values[0] == "State predicted one window ahead"
    assert table.table_columns[1].values[0] == 0
    assert any("published rule" in result.text for result in results if isinstance(result, Note))


def test_offloading_is_compared_with_every_frame_on_the_device() -> None:
    found = explore("energyshield", inputs={"radio": "wifi-smartphone"}, params={"episodes": 4}).designs
    (alone,) = found.take(np.flatnonzero(found.of_origin("baseline"))).decisions
    assert alone["policy"] == "local"
    energy_j = found.columns["energy_j"]
    assert energy_j[found.of_origin("search")].min() < 0.9 * energy_j[found.of_origin("baseline")].min()
    params = {"episodes": 4, "policies": "eager"}
    assert (
        not explore("energyshield", inputs={"radio": "wifi-smartphone"}, params=params)
        .designs.of_origin("baseline")
        .any()
    )


def test_the_printed_rule_alone_is_infeasible_and_told_why() -> None:
    params = {"rule": "printed", "controller": "poor", "road_m": 60.0, "noise_m": 1.5, "spread_m": 5.0, "episodes": 60}
    problem = shield_problem({**params, "policies": "local"})
    found = [step.infeasible for step in drive(EnergyShieldEngine(), problem, LocalContext(problem))][-1]
    assert isinstance(found, Infeasibility)
    assert found.limit.startswith("least value of the barrier")
    assert found.remedies[0][1] == "params.rule"


@pytest.mark.parametrize(
    ("params", "field", "words"),
    [
        ({"sigmas": "0.26"}, "params.sigmas", "the nearest possible sigma, 0.27"),
        ({"sigmas": "1"}, "params.sigmas", "above 0 and below 1"),
        ({"sigmas": ""}, "params.sigmas", "1 to 50 numbers"),
        ({"radii_m": "2", "obstacle_radius_m": 2.5}, "params.radii_m", "more than the 2.5 m"),
        ({"margins_m": "zero"}, "params.margins_m", "from 0.02 to 20 m"),
        ({"policies": "greedy"}, "params.policies", "one or more of: local, eager, uniform"),
        ({"obstacles": "15, 0; 20, 0"}, "params.obstacles", "at least 12.11 m apart"),
        ({"obstacles": "15 0; here"}, "params.obstacles", "two numbers"),
        ({"obstacles": "x_ft,y_ft\n15,0"}, "params.obstacles", "metres along and across"),
        ({"obstacles": "3, 0"}, "params.obstacles", "An episode begins in a safe state"),
        ({"detector_ms": 25.0}, "params.detector_ms", "within a window of 20 ms"),
        ({"speed_kmh": 60.0}, "params.speed_kmh", "at most 43.2 km/h"),
        ({"loads": "1"}, "params.loads", "below 1"),
    ],
)
def test_what_cannot_be_driven_is_refused_with_what_can(params: dict[str, Any], field: str, words: str) -> None:
    with pytest.raises(ProblemError) as refused:
        instance_of(shield_problem(params))
    assert refused.value.field == field
    assert words in str(refused.value)


def test_negative_bandwidth_is_refused() -> None:
    with pytest.raises(ProblemError, match="bandwidth_mbps"):
        shield_problem({"bandwidth_mbps": -1.0})


def test_obstacles_may_be_given_as_csv() -> None:
    instance = instance_of(shield_problem({"obstacles": "x_m,y_m\n15,0\n40,-1.5\n"}))
    assert instance.layout.points_m == ((15.0, 0.0), (40.0, -1.5))


def test_a_detector_is_priced_on_a_device_at_its_clocks() -> None:
    documents = {
        "hardware": get_builtin("hardware", "jetson-agx-xavier"),
        "workload": get_builtin("workload", "mobilenet-v2"),
    }
    instance = instance_of(shield_problem({"window_ms": 20.0}, documents))
    latencies = [each.latency_s for each in instance.detectors.each]
    assert 1 <= len(latencies) <= 3
    assert max(latencies) <= 0.02
    assert all(each.clocks_mhz for each in instance.detectors.each)
    assert np.all(np.array([each.energy_j for each in instance.detectors.each]) > 0)


def test_a_device_needs_a_network() -> None:
    with pytest.raises(ProblemError) as refused:
        instance_of(shield_problem(documents={"hardware": get_builtin("hardware", "jetson-tx2")}))
    assert refused.value.field == "inputs.workload"


def test_decisions_outside_of_the_problem_are_refused() -> None:
    instance = instance_of(shield_problem())
    assert instance.choice_of(instance.space.decode(DESIGN)).margin_m == 0.5
    for name, value in (("sigma", 0.3), ("policy", "greedy"), ("radio", "lte-smartphone"), ("clocks_mhz", {"gpu": 1})):
        with pytest.raises(DecisionError) as refused:
            instance.space.decode({**DESIGN, name: value})
        assert refused.value.field == f"decision.{name}"


def test_recorded_channels_and_queues_take_the_place_of_the_parameters() -> None:
    traces = {
        "channel_trace": b"time_s,bandwidth_mbps\n0,5\n0.02,10\n0.04,20\n",
        "queue_trace": b"time_s,delay_ms\n0,1\n0.02,3\n",
    }
    given = {name: Document("data", name, 1, read_csv(text, f"{name}.csv").content) for name, text in traces.items()}
    problem = shield_problem({"round_trip_ms": 2.0}, given)
    instance = instance_of(problem)
    drawn = instance.conditions(LocalContext(problem))
    assert set(np.unique(drawn.bits_per_s)) == {5e6, 10e6, 20e6}
    assert np.unique(drawn.delay_s).tolist() == pytest.approx([0.001, 0.003])
    assert instance.world.network_s == (0.002,)
    assert instance.loads == (0.0,)

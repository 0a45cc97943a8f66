"""Runs of the engine, beyond what all engines keep."""

import copy

import numpy as np
import pytest

from engines.contract.engine import Document
from engines.contract.errors import ProblemError
from engines.contract.results import Matrix, Note, Result, Schedule, Table
from engines.documents.builtin import get_builtin
from engines.methods.split_network.engine import SplitNetworkEngine
from engines.methods.split_network.instance import instance_of
from engines.methods.split_network.quantities import QUANTITIES
from engines.recordings.csv_file import read_csv
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import explain
from engines.testing.conformance import check_impossible, designs_of, run_all
from tests.engines.methods.split_network.problems import split_problem, tiny, two_layers


def run(params: dict[str, object], workload: str | None = None) -> tuple[Result, ...]:
    """Results of the last step."""
    problem = split_problem(params, workload)
    return list(drive(SplitNetworkEngine(), problem, LocalContext(problem)))[-1].results


def test_the_map_ends_in_all_at_the_server_and_all_on_the_device() -> None:
    results = run({}, "resnet18")
    matrix = next(each for each in results if isinstance(each, Matrix))
    table = next(each for each in results if isinstance(each, Table))
    proof = next(each for each in results if isinstance(each, Note) and each.role == "proof")
    layers = len(instance_of(split_problem(workload="resnet18")).graph.names)
    assert matrix.values[0, -1] == 0 and matrix.values[0, 0] == layers and (matrix.values[-1] == layers).all()
    assert (np.diff(matrix.values, axis=1) <= 0).all() and (np.diff(matrix.values, axis=0) >= 0).all()
    assert "branches included" in proof.text and "assumed" not in proof.title + proof.text
    assert table.table_columns[0].values[-2:] == ("All on the device", "All at the server")


def test_the_front_is_that_of_all_cuts_and_no_worse_than_either_end() -> None:
    steps = run_all(tiny())
    designs = designs_of(steps)
    front = designs.columns["latency_s"][designs.front(QUANTITIES)]
    ends = designs.columns["latency_s"][designs.of_origin("baseline")]
    assert len(ends) == 2 and front.min() <= ends.min()


def test_limits_name_the_bandwidth_at_which_a_cut_keeps_them() -> None:
    limits = {"latency_limit_s": 0.03, "queue_ms": 2.0, "bandwidth_mbps": 1.0}
    problem = split_problem(limits, "resnet152")
    infeasible = list(drive(SplitNetworkEngine(), problem, LocalContext(problem)))[-1].infeasible
    assert infeasible is not None and infeasible.limit == "latency"
    words, field = infeasible.remedies[0]
    rate = float(words.removeprefix("A cut meets all limits from ").removesuffix(" Mbit/s on."))
    assert field == "params.bandwidth_mbps" and rate > 1
    assert run({**limits, "bandwidth_mbps": rate}, "resnet152")
    again = split_problem({**limits, "bandwidth_mbps": 0.98 * rate}, "resnet152")
    assert list(drive(SplitNetworkEngine(), again, LocalContext(again)))[-1].infeasible is not None


@pytest.mark.parametrize(
    ("params", "field"), [({"queue_ms": 50.0}, "params.queue_ms"), ({"server_speedup": 1.0}, "params.server_speedup")]
)
def test_where_no_bandwidth_is_enough_something_else_is_named(params: dict[str, object], field: str) -> None:
    problem = split_problem({"latency_limit_s": 0.03, **params}, "resnet152")
    infeasible = list(drive(SplitNetworkEngine(), problem, LocalContext(problem)))[-1].infeasible
    assert infeasible is not None and infeasible.remedies[0][1] == field


def test_what_is_impossible_says_the_nearest() -> None:
    found = check_impossible(tiny())
    assert found.unit == "s" and any(field == "params.latency_limit_s" for _, field in found.remedies)


@pytest.mark.parametrize("rate", [-1.0, 0.0])
def test_a_bandwidth_is_above_zero(rate: float) -> None:
    with pytest.raises(ProblemError, match="bandwidth_mbps"):
        split_problem({"bandwidth_mbps": rate})


def radio(**changes: object) -> Document:
    """The Wi-Fi radio with changed sections."""
    content = {**copy.deepcopy(dict(get_builtin("hardware", "wifi-smartphone").content)), **changes}
    content["sources"] = {key: text for key, text in content["sources"].items() if key.split(".")[0] in content}
    return Document("hardware", "own", 1, {key: value for key, value in content.items() if value is not None})


def test_radios_without_an_uplink_or_a_bandwidth_are_told() -> None:
    deaf = radio(transfer_power={"base_mw": 100, "downlink_mw_per_mbps": 50})
    with pytest.raises(ProblemError, match="uplink_mw_per_mbps"):
        instance_of(split_problem(radio=deaf))
    quiet = radio(typical_throughput={"downlink_mbps": 50})
    with pytest.raises(ProblemError, match="bandwidth_mbps"):
        instance_of(split_problem(radio=quiet))
    assert instance_of(split_problem({"bandwidth_mbps": 2.0}, radio=quiet)).bandwidth_bits_per_s == 2e6


def test_a_list_is_told_as_an_assumed_chain_and_proven_for_that_alone() -> None:
    for workload, told in ((two_layers(), True), ("vgg11", False), ("googlenet", False)):
        problem = split_problem(workload=workload)
        steps = list(drive(SplitNetworkEngine(), problem, LocalContext(problem)))
        assert any(result.name == "chain" for result in steps[0].results) is told
        proof = next(each for each in steps[-1].results if isinstance(each, Note) and each.role == "proof")
        assert ("assumed chain" in proof.title and "not for the network itself" in proof.text) is told


def test_all_on_the_device_is_drawn_without_radio_and_server() -> None:
    results = explain(split_problem({"energy_limit_j": 1e-6}), {"last_on_device": ["exit"]})
    schedule = next(each for each in results if isinstance(each, Schedule))
    assert schedule.bar_lane.tolist() == [0]
    assert any(isinstance(each, Note) and each.name == "limits" for each in results)


def test_a_server_of_the_catalogue_is_priced_like_a_device() -> None:
    plain, own = instance_of(split_problem()), instance_of(split_problem(server="x86-server"))
    np.testing.assert_allclose(plain.costs.server_s, plain.costs.latency_s / 10)
    assert (own.costs.server_s > 0).all() and not np.allclose(own.costs.server_s, plain.costs.server_s)
    assert "x86 server" in own.server and "10 times" in plain.server


def test_a_recorded_channel_takes_the_place_of_the_parameters() -> None:
    trace = read_csv(b"time_s,bandwidth_mbps\n0,4\n0.1,12\n", "drive.csv").content
    instance = instance_of(split_problem(channel_trace=Document("data", "drive", 1, trace)))
    assert instance.channel.mean_s_per_bit == pytest.approx((1 / 4e6 + 1 / 12e6) / 2)
    assert instance.bandwidth_bits_per_s == pytest.approx(6e6)
    assert instance.channel_of(3e6).mean_s_per_bit == pytest.approx(1 / 3e6)

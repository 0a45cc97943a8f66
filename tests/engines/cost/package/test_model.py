"""Sections 4.3.5 and 4.3.6 of odema-2024, worked by hand on a package with round numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.cost.package.model import PackageModel, memory_node, pipeline_latency_s, split_batch, xy_route
from tests.engines.chiplets.cases import package


@pytest.fixture
def network() -> PackageModel:
    return PackageModel(package())


def test_a_transfer_on_the_same_chiplet_is_free(network: PackageModel) -> None:
    assert network.package_latency_s(100.0, 0) == 0
    assert network.package_energy_j(100.0, 0) == 0


def test_a_transfer_in_the_package_by_hand(network: PackageModel) -> None:
    # 100 B at 10 B/s plus 2 hops of 1 s; 800 bits x 1 J x 2 hops.
    assert network.package_latency_s(100.0, 2) == 12
    assert network.package_energy_j(100.0, 2) == pytest.approx(1600)


def test_an_off_chip_transfer_by_hand(network: PackageModel) -> None:
    # 100 B at 5 B/s, 1 hop of 1 s, 2 s of memory latency; 800 bits x 3 J.
    assert network.off_chip_latency_s(100.0, 1) == 23
    assert network.off_chip_latency_s(0.0, 1) == 0
    assert network.memory_energy_j(100.0) == pytest.approx(2400)


def test_interface_chiplets_have_no_hops_to_memory(network: PackageModel) -> None:
    assert network.memory_hops.tolist() == [0, 1, 0, 0, 1, 0]
    assert network.interface.tolist() == [0, 0, 2, 3, 3, 5]


def test_links_and_routes(network: PackageModel) -> None:
    assert [network.links[i] for i in network.route_links(0, 5)] == [("C0", "C1"), ("C1", "C2"), ("C2", "C5")]
    assert [network.links[i] for i in network.read_links[4]] == [("DRAM left 1", "C3"), ("C3", "C4")]
    assert [network.links[i] for i in network.write_links[2]] == [("C2", "DRAM right 0")]


def test_memory_is_named_by_side() -> None:
    top = package(sides=("top",))
    assert [memory_node(top, c) for c in (0, 1, 2)] == ["DRAM top 0", "DRAM top 1", "DRAM top 2"]


@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_xy_routes_are_shortest_and_turn_once(rows: int, columns: int, data: st.DataObject) -> None:
    mesh = package(rows, columns)
    chiplets = st.integers(0, rows * columns - 1)
    source, target = data.draw(chiplets), data.draw(chiplets)
    route = xy_route(mesh, source, target)
    assert route[0] == source and route[-1] == target
    assert len(route) == mesh.hops(source, target) + 1
    assert len(set(route)) == len(route)
    rows_of = [mesh.chiplets[c].row for c in route]
    columns_of = [mesh.chiplets[c].column for c in route]
    turned = next((i for i, row in enumerate(rows_of) if row != rows_of[0]), len(route))
    assert len(set(columns_of[max(turned - 1, 0) :])) <= 1, "once the row changes the column stays"


def test_mini_batches() -> None:
    assert (split_batch(8, 2, "fill_drain").samples, split_batch(8, 2, "fill_drain").rounds) == (2, 4)
    assert split_batch(7, 2, "fill_drain").rounds == 4  # the last one is smaller
    assert split_batch(3, 5, "fill_drain").samples == 3
    assert split_batch(8, 2, "end_to_end").samples == 8


def test_the_three_readings_by_hand() -> None:
    first, steady = np.array([[5.0, 3.0, 4.0]]), np.array([[2.0, 3.0, 1.0]])
    assert pipeline_latency_s(first, steady, 1, "end_to_end") == 12
    assert pipeline_latency_s(first, steady, 1, "pipelined_maximum") == 5
    assert pipeline_latency_s(first, steady, 4, "fill_drain") == 12 + 3 * 3
    assert pipeline_latency_s(first, first, 4, "fill_drain") == 12 + 3 * 5


@given(st.lists(st.floats(0.1, 10), min_size=1, max_size=6), st.integers(1, 9))
def test_readings_are_ordered(segments: list[float], rounds: int) -> None:
    times = np.array([segments])
    slowest = pipeline_latency_s(times, times, 1, "pipelined_maximum")
    assert slowest <= pipeline_latency_s(times, times, 1, "end_to_end")
    assert rounds * slowest <= pipeline_latency_s(times, times, rounds, "fill_drain") * (1 + 1e-12)


def test_maestros_off_chip_rule_leaves_hops_and_the_memory_latency() -> None:
    printed, maestro = PackageModel(package()), PackageModel(package(), "maestro")
    size = 6400.0
    streaming = size / package().memory.bandwidth_bytes_per_s
    assert float(printed.off_chip_streaming_s(size)) == streaming
    for hops in (0, 2):
        difference = printed.off_chip_latency_s(size, hops) - maestro.off_chip_latency_s(size, hops)
        assert difference == pytest.approx(streaming)
    assert maestro.off_chip_latency_s(0.0, 1) == 0
    assert maestro.package_latency_s(size, 1) == printed.package_latency_s(size, 1)
    assert maestro.memory_energy_j(size) == printed.memory_energy_j(size)

"""Costs of cuts by hand, and the best cut against all."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from engines.contract.errors import DecisionError
from engines.methods.split_network.instance import LayerMemory, SplitInstance, instance_of
from engines.methods.split_network.quantities import ENERGY, MEMORY
from engines.methods.split_network.scoring import (
    CutCosts,
    best_cuts,
    columns_of,
    decode,
    encode,
    every,
    priced,
)
from engines.running.context import LocalContext
from tests.engines.methods.split_network.problems import split_problem, two_layers

SPEEDUP, DELAY_S, RATE = 10.0, 0.01, 20e6


def by_hand(
    instance: SplitInstance, inside: tuple[bool, ...], rate: float, delay_s: float
) -> tuple[float, float, float]:
    """Latency, energy and bytes of the branched network in 32-bit words, an image of 8 bits, without a bottleneck."""
    places = 28 * 28
    results = [(16, (1, 3)), (8, (2,)), (32, (4,)), (32, (4,)), (32, (5,))]
    size = sum(
        4 * places * k
        for (k, readers), own in zip(results, inside, strict=False)
        if own and not all(inside[r] for r in readers)
    )
    size += 0 if inside[0] else 3 * places
    latency = sum(s if own else s / SPEEDUP for s, own in zip(instance.costs.latency_s, inside, strict=True))
    energy = sum(j for j, own in zip(instance.costs.energy_j, inside, strict=True) if own)
    if all(inside):
        return float(latency), float(energy), 0.0
    radio = instance.radio.transfer_energy_j(8.0 * size, rate)
    return float(latency + 8 * size / rate + delay_s), float(energy + radio), float(size)


def closed(inside: tuple[bool, ...]) -> bool:
    """Return whether a cut of the branched network is closed."""
    parents = [(), (0,), (1,), (0,), (2, 3), (4,)]
    return all(not own or all(inside[each] for each in parents[layer]) for layer, own in enumerate(inside))


def test_every_cut_of_the_branched_network_costs_what_it_does_by_hand() -> None:
    problem = split_problem({"bandwidth_mbps": RATE / 1e6, "queue_ms": 1e3 * DELAY_S})
    instance = instance_of(problem)
    cuts = priced(instance, every(instance))
    columns = columns_of(instance, cuts, LocalContext(problem))
    wanted = {inside for inside in product((False, True), repeat=6) if closed(inside)}
    assert {tuple(row) for row in cuts.inside.tolist()} == wanted and len(cuts.bits) == len(wanted) == 9
    for row, inside in enumerate(cuts.inside.tolist()):
        found = [float(columns[name][row]) for name in ("latency_s", "energy_j", "uploaded_bytes")]
        assert found == pytest.approx(by_hand(instance, tuple(inside), RATE, DELAY_S), rel=1e-12)
        assert columns["latency_95_s"][row] == pytest.approx(found[0], rel=1e-12)


def test_two_layers_by_hand() -> None:
    instance = instance_of(split_problem({"bandwidth_mbps": 8.0, "queue_ms": 5.0, "int8": True}, two_layers()))
    cuts = priced(instance, every(instance))
    first, second = instance.costs.latency_s.tolist()
    # The image has 3 x 784 bytes, the first result 2 x 784; a byte takes 1 us.
    wanted = [2352e-6 + 0.005 + (first + second) / 10, first + 1568e-6 + 0.005 + second / 10, first + second]
    assert cuts.latency_s(1 / 8e6, 0.005).tolist() == pytest.approx(wanted, rel=1e-12)
    energy = [0.0, instance.costs.energy_j[0], instance.costs.energy_j.sum()]
    radio = [instance.radio.transfer_energy_j(8.0 * size, 8e6) if size else 0.0 for size in (2352, 1568, 0)]
    found = cuts.energy_j(1 / 8e6, instance.radio.base_power_w, instance.joules_per_bit)
    assert found.tolist() == pytest.approx([a + b for a, b in zip(energy, radio, strict=True)], rel=1e-12)


@pytest.mark.parametrize("limit_j", [None, 0.01, 1e-5])
def test_the_best_cut_is_that_of_brute_force(limit_j: float | None) -> None:
    instance = instance_of(split_problem({"energy_limit_j": limit_j}))
    cuts = priced(instance, every(instance))
    rates, delays = np.geomspace(1e4, 1e10, 25), np.linspace(0, 0.01, 7)
    number, best = best_cuts(instance, cuts, 1 / rates, delays)
    chosen = set()
    for q, delay_s in enumerate(delays.tolist()):
        for b, rate in enumerate(rates.tolist()):
            costs = [
                by_hand(instance, inside, rate, delay_s)
                for inside in product((False, True), repeat=6)
                if closed(inside)
            ]
            kept = [latency for latency, energy, _ in costs if limit_j is None or energy <= limit_j]
            assert best[q, b] == pytest.approx(min(kept, default=np.inf), rel=1e-12)
            assert (number[q, b] == -1) == (not kept)
            chosen.add(int(number[q, b]))
    assert len(chosen) > 1 or (limit_j == 1e-5 and chosen == {-1})


def test_a_bottleneck_sends_a_share_and_costs_its_convolutions() -> None:
    instance = instance_of(split_problem({"compression": 4.0}))
    cuts = priced(instance, every(instance))
    costs, graph = instance.costs, instance.graph
    stem = [tensor.title for tensor in graph.tensors].index("stem")
    assert costs.bits[1, stem] * 4 == costs.bits[0, stem] == 32 * 16 * 784
    assert costs.bits[1, 0] == costs.bits[0, 0] and not costs.coding_s[1, 0] and not costs.coding_s[0].any()
    assert (
        (costs.coding_s[1, 1:] > 0).all() and (costs.decoding_s[1, 1:] > 0).all() and (costs.coding_j[1, 1:] > 0).all()
    )
    # Neither all nothing nor all on the device sends a result; each other cut is there twice.
    assert len(cuts.bits) == 9 + 7 and cuts.bottleneck.sum() == 7
    row = next(r for r in np.flatnonzero(cuts.bottleneck) if cuts.inside[r].sum() == 1)
    assert cuts.device_s[row] == pytest.approx(costs.latency_s[0] + costs.coding_s[1, stem], rel=1e-12)
    assert cuts.device_j[row] == pytest.approx(costs.energy_j[0] + costs.coding_j[1, stem], rel=1e-12)
    assert cuts.server_s[row] == pytest.approx(costs.server_s[1:].sum() + costs.decoding_s[1, stem], rel=1e-12)
    assert cuts.bits[row] == costs.bits[1, stem]
    plain = next(r for r in np.flatnonzero(~cuts.bottleneck) if cuts.inside[r].sum() == 1)
    assert (cuts.device_s[plain], cuts.bits[plain]) == (costs.latency_s[0], costs.bits[0, stem])
    assert sum(cut.bottleneck for cut in every(instance_of(split_problem({"compression": 2.0})))) == 7


def test_of_a_channel_that_varies_means_and_tails_are_those_of_drawn_windows() -> None:
    params = {"channel": "rayleigh", "queue": "geometric", "bandwidth_mbps": 8.0, "load": 0.9}
    problem = split_problem(params, seed=5)
    instance, context = instance_of(problem), LocalContext(problem)
    cuts = priced(instance, every(instance))
    columns = columns_of(instance, cuts, context)
    random = np.random.default_rng(0)
    rates, waits = instance.channel.bits_per_s(random, (400_000,)), instance.queue.delay_s(random, (400_000,))
    row = 1
    rate, wait = (context.random(name) for name in ("channel", "queue"))
    windows = cuts.bits[row] / instance.channel.bits_per_s(rate, (2000,)) + instance.queue.delay_s(wait, (2000,))
    reached = np.sort(cuts.device_s[row] + windows + cuts.server_s[row])[1899]  # 1900 of 2000 are no longer
    assert columns["latency_95_s"][row] == pytest.approx(reached, rel=1e-12)
    drawn = cuts.device_s[row] + cuts.bits[row] / rates + waits + cuts.server_s[row]
    assert columns["latency_s"][row] == pytest.approx(drawn.mean(), rel=0.03)
    assert (drawn <= columns["latency_95_s"][row]).mean() == pytest.approx(0.95, abs=0.015)
    last = len(cuts.bits) - 1
    assert columns["latency_95_s"][last] == columns["latency_s"][last] == cuts.device_s[last]


def test_decisions_are_read_back_and_wrong_ones_are_told() -> None:
    instance = instance_of(split_problem())
    for last, layers in ((["left.2"], 3), ([], 0)):
        cut = decode(instance, {"last_on_device": last})
        assert cut.inside.sum() == layers
        assert encode(instance, cut) == {"last_on_device": last, "bottleneck": False}
    for wrong in ({}, {"last_on_device": "stem"}, {"last_on_device": ["conv9"]}):
        with pytest.raises(DecisionError, match="last_on_device"):
            decode(instance, wrong)
    with pytest.raises(DecisionError, match="bottleneck"):
        decode(instance, {"last_on_device": ["stem"], "bottleneck": True})


def test_memory_and_energy_that_are_just_kept_by_hand() -> None:
    # Two layers: all at the server, the first or both on the device.
    inside = np.array([[False, False], [True, False], [True, True]])
    cuts = CutCosts(
        inside, np.zeros(3, bool), np.zeros((3, 2), bool), device_s=np.array([0.0, 2.0, 3.0]),
        device_j=np.array([0.0, 4.0, 8.0]), server_s=np.array([6.0, 2.0, 0.0]), bits=np.zeros(3),
    )  # fmt: skip
    memory = LayerMemory(np.array([1e6, 3e6]), np.array([5e6, 2e6]), ())
    one = replace(instance_of(split_problem(workload=two_layers())), memory=memory)
    assert one.memory.needed_bytes(inside).tolist() == [0.0, 6e6, 9e6]
    at_once = np.zeros(1)
    for allowed, number, seconds in (
        ({}, 2, 3.0), ({MEMORY: 9.0}, 2, 3.0), ({MEMORY: 8.9}, 1, 4.0), ({MEMORY: 5.9}, 0, 6.0),
        ({ENERGY: 8.0}, 2, 3.0), ({ENERGY: 7.9}, 1, 4.0), ({ENERGY: 3.9}, 0, 6.0),
    ):  # fmt: skip
        found, best_s = best_cuts(replace(one, allowed=allowed), cuts, at_once, at_once)
        assert (found.item(), best_s.item()) == (number, seconds)
    # Of equal ones the one that needs no server.
    equal = replace(cuts, server_s=np.array([3.0, 2.0, 0.0]))
    assert best_cuts(one, equal, at_once, at_once)[0].item() == 2

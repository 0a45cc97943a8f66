"""Chains of layers on chains of units, against trying every cut."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chiplets.solver.chain_costs import ChainCosts, UnitChains, chains_of, ideal_points, remainders
from engines.chiplets.solver.chain_mapping import Target, greedy_mappings, map_chains


def costs_of(seed: int, layers: int, kinds: int = 2) -> ChainCosts:
    random = np.random.default_rng(seed)
    empty = np.arange(layers + 1)[:, None] >= np.arange(layers + 1)[None, :]
    full = [np.where(empty, np.inf, random.integers(1, 12, (kinds, layers + 1, layers + 1))) for _ in range(3)]
    start = [np.where(empty[0], np.inf, random.integers(1, 12, (kinds, layers + 1))) for _ in range(3)]
    return ChainCosts(*full, *start)


def every_mapping(costs: ChainCosts, row: tuple[int, ...]) -> list[tuple[tuple[int, ...], float, float]]:
    found = []
    for inner in combinations(range(1, costs.layers), len(row) - 1):
        cuts = (*inner, costs.layers)
        added = [costs.start_added_s[row[0], cuts[0]]]
        peak = [costs.start_peak_s[row[0], cuts[0]]]
        energy = [costs.start_energy_j[row[0], cuts[0]]]
        for kind, (a, b) in zip(row[1:], pairwise(cuts), strict=True):
            added.append(costs.added_s[kind, a, b])
            peak.append(costs.peak_s[kind, a, b])
            energy.append(costs.energy_j[kind, a, b])
        found.append((cuts, float(sum(added) + max(peak)), float(sum(energy))))
    return found


def edp(latency: np.ndarray, energy: np.ndarray) -> np.ndarray:
    return latency * energy


def target_of(chains: UnitChains, ceiling: float = np.inf, floor: float = 0.0, offset: float = 0.0) -> Target:
    count = len(chains.start)
    return Target(edp, ceiling, np.full(count, floor), np.full(count, offset))


ROWS = st.lists(st.lists(st.integers(0, 1), min_size=1, max_size=4).map(tuple), min_size=1, max_size=4, unique=True)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 7), ROWS)
def test_every_chain_gets_its_whole_front(seed: int, layers: int, rows: list[tuple[int, ...]]) -> None:
    costs, chains = costs_of(seed, layers), chains_of(rows)
    found = map_chains(costs, chains, remainders(costs, chains), target_of(chains), np.arange(len(rows)))
    assert found is not None
    for number, row in enumerate(rows):
        points = {(latency, energy) for _, latency, energy in every_mapping(costs, row)}
        front = {p for p in points if not any(o != p and o[0] <= p[0] and o[1] <= p[1] for o in points)}
        mine = np.flatnonzero(found.chain == number)
        assert {(found.latency_s[i], found.energy_j[i]) for i in mine} == front
        by_cuts = {cuts: (latency, energy) for cuts, latency, energy in every_mapping(costs, row)}
        assert all(by_cuts[found.cuts(i)] == (found.latency_s[i], found.energy_j[i]) for i in mine)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 7), st.floats(0, 40), st.floats(0, 40))
def test_a_reachable_ceiling_keeps_the_optimum(seed: int, layers: int, floor: float, offset: float) -> None:
    rows = [(0, 1), (1,), (1, 0, 1)][: min(3, layers)]
    costs, chains = costs_of(seed, layers), chains_of(rows)
    every = [m for row in rows for m in every_mapping(costs, row)]
    best = min(max(latency, floor) * (energy + offset) for _, latency, energy in every)
    target = target_of(chains, best, floor, offset)
    found = map_chains(costs, chains, remainders(costs, chains), target, np.arange(len(rows)))
    assert (np.maximum(found.latency_s, floor) * (found.energy_j + offset)).min() == pytest.approx(best, rel=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 7), ROWS)
def test_ideal_points_bound_and_mappings_at_hand_are_real(seed: int, layers: int, rows: list[tuple[int, ...]]) -> None:
    costs, chains = costs_of(seed, layers), chains_of(rows)
    left = remainders(costs, chains)
    ideal_s, ideal_j = ideal_points(costs, chains, left)
    for number, row in enumerate(rows):
        every = every_mapping(costs, row)
        assert all(latency >= ideal_s[number] and energy >= ideal_j[number] for _, latency, energy in every)
        assert (ideal_j[number] == np.inf) == (not every)
    at_hand = greedy_mappings(costs, chains, left)
    for number, cuts, latency, energy in zip(
        at_hand.chain, map(at_hand.cuts, range(len(at_hand.chain))), at_hand.latency_s, at_hand.energy_j, strict=True
    ):
        assert (cuts, latency, energy) in every_mapping(costs, rows[number])


def test_a_beam_makes_fewer_labels_and_finds_mappings() -> None:
    costs, chains = costs_of(5, 14), chains_of([(0, 1, 0, 1), (1, 1, 0)])
    left, chosen = remainders(costs, chains), np.arange(2)
    everything = map_chains(costs, chains, left, target_of(chains), chosen)
    beam = map_chains(costs, chains, left, target_of(chains), chosen, labels_per_position=1)
    assert 0 < beam.expanded < everything.expanded
    assert set(beam.chain) == {0, 1}

"""Chains of layers on chains of units, against trying every cut."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chiplets.solver.chain_costs import chains_of, ideal_points, remainders
from engines.chiplets.solver.chain_mapping import greedy_mappings, map_chains
from tests.engines.chiplets.solver.cases import ROWS, costs_of, every_mapping, target_of


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

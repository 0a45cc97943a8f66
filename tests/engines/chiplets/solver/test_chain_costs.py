from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chiplets.solver.chain_costs import chains_of, remainders
from engines.chiplets.solver.chain_mapping import map_chains
from tests.engines.chiplets.solver.cases import ROWS, costs_of, every_mapping, target_of


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

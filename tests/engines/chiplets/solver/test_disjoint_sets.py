from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chiplets.solver.disjoint_sets import LeastElsewhere, Options, choose_disjoint

OPTION = st.tuples(st.integers(1, 31), st.integers(1, 9), st.integers(1, 9))
PARTIES = st.lists(st.lists(OPTION, min_size=1, max_size=8), min_size=1, max_size=3)


def edp(latency: np.ndarray, energy: np.ndarray) -> np.ndarray:
    return latency * energy


def options(entries: list[tuple[int, int, int]]) -> Options:
    mask, latency, energy = (np.array([e[i] for e in entries]) for i in range(3))
    return Options(mask.astype(np.int64), latency.astype(float), energy.astype(float))


def brute_force(parties: list[list[tuple[int, int, int]]]) -> float:
    best = np.inf
    for chosen in product(*parties):
        if sum(c[0] for c in chosen) == np.bitwise_or.reduce([c[0] for c in chosen]):
            best = min(best, max(c[1] for c in chosen) * sum(c[2] for c in chosen))
    return best


@pytest.mark.parametrize("units", [5, 40])  # with and without tables over all sets
@settings(max_examples=80)
@given(parties=PARTIES)
def test_the_best_choice_equals_brute_force(units: int, parties: list[list[tuple[int, int, int]]]) -> None:
    found = choose_disjoint([options(p) for p in parties], units, edp)
    assert found.complete
    assert edp(found.latency_s, found.energy_j).min(initial=np.inf) == brute_force(parties)
    for row, latency, energy in zip(found.picks.tolist(), found.latency_s, found.energy_j, strict=True):
        chosen = [p[i] for p, i in zip(parties, row, strict=True)]
        assert (max(c[1] for c in chosen), sum(c[2] for c in chosen)) == (latency, energy)


@settings(max_examples=60)
@given(PARTIES)
def test_a_ceiling_at_the_optimum_keeps_the_optimum(parties: list[list[tuple[int, int, int]]]) -> None:
    best = brute_force(parties)
    found = choose_disjoint([options(p) for p in parties], 5, edp, ceiling=best)
    assert edp(found.latency_s, found.energy_j).min(initial=np.inf) == best


@given(st.lists(OPTION, min_size=1, max_size=8), st.integers(0, 31))
def test_least_elsewhere_is_over_the_options_that_avoid_the_units(
    entries: list[tuple[int, int, int]], used: int
) -> None:
    least = LeastElsewhere(options(entries), 5)
    free = [e for e in entries if not e[0] & used]
    assert least.latency_s(np.array([used]))[0] == min((e[1] for e in free), default=np.inf)
    assert least.energy_j(np.array([used]))[0] == min((e[2] for e in free), default=np.inf)


def test_too_many_partial_choices_are_cut_and_told() -> None:
    many = [(1 << i, 1 + i, 9 - i) for i in range(5)]
    found = choose_disjoint([options(many), options(many)], 5, edp, most=3)
    assert not found.complete
    assert len(found.picks) == 3


def test_tags_of_many_parties_are_kept_apart() -> None:
    """Twelve tags of six bits each are more than a number of 64 bits holds."""
    tags = np.array([0, 63])
    parties = [Options(np.full(2, 1 << unit), np.ones(2), np.ones(2), tags) for unit in range(12)]
    found = choose_disjoint(parties, 12, edp)
    assert found.complete
    assert len(np.unique(found.picks, axis=0)) == 2**12

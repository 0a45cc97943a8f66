"""The inner search and its equations, by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from engines.mapping.solver.unit_mapping import MappingLimits, UnitCosts, score
from engines.methods.magnas.search.inner_search import InnerSearch, best_single, eq_13, map_architecture

# Three blocks on GPU and DLA at one setting: milliseconds and millijoules.
LATENCY_S = np.array([[1.0, 2.0], [3.0, 4.0], [2.0, 5.0]])[:, :, None] * 1e-3
ENERGY_J = np.array([[10.0, 4.0], [20.0, 9.0], [30.0, 8.0]])[:, :, None] * 1e-3
HANDOVER_S = np.array([[0.1], [0.2]]) * 1e-3
HANDOVER_J = np.array([[0.5], [0.7]]) * 1e-3
COSTS = UnitCosts(LATENCY_S, ENERGY_J, HANDOVER_S, HANDOVER_J)
SEARCH = InnerSearch("exact", 400, 1.0, 1.0, 8, "fixed", 0, MappingLimits(), 1000)
GPU, DLA = 0, 1


def streams() -> np.random.Generator:
    return np.random.default_rng(0)


def test_equations_6_and_7_by_hand() -> None:
    found = score(COSTS, np.array([[GPU, DLA, DLA], [GPU, DLA, GPU]]), np.zeros(2, np.int64))
    # T = 1 + 4 + 5 + one change after block 1 (0.1); 1 + 4 + 2 + changes after blocks 1 and 2 (0.1 + 0.2)
    np.testing.assert_allclose(found.latency_s, [10.1e-3, 7.3e-3])
    # E = 10 + 9 + 8 + 0.5; 10 + 9 + 30 + 0.5 + 0.7
    np.testing.assert_allclose(found.energy_j, [27.5e-3, 50.2e-3])
    assert found.transitions.tolist() == [1, 2]


def test_equation_13_by_hand() -> None:
    # Alone: GPU 6 ms and 60 mJ, DLA 11 ms and 21 mJ: the best are 6 ms and 21 mJ.
    assert best_single(COSTS, 0) == pytest.approx((6e-3, 21e-3))
    found = score(COSTS, np.array([[GPU, DLA, DLA]]), np.zeros(1, np.int64))
    np.testing.assert_allclose(eq_13(found, (6e-3, 21e-3), 1.0, 1.0), [27.5 / 21 * 10.1 / 6])
    np.testing.assert_allclose(eq_13(found, (6e-3, 21e-3), 2.0, 0.5), [(27.5 / 21) ** 2 * (10.1 / 6) ** 0.5])


def everything() -> tuple[np.ndarray, np.ndarray]:
    units = np.array(list(product((GPU, DLA), repeat=3)))
    scores = score(COSTS, units, np.zeros(8, np.int64))
    return units, eq_13(scores, best_single(COSTS, 0), 1.0, 1.0)


def test_the_first_mapping_is_the_best_of_all_by_equation_13() -> None:
    units, products = everything()
    mapped = map_architecture(SEARCH, (COSTS, streams()))
    assert mapped.product[0] == products.min()
    assert mapped.units[0].tolist() == units[products.argmin()].tolist()
    few = map_architecture(replace(SEARCH, kept=3), (COSTS, streams()))
    for own, every in ((few.scores.latency_s, mapped.scores.latency_s), (few.scores.energy_j, mapped.scores.energy_j)):
        assert own.min() == every.min()  # both ends of the front stay


def test_the_published_search_and_single_units_never_beat_the_exact_one() -> None:
    best = map_architecture(SEARCH, (COSTS, streams())).product[0]
    for method in ("nsga2_published", "single_units"):
        assert map_architecture(replace(SEARCH, method=method), (COSTS, streams())).product[0] >= best
    alone = map_architecture(replace(SEARCH, method="single_units"), (COSTS, streams()))
    assert set(alone.scores.transitions.tolist()) == {0}


def test_a_limit_of_equation_8_is_kept_or_single_units_are_returned() -> None:
    kept = map_architecture(replace(SEARCH, limits=MappingLimits(latency_s=8e-3)), (COSTS, streams()))
    assert kept.allowed and kept.scores.latency_s.max() <= 8e-3
    missed = map_architecture(replace(SEARCH, limits=MappingLimits(latency_s=5e-3)), (COSTS, streams()))
    assert not missed.allowed and missed.scores.transitions.max() == 0


def two_settings() -> UnitCosts:
    """At the second setting everything takes 1.5 times as long and half the energy."""
    return UnitCosts(
        np.concatenate([LATENCY_S, 1.5 * LATENCY_S], axis=2),
        np.concatenate([ENERGY_J, 0.5 * ENERGY_J], axis=2),
        np.concatenate([HANDOVER_S, 1.5 * HANDOVER_S], axis=1),
        np.concatenate([HANDOVER_J, 0.5 * HANDOVER_J], axis=1),
    )


def test_clocks_after_the_mapping_are_those_of_least_equation_13() -> None:
    published = map_architecture(replace(SEARCH, clocks="after_mapping"), (two_settings(), streams()))
    assert set(published.setting.tolist()) == {1}  # 1.5 x 0.5 < 1
    fixed = map_architecture(SEARCH, (two_settings(), streams()))
    assert set(fixed.setting.tolist()) == {0}
    together = map_architecture(replace(SEARCH, clocks="joint"), (two_settings(), streams()))
    assert together.product[0] <= published.product[0]


def test_clocks_after_the_mapping_keep_a_limit_where_they_can() -> None:
    search = replace(SEARCH, clocks="after_mapping", limits=MappingLimits(latency_s=7e-3))
    mapped = map_architecture(search, (two_settings(), streams()))
    assert mapped.allowed and mapped.scores.latency_s.max() <= 7e-3

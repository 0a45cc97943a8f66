"""SEG finds the same segmentations as trying all of them."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chiplets.problem.objectives import Goal
from engines.chiplets.windows import segmentation
from engines.chiplets.windows.segmentation import SegmentTables, best_segmentations, candidate_segmentations
from tests.engines.chiplets.cases import tables

READINGS = st.sampled_from(["fill_drain", "pipelined_maximum", "end_to_end"])
GOALS = st.sampled_from([Goal("edp"), Goal("latency"), Goal("energy")])


def value_of(expected: SegmentTables, cuts: tuple[int, ...]) -> float:
    pairs = list(pairwise((0, *cuts)))
    first = [expected.first_s[pair] for pair in pairs]
    steady = [expected.steady_s[pair] for pair in pairs]
    energy = sum(expected.energy_j[pair] for pair in pairs)
    latency = sum(first) + (expected.rounds - 1) * max(steady)
    if expected.reading == "pipelined_maximum":
        latency = max(first)
    return {"edp": latency * energy, "latency": latency, "energy": energy}[expected.goal.name]


def brute_force(expected: SegmentTables, segments: int) -> list[float]:
    length = expected.first_s.shape[0] - 1
    return sorted(value_of(expected, (*cuts, length)) for cuts in combinations(range(1, length), segments - 1))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_it_finds_the_k_best_of_all(data: st.DataObject) -> None:
    length = data.draw(st.integers(1, 9))
    segments = data.draw(st.integers(1, length))
    times = data.draw(st.lists(st.floats(0.1, 20), min_size=length, max_size=length))
    params = {"latency_reading": data.draw(READINGS), "mini_batch": data.draw(st.integers(1, 3))}
    built = tables({"a": [times, times[::-1]]}, params, batch=data.draw(st.integers(1, 6)))
    expected = segmentation._expected_tables(built, built.models[0], (0, length), built.class_share, data.draw(GOALS))
    top_k = data.draw(st.integers(1, 5))
    found = best_segmentations(expected, segments, top_k)
    best = brute_force(expected, segments)[:top_k]
    np.testing.assert_allclose([value_of(expected, cuts) for cuts in found.cuts], best, rtol=1e-9)
    assert not found.truncated


def test_pruning_keeps_the_best_of_long_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    times = np.random.default_rng(3).uniform(1, 5, 26).tolist()
    built = tables({"a": [times, times]}, batch=8)
    expected = segmentation._expected_tables(built, built.models[0], (0, 26), built.class_share, Goal("edp"))
    monkeypatch.setattr(segmentation, "_BEAM", 20)  # the first pass is now far from complete
    found = best_segmentations(expected, 4, 4)
    np.testing.assert_allclose(
        [value_of(expected, cuts) for cuts in found.cuts], brute_force(expected, 4)[:4], rtol=1e-9
    )


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 12), st.integers(1, 6), st.integers(0, 5))
def test_candidates_cut_the_window_into_disjoint_segments_that_cover_it(length: int, nodes: int, first: int) -> None:
    times = [1.0 + (i % 3) for i in range(first + length)]
    built = tables({"a": [times, times]})
    found = candidate_segmentations(built, built.models[0], first, first + length, nodes, Goal("edp"))
    assert len(set(found.cuts)) == len(found.cuts)
    for cuts in found.cuts:
        assert cuts[-1] == first + length
        assert len(cuts) <= min(nodes, length)
        assert all(a < b for a, b in pairwise((first, *cuts)))


def test_balanced_cuts_win_for_one_kind_of_chiplet() -> None:
    built = tables(
        {"a": [[1, 1, 1, 3], [1, 1, 1, 3]]}, {"latency_reading": "pipelined_maximum", "objective": "latency"}
    )
    found = candidate_segmentations(built, built.models[0], 0, 4, 2, Goal("latency"))
    assert (3, 4) in found.cuts

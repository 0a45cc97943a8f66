"""SCHED against trying everything."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chiplets.costs.scoring import MEMORY, placement_costs
from engines.chiplets.problem.decision import ends_of
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.starts import start_chiplets
from engines.chiplets.windows.greedy import search_greedily
from engines.chiplets.windows.paths import simple_paths
from engines.chiplets.windows.provision import expected_effort, share_nodes
from engines.chiplets.windows.reconfig import LayerRange, assign_windows
from engines.chiplets.windows.schedule_search import search_window
from engines.chiplets.windows.segmentation import candidate_segmentations
from engines.search.dominance import non_dominated_by_group
from tests.engines.chiplets.cases import package, tables

SQUARE = ((1, 2), (0, 3), (0, 3), (1, 2))  # a 2 x 2 mesh


def test_paths_of_a_square_by_hand() -> None:
    paths, truncated = simple_paths(SQUARE, (0,), 3, 100)
    assert paths.tolist() == [[0, 1, 3], [0, 2, 3]]
    assert not truncated
    assert simple_paths(SQUARE, (0, 3), 1, 100)[0].tolist() == [[0], [3]]
    assert len(simple_paths(SQUARE, (0,), 5, 100)[0]) == 0


def test_the_path_limit_is_shared_among_roots_and_told() -> None:
    paths, truncated = simple_paths(SQUARE, (0, 1, 2, 3), 3, 4)
    assert truncated
    assert [path[0] for path in paths.tolist()] == [0, 1, 2, 3]


@settings(max_examples=30)
@given(st.integers(1, 3), st.integers(1, 3), st.integers(1, 6), st.data())
def test_paths_are_simple_and_over_links(rows: int, columns: int, length: int, data: st.DataObject) -> None:
    mesh = package(rows, columns)
    near = tuple(mesh.neighbours(c) for c in range(rows * columns))
    roots = tuple(sorted(data.draw(st.sets(st.integers(0, rows * columns - 1), min_size=1))))
    paths, _ = simple_paths(near, roots, length, 10_000)
    rows_found = [tuple(path) for path in paths.tolist()]
    assert len(set(rows_found)) == len(rows_found)
    for path in rows_found:
        assert path[0] in roots
        assert len(set(path)) == length
        assert all(b in near[a] for a, b in pairwise(path))


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 5), st.integers(0, 5)), max_size=30))
def test_non_dominated_by_group_equals_the_definition(entries: list[tuple[int, int, int]]) -> None:
    group = np.array([e[0] for e in entries], dtype=np.int64)
    latency, energy = (np.array([float(e[i]) for e in entries]) for i in (1, 2))
    kept = non_dominated_by_group(group, latency, energy)
    expected = {
        e for e in entries
        if not any(o != e and o[0] == e[0] and o[1] <= e[1] and o[2] <= e[2] for o in entries)
    }  # fmt: skip
    assert sorted(entries[i] for i in kept) == sorted(expected)


def brute_force(built, ranges, location, roots, goal):
    """Every (segmentation, path) of the kept segmentations of every model, joined in every way."""
    nodes = share_nodes(expected_effort(built, ranges, goal), [r.end - r.first for r in ranges], built.chiplets)
    per_model = []
    for layers, most in zip(ranges, nodes, strict=True):
        model = built.models[layers.model]
        scored = []
        for cuts in candidate_segmentations(built, model, layers.first, layers.end, most, goal).cuts:
            paths, _ = simple_paths(built.package_model.neighbours, roots, len(cuts), 10_000)
            if len(paths):
                costs = placement_costs(built, model, layers.first, cuts, paths, location[layers.model])
                values = goal.value(costs.latency_s, costs.energy_j)
                scored.append(
                    (float(values.min()), list(zip(paths.tolist(), costs.latency_s, costs.energy_j, strict=True)))
                )
        scored.sort(key=lambda pair: pair[0])
        per_model.append([entry for _, entries in scored[: built.params.top_k] for entry in entries])
    best = np.inf
    for combination in product(*per_model):
        chiplets = [c for path, _, _ in combination for c in path]
        if len(set(chiplets)) == len(chiplets):
            latency, energy = max(c[1] for c in combination), sum(c[2] for c in combination)
            best = min(best, goal.one(latency, energy))
    return best


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_the_best_of_a_window_equals_brute_force(data: st.DataObject) -> None:
    times = st.lists(st.floats(0.5, 9), min_size=2, max_size=4)
    first, second = data.draw(times), data.draw(times)
    goal = Goal(data.draw(st.sampled_from(["edp", "latency", "energy"])))
    models = {"a": [first, first[::-1]], "b": [second, second[::-1]]}
    built = tables(models, {"top_k": 3, "search": "greedy"}, on=package(2, 2), batch=data.draw(st.integers(1, 3)))
    ranges = [LayerRange(0, 0, len(first)), LayerRange(1, 0, len(second))]
    roots = start_chiplets(built)
    found = search_window(built, ranges, [MEMORY, MEMORY], roots, goal).best
    best = goal.one(found.latency_s, found.energy_j)
    assert best == pytest.approx(brute_force(built, ranges, [MEMORY, MEMORY], roots, goal))


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_chiplets_are_exclusive_and_starts_are_allowed(data: st.DataObject) -> None:
    models = {
        f"m{i}": [[data.draw(st.floats(0.5, 9)) for _ in range(4)]] * 2 for i in range(data.draw(st.integers(1, 4)))
    }
    built = tables(models, {"n_splits": 2, "root_rule": data.draw(st.sampled_from(["published", "free"]))})
    trajectory = search_greedily(built, assign_windows(built, 2), Goal("edp"))
    before = ()
    for options in trajectory.windows:
        roots = start_chiplets(built, ends_of(before))
        for option in (options.best, *options.options):
            chiplets = [c for placement in option.window for c in placement.path]
            assert len(set(chiplets)) == len(chiplets)
            assert all(placement.path[0] in roots for placement in option.window)
        before = options.best.window


def test_the_largest_gives_way_where_no_disjoint_paths_exist() -> None:
    # A row of four, starts at 0 and 1 alone: two chains of two always meet, so that the first model goes down to one.
    chain = {"a": [[9, 9]] * 2, "b": [[9, 9]] * 2}
    built = tables(
        chain, {"top_k": 1, "latency_reading": "pipelined_maximum"}, on=package(1, 4, sides=("left", "right"))
    )
    options = search_window(built, [LayerRange(0, 0, 2), LayerRange(1, 0, 2)], [MEMORY] * 2, (0, 1), Goal("latency"))
    assert options.nodes == (1, 2)
    assert [p.path for p in options.best.window] == [(0,), (1, 2)]


def test_roots_are_interfaces_and_earlier_ends() -> None:
    built = tables({"a": [[5, 5], [5, 5]]})
    assert start_chiplets(built) == (0, 2, 3, 5)
    window = search_window(built, [LayerRange(0, 0, 2)], [MEMORY], (0,), Goal("edp")).best.window
    assert set(start_chiplets(built, ends_of(window))) == {0, 2, 3, 5, window[0].path[-1]}
    free = tables({"a": [[5], [5]]}, {"root_rule": "free"})
    assert start_chiplets(free) == (0, 1, 2, 3, 4, 5)

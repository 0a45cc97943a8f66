"""Models that wait for each other: by hand, against the score without contention, and the search against trying everything."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chiplets.costs.contention import waiting_of
from engines.chiplets.costs.scoring import MEMORY, Scorer
from engines.chiplets.explain import explain_schedule
from engines.chiplets.problem.decision import PackageSchedule, Placement, validate
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.windows.contended_search import with_contention
from engines.chiplets.windows.exact import search_window_exactly
from engines.chiplets.windows.options import DeadEndError
from engines.chiplets.windows.provision import provisioned_nodes
from engines.chiplets.windows.reconfig import Cut, LayerRange
from engines.chiplets.windows.resumable import at_once, finished, paused_never, whole
from engines.chiplets.windows.schedule_search import search_window_in_parts
from engines.contract.results import Schedule
from engines.methods.scar.course.openings import find_openings
from engines.methods.scar.pieces import Pieces
from tests.engines.chiplets.cases import package, tables
from tests.engines.chiplets.joint.test_search import random_schedule_problem
from tests.engines.chiplets.windows.test_exact import NAMES, every_placement, random_window

SHARED = {"contention": "between_models"}
MODELS = {"a": [[3], [6]], "b": [[1], [1]]}
THOROUGH = whole(with_contention(at_once(search_window_exactly), thorough=True))


def two_on_one_interface(**params: str):
    """Chiplets 0 and 1 in a row with memory at the left: both models read and write through chiplet 0."""
    built = tables(MODELS, params, on=package(1, 3, sides=("left",)))
    return built, (Placement(0, 0, (1,), (0,)), Placement(1, 0, (1,), (1,)))


def test_waiting_by_hand() -> None:
    # Each model reads 10 B of input and 10 B of weights and writes 20 B over the memory links (5 B/s): 4 s each way for the
    # other model. Chiplet 1 also uses the link to chiplet 0 (10 B/s), which model a does not.
    built, window = two_on_one_interface(**SHARED)
    first, second = waiting_of(built, window, [MEMORY, MEMORY])
    assert first is not None and second is not None
    for waiting in (first, second):
        assert (waiting.input[0], waiting.weights[0], waiting.output[0]) == pytest.approx((4 / 20, 4 / 20, 4 / 20))
    alone = Scorer(two_on_one_interface()[0]).window(window, [MEMORY, MEMORY])
    shared = Scorer(built).window(window, [MEMORY, MEMORY])
    for without, with_it in zip(alone, shared, strict=True):
        assert with_it.latency_s == pytest.approx(without.latency_s + 10 / 5 + 10 / 5 + 20 / 5)
        assert with_it.energy_j == without.energy_j


def test_a_scorer_that_forgets_scores_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    built, window = two_on_one_interface(**SHARED)
    scorer, kept = Scorer(built), Scorer(built).window(window, [MEMORY, MEMORY])
    for bound in ("_MOST_WINDOWS_KEPT", "_MOST_PLACEMENTS_KEPT"):
        monkeypatch.setattr(f"engines.chiplets.costs.scoring.{bound}", 1)
    for _ in range(2):
        found = scorer.window(window, [MEMORY, MEMORY])
        assert [score.latency_s for score in found] == [score.latency_s for score in kept]
        assert len(scorer._placements) == 1


def test_chiplets_with_interfaces_of_their_own_do_not_wait() -> None:
    built = tables(MODELS, SHARED, on=package(2, 1, sides=("left",)))
    window = (Placement(0, 0, (1,), (0,)), Placement(1, 0, (1,), (1,)))
    for waiting in waiting_of(built, window, [MEMORY, MEMORY]):
        assert waiting is not None
        assert not waiting.input.any() and not waiting.weights.any() and not waiting.output.any()


def test_a_model_does_not_wait_for_itself() -> None:
    built = tables({"a": [[3, 3], [6, 6]]}, SHARED, on=package(1, 3, sides=("left",)))
    assert waiting_of(built, (Placement(0, 0, (1, 2), (0, 1)),), [MEMORY]) == (None,)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_waiting_takes_time_and_no_energy(seed: int) -> None:
    calm, ranges, location, roots = random_window(np.random.default_rng(seed))
    shared, *_ = random_window(np.random.default_rng(seed), **SHARED)
    option = search_window_exactly(calm, ranges, location, roots, Goal("edp")).best
    scores = [Scorer(built).window(option.window, location) for built in (calm, shared)]
    for without, with_it in zip(*scores, strict=True):
        assert with_it.latency_s >= without.latency_s
        assert with_it.energy_j == without.energy_j
        assert all(b >= a for a, b in zip(without.segment_busy_s, with_it.segment_busy_s, strict=True))


def brute_force(built, ranges, location, roots, goal) -> float | None:
    """The least objective of all mappings under contention; None where there are too many to try."""
    nodes = provisioned_nodes(built, ranges, goal)
    offered = [
        [placement for placement, *_ in every_placement(built, r, most, location[r.model], roots)]
        for r, most in zip(ranges, nodes, strict=True)
    ]
    if np.prod([len(each) for each in offered]) > 4_000:
        return None
    scorer, best = Scorer(built), np.inf
    for window in product(*offered):
        if sum(len(p.path) for p in window) == len({c for p in window for c in p.path}):
            scores = scorer.window(window, location)
            best = min(best, goal.one(max(s.latency_s for s in scores), sum(s.energy_j for s in scores)))
    return best


@pytest.mark.parametrize("part", [0, 1, *(pytest.param(part, marks=pytest.mark.long) for part in (2, 3))])
def test_no_mapping_is_below_the_bound_and_what_is_proven_is_best(part: int) -> None:
    tried = met = 0
    for seed in range(60 * part, 60 * (part + 1)):
        built, ranges, location, roots = random_window(np.random.default_rng(seed), **SHARED)
        goal = Goal(NAMES[seed % 3])
        best = brute_force(built, ranges, location, roots, goal) if len(ranges) > 1 else None
        if best is None:
            continue
        problem = (built, ranges, location, roots, goal)
        found = THOROUGH(*problem)
        value = goal.one(found.best.latency_s, found.best.energy_j)
        assert found.proof is not None
        assert found.proof.lower_bound * (1 - 1e-9) <= best <= value * (1 + 1e-9)
        if found.proof.proven:
            assert value == pytest.approx(best, rel=1e-8)
        published = whole(with_contention(search_window_in_parts, thorough=False))(*problem).best
        assert goal.one(published.latency_s, published.energy_j) >= best * (1 - 1e-9)
        tried, met = tried + 1, met + (value <= best * (1 + 1e-8))
    assert tried >= 5
    assert met >= 0.8 * tried  # a heuristic, but one that finds the optimum most of the time


@pytest.mark.parametrize("seed", range(20))
def test_models_that_cannot_keep_apart_leave_a_gap(seed: int) -> None:
    random = np.random.default_rng(seed)
    models = {name: random.uniform(0.5, 9, (2, 3)).tolist() for name in "ab"}
    built = tables(models, {**SHARED, "root_rule": "free"}, on=package(1, 4, sides=("left",)), batch=2)
    ranges, location = [LayerRange(0, 0, 3), LayerRange(1, 0, 3)], [MEMORY, MEMORY]
    roots, goal = tuple(range(4)), Goal("latency" if seed % 2 else "edp")
    found = THOROUGH(built, ranges, location, roots, goal)
    value = goal.one(found.best.latency_s, found.best.energy_j)
    best = brute_force(built, ranges, location, roots, goal)
    assert best is not None and found.proof is not None and not found.proof.proven
    assert found.proof.lower_bound < best * (1 - 1e-6)
    assert value == pytest.approx(best, rel=0.05)


@pytest.mark.parametrize("seed", range(12))
def test_schedules_keep_their_bound(seed: int) -> None:
    built, windows = random_schedule_problem(np.random.default_rng(seed), **SHARED)
    goal, cut = Goal(NAMES[seed % 3]), Cut(1, tuple(map(tuple, windows)))
    try:
        found = finished(find_openings(built, (cut,), goal, paused_never(THOROUGH), lambda: None, Pieces()))
    except DeadEndError:
        return
    validate(found.chosen.best_schedule, built)
    latency, energy, *_ = Scorer(built).score(found.chosen.best_schedule)
    assert goal.one(latency, energy) == pytest.approx(found.chosen.best, rel=1e-12)
    assert found.lower_bound <= found.chosen.best * (1 + 1e-9)
    if len(built.models) == 1:
        assert found.proven  # nobody to wait for


@pytest.mark.parametrize("reading", ["fill_drain", "pipelined_maximum", "end_to_end"])
def test_the_time_line_ends_with_the_score(reading: str) -> None:
    built, window = two_on_one_interface(**SHARED, latency_reading=reading)
    scorer, schedule = Scorer(built), PackageSchedule((window,))
    results = {result.name: result for result in explain_schedule(built, schedule, scorer)}
    line = results["schedule"]
    assert isinstance(line, Schedule)
    assert line.windows[-1].end_s == scorer.score(schedule)[0]
    assert float(line.bar_end_s.max()) == pytest.approx(scorer.score(schedule)[0])

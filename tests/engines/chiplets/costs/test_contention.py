"""Models that wait for each other: by hand, against the score without contention, and the search against trying everything."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chiplets.costs.contention import waiting_of
from engines.chiplets.costs.scoring import MEMORY, Scorer
from engines.chiplets.explain import explain_schedule
from engines.chiplets.problem.decision import PackageSchedule, Placement, validate
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.windows.exact import search_window_exactly
from engines.chiplets.windows.options import DeadEndError
from engines.chiplets.windows.reconfig import Cut
from engines.chiplets.windows.resumable import finished, paused_never
from engines.contract.results import Schedule
from engines.methods.scar.course.openings import find_openings
from engines.methods.scar.pieces import Pieces
from tests.engines.chiplets.cases import package, tables
from tests.engines.chiplets.costs.cases import SHARED, THOROUGH
from tests.engines.chiplets.joint.test_search import random_schedule_problem
from tests.engines.chiplets.windows.cases import NAMES, random_window

MODELS = {"a": [[3], [6]], "b": [[1], [1]]}


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

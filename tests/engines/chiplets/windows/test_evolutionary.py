from __future__ import annotations

import numpy as np
import pytest

from engines.chiplets.costs.scoring import Scorer
from engines.chiplets.problem.decision import PackageSchedule, validate
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.windows.evolutionary import evolutionary_search
from engines.chiplets.windows.exact import search_window_exactly
from engines.chiplets.windows.greedy import search_greedily
from engines.chiplets.windows.reconfig import assign_windows
from engines.chiplets.windows.resumable import whole
from tests.engines.chiplets.cases import package, tables
from tests.engines.chiplets.windows.cases import MODELS
from tests.engines.methods.scar.course.test_stages import batches
from tests.engines.methods.scar.problems import scar_problem


def evolved(seed: int, population: int = 10, generations: int = 4, **params) -> tuple[PackageSchedule, float]:
    built = tables(MODELS, {"n_splits": 1} | params, batch=3)
    search = evolutionary_search(population, generations, np.random.default_rng(seed))
    found = search_greedily(built, assign_windows(built, 1), Goal("edp"), search=whole(search))
    validate(found.schedule, built)
    return found.schedule, Scorer(built).score(found.schedule)[2]


def test_the_same_seed_gives_the_same_schedule() -> None:
    assert evolved(3) == evolved(3)


def test_it_is_never_better_than_the_exact_search_of_one_window() -> None:
    built = tables(MODELS, {"n_splits": 0}, batch=3)
    windows = assign_windows(built, 0)
    exact = search_greedily(built, windows, Goal("edp"), search=search_window_exactly).schedule
    best = Scorer(built).score(exact)[2]
    for seed in range(4):
        assert evolved(seed, n_splits=0)[1] >= best * (1 - 1e-9)
    search = evolutionary_search(40, 20, np.random.default_rng(0))
    long = search_greedily(built, windows, Goal("edp"), search=whole(search)).schedule
    assert Scorer(built).score(long)[2] == pytest.approx(best, rel=0.1)


def test_single_layers_leave_nothing_to_evolve() -> None:
    built = tables({"a": [[2], [1]], "b": [[1], [2]]}, {"n_splits": 0})
    search = evolutionary_search(4, 2, np.random.default_rng(0))
    found = search_greedily(built, assign_windows(built, 0), Goal("edp"), search=whole(search))
    validate(found.schedule, built)


def test_large_packages_get_a_beam_and_a_spread_of_paths() -> None:
    times = [[1.0, 5.0, 2.0] * 3, [3.0, 1.0, 4.0] * 3]
    built = tables({"a": times, "b": times}, {"n_splits": 0}, on=package(6, 6), batch=4)
    windows = assign_windows(built, 0)
    beam = search_greedily(built, windows, Goal("edp"), search=search_window_exactly)
    greedy = search_greedily(built, windows, Goal("edp"))
    validate(beam.schedule, built)
    assert Scorer(built).score(beam.schedule)[2] <= Scorer(built).score(greedy.schedule)[2] * 1.05
    proof = beam.windows[0].proof
    assert proof is not None and proof.lower_bound <= beam.windows[0].best.latency_s * beam.windows[0].best.energy_j


def test_the_engine_offers_it() -> None:
    first = batches(search="evolutionary")[0]
    assert first.message == "Evolutionary schedule by energy-delay product"
    assert first.openings is not None and not first.openings.proven
    assert scar_problem({"search": "evolutionary"}).params.population == 10

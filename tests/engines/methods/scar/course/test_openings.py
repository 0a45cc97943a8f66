"""The number of window boundaries, searched: against each number by itself and against trying everything."""

from __future__ import annotations

import numpy as np
import pytest

from engines.chiplets.costs.scoring import Scorer
from engines.chiplets.params import ScheduleParams
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.windows.exact import search_window_exactly
from engines.chiplets.windows.feasibility import possible_cuts
from engines.chiplets.windows.options import DeadEndError
from engines.chiplets.windows.reconfig import candidate_cuts
from engines.chiplets.windows.resumable import finished, paused_never
from engines.chiplets.windows.schedule_search import search_window
from engines.contract.errors import ProblemError
from engines.contract.results import Note, Table
from engines.methods.scar.course.openings import Openings, find_openings, openings_results, schedule_results
from engines.methods.scar.engine import ScarEngine
from engines.methods.scar.pieces import Pieces
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.prepared_problems import ready_of
from tests.engines.chiplets.cases import package, tables
from tests.engines.chiplets.joint.test_search import NAMES, brute_force
from tests.engines.methods.scar.problems import scar_problem

MODELS = {"a": [[3, 5, 2, 6], [6, 2, 4, 1]], "b": [[1, 4, 4], [3, 2, 2]]}


def opened(built, goal: Goal, search=search_window_exactly) -> Openings:
    return finished(find_openings(built, possible_cuts(built)[0], goal, paused_never(search), lambda: None, Pieces()))


def test_a_given_number_is_one_cut_and_a_range_its_different_ones() -> None:
    assert [cut.n_splits for cut in candidate_cuts(tables(MODELS, {"n_splits": 3}))] == [3]
    ranged = candidate_cuts(tables(MODELS, {"n_splits": 4, "n_splits_search": "range", "n_splits_least": 1}))
    assert ranged[0].n_splits == 1
    assert len({cut.windows for cut in ranged}) == len(ranged) <= 4
    alike = candidate_cuts(tables({"a": [[1], [1]]}, {"n_splits": 8, "n_splits_search": "range"}))
    assert [cut.n_splits for cut in alike] == [0]  # one layer makes one window whatever the boundaries


@pytest.mark.parametrize("seed", range(18))
def test_the_best_of_a_range_is_the_best_of_all_and_proven(seed: int) -> None:
    random = np.random.default_rng(seed)
    models = {f"m{i}": random.uniform(0.5, 9, (2, 3)).tolist() for i in range(int(random.integers(1, 3)))}
    params = {"n_splits": 2, "n_splits_search": "range", "root_rule": str(random.choice(["published", "free"]))}
    built = tables(models, params, on=package(2, 2, sides=("left",)), batch=int(random.integers(1, 4)))
    goal = Goal(NAMES[seed % 3])
    found = opened(built, goal)
    best = {cut.n_splits: brute_force(built, cut.windows, goal) for cut in candidate_cuts(built)}
    assert found.chosen.best == pytest.approx(min(best.values()), rel=1e-8)
    assert found.proven
    assert found.lower_bound == pytest.approx(found.chosen.best, rel=1e-8)
    latency, energy, *_ = Scorer(built).score(found.chosen.best_schedule)
    assert goal.one(latency, energy) == pytest.approx(found.chosen.best, rel=1e-12)
    for opening in found.all:
        assert opening.lower_bound <= best[opening.cut.n_splits] * (1 + 1e-8)
        assert opening.best >= best[opening.cut.n_splits] * (1 - 1e-8)


def test_the_published_search_has_bounds_and_no_proof() -> None:
    built = tables(MODELS, {"n_splits": 3, "n_splits_search": "range", "search": "greedy"}, batch=3)
    found = opened(built, Goal("edp"), search_window)
    assert not found.proven and found.states == 0
    assert found.lower_bound <= found.chosen.best
    assert found.chosen.best == min(opening.best for opening in found.all)


@pytest.mark.parametrize("seed", range(6))
def test_a_number_with_which_no_schedule_was_found_is_not_proven_worse_by_that(seed: int) -> None:
    random = np.random.default_rng(seed)
    models = {f"m{i}": random.uniform(0.5, 9, (2, 3)).tolist() for i in range(2)}
    built = tables(models, {"n_splits": 2, "n_splits_search": "range"}, on=package(2, 2, sides=("left",)))
    goal, whole = Goal("edp"), opened(tables(models, {"n_splits": 2}, on=package(2, 2, sides=("left",))), Goal("edp"))
    lost = whole.chosen.cut.windows[0]

    def stuck(tables, ranges, *rest):
        if tuple(ranges) == lost:
            raise DeadEndError(len(ranges), 0)
        return search_window_exactly(tables, ranges, *rest)

    found = opened(built, goal, stuck)
    best = {cut.n_splits: brute_force(built, cut.windows, goal) for cut in candidate_cuts(built)}
    assert len(found.all) < len(best)
    assert found.lower_bound == pytest.approx(min(best.values()), rel=1e-8)
    assert found.proven == (found.chosen.best <= min(best.values()) * (1 + 1e-8))


def test_the_results_tell_the_numbers_apart() -> None:
    built = tables(MODELS, {"n_splits": 3, "n_splits_search": "range"}, batch=3)
    found = opened(built, Goal("edp"))
    table, note = openings_results(found, Goal("edp"))
    assert isinstance(table, Table) and isinstance(note, Note)
    assert len(table.table_columns[0].values) == len(found.all)
    assert note.text.startswith(
        f"{found.chosen.cut.n_splits} window boundaries were chosen out of 0 to 3. They are proven best."
    )
    assert openings_results(opened(tables(MODELS, {"n_splits": 3}), Goal("edp")), Goal("edp")) == ()


def test_the_proof_of_the_schedule_names_the_range() -> None:
    params = ScheduleParams(n_splits=3, n_splits_search="range")
    found = opened(tables(MODELS, params.model_dump(), batch=3), Goal("edp"))
    table, note = schedule_results(found.chosen.best, found, Goal("edp"), params)
    assert isinstance(table, Table) and isinstance(note, Note)
    assert table.table_columns[3].values == ("yes",)
    assert "window boundaries: any from 0 to 3" in note.text


def test_a_run_over_a_range_is_no_worse_than_with_any_number_in_it() -> None:
    def best(**params) -> float:
        problem = scar_problem({"baselines": False, **params})
        steps = list(drive(ScarEngine(), problem, LocalContext(problem)))
        return steps[-1].metrics["edp_js"]

    ranged = best(n_splits=2, n_splits_search="range")
    assert ranged <= min(best(n_splits=n) for n in range(3)) * (1 + 1e-9)


def test_a_range_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(ProblemError, match="at most 1") as caught:
        ready_of(ScarEngine(), scar_problem({"n_splits_search": "range", "n_splits_least": 2}))
    assert caught.value.field == "params.n_splits_least"
    ready_of(ScarEngine(), scar_problem({"n_splits_least": 2}))  # without effect


def test_numbers_with_too_many_models_in_a_window_are_left_out() -> None:
    times = {"a": [[1] * 9] * 2} | {f"m{i}": [[9], [9]] for i in range(4)}
    built = tables(times, {"n_splits": 4, "n_splits_search": "range"})
    cuts, infeasible = possible_cuts(built)
    assert infeasible is None and 0 not in [cut.n_splits for cut in cuts]

"""What was searched is kept in checkpoints: at most so many searches are done again, and designs stay the same."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from engines.chiplets.joint.best_first import FrontSearch
from engines.chiplets.joint.slope_pass import SlopePass
from engines.chiplets.joint.slope_search import SlopeSearch
from engines.chiplets.windows import evolutionary
from engines.contract.designs import Designs
from engines.contract.engine import Document, Problem, Resume, Step
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.scar import pieces
from engines.methods.scar.course import stages
from engines.methods.scar.engine import ScarEngine
from engines.methods.scar.pieces import Pieces
from engines.running.checkpoints import pack_checkpoint, unpack_checkpoint
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.testing import conformance
from tests.engines.methods.scar.problems import scar_problem, tiny_package, tiny_scenario

ENGINE = ScarEngine()
RANGE = {"n_splits": 2, "n_splits_search": "range"}
OWN = {
    "objective": "expression",
    "objective_expression": "max(latency_s, 2 * energy_j) + sqrt(latency_s * energy_j)",
    "root_rule": "free",
    "node_rule": "free",
}
KINDS: list[Mapping[str, Any]] = [
    {**RANGE},
    {**RANGE, "search": "greedy", "baselines": False},
    {**RANGE, "search": "evolutionary", "population": 4, "generations": 2},
    {"n_splits": 1, "contention": "between_models", "baselines": False},
    {"n_splits": 2, "baselines": False, **OWN},
]


@pytest.fixture(autouse=True)
def every_piece_is_worth_a_checkpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "_SECONDS_BETWEEN_CHECKPOINTS", 0.0)


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the searches in the order in which they were done."""
    done: list[str] = []

    def counted(module: object, name: str) -> None:
        search: Callable[..., Any] = getattr(module, name)

        def count(*arguments: Any) -> Any:
            done.append(name)
            return search(*arguments)

        monkeypatch.setattr(module, name, count)

    counted(stages, "search_window_in_parts")
    counted(stages, "search_window_exactly")
    for search, name in (
        (SlopeSearch, "_next_window"),
        (SlopeSearch, "_relaxed_window"),
        (SlopePass, "_extend"),
        (FrontSearch, "_bound_window"),
        (FrontSearch, "_extend"),
    ):
        counted(search, name)
    make: Callable[..., Any] = vars(stages)["evolutionary_search"]

    def evolutionary(*arguments: Any) -> Any:
        search = make(*arguments)

        def count(*problem: Any) -> Any:
            done.append("evolutionary_search")
            return search(*problem)

        return count

    monkeypatch.setattr(stages, "evolutionary_search", evolutionary)
    return done


def going_on(problem: Problem, before: list[Step]) -> Iterator[Step]:
    if not before:
        return drive(ENGINE, problem, LocalContext(problem))
    checkpoint = before[-1].checkpoint
    assert checkpoint is not None
    stored = [step.designs for step in before if step.designs is not None]
    resume = Resume(checkpoint, Designs.concatenate([Designs.empty(ENGINE.quantities), *stored]))
    return drive(ENGINE, problem, LocalContext(problem), resume)


def continued(problem: Problem, before: list[Step]) -> list[Step]:
    return list(going_on(problem, before))


def large_problem() -> Problem:
    """On 16 chiplets, where the search over all windows goes window by window."""
    package = dict(tiny_package().content)
    package["package"] = {"rows": 4, "columns": 4, "layout": ["N S N S"] * 4}
    inputs = {"hardware": Document("hardware", "tiny-4x4", 1, package), "workload": tiny_scenario()}
    params = {"evaluations": 100, "n_splits": 1, "path_limit": 16, "baselines": False}
    return make_problem("scar", inputs, params)


@pytest.mark.parametrize("problem", [*(scar_problem(params) for params in KINDS), large_problem()], ids=range(6))
def test_between_two_checkpoints_lies_one_search_and_nothing_is_searched_twice(
    problem: Problem, searches: list[str]
) -> None:
    unbroken, counts = [], []
    for step in drive(ENGINE, problem, LocalContext(problem)):
        unbroken.append(step)
        counts.append(len(searches))
    assert counts[0] == 1  # the first checkpoint comes after one search
    assert max(np.diff(counts)) <= 1 and counts[-1] > 6
    able = [number for number, step in enumerate(unbroken) if step.checkpoint is not None]
    for point in (able[0], able[len(able) // 5], able[-1]):
        searches.clear()
        after = continued(problem, unbroken[: point + 1])
        # At most one was not at its end; it goes on.
        assert counts[-1] - counts[point] <= len(searches) <= counts[-1] - counts[point] + 1
        whole = [*unbroken[: point + 1], *after]
        told = [step.metrics["evaluations"] for step in whole]
        assert told == sorted(told)
        assert conformance.designs_of(whole).equals(conformance.designs_of(unbroken))
        assert conformance.values_of(whole)[-1] == conformance.values_of(unbroken)[-1]


@pytest.mark.parametrize(
    "params",
    [
        {"search": "greedy"},
        {"search": "greedy", "contention": "between_models"},
        {"search": "evolutionary", "population": 4, "generations": 3},
    ],
    ids="-".join,
)
def test_stopped_in_the_middle_of_every_search_of_a_window_it_finds_the_same(
    params: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evolutionary, "_SCORES_PER_PAUSE", 1)
    problem = scar_problem({"baselines": False, **params})
    pauses: Counter[str] = Counter()
    steps: list[Step] = []
    stops = 0
    while not steps or steps[-1].fraction < 1:
        for step in going_on(problem, steps):
            steps.append(step)
            pauses[step.message] += step.designs is None  # the message counts the searches that were begun
            if step.checkpoint is not None and pauses[step.message] == 3:
                stops += 1
                break
    unbroken = list(going_on(problem, []))
    assert stops >= 8  # all searches but those with fewer segmentations
    assert conformance.designs_of(steps).equals(conformance.designs_of(unbroken))
    assert conformance.values_of(steps)[-1] == conformance.values_of(unbroken)[-1]


def test_what_a_checkpoint_cannot_hold_is_searched_again(monkeypatch: pytest.MonkeyPatch, searches: list[str]) -> None:
    monkeypatch.setattr(pieces, "_MOST_BYTES", 700)
    problem = scar_problem(RANGE)
    unbroken = list(drive(ENGINE, problem, LocalContext(problem)))
    whole = len(searches)
    searches.clear()
    point = len(unbroken) - 2
    after = continued(problem, unbroken[: point + 1])
    assert 0 < len(searches) < whole
    assert conformance.designs_of([*unbroken[: point + 1], *after]).equals(conformance.designs_of(unbroken))


def test_a_checkpoint_without_pieces_is_continued_by_searching_again(searches: list[str]) -> None:
    problem = scar_problem(RANGE)
    unbroken = list(drive(ENGINE, problem, LocalContext(problem)))
    whole = len(searches)
    point = next(number for number, step in enumerate(unbroken) if step.designs is not None)
    old = unbroken[point]
    assert old.checkpoint is not None
    identity = (problem.engine, problem.version, problem.hash())
    state = unpack_checkpoint(old.checkpoint, *identity)
    rest = {name: value for name, value in state.items() if not name.startswith("piece")}
    searches.clear()
    without = Step(old.fraction, designs=old.designs, checkpoint=pack_checkpoint(*identity, rest))
    after = continued(problem, [*unbroken[:point], without])
    assert len(searches) == whole
    assert conformance.designs_of([*unbroken[: point + 1], *after]).equals(conformance.designs_of(unbroken))


def test_checkpoints_are_made_only_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "_SECONDS_BETWEEN_CHECKPOINTS", 1e9)
    problem = scar_problem(RANGE)
    assert all(step.designs is not None for step in list(drive(ENGINE, problem, LocalContext(problem)))[:-1])
    assert not Pieces().due


def test_a_search_with_more_steps_than_a_checkpoint_holds_goes_on_where_it_was_full(
    monkeypatch: pytest.MonkeyPatch, searches: list[str]
) -> None:
    monkeypatch.setattr(pieces, "_MOST_PAUSED_BYTES", 150)
    problem = scar_problem({"n_splits": 2, "baselines": False, **OWN})
    unbroken, counts = [], []
    for step in drive(ENGINE, problem, LocalContext(problem)):
        unbroken.append(step)
        counts.append(len(searches))
    point = next(number for number, step in enumerate(unbroken) if " 6 steps over all windows" in step.message)
    searches.clear()
    after = continued(problem, unbroken[: point + 1])
    left = counts[-1] - counts[point]
    assert left + 1 < len(searches) < counts[-1]
    assert conformance.designs_of([*unbroken[: point + 1], *after]).equals(conformance.designs_of(unbroken))


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("objective", ["expression", "edp"])
@pytest.mark.parametrize("workload", ["mlperf-scenario-4", "mlperf-scenario-5"])
def test_runs_with_the_largest_settings_make_a_checkpoint_every_minute(
    objective: str, workload: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By processor time, so that it does not matter what else the machine does; the first minutes, as such runs take hours."""
    monkeypatch.undo()
    largest = {"n_splits": 8, "joint_states": 1_000_000_000, "baselines": False, **OWN, "objective": objective}
    package = dict(tiny_package().content)
    package["package"] = {"rows": 3, "columns": 4, "layout": ["N S N S"] * 3}
    inputs = {"hardware": Document("hardware", "large", 1, package), "workload": get_builtin("workload", workload)}
    problem = make_problem("scar", inputs, largest)
    before = begin = time.process_time()
    longest = 0.0
    for _ in drive(ENGINE, problem, LocalContext(problem)):
        now = time.process_time()
        longest = max(longest, now - before)
        before = now
        if now - begin > 120:
            break
    print(f"largest gap {longest:.1f} s")
    assert longest < 60

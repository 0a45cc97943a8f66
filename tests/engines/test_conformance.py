from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from engines.contract.engine import Engine
from engines.registry import BUILT_INS
from engines.running.executor import ProcessExecutor
from tests.engines import conformance, plausibility
from tests.engines.conformance import ShufflingExecutor, TinyProblem, Unbroken
from tests.engines.tiny import TINY_PROBLEMS, tiny_problem
from tests.support.toy_engine import ToyEngine, ToyWithoutCheckpointsEngine
from tests.support.work import calls_of

ENGINES = sorted({*BUILT_INS, ToyEngine.name, ToyWithoutCheckpointsEngine.name})
IN_OTHER_PROCESSES = (ToyEngine.name, "scar", "soc-mapping")  # at every change; the others in the long tests
PLAN_CALLS = 50_000  # what a tenth of a second holds
PREPARE_CALLS = 400_000  # once per problem; that of magnas prices the parts of all architectures

# Starting processes takes longer than all else here, and importing torch in them longer still.
MOST_OF_THEM_LONG = pytest.mark.parametrize(
    "tiny",
    [pytest.param(name, marks=[] if name in IN_OTHER_PROCESSES else [pytest.mark.long]) for name in ENGINES],
    indirect=True,
)


@cache
def unbroken(name: str) -> Unbroken:
    return conformance.run_all(tiny_problem(name))


@pytest.fixture(params=ENGINES)
def tiny(request: pytest.FixtureRequest) -> TinyProblem:
    return tiny_problem(request.param)


def test_every_engine_has_a_tiny_problem() -> None:
    assert set(ENGINES) == set(TINY_PROBLEMS)


def test_the_tiny_problem_is_of_that_engine(tiny: TinyProblem, request: pytest.FixtureRequest) -> None:
    assert tiny.problem.engine == request.node.callspec.params["tiny"]


def test_it_is_declared_fit_for_forms_and_tables(tiny: TinyProblem) -> None:
    conformance.check_declaration(tiny.engine)


def test_it_says_what_explains_its_designs(tiny: TinyProblem) -> None:
    assert tiny.engine.explains_of(tiny.problem) is not None


def test_it_accepts_its_tiny_problem_and_plans_it_with_little_work(tiny: TinyProblem) -> None:
    assert calls_of(lambda: tiny.engine.prepare(tiny.problem)) < PREPARE_CALLS
    conformance.check_plan(tiny)
    assert calls_of(lambda: conformance.check_plan(tiny)) < PLAN_CALLS


def test_the_same_seed_gives_the_same_values_whatever_the_order_of_a_batch(tiny: TinyProblem) -> None:
    conformance.check_repeats(tiny, ShufflingExecutor(), unbroken(tiny.problem.engine))


@pytest.fixture(scope="module")
def two_processes() -> Iterator[ProcessExecutor]:
    """One pair for all engines: each process imports what they share, torch above all, once."""
    with ProcessExecutor(2) as executor:
        yield executor


@MOST_OF_THEM_LONG
def test_the_number_of_workers_does_not_matter(
    tiny: TinyProblem, two_processes: ProcessExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engines.running.executor.IN_PLACE_BELOW_S", 0.0)
    conformance.check_repeats(tiny, two_processes, unbroken(tiny.problem.engine))


# In the middle, and after the last checkpoint. A run that goes on from its first one is also seen where it was asked to stop there.
POINTS = [
    pytest.param((1, 3), id="middle and last"),
    pytest.param((0, 2), id="first and last but one", marks=pytest.mark.long),
]


@pytest.mark.parametrize("of_four", POINTS)
def test_killed_at_several_points_and_continued_it_equals_the_unbroken_run(
    tiny: TinyProblem, of_four: tuple[int, int]
) -> None:
    steps = unbroken(tiny.problem.engine)
    points = conformance.stopping_points(steps)
    if not points:
        pytest.skip(f"{tiny.problem.engine} makes no checkpoints: it starts over")
    for point in {points[min(number, len(points) - 1)] for number in of_four}:
        conformance.check_resume(tiny, steps, point)


@pytest.mark.parametrize(("polls", "place"), [(0, 0.5), (1, 0.0), (5, 0.5)])
def test_asked_to_stop_and_continued_it_equals_the_unbroken_run(tiny: TinyProblem, polls: int, place: float) -> None:
    steps = unbroken(tiny.problem.engine)
    conformance.check_stop(tiny, steps, int(place * len(steps)), polls)


@MOST_OF_THEM_LONG
def test_killed_in_a_child_process_and_continued_it_equals_the_unbroken_run(tiny: TinyProblem) -> None:
    conformance.check_child(tiny, unbroken(tiny.problem.engine))


def test_evaluate_gives_the_stored_numbers_again(tiny: TinyProblem) -> None:
    conformance.check_evaluate(tiny, conformance.designs_of(unbroken(tiny.problem.engine)))


def test_explain_shows_totals_that_equal_the_stored_numbers(tiny: TinyProblem) -> None:
    conformance.check_explain(tiny, conformance.designs_of(unbroken(tiny.problem.engine)))


def test_what_is_moved_by_hand_and_back_is_as_it_was_and_what_is_refused_says_why(tiny: TinyProblem) -> None:
    if type(tiny.engine).edits is Engine.edits:
        pytest.skip(f"{tiny.problem.engine} lets nothing be moved by hand")
    conformance.check_edits(tiny, conformance.designs_of(unbroken(tiny.problem.engine)))


def test_its_designs_keep_the_bounds_of_physics(tiny: TinyProblem) -> None:
    plausibility.check(tiny.problem, conformance.designs_of(unbroken(tiny.problem.engine)), link=False)


def test_results_come_back_equal_from_storage(tiny: TinyProblem) -> None:
    for step in unbroken(tiny.problem.engine):
        conformance.check_results(step.results)


def test_impossible_limits_yield_an_infeasibility(tiny: TinyProblem) -> None:
    if tiny.impossible is None:
        pytest.skip(f"{tiny.problem.engine} has no limits that could be impossible")
    conformance.check_impossible(tiny)


def test_the_last_step_is_complete_and_evaluations_are_counted(tiny: TinyProblem) -> None:
    steps = unbroken(tiny.problem.engine)
    assert steps[-1].fraction == 1.0
    counts = [step.metrics.get("evaluations", 0.0) for step in steps]  # a step that tells none shows a run without any
    assert counts == sorted(counts)
    found = conformance.designs_of(steps).found_at_evaluation
    assert counts and int(np.max(found)) <= counts[-1]

"""The tests that every engine passes, as a class for pytest."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from engines.contract.engine import Engine
from engines.running.executor import ProcessExecutor
from engines.testing import conformance
from engines.testing.conformance import ShufflingExecutor, TinyProblem, Unbroken

_RUNS: dict[str, Unbroken] = {}


class EngineSuite:
    """The conformance suite of engines for pytest. Derive a class from it and override the fixture `tiny`."""

    @pytest.fixture
    def tiny(self) -> TinyProblem:
        """Return a problem that runs in about a second, with an infeasible problem if the engine has limits."""
        raise NotImplementedError("A suite must override the fixture tiny, which returns a TinyProblem.")

    @pytest.fixture
    def unbroken(self, tiny: TinyProblem) -> Unbroken:
        """Return the steps of an uninterrupted run, computed once for all tests."""
        key = f"{tiny.problem.engine} {tiny.problem.hash()}"
        if key not in _RUNS:
            _RUNS[key] = conformance.run_all(tiny)
        return _RUNS[key]

    @pytest.fixture(scope="module")
    @classmethod  # pytest 10 refuses another one whose scope is larger than a test
    def two_processes(cls) -> Iterator[ProcessExecutor]:
        """Yield an executor of two processes, shared by all tests because each process imports torch and other packages once."""
        with ProcessExecutor(2) as executor:
            yield executor

    def test_it_is_declared_fit_for_forms_and_tables(self, tiny: TinyProblem) -> None:  # noqa: D102
        conformance.check_declaration(tiny.engine)

    def test_it_accepts_its_tiny_problem_and_plans_it(self, tiny: TinyProblem) -> None:  # noqa: D102
        conformance.check_plan(tiny)

    def test_the_same_seed_gives_the_same_values_whatever_the_order_of_a_batch(  # noqa: D102
        self, tiny: TinyProblem, unbroken: Unbroken
    ) -> None:
        conformance.check_repeats(tiny, ShufflingExecutor(), unbroken)

    def test_the_number_of_workers_does_not_matter(  # noqa: D102
        self, tiny: TinyProblem, unbroken: Unbroken, two_processes: ProcessExecutor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("engines.running.executor.IN_PLACE_BELOW_S", 0.0)
        conformance.check_repeats(tiny, two_processes, unbroken)

    @pytest.mark.parametrize("of_four", [(0, 2), (1, 3)], ids=["first and last but one", "middle and last"])
    def test_killed_at_several_points_and_continued_it_equals_the_unbroken_run(  # noqa: D102
        self, tiny: TinyProblem, unbroken: Unbroken, of_four: tuple[int, int]
    ) -> None:
        points = conformance.stopping_points(unbroken)
        if not points:
            pytest.skip(f"{tiny.problem.engine} makes no checkpoints: it starts over")
        for point in {points[min(number, len(points) - 1)] for number in of_four}:
            conformance.check_resume(tiny, unbroken, point)

    @pytest.mark.parametrize(("polls", "place"), [(0, 0.5), (1, 0.0), (5, 0.5)])
    def test_asked_to_stop_and_continued_it_equals_the_unbroken_run(  # noqa: D102
        self, tiny: TinyProblem, unbroken: Unbroken, polls: int, place: float
    ) -> None:
        conformance.check_stop(tiny, unbroken, int(place * len(unbroken)), polls)

    def test_killed_in_a_child_process_and_continued_it_equals_the_unbroken_run(  # noqa: D102
        self, tiny: TinyProblem, unbroken: Unbroken
    ) -> None:
        conformance.check_child(tiny, unbroken)

    def test_evaluate_gives_the_stored_numbers_again(self, tiny: TinyProblem, unbroken: Unbroken) -> None:  # noqa: D102
        conformance.check_evaluate(tiny, conformance.designs_of(unbroken))

    def test_explain_shows_totals_that_equal_the_stored_numbers(  # noqa: D102
        self, tiny: TinyProblem, unbroken: Unbroken
    ) -> None:
        if type(tiny.engine).explain is Engine.explain:
            pytest.skip(f"{tiny.problem.engine} explains nothing of a design")
        conformance.check_explain(tiny, conformance.designs_of(unbroken))

    def test_what_is_moved_by_hand_and_back_is_as_it_was_and_what_is_refused_says_why(  # noqa: D102
        self, tiny: TinyProblem, unbroken: Unbroken
    ) -> None:
        if not tiny.engine.is_editable:
            pytest.skip(f"{tiny.problem.engine} lets nothing be moved by hand")
        conformance.check_edits(tiny, conformance.designs_of(unbroken))

    def test_results_come_back_equal_from_storage(self, unbroken: Unbroken) -> None:  # noqa: D102
        for step in unbroken:
            conformance.check_results(step.results)

    def test_impossible_limits_yield_an_infeasibility(self, tiny: TinyProblem) -> None:  # noqa: D102
        if tiny.impossible is None:
            pytest.skip(f"{tiny.problem.engine} has no limits that could be impossible")
        conformance.check_impossible(tiny)

    def test_the_last_step_is_complete_and_evaluations_are_counted(self, unbroken: Unbroken) -> None:  # noqa: D102
        assert unbroken[-1].fraction == 1.0
        counts = [
            step.metrics.get("evaluations", 0.0) for step in unbroken
        ]  # a step that tells none shows a run without any
        assert counts == sorted(counts)
        found = conformance.designs_of(unbroken).found_at_evaluation
        assert counts and int(np.max(found)) <= counts[-1]

"""The engine with the publication's own manager and the estimator that ships."""

import pytest

from engines.contract.results import Matrix
from engines.methods.mapformer.engine import MapFormerEngine
from engines.methods.mapformer.estimator.document import BUILTIN, builtin_estimators
from engines.running.inspection import plan as plan_of
from engines.testing import conformance
from engines.testing.conformance import TinyProblem
from tests.engines.methods.mapformer.problems import mix, mix_problem, totals_of

PARAMS = {"manager": "mapformer", "iterations": 20, "segments": 2, "power_limit_w": 20.0}
TINY = TinyProblem(mix_problem(PARAMS, mix((6, 16), (5, 32), (4, 8)), seed=3), totals=totals_of)


def test_what_ships_is_small_and_says_how_it_came_about() -> None:
    assert sum(path.stat().st_size for path in BUILTIN.iterdir()) < 2_000_000
    for document in builtin_estimators().values():
        assert document["training"]["mixes"] == 2000 and document["training"]["seed"] == 1
        held, unseen = document["accuracy"]["held_out"], document["accuracy"]["unseen"]
        assert min(held["throughput_near"], held["power_near"], unseen["power_near"]) > 0.8


def test_a_run_stopped_and_continued_equals_the_unbroken_one_and_stored_designs_come_out_again() -> None:
    pytest.importorskip("torch")
    steps = conformance.run_all(TINY)
    for point in conformance.stopping_points(steps)[:2]:
        conformance.check_resume(TINY, steps, point)
    conformance.check_evaluate(TINY, conformance.designs_of(steps))
    conformance.check_results(steps[-1].results)
    assert {result.name for result in steps[-1].results if isinstance(result, Matrix)} == {
        "confusion-throughput", "confusion-power",
    }  # fmt: skip


def test_the_plan_needs_torch_and_says_what_the_estimator_is_worth() -> None:
    plan = plan_of(TINY.problem, MapFormerEngine())
    assert plan.needs == {"torch"} and plan.determinism == "pinned"
    assert any("within one class" in check.text for check in plan.checks)
    assert plan_of(mix_problem(), MapFormerEngine()).needs == frozenset()


def test_rates_that_the_estimator_does_not_know_are_warned_of() -> None:
    problem = mix_problem(PARAMS, mix((3, 16), (2, 32), rate_fps=30.0))
    assert any("without rates" in note for note in plan_of(problem, MapFormerEngine()).notes)

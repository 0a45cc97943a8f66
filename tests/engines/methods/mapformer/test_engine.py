"""Runs of the engine, beyond what all engines keep."""

import numpy as np
import pytest

from engines.contract.results import Note, Table
from engines.methods.mapformer.engine import MapFormerEngine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.testing.conformance import (
    check_evaluate,
    check_impossible,
    check_resume,
    check_stop,
    designs_of,
    run_all,
    stopping_points,
)
from tests.engines.methods.mapformer.problems import mix, mix_problem, tiny


@pytest.mark.parametrize("manager", ["random", "genetic", "mosaic", "odmdef", "gpu"])
def test_every_manager_runs_resumes_and_is_evaluated(manager: str) -> None:
    one = tiny(manager)
    steps = run_all(one)
    for point in stopping_points(steps):
        check_resume(one, steps, point)
        check_stop(one, steps, point, 1)
    check_evaluate(one, designs_of(steps))


def test_a_small_problem_is_proven() -> None:
    problem = mix_problem({"segments": 1, "evaluations": 5000}, mix((2, 16)))
    steps = list(drive(MapFormerEngine(), problem, LocalContext(problem)))
    notes = [result for result in steps[-1].results if isinstance(result, Note) and result.role == "proof"]
    assert "Every mapping was simulated" in notes[0].text
    best = steps[-1].metrics["bound_fraction"]
    assert 0.3 < best <= 1 + 1e-9


def test_what_is_infeasible_says_which_mode_would_do() -> None:
    found = check_impossible(tiny())
    words = [text for text, _ in found.remedies]
    assert found.unit == "W" and 0.5 < found.demand < 5 and words[0] == "The mode of 10 W would do."
    assert not any("manager" in text for text in words)


def test_a_manager_that_finds_nothing_names_the_other_one() -> None:
    problem = mix_problem({"manager": "gpu", "power_limit_w": 0.92, "clock_choices": ""})
    steps = list(drive(MapFormerEngine(), problem, LocalContext(problem)))
    infeasible = steps[-1].infeasible
    assert infeasible is not None and any("manager" in text for text, _ in infeasible.remedies)


def test_fairness_that_no_mapping_reaches_is_told_with_the_nearest() -> None:
    problem = mix_problem({"segments": 1, "evaluations": 5000, "fairness_limit_percent": 100.0}, mix((6, 16), (6, 16)))
    steps = list(drive(MapFormerEngine(), problem, LocalContext(problem)))
    found = steps[-1].infeasible
    assert found is not None and found.unit == "%" and 10 < found.bound < 100
    words = [text for text, field in found.remedies if field == "params.fairness_limit_percent"]
    assert words and words[0].startswith("Ask for at most") and not any("mode" in text for text in words)


def test_what_is_told_at_the_end_agrees_with_the_designs() -> None:
    one = tiny()
    steps = run_all(one)
    designs = designs_of(steps)
    table = next(each for each in steps[-1].results if isinstance(each, Table))
    searched = designs.of_origin("search") & (designs.columns["limit_slack"] >= 0)
    best = designs.columns["throughput_per_s"][searched].max()
    told = next(each for each in table.table_columns if each.title == "Mean throughput")
    assert best in np.asarray(told.values)
    assert (designs.columns["bound_fraction"][searched] <= 1 + 1e-9).all()

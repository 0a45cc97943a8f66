"""The engine on small problems: correlations, files, traces, a measured recording laid over, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.engine import Document, Resume
from engines.contract.errors import ProblemError
from engines.methods.seesaw.engine import SeesawEngine
from engines.methods.seesaw.evaluation import build_instance
from engines.methods.seesaw.quantities import QUANTITIES
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import plan as plan_of
from engines.running.prepared_problems import ready_of
from engines.testing.conformance import TinyProblem, designs_of, run_all
from tests.engines.methods.seesaw.problems import recording, seesaw_problem


@pytest.mark.parametrize("after", [1, 3, 4])
def test_a_run_goes_on_between_two_correlations(after: int) -> None:
    problem = seesaw_problem()
    whole = list(drive(SeesawEngine(), problem, LocalContext(problem)))
    checkpoint = whole[after].checkpoint
    assert checkpoint is not None
    stored = Designs.concatenate([Designs.empty(QUANTITIES), *(s.designs for s in whole[: after + 1] if s.designs)])
    rest = list(drive(SeesawEngine(), problem, LocalContext(problem), Resume(checkpoint, stored)))
    assert [step.message for step in rest] == [step.message for step in whole[after + 1 :]]
    assert designs_of([*whole[: after + 1], *rest]).columns.keys() == designs_of(whole).columns.keys()
    for name, column in designs_of(whole).columns.items():
        assert np.array_equal(designs_of([*whole[: after + 1], *rest]).columns[name], column), name


def test_a_run_that_stopped_before_it_told_that_nothing_predicts_tells_it_when_it_goes_on() -> None:
    problem = seesaw_problem({"largest_cross_validation_percent": 0.01})
    steps = run_all(TinyProblem(problem))
    before = steps[-2]  # correlations and fixed rates
    assert before.checkpoint is not None and steps[-1].infeasible is not None
    resume = Resume(before.checkpoint, designs_of(steps[:-1]))
    rest = list(drive(SeesawEngine(), problem, LocalContext(problem), resume=resume))
    assert [step.infeasible for step in rest] == [steps[-1].infeasible]


def test_files_are_c_code_of_the_front_and_the_highest_rate_without_sleep_is_a_baseline() -> None:
    steps = run_all(TinyProblem(seesaw_problem()))
    files = [file for step in steps for file in step.files]
    assert files and all(b"seesaw_decide" in file.data and file.name.endswith(".c") for file in files)
    designs = designs_of(steps)
    assert designs.label[0] == "always 1 Hz, without sleep" and designs.origin[0] == "baseline"
    assert designs.columns["battery_life_h"][0] == pytest.approx(7.8)
    assert np.all(designs.columns["error_percent"][:2] < 1e-9)


@pytest.mark.parametrize(("unit", "kind"), [("1", "frames"), ("g", "series")])
def test_motion_in_a_unit_is_not_that_of_a_picture(unit: str, kind: str) -> None:
    times = list(range(1200))
    columns = {"speed": [time % 90 for time in times], "motion": [time % 60 / 60 for time in times]}
    content = {
        "schema": "recording/1", "slug": "worn", "title": "Worn", "source": "made up", "measures": "motion",
        "units": {"speed": "km/h", "motion": unit},
        "tracks": [{"title": "one", "times_s": times, "columns": columns}],
    }  # fmt: skip
    problem = seesaw_problem(data=Document("data", "worn", 1, content))
    task = build_instance(problem).task
    assert (task.kind, task.signal_names, task.signal_units) == (kind, ("speed",), ("m/s",))


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"params": {"least_tolerance_percent": 30}}, "params.largest_tolerance_percent"),
        ({"data": recording("videos"), "node": "openmv-gps-camera", "params": {"feedback": "on"}}, "params.feedback"),
        ({"node": "openmv-gps-camera"}, "inputs.data"),
        ({"data": recording(tracks=1, duration_s=100)}, "inputs.data"),
        ({"data": recording(step_s=10)}, "inputs.data"),
    ],
)
def test_what_does_not_fit_together_is_refused(said: dict[str, Any], field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        ready_of(SeesawEngine(), seesaw_problem(**said))
    assert caught.value.field == field


def test_one_long_route_is_cut_up_to_train_and_test_on() -> None:
    plan = plan_of(seesaw_problem(data=recording(tracks=1, duration_s=1800)))
    assert "3 tracks to train on, 3 to test on" in plan.checks[1].text


def test_a_largest_error_that_no_predictor_keeps_is_told() -> None:
    last = run_all(TinyProblem(seesaw_problem({"largest_error_percent": 0.0})))[-1]
    assert last.infeasible is not None and last.infeasible.demand > last.infeasible.bound == 0.0
    assert [field for _, field in last.infeasible.remedies] == ["params.largest_error_percent"]

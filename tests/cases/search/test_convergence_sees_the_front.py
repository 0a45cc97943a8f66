"""The hypervolume of a run grows while its front grows (facebook/Ax#4521, MOEAFramework#47)."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.quantities import objectives_of
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.executor import executor_for
from engines.search.indicators import hypervolume
from frontend.designs.degenerate import converged
from frontend.designs.run_designs import RunDesigns
from webapp.runs.storage.convergence import ConvergenceTracker


class FrontHistory:
    """A run of SCAR with its curve as the page shows it."""

    def __init__(self, **params: object) -> None:
        engine = get_engine("scar")
        inputs = {
            "hardware": get_builtin("hardware", "simba-3x3-het-sides"),
            "workload": get_builtin("workload", "mlperf-scenario-4"),
        }
        problem = make_problem("scar", inputs, params, 0)
        quantities = engine.quantities_of(problem.params)
        tracker, parts, made, counts = ConvergenceTracker(quantities), [Designs.empty(engine.quantities)], 0, []
        steps, self.during = [], []
        with executor_for(1) as executor:
            for step in drive(engine, problem, LocalContext(problem, executor)):
                made = int(step.metrics.get("evaluations", made))
                if step.designs is not None:
                    tracker.add_designs(step.designs)
                    parts.append(step.designs)
                steps.append(made)
                counts.append(sum(map(len, parts)))
                self.during.append((made, tracker.hypervolume))
        tracker.settle()
        designs = Designs.concatenate(parts)
        self.designs, self.quantities, self.reference = designs, quantities, tracker.reference
        self.evaluations = np.array(steps)
        self.hypervolume = np.array([tracker.hypervolume_after(count) for count in counts])
        self.run = RunDesigns.empty(tuple(quantities), objectives_of(quantities)[0].name).extended(designs)
        front = designs.matrix(each.name for each in objectives_of(quantities))[designs.front(quantities)]
        self.beyond = int((front >= np.array(tracker.reference)).any(axis=1).sum())
        self.front = len(front)


@cache
def followed(**params: object) -> FrontHistory:
    return FrontHistory(**params)


def share_after(run: FrontHistory, evaluations: int) -> float:
    objectives = objectives_of(run.quantities)
    values, senses = run.designs.matrix(each.name for each in objectives), [each.sense for each in objectives]
    found = run.designs.counted(run.quantities) & (run.designs.found_at_evaluation <= evaluations)
    return hypervolume(values[found], senses, run.reference) / run.hypervolume[-1]


@pytest.mark.long
@pytest.mark.parametrize(
    ("params", "grown"), [({}, 54), ({"objective": "latency", "baselines": False}, 4098)], ids=["default", "latency"]
)
def test_the_hypervolume_grows_as_long_as_the_front(params: dict[str, object], grown: int) -> None:
    run = followed(**params)
    assert run.run.front_since == grown and run.beyond == 0
    last_change = next(at for at, value in run.during if value == run.during[-1][1])
    assert last_change >= grown
    assert run.evaluations[run.hypervolume < run.hypervolume[-1]][-1] < grown


@pytest.mark.long
def test_the_curve_of_the_defaults() -> None:
    run = followed()
    assert run.front == 8
    assert share_after(run, 10) == pytest.approx(0.19, abs=0.005) and share_after(run, 100) == pytest.approx(1.0)
    words = list(converged(run.evaluations, run.hypervolume, run.run.front_since))
    assert words == [
        "Hypervolume unchanged for the last 4\u2009146 of 4\u2009200 evaluations: the search has converged"
    ]


@pytest.mark.long
def test_a_search_whose_front_grew_late_has_not_converged() -> None:
    run = followed(objective="latency", baselines=False)
    assert not list(converged(run.evaluations, run.hypervolume, run.run.front_since))


def test_a_hypervolume_at_rest_does_not_hide_a_front_that_grows() -> None:
    made, volume = np.arange(1, 11) * 100, np.full(10, 3.0)
    assert list(converged(made, volume, 54)) == [
        "Hypervolume unchanged for the last 946 of 1\u2009000 evaluations: the search has converged"
    ]
    assert not list(converged(made, volume, 800)) and not list(converged(made, volume, 1000))

"""What is proven stays the best of its stated model; what is better is outside of it, and says so."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from engines.chiplets.params import ScheduleParams
from engines.chiplets.problem.decision import PackageSchedule, Placement, decode
from engines.chiplets.problem.tables import build_tables
from engines.chiplets.windows.departures import departures
from engines.contract.designs import Designs
from engines.contract.results import Note
from engines.methods.scar.engine import ScarEngine
from engines.methods.scar.stated_model import proven_label
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import explain
from tests.engines.chiplets.cases import tables
from tests.engines.methods.scar.problems import scar_problem

ENGINE = ScarEngine()
RUNS: list[dict[str, Any]] = [
    {"n_splits": n, "node_rule": nodes, "packing": packing}
    for n, nodes, packing in product((0, 1, 2), ("provisioned", "free"), ("greedy", "uniform"))
] + [
    {"n_splits": 2, "n_splits_search": "range"},
    {"root_rule": "free", "objective": "latency"},
    {"contention": "between_models", "objective": "energy"},
    {"dram_rule": "maestro", "model_chiplets": "wide: 0 1 3"},
    {"latency_reading": "pipelined_maximum", "node_rule": "free"},
]  # fmt: skip


def designs_of(problem) -> Designs:
    steps = drive(ENGINE, problem, LocalContext(problem))
    return Designs.concatenate([step.designs for step in steps if step.designs is not None])


@pytest.mark.parametrize("params", RUNS, ids=str)
def test_no_design_of_a_run_is_better_than_the_proven_one(params: dict[str, Any]) -> None:
    problem = scar_problem({"baselines": False, **params})
    found = designs_of(problem)
    values = found.columns[ENGINE.primary_metric(problem)]
    labels = [label for label in found.label if label]
    assert labels == [proven_label(problem.params)]
    assert values.min() >= values[found.label.index(labels[0])] * (1 - 1e-9)
    built = build_tables(problem.values["hardware"], problem.values["workload"], problem.params)
    assert not any(departures(built, decode(decision)) for decision in found.decisions)


def test_labels_of_stated_models_that_differ_are_not_the_same() -> None:
    changes: list[dict[str, Any]] = [
        {}, {"node_rule": "free"}, {"packing": "uniform"}, {"n_splits": 3}, {"n_splits_search": "range"}, {"root_rule": "free"},
        {"model_chiplets": "0: 1"},
    ]  # fmt: skip
    assert len({proven_label(ScheduleParams(**change)) for change in changes}) == len(changes)


def test_more_chiplets_than_the_rule_gives_and_other_windows_are_told() -> None:
    built = tables({"a": [[5, 5, 5], [5, 5, 5]], "b": [[9, 9, 9], [9, 9, 9]]}, {"n_splits": 0, "objective": "latency"})
    # Equation 4.2 shares six chiplets 2 to 4; three layers allow three segments.
    within = PackageSchedule(((Placement(0, 0, (1, 3), (0, 1)), Placement(1, 0, (1, 2, 3), (3, 4, 5))),))
    beyond = PackageSchedule(((Placement(0, 0, (1, 2, 3), (0, 1, 2)), Placement(1, 0, (3,), (3,))),))
    other = PackageSchedule(((Placement(0, 0, (3,), (0,)),), (Placement(1, 0, (3,), (0,)),)))
    assert departures(built, within) == ()
    assert departures(built, beyond) == ("a has 3 chiplets in window 1, equation 4.2 gives it 2",)
    assert "windows are not those" in departures(built, other)[0]
    free = tables({"a": [[5, 5, 5]] * 2, "b": [[9, 9, 9]] * 2}, {"n_splits": 0, "node_rule": "free"})
    assert departures(free, beyond) == ()
    assert departures(built, PackageSchedule(beyond.windows, "nvdla")) == ()


def test_the_explanation_of_an_own_schedule_says_that_it_is_outside() -> None:
    problem = scar_problem({"n_splits": 0})
    windows = [
        {"models": [{"model": m, "first_layer": a, "cuts": [b], "path": [m]} for m in (0, 1)]}
        for a, b in ((0, 1), (1, 3))
    ]
    notes = [r for r in explain(problem, {"windows": windows}) if isinstance(r, Note)]
    assert any(note.name == "stated-model" and "windows are not those" in note.text for note in notes)

from __future__ import annotations

import pytest

from engines.chiplets.problem.tables import build_tables
from engines.chiplets.windows.reconfig import candidate_cuts
from engines.contract.errors import ProblemError
from engines.methods.scar.course import stages
from engines.methods.scar.course.stages import Batch, schedule_batches
from engines.methods.scar.pieces import Pieces
from engines.running.context import LocalContext
from tests.engines.methods.scar.problems import scar_problem


def batches(**params) -> list[Batch]:
    problem = scar_problem(params)
    package, scenario = problem.values["hardware"], problem.values["workload"]
    tables = build_tables(package, scenario, problem.params)
    cuts, context = candidate_cuts(tables), LocalContext(problem)
    found = schedule_batches(problem.params, package, scenario, tables, cuts, context, Pieces())
    return [batch for batch in found if batch is not None]


def test_the_order_is_greedy_baselines_wide_passes_combinations() -> None:
    messages = [batch.message for batch in batches(search="greedy")]
    assert messages[0] == "Greedy schedule by energy-delay product"
    assert messages[1:3] == ["Baselines on nvdla chiplets", "Baselines on shi-diannao chiplets"]
    assert messages[-1] == "Combinations of window mappings"
    assert len(messages) >= 20


def test_the_exact_schedule_comes_first() -> None:
    found = batches()
    assert found[0].message == "Exact window by window by energy-delay product"
    assert found[0].openings is not None
    assert all(batch.openings is None for batch in found[1:])
    assert "Exact window by window by latency" in [batch.message for batch in batches(objective="latency")]


def test_the_budget_is_kept_and_nothing_is_scored_twice() -> None:
    candidates = [candidate for batch in batches(evaluations=120) for candidate in batch.candidates]
    assert len(candidates) == 120
    assert len({candidate.schedule for candidate in candidates}) == 120


def test_only_greedy_schedules_and_baselines_are_named() -> None:
    named = [candidate.title for batch in batches() for candidate in batch.candidates if candidate.title]
    assert len(set(named)) == len(named)
    assert {"Simba NVDLA", "Standalone Shi-diannao"} <= set(named)
    assert sum(title.startswith(("Exact", "Greedy")) for title in named) == len(named) - 4


def test_baselines_can_be_left_out() -> None:
    assert not any(c.origin == "baseline" for batch in batches(baselines=False) for c in batch.candidates)


def test_schedules_with_other_numbers_of_boundaries_are_reported_too() -> None:
    found = batches(n_splits=2, n_splits_search="range")
    openings = found[0].openings
    assert openings is not None and len(openings.all) > 1
    others = next(batch for batch in found if batch.message == "Other numbers of window boundaries")
    assert len(others.candidates) == len(openings.all) - 1


def test_a_baseline_whose_windows_the_constraints_forbid_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(tables: object) -> None:
        raise ProblemError("params.model_chiplets", "wide and long", "more chiplets")

    monkeypatch.setattr(stages, "possible_cuts", refuse)
    labels = {c.label for batch in batches() for c in batch.candidates if c.origin == "baseline"}
    assert labels == {"Standalone NVDLA", "Standalone Shi-diannao"}

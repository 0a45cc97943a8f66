from __future__ import annotations

import pytest

from engines.chiplets.costs.scoring import Scorer
from engines.chiplets.problem.decision import encode, validate
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.starts import interface_chiplets
from engines.chiplets.windows.greedy import search_greedily
from engines.chiplets.windows.reconfig import assign_windows
from engines.contract.errors import StopRequested
from tests.engines.chiplets.cases import package, tables

MODELS = {"a": [[3, 5, 2, 6], [6, 2, 4, 1]], "b": [[1, 4, 4], [3, 2, 2]]}


def test_interfaces_are_at_the_memory_sides() -> None:
    assert interface_chiplets(tables(MODELS)) == {0, 2, 3, 5}
    assert interface_chiplets(tables(MODELS, on=package(sides=("top",)))) == {0, 1, 2}


@pytest.mark.parametrize("objective", ["edp", "latency", "energy"])
def test_the_windows_add_up_to_the_score_of_the_schedule(objective) -> None:
    built = tables(MODELS, {"n_splits": 2}, batch=3)
    trajectory = search_greedily(built, assign_windows(built, 2), Goal(objective))
    validate(trajectory.schedule, built)
    latency, energy, *_ = Scorer(built).score(trajectory.schedule)
    assert latency == pytest.approx(sum(options.best.latency_s for options in trajectory.windows))
    assert energy == pytest.approx(sum(options.best.energy_j for options in trajectory.windows))


def test_it_can_be_stopped_between_windows() -> None:
    built = tables(MODELS, {"n_splits": 2})
    calls = []

    def stop_at_the_second() -> None:
        calls.append(1)
        if len(calls) == 2:
            raise StopRequested

    with pytest.raises(StopRequested):
        search_greedily(built, assign_windows(built, 2), Goal("edp"), between=stop_at_the_second)


def test_a_layout_is_part_of_the_decision() -> None:
    built = tables(MODELS, {"n_splits": 0})
    trajectory = search_greedily(built, assign_windows(built, 0), Goal("edp"), layout="nvdla")
    assert encode(trajectory.schedule)["layout"] == "nvdla"


def test_notes_name_the_window() -> None:
    mesh = package(4, 5)
    built = tables({"a": [[1.0] * 12, [1.0] * 12]}, {"n_splits": 1, "path_limit": 16}, on=mesh)
    notes = search_greedily(built, assign_windows(built, 1), Goal("latency")).notes
    assert any(note.startswith("Window 1: a: only") and "path limit" in note for note in notes)

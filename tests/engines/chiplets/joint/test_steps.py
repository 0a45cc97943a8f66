"""Situations of partial schedules: what counts as the same, and what must not."""

from __future__ import annotations

from dataclasses import replace

from engines.chiplets.joint.steps import Best, JointWindows, PartialSchedule
from engines.chiplets.problem.decision import Placement
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.windows.reconfig import LayerRange
from tests.engines.chiplets.cases import package, tables

ROWS, COLUMNS = 2, 3


def space(**params: str) -> JointWindows:
    """Two models, of which the first has no layers left in the second window."""
    times = [[1.0, 2.0, 3.0], [2.0, 1.0, 2.0]]
    built = tables({"a": times, "b": times}, params, on=package(ROWS, COLUMNS, sides=("left", "right")), batch=2)
    windows = [[LayerRange(0, 0, 3), LayerRange(1, 0, 1)], [LayerRange(1, 1, 3)]]
    return JointWindows(built, windows, Goal("edp"))


def ends_at(found: JointWindows, first: int, second: int) -> PartialSchedule:
    """After the first window, with the models ending at two chiplets."""
    window = tuple(
        Placement(layers.model, layers.first, (layers.end,), (chiplet,))
        for layers, chiplet in zip(found.windows[0], (first, second), strict=True)
    )
    return PartialSchedule((window,), 1.0, 1.0, (first, second))


def test_mirror_images_of_the_package_are_the_same_situation() -> None:
    found = space()
    assert found.situation(ends_at(found, 1, 0)) == found.situation(ends_at(found, 1, 2))
    assert found.situation(ends_at(found, 1, 0)) == found.situation(ends_at(found, 4, 5))
    assert found.situation(ends_at(found, 1, 0)) != found.situation(ends_at(found, 0, 1))


def test_where_a_finished_model_ended_matters_only_by_what_may_start_there() -> None:
    published, free = space(), space(root_rule="free")
    # Chiplets 0, 2, 3 and 5 have interfaces: models may start there anyway.
    assert published.situation(ends_at(published, 2, 0)) == published.situation(ends_at(published, 3, 0))
    assert published.situation(ends_at(published, 1, 0)) != published.situation(ends_at(published, 2, 0))
    assert free.situation(ends_at(free, 1, 0)) == free.situation(ends_at(free, 2, 0))


def test_constraints_that_a_mirror_would_break_forbid_it() -> None:
    found = space(model_chiplets="b: not 5")
    assert found.situation(ends_at(found, 1, 0)) != found.situation(ends_at(found, 1, 2))


def test_windows_are_set_up_once_per_situation() -> None:
    found = space()
    one = found.problem_after(found.nothing, by_end=True)
    other = found.problem_after(found.nothing, by_end=True)
    assert all(a is b for a, b in zip(one.models, other.models, strict=True))


def test_the_best_is_kept_beyond_rounding() -> None:
    best = Best(Goal("edp"), 10.0)
    schedule = PartialSchedule((), 2.0, 4.0, ())
    best.take(None)
    best.take(replace(schedule, energy_j=5.0 - 1e-12))
    assert best.schedule is None and best.value == 10.0
    best.take(schedule)
    assert best.schedule is schedule and best.value == 8.0
    assert best.is_proven_by(8.0) and not best.is_proven_by(7.9)

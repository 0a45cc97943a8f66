"""The hypervolume that is stored with every step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.engine import Step
from engines.contract.quantities import Quantity
from engines.running.runner.frame_parts import pack_step
from webapp.runs.storage.convergence import ConvergenceTracker

PAIR = (Quantity("a_s", "A", "s", "minimise", "objective"), Quantity("b_j", "B", "J", "minimise", "objective"))
LIMITED = (*PAIR, Quantity("slack", "Slack", "", "none", "constraint"))


def some(points: Sequence[tuple[float, ...]], origin: str = "search", names: Sequence[str] = ("a_s", "b_j")) -> Designs:
    values = np.array(points, dtype=float)
    columns = {name: values[:, column] for column, name in enumerate(names)}
    return Designs(columns, [{} for _ in points], np.arange(len(points)), (origin,) * len(points))


def test_worked_by_hand() -> None:
    tracker = ConvergenceTracker(PAIR, reference=(4.0, 4.0))
    tracker.add_designs(some([(1.0, 3.0)]))
    assert tracker.hypervolume == pytest.approx(3.0)  # (4-1) * (4-3)
    tracker.add_designs(some([(3.0, 1.0), (3.5, 3.5)]))
    assert tracker.hypervolume == pytest.approx(5.0)  # two rectangles of 3 that share 1
    tracker.add_designs(some([(5.0, 5.0)]))
    assert tracker.hypervolume == pytest.approx(5.0) and tracker.moves == 0  # beyond the reference, and dominated


def test_a_front_beyond_the_reference_moves_it_and_earlier_steps_are_measured_again() -> None:
    tracker = ConvergenceTracker(PAIR, reference=(4.0, 4.0))
    tracker.add_designs(some([(1.0, 3.0)]))
    tracker.add_designs(some([(3.5, 3.5), (3.0, 1.0)]))
    tracker.add_designs(some([(5.0, 0.5)]))
    # The worst of the front is (5, 3), its spans are 4 and 2.5.
    assert tracker.moves == 1 and tracker.reference == pytest.approx((5.4, 3.25))
    # Rectangles from left to right: 4.4 x 0.25; 2 x 0.25 and 2.4 x 2.25; the last one adds 0.4 x 0.5.
    after = [tracker.hypervolume_after(count) for count in (0, 1, 2, 3, 4)]
    assert after == pytest.approx([0.0, 1.1, 1.1, 5.9, 6.1])
    assert tracker.hypervolume == after[-1]


def test_a_settled_curve_has_the_reference_of_the_front() -> None:
    tracker = ConvergenceTracker(PAIR)
    tracker.add_designs(some([(9.0, 9.0)], origin="baseline"))
    tracker.add_designs(some([(2.0, 1.0), (1.0, 2.0)]))
    assert tracker.reference == pytest.approx((9.9, 9.9)) and tracker.moves == 0
    tracker.settle()
    assert tracker.reference == pytest.approx((2.1, 2.1))
    assert tracker.hypervolume == pytest.approx(0.11 + 0.1 * 1.1 - 0.01)
    tracker.settle()
    assert tracker.moves == 1


def test_designs_of_several_steps_at_once_are_told_apart_by_where_these_ended() -> None:
    random = np.random.default_rng(1)
    points = [(float(at), 30.0 / at + noise) for at, noise in zip(range(1, 31), random.random(30), strict=True)]
    one_by_one, resumed = ConvergenceTracker(PAIR), ConvergenceTracker(PAIR)
    for point in points:
        one_by_one.add_designs(some([point]))
    resumed.add_designs(some(points), range(31))
    for tracker in (one_by_one, resumed):
        tracker.settle()
    assert one_by_one.moves > 1
    assert [resumed.hypervolume_after(at) for at in range(31)] == [one_by_one.hypervolume_after(at) for at in range(31)]


def test_the_curve_never_falls() -> None:
    random = np.random.default_rng(0)
    tracker = ConvergenceTracker(PAIR)
    assert tracker.hypervolume is None and tracker.reference is None
    seen = []
    for _ in range(20):
        tracker.add_designs(some([tuple(row) for row in random.random((5, 2))]))
        seen.append((tracker.reference, tracker.hypervolume))
    assert len({reference for reference, _ in seen}) == 1
    assert [value for _, value in seen] == sorted(value for _, value in seen) and seen[-1][1] > seen[0][1] > 0


def test_baselines_fix_the_reference_but_are_not_progress() -> None:
    tracker = ConvergenceTracker(PAIR)
    tracker.add_designs(some([(2.0, 2.0), (4.0, 1.0)], origin="baseline"))
    assert tracker.reference is not None and tracker.reference[0] > 4.0 and tracker.hypervolume == 0.0
    tracker.add_designs(some([(1.0, 1.0)]))
    assert tracker.hypervolume > 0.0


def test_what_breaks_a_constraint_or_has_no_value_is_left_out() -> None:
    tracker = ConvergenceTracker(LIMITED, reference=(4.0, 4.0))
    names = ("a_s", "b_j", "slack")
    tracker.add_designs(some([(1.0, 1.0, -0.5), (float("nan"), 1.0, 1.0)], names=names))
    assert tracker.hypervolume == 0.0
    tracker.add_designs(some([(3.0, 3.0, 0.0)], names=names))
    assert tracker.hypervolume == pytest.approx(1.0)


def test_chunks_give_the_same_as_designs() -> None:
    designs = some([(1.0, 3.0), (2.0, 2.0)])
    whole, packed = ConvergenceTracker(PAIR), ConvergenceTracker(PAIR)
    whole.add_designs(designs)
    packed.add_chunks(pack_step(Step(0.5, designs=designs), 1).designs)
    assert packed.reference == whole.reference and packed.hypervolume == whole.hypervolume


def test_a_maximised_objective_counts_upwards() -> None:
    pair = (PAIR[0], Quantity("speed", "Speed", "", "maximise", "objective"))
    tracker = ConvergenceTracker(pair, reference=(4.0, 1.0))
    tracker.add_designs(some([(2.0, 3.0)], names=("a_s", "speed")))
    assert tracker.hypervolume == pytest.approx(4.0)

"""Segment, window and scenario costs, worked by hand on the package of `cases` (links 10 B/s, memory 5 B/s)."""

from __future__ import annotations

import numpy as np
import pytest

from engines.chiplets.costs.contention import TransferWaits
from engines.chiplets.costs.scoring import COLUMNS, MEMORY, Scorer, placement_costs
from engines.chiplets.problem.decision import PackageSchedule, Placement
from tests.engines.chiplets.cases import package, tables
from tests.engines.chiplets.costs.cases import ONE, THREE


def costs_of(built, cuts, path, source=MEMORY, first=0):
    return placement_costs(built, built.models[0], first, cuts, np.array([path]), source)


def test_one_segment_by_hand() -> None:
    # Input 10 B: 10/5 + 2 = 4. Weights 20 B: 20/5 + 2 = 6. Compute 3 + 5. Output 20 B: 6. No hops at chiplet 0.
    costs = costs_of(tables(ONE), (2,), (0,))
    assert costs.input_s.tolist() == [[4]]
    assert costs.weights_s.tolist() == [[6]]
    assert costs.output_s.tolist() == [[6]]
    assert costs.latency_s.tolist() == [24]
    # Compute 8 J; memory (10 + 20 + 20) B x 8 x 3 J.
    assert costs.energy_j[0] == pytest.approx(8 + 1200)


def test_two_segments_by_hand() -> None:
    # Chiplet 0 (NVDLA): 4 + weights 10/5 + 2 = 4 + compute 3 + hand on 10 B over 1 hop: 10/10 + 1 = 2 -> 13.
    # Chiplet 1 (Shi-diannao, 1 hop to memory): weights 4 + 1 = 5, compute 6, output 20/5 + 2 + 1 = 7 -> 18.
    costs = costs_of(tables(ONE), (1, 2), (0, 1))
    np.testing.assert_allclose(costs.first_s, [[13, 18]])
    assert costs.latency_s[0] == 31
    # Package: 10 B handed on x 8 bit x 1 J. Off chip: memory (10 + 10 + 10 + 20) x 24 J and hops (10 + 20) x 8 J.
    assert costs.compute_j.sum() == 9
    assert costs.package_j.sum() == pytest.approx(80)
    assert costs.off_chip_j.sum() == pytest.approx(1200 + 240)


def test_fill_and_drain_by_hand() -> None:
    # Batch 3, one sample at a time; without weights 13 - 4 = 9 and 18 - 5 = 13 per further sample.
    costs = costs_of(tables(ONE, batch=3), (1, 2), (0, 1))
    assert costs.latency_s[0] == 31 + 2 * 13
    every = costs_of(tables(ONE, {"weight_loading": "every_mini_batch"}, batch=3), (1, 2), (0, 1))
    assert every.latency_s[0] == 31 + 2 * 18
    assert every.energy_j[0] - costs.energy_j[0] == pytest.approx(2 * (20 * 24 + 10 * 8))


def test_the_other_readings_by_hand() -> None:
    # Batch 2 at once: 20 B in: 6; weights 4; compute 6; 20 B on: 3 -> 19. Then 5 + 12 + 40/5 + 3 = 28.
    whole = costs_of(tables(ONE, {"latency_reading": "pipelined_maximum"}, batch=2), (1, 2), (0, 1))
    np.testing.assert_allclose(whole.first_s, [[19, 28]])
    assert whole.latency_s[0] == 28
    chained = costs_of(tables(ONE, {"latency_reading": "end_to_end"}, batch=2), (1, 2), (0, 1))
    assert chained.latency_s[0] == 47


def test_a_later_window_reads_from_the_chiplet_before() -> None:
    built = tables(ONE)
    same = costs_of(built, (2,), (0,), source=0, first=1)
    assert same.input_s[0, 0] == 0
    assert same.package_j[0, 0] == 0
    near = costs_of(built, (2,), (0,), source=1, first=1)
    assert near.input_s[0, 0] == 10 / 10 + 1


def test_activations_stay_on_the_chiplet_between_windows() -> None:
    assert costs_of(tables(ONE), (1,), (0,)).output_s[0, 0] == 0


def test_paths_do_not_change_each_others_costs() -> None:
    built = tables({"a": [[3, 5, 7], [6, 6, 1]]}, batch=3)
    paths = np.array([[0, 1], [3, 4], [2, 1], [5, 2]])
    together = placement_costs(built, built.models[0], 0, (2, 3), paths, MEMORY)
    for row, path in enumerate(paths):
        alone = placement_costs(built, built.models[0], 0, (2, 3), path[None], MEMORY)
        assert together.latency_s[row] == alone.latency_s[0]
        assert together.energy_j[row] == alone.energy_j[0]


def test_a_scenario_adds_windows_and_takes_the_slowest_model() -> None:
    built = tables({"a": [[3, 5], [6, 6]], "b": [[1], [1]]})
    schedule = PackageSchedule(
        (
            (Placement(0, 0, (1,), (0,)), Placement(1, 0, (1,), (2,))),
            (Placement(0, 1, (2,), (1,)),),
        )
    )
    values = dict(zip(COLUMNS, Scorer(built).score(schedule), strict=True))
    # Window 1: a 4 + 4 + 3 = 11; b 4 + 4 + 1 + 6 = 15. Window 2: read 10 B over 1 hop 2, weights 5, compute 6, output 7 -> 20.
    assert values["latency_s"] == 35
    a, b = 3 + 6 + (10 + 10 + 10 + 20) * 24 + 80 + (10 + 20) * 8, 1 + (10 + 10 + 20) * 24
    assert values["energy_j"] == pytest.approx(a + b)
    assert values["edp_js"] == values["latency_s"] * values["energy_j"]
    assert values["windows"] == 2
    assert values["chiplet_busy_fraction"] == pytest.approx((11 + 15 + 20) / (6 * 35))


def test_energy_of_a_batch_by_hand() -> None:
    # Three samples: compute 3 x 9 J; 30 B handed on x 8 bit x 1 J. Off chip: weights once, (10 + 10) B x 24 J and 10 B over one hop
    # x 8 J; 30 B in x 24 J; 60 B out x (24 + 8) J.
    costs = costs_of(tables(ONE, batch=3), (1, 2), (0, 1))
    assert costs.compute_j.sum() == 27 and costs.package_j.sum() == pytest.approx(240)
    assert costs.off_chip_j.sum() == pytest.approx(480 + 80 + 720 + 1920)


def test_three_segments_by_hand() -> None:
    # Chiplets 0, 1, 2 with 0, 1 and 0 hops to memory. 0: input 4, weights 4, compute 3, 20 B on 3. 1: weights 5, compute 6, 30 B on
    # 4. 2: weights 4, compute 7, output 6.
    built = tables(THREE, inputs=[10.0, 20.0, 30.0])
    costs = costs_of(built, (1, 2, 3), (0, 1, 2))
    assert costs.first_s.tolist() == [[14, 15, 17]] and costs.latency_s[0] == 46
    assert costs.output_s.tolist() == [[3, 4, 6]]
    assert costs.package_j.tolist() == [[20 * 8, 30 * 8, 0]]
    assert costs.energy_j[0] == pytest.approx(
        sum(each.sum() for each in (costs.compute_j, costs.package_j, costs.off_chip_j))
    )


def test_a_later_window_of_a_batch_by_hand() -> None:
    # From layer 1 on, its 20 B per sample from chiplet 4, one hop from chiplet 1; 30 B per sample on to chiplet 2.
    built = tables(THREE, batch=2, inputs=[10.0, 20.0, 30.0])
    costs = costs_of(built, (2, 3), (1, 2), source=4, first=1)
    assert costs.input_s.tolist() == [[20 / 10 + 1, 0]]
    assert costs.package_j.tolist() == [[(2 * 20 + 2 * 30) * 8, 0]]
    whole = tables(THREE, {"latency_reading": "pipelined_maximum"}, batch=2, inputs=[10.0, 20.0, 30.0])
    assert costs_of(whole, (2, 3), (1, 2), source=4, first=1).input_s[0, 0] == 2 * 20 / 10 + 1


def test_chiplets_are_busy_with_every_mini_batch() -> None:
    # 13 and 18 s for the first, 9 and 13 s for two more: 31 + 44 s of six chiplets in 57 s.
    schedule = PackageSchedule(((Placement(0, 0, (1, 2), (0, 1)),),))
    values = dict(zip(COLUMNS, Scorer(tables(ONE, batch=3)).score(schedule), strict=True))
    assert values["chiplet_busy_fraction"] == pytest.approx(75 / (6 * 57))


def test_the_fullest_buffer_counts() -> None:
    # 10 and 30 B of weights with 20 B of activations against 25 B: 5 and 25 B too much.
    built = tables(ONE, on=package(buffer=25), weights=[10.0, 30.0])
    values = dict(
        zip(COLUMNS, Scorer(built).score(PackageSchedule(((Placement(0, 0, (1, 2), (0, 1)),),))), strict=True)
    )
    assert values["buffer_excess_mb"] == 25 / 1e6


def test_models_of_a_window_add_up_on_a_link() -> None:
    # Memory stands left of chiplet 0: each of three models reads 20 B and writes 20 B through it, at each way 60 B.
    built = tables({name: [[1], [1]] for name in "abc"}, on=package(1, 3, sides=("left",)))
    schedule = PackageSchedule((tuple(Placement(model, 0, (1,), (model,)) for model in range(3)),))
    assert dict(zip(COLUMNS, Scorer(built).score(schedule), strict=True))["link_peak_bytes"] == 60


def test_waiting_lengthens_every_transfer_by_its_bytes() -> None:
    # Two samples at once: 10 B each in, 10 B of weights per layer, 20 and 30 B each on, 20 B each out.
    built = tables(THREE, {"latency_reading": "pipelined_maximum"}, batch=2, inputs=[10.0, 20.0, 30.0])
    waiting = TransferWaits(np.array([0.1, 9.0, 9.0]), np.array([0.2, 0.3, 0.4]), np.array([0.5, 0.6, 0.7]))
    paths = np.array([[0, 1, 2]])
    alone, shared = (
        placement_costs(built, built.models[0], 0, (1, 2, 3), paths, MEMORY, each) for each in (None, waiting)
    )
    np.testing.assert_allclose(shared.input_s - alone.input_s, [[2 * 10 * 0.1, 0, 0]])
    np.testing.assert_allclose(shared.weights_s - alone.weights_s, [[10 * 0.2, 10 * 0.3, 10 * 0.4]])
    np.testing.assert_allclose(shared.output_s - alone.output_s, [[2 * 20 * 0.5, 2 * 30 * 0.6, 2 * 20 * 0.7]])
    assert shared.latency_s[0] == shared.first_s.max() > alone.latency_s[0]
    np.testing.assert_array_equal(shared.off_chip_j, alone.off_chip_j)

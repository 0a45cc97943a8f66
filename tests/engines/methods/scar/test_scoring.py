"""Segment, window and scenario costs, worked by hand on the package of `cases` (links 10 B/s, memory 5 B/s)."""

from __future__ import annotations

import numpy as np
import pytest

from engines.methods.scar.decision import Placement, ScarSchedule
from engines.methods.scar.scoring import COLUMNS, MEMORY, Scorer, placement_costs
from engines.methods.scar.traffic import transfers
from tests.engines.methods.scar.cases import package, tables

ONE = {"a": [[3, 5], [6, 6]]}


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
    schedule = ScarSchedule(
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


def test_link_bytes_and_buffer_by_hand() -> None:
    built = tables(ONE, on=package(buffer=25), batch=2)
    placement = Placement(0, 0, (1, 2), (0, 1))
    names = built.package_model.links
    moved = [(t.kind, t.size_bytes, [names[i] for i in t.links]) for t in transfers(built, placement, MEMORY)]
    assert moved == [
        ("input", 20.0, [("DRAM left 0", "C0")]),
        ("weights", 10.0, [("DRAM left 0", "C0")]),
        ("output", 20.0, [("C0", "C1")]),
        ("weights", 10.0, [("DRAM left 0", "C0"), ("C0", "C1")]),
        ("output", 40.0, [("C1", "C0"), ("C0", "DRAM left 0")]),
    ]
    values = dict(zip(COLUMNS, Scorer(built).score(ScarSchedule(((placement,),))), strict=True))
    assert values["link_peak_bytes"] == 40
    # 10 B of weights and 20 B of activations of one sample against 25 B.
    assert values["buffer_excess_mb"] == pytest.approx(5e-6)

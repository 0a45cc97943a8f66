from __future__ import annotations

import pytest

from engines.contract.quantities import Quantity
from engines.exchange.schedule_differences import compare_costs, compare_schedules, parts_of
from tests.engines.exchange.schedules_for_tests import BEFORE, schedule


def test_a_schedule_equals_itself() -> None:
    found = compare_schedules(BEFORE, BEFORE)
    assert not found.moves and not found.times
    assert found.before_s == found.after_s == 7.0
    assert {found.verdict(part) for part in parts_of(BEFORE)} == {"same"}
    assert [(lane.before_s, lane.after_s) for lane in found.lanes] == [(5.0, 5.0), (2.0, 2.0), (3.0, 3.0)]


def test_where_cuts_differ_moves_are_by_layer_and_times_between_common_cuts() -> None:
    # Layers 2 and 3 of A moved to C1, which now runs 2 to 5; B got longer where it was.
    after = schedule(
        ("C0", 0.0, 2.0, "compute", "A layers 0-1"),
        ("C1", 2.0, 7.5, "compute", "A layers 2-5"),
        ("C2", 0.0, 4.0, "compute", "B layer 0"),
    )
    found = compare_schedules(BEFORE, after)
    assert [(m.model, m.first, m.last, m.before, m.after) for m in found.moves] == [("A", 2, 3, "C0", "C1")]
    # A is cut at 4 in one and at 2 in the other: only all six layers can be compared, 7.0 s (one of them transfer) to 7.5 s.
    assert [(t.model, t.first, t.last, t.difference_s) for t in found.times] == [("B", 0, 0, 1.0), ("A", 0, 5, 0.5)]
    assert found.times[1].before_compute_s == 6.0 and found.times[1].after_compute_s == 7.5
    verdicts = {(part.model, part.first): found.verdict(part) for part in parts_of(after)}
    assert verdicts == {("A", 0): "longer", ("A", 2): "moved", ("B", 0): "longer"}


def test_the_other_way_round_is_the_opposite() -> None:
    after = schedule(
        ("C1", 0.0, 5.0, "compute", "A layers 0-3"),
        ("C1", 5.0, 7.0, "compute", "A layers 4-5"),
        ("C2", 0.0, 2.0, "compute", "B layer 0"),
    )
    there, back = compare_schedules(BEFORE, after), compare_schedules(after, BEFORE)
    assert [(m.before, m.after) for m in there.moves] == [(m.after, m.before) for m in back.moves] == [("C0", "C1")]
    assert [t.difference_s for t in there.times] == [-t.difference_s for t in back.times] == [-1.0]
    assert there.times[0].model == "B"  # A's first part needs as long as before: 4 s and 1 s of transfer, now 5 s


def test_parts_without_layers_are_told_by_their_words() -> None:
    before = schedule(
        ("C0", 0.0, 1.0, "compute", "A stem"), ("C0", 1.0, 2.0, "compute", "A head"),
    )  # fmt: skip
    after = schedule(
        ("C0", 0.0, 1.0, "compute", "A stem"),
        ("C1", 1.0, 1.5, "transfer", "A transfer to C1"),
        ("C1", 1.5, 3.0, "compute", "A head"),
    )
    found = compare_schedules(before, after)
    assert [(m.words, m.before, m.after) for m in found.moves] == [("A head", "C0", "C1")]
    assert [(t.words, t.difference_s) for t in found.times] == [("A head", 0.5)]
    assert {part.words: found.verdict(part) for part in parts_of(after)} == {"A stem": "same", "A head": "moved"}


def test_what_only_one_schedule_has_is_nowhere_in_the_other() -> None:
    less = schedule(("C0", 0.0, 4.0, "compute", "A layers 0-3"))
    found = compare_schedules(less, BEFORE)
    assert [(m.model, m.first, m.last, m.before, m.after) for m in found.moves] == [
        ("A", 4, 5, "", "C1"), ("B", 0, 0, "", "C2"),
    ]  # fmt: skip


def test_costs_say_which_design_is_better() -> None:
    quantities = (
        Quantity("power_w", "Power", "W"),
        Quantity("latency_s", "Latency", "s", "minimise", "objective"),
        Quantity("accuracy", "Accuracy", "", "maximise", "objective"),
        Quantity("missing", "Missing", "", "minimise", "metric"),
    )
    before = {"latency_s": 2.0, "accuracy": 0.5, "power_w": 1.0, "missing": float("nan")}
    after = {"latency_s": 3.0, "accuracy": 0.6, "power_w": 2.0, "missing": 1.0}
    costs = compare_costs(quantities, before, after)
    assert [(c.quantity.name, c.better) for c in costs] == [("latency_s", False), ("accuracy", True), ("power_w", None)]
    assert costs[0].ratio == pytest.approx(1.5)
    assert compare_costs(quantities[1:2], before, before)[0].better is None

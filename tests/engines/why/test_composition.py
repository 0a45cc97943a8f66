"""Figures in parts, and beside those of another design."""

import numpy as np
import pytest

from engines.contract.metric_breakdowns import MetricBreakdown
from engines.contract.results import Breakdown
from engines.why.composition import PAUSE, REST, beside, parts_of
from tests.engines.why.test_chain import schedule

ENERGY = Breakdown("energy", "Energy", ("gpu", "dla"), ("work", "moves"), np.array([[3.0, 1.0], [2.0, np.nan]]), "J")


def test_a_breakdown_is_told_apart_by_bars_or_by_parts_and_adds_up_to_the_same() -> None:
    assert parts_of(MetricBreakdown("energy_j", "energy", "", "bars"), [ENERGY]) == {"gpu": 4.0, "dla": 2.0}
    assert parts_of(MetricBreakdown("energy_j", "energy", "", "parts"), [ENERGY]) == {"work": 5.0, "moves": 1.0}


def test_one_bar_may_be_all_of_the_design() -> None:
    assert parts_of(MetricBreakdown("energy_j", "energy", "", "parts", "gpu"), [ENERGY]) == {"work": 3.0, "moves": 1.0}


@pytest.mark.parametrize(
    "declared", [MetricBreakdown("e", "power", "", "bars"), MetricBreakdown("e", "energy", "", "parts", "cpu")]
)
def test_what_is_not_shown_is_said(declared: MetricBreakdown) -> None:
    with pytest.raises(LookupError):
        parts_of(declared, [ENERGY])


def test_a_schedule_is_told_apart_by_what_is_on_the_chain() -> None:
    found = [schedule([(0, 0.0, 1.0), (1, 1.5, 3.0)])]
    assert parts_of(MetricBreakdown("t", "schedule", "", "lanes"), found) == {"A": 1.0, PAUSE: 0.5, "B": 1.5}
    assert parts_of(MetricBreakdown("t", "schedule", "", "models"), found) == {"net": 2.5, PAUSE: 0.5}
    assert parts_of(MetricBreakdown("t", "schedule", "", "kinds"), found) == {"Compute": 2.5, PAUSE: 0.5}


def test_the_largest_differences_come_first_and_the_rest_is_one_part() -> None:
    parts = beside({"a": 5.0, "b": 1.0, "c": 2.0, "d": 0.0}, {"a": 4.5, "b": 4.0, "e": 1.5}, 3)
    assert [(part.title, part.change) for part in parts] == [("b", -3.0), ("c", 2.0), (REST, -1.0)]
    assert sum(part.value for part in parts) == 8.0
    assert [part.title for part in beside({"a": 1.0, "b": 2.0}, {}, 3)] == ["b", "a"]


def test_what_both_have_alike_is_no_part_of_its_own_and_the_totals_stay_whole() -> None:
    parts = beside({"a": 5.0, "b": 1.0}, {"a": 5.0, "b": 2.0}, 3)
    assert [(part.title, part.value, part.beside) for part in parts] == [("b", 1.0, 2.0), (REST, 5.0, 5.0)]

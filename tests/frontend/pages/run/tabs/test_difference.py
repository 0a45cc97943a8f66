from __future__ import annotations

from dataclasses import replace

import numpy as np

from engines.contract.quantities import Quantity
from engines.contract.results import Table
from engines.exchange.schedule_difference_tables import difference_tables
from engines.exchange.schedule_differences import compare_costs, compare_schedules
from frontend.designs.run_designs import RunDesigns
from frontend.figures.schedule.schedule_difference import (
    difference_sentence,
    told_differences,
)
from frontend.pages.run.tabs.difference import cost_table, equal_note, pinned_chip, pinned_from, without_equal
from tests.frontend.figures.samples import sample_schedule
from tests.frontend.pages.run.tabs.cases import moved_schedule


def test_the_better_value_is_bold() -> None:
    quantities = (Quantity("latency_s", "Latency", "s", "minimise", "objective"),)
    table = str(cost_table(compare_costs(quantities, {"latency_s": 0.5}, {"latency_s": 0.4}), ("one", "two")))
    assert "B(children='400', title='better')" in table
    assert "−100\\xa0ms" in table and "0.800" in table


def test_what_reads_the_same_in_both_designs_is_counted_and_left_out() -> None:
    quantities = [
        Quantity(name, name.title(), "s", "minimise", "objective") for name in ("latency", "waiting", "moving")
    ]
    before = {"latency": 0.5, "waiting": 0.25, "moving": 0.1}
    after = {"latency": 0.4, "waiting": 0.25 + 1e-9, "moving": 0.1}
    shown = str(cost_table(compare_costs(quantities, before, after), ("one", "two")))
    assert "Latency" in shown and "Waiting" not in shown and "Moving" not in shown
    assert "2 quantities are equal in both." in shown

    lanes = next(
        table
        for table in difference_tables(compare_schedules(sample_schedule(), moved_schedule()))
        if table.name == "lanes"
    )
    assert isinstance(lanes, Table)
    told, equal = without_equal(lanes)
    kept = told.table_columns[0].values
    assert 0 < len(kept) < len(lanes.table_columns[0].values) == len(kept) + equal
    apart = dict(zip(lanes.table_columns[0].values, np.abs(lanes.table_columns[3].values), strict=True))
    assert all(apart[lane] > 1e-9 for lane in kept) and all(v < 1e-5 for lane, v in apart.items() if lane not in kept)
    assert str(equal_note(1, "lane")).count("1 lane is equal in both.") == 1 and equal_note(0, "lane") is None


def test_an_address_pins_only_designs_that_there_are() -> None:
    texts = np.array(["search"] * 6), np.array([""] * 6)
    designs = RunDesigns((), "", {}, np.arange(6), *texts)
    assert pinned_from("3", designs) == 3
    assert (
        pinned_from("", designs) is None and pinned_from("99999", designs) is None and pinned_from("x", designs) is None
    )
    assert pinned_from("²", designs) is None, "a digit, and no number"
    assert pinned_chip(designs, None) is None
    assert "A Design 0003" in str(pinned_chip(designs, 3))


def test_the_sentence_counts_the_parts_that_the_table_shows() -> None:
    before = sample_schedule()
    # Beyond what sums round to, below what is printed.
    stretched = before.bar_start_s + (before.bar_end_s - before.bar_start_s) * (1 + 5e-6)
    after = replace(before, bar_end_s=stretched)
    found = compare_schedules(before, after)
    assert found.times
    told = told_differences(found)
    assert difference_sentence(told).startswith("No layer moved and no duration grew")
    times = next(table for table in difference_tables(found) if table.name == "times")
    assert isinstance(times, Table) and len(without_equal(times)[0].table_columns[0].values) == len(told.times)
    moved = compare_schedules(before, moved_schedule())
    assert told_differences(moved) == moved

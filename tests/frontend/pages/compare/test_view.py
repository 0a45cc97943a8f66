from __future__ import annotations

import json
from typing import Any

from frontend.pages.compare.data import sides_of
from frontend.pages.compare.measures import MetricRow, metric_rows
from frontend.pages.compare.view import differences_line, metric_table, pairs_table
from tests.support.stored_runs import People, finished_run
from webapp.comparisons.service import Entry


def test_three_runs_have_ratios_and_a_table_of_pairs(people: People, runs: list[Any]) -> None:
    sides = sides_of([Entry(run) for run in [*runs, finished_run(people, steps=2, designs_per_step=6)]])
    table = json.loads(json.dumps(str(metric_table(metric_rows(sides), sides))))
    assert table.count("compare-ratio") > 4 and "compare-bar" not in table
    pairs = pairs_table(sides)
    assert pairs is not None and str(pairs).count("dominated by ") == 3
    assert pairs_table(sides[:2]) is None


def test_what_differs_between_three_is_told_by_letters(people: People, runs: list[Any]) -> None:
    third = finished_run(people, steps=3, designs_per_step=6, energy_limit_j=50.0)
    line = str(differences_line(sides_of([Entry(run) for run in [*runs, third]])))
    assert "A C: 3 · B: 5" in line and "A B: 100.0 · C: 50.0" in line
    assert MetricRow("g", "EDP", "J·s", (2.119, 0.06538), "low").texts == ("2.119", "0.06538")
    assert MetricRow("g", "EDP", "J·s", (2.119, 1.5), "low").texts == ("2.119", "1.500")


def test_what_differs_by_less_than_its_estimate_may_be_off_is_told(runs: list[Any]) -> None:
    near = MetricRow("Best of the run", "Latency", "ms", (10.0, 11.0), "low", factors=(1.2, 1.1))
    assert near.best == {0} and near.inside_error == {0, 1}
    assert MetricRow("Best of the run", "Latency", "ms", (10.0, 11.0), "low").inside_error == frozenset()
    shown = str(metric_table([near], sides_of([Entry(run) for run in runs])))
    assert shown.count("≈") == 2 and "smaller than the error band (×/÷ 1.20)" in shown


def test_ratios_of_two_runs_exceed_one(runs: list[Any]) -> None:
    rows = [MetricRow("Best of the run", "Latency", "ms", values, "low") for values in ((952.0, 27.28), (10.0, 42.0))]
    shown = str(metric_table(rows, sides_of([Entry(run) for run in runs])))
    assert "'÷ 34.9'" in shown and "'× 4.20'" in shown and "'B = A'" in shown

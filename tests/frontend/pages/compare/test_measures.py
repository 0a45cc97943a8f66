from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engines.contract.quantities import Quantity
from frontend.pages.compare.data import sides_of
from frontend.pages.compare.measures import MetricRow, fronts_of, metric_rows
from tests.support.stored_runs import People
from webapp.comparisons.measures import measure
from webapp.comparisons.service import Entry


def test_only_values_that_read_differently_are_better() -> None:
    row = MetricRow("", "Energy", "J", (4.23401, 4.23402, 5.0), "low")
    assert row.best == {0, 1}
    assert MetricRow("", "Energy", "J", (4.0, 4.0), "low").best == frozenset()
    assert MetricRow("", "Energy", "J", (4.0, float("nan")), "low").best == frozenset()
    assert MetricRow("", "Rate", "Hz", (1.0, 2.0), "high").best == {1}
    assert MetricRow("", "Windows", "", (1.0, 2.0), "none").best == frozenset()


def test_measures_are_computed_once(people: People, runs: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []
    monkeypatch.setattr(
        "frontend.pages.compare.measures.measure", lambda *given: (counted.append(1), measure(*given))[1]
    )
    for design in (None, 3, 5):
        metric_rows(sides_of([Entry(runs[0], design), Entry(runs[1])]))
    assert len(counted) == 1
    metric_rows(sides_of([Entry(runs[1]), Entry(runs[0])]))
    assert len(counted) == 2, "another order has other measures"


def test_only_what_meets_the_constraints_counts(people: People, runs: list[Any]) -> None:
    slack = Quantity("limit_slack", "Room", "", "none", "constraint")
    (side,) = sides_of([Entry(runs[0])])
    columns = {**side.designs.columns, "limit_slack": np.ones(len(side.designs))}
    within = np.argsort(columns["latency_s"])
    columns["limit_slack"][within[0]] = -1.0
    limited = replace(
        side, designs=replace(side.designs, columns=columns, quantities=(*side.designs.quantities, slack))
    )
    assert limited.best("latency_s") == columns["latency_s"][within[1]] > side.best("latency_s")
    before, after = fronts_of([side, side]).fronts[0], fronts_of([limited, limited, limited]).fronts[0]
    assert columns["latency_s"][within[0]] in before[:, 0] and columns["latency_s"][within[0]] not in after[:, 0]

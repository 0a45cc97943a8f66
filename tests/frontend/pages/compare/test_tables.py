from __future__ import annotations

from typing import Any

from frontend.pages.compare import tables
from frontend.pages.compare.data import sides_of
from tests.engines.exchange.schedules_for_tests import BEFORE
from webapp.comparisons.service import Entry


def test_fronts_are_told_point_by_point(runs: list[Any], monkeypatch: Any) -> None:
    sides = sides_of([Entry(run) for run in runs])
    shown = str(tables.fronts_table(sides, ("latency_s", "energy_j")))
    assert "Latency" in shown and "evenly spread" not in shown
    monkeypatch.setattr(tables, "MOST_ROWS", 1)
    assert "1 of each, evenly spread: A has " in str(tables.fronts_table(sides, ("latency_s", "energy_j")))


def test_a_schedule_says_how_busy_its_lanes_are() -> None:
    shown = str(tables.schedule_table(BEFORE))
    assert shown.count("50") >= 3 and "C2" in shown and "W1" in shown and "W2" not in shown

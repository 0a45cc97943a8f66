"""What machines measured of the designs that are compared."""

from __future__ import annotations

import pytest

from frontend.pages.compare.data import Side
from frontend.pages.compare.measurements import measured_rows
from frontend.pages.run.run_reader import designs_of
from frontend.theme import RUNS
from tests.support.stored_runs import People, computed_run
from tests.webapp.measuring.conftest import agent, device
from tests.webapp.measuring.test_designs import SPLIT, measured, on_device
from webapp.measuring.designs import ask_designs
from webapp.measuring.models import AgentDevice

__all__ = ["agent", "device"]


def test_rows_of_a_device_have_the_designs_and_their_interval(
    people: People, device: AgentDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frontend.pages.run.measurements.data.current_user", lambda: people.viewer)
    runs = [computed_run(people, SPLIT) for _ in range(2)]
    first, second = on_device(runs[0])[:2]
    for at, (run, number) in enumerate(zip(runs, (first, second), strict=True)):
        ask_designs(people.owner, run, [number], device, 1)
        measured(0.010 * (at + 1))
    sides = [
        Side(run, style, designs_of(run), number)
        for run, style, number in zip(runs, RUNS, (first, second), strict=False)
    ]
    rows = measured_rows(sides)
    assert [row.title for row in rows] == ["Latency, measured", "From, at 95 %", "To, at 95 %"]
    assert {row.group for row in rows} == {"Measured on Test box, 1 thread"}
    low, middle, high = rows[1].values, rows[0].values, rows[2].values
    assert all(a < b < c for a, b, c in zip(low, middle, high, strict=True))
    assert rows[0].better == ("low" if high[0] < low[1] or high[1] < low[0] else "none")
    assert "Predicted ratios: " in rows[0].help
    assert measured_rows([Side(runs[0], RUNS[0], designs_of(runs[0]), None)]) == []

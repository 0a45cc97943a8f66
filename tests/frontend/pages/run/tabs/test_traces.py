"""The traces tab: a readout of every series, events, and what belongs to a trace."""

from __future__ import annotations

import numpy as np

from engines.contract.results import Event, Note, Series, Table, TableColumn, Trace
from frontend.pages.run.tabs.traces import readout, traces_tab

TRACE = Trace(
    "battery",
    "Charge",
    np.array([0.0, 1800.0, 7200.0]),
    (Series("Charge", np.array([100.0, 80.0, 20.0]), "%"), Series("Power", np.array([0.02, np.nan, 0.03]), "W")),
    events=(Event(5400.0, "half are empty"),),
)


def words_of(component: object) -> str:
    """All text of a component."""
    return str(component.to_plotly_json() if hasattr(component, "to_plotly_json") else component)


def test_the_readout_tells_least_time_weighted_mean_most_and_last() -> None:
    text = words_of(readout(TRACE))
    # 90 % for half an hour, 50 % for an hour and a half.
    for expected in ("'60.0'", "'20.0'", "'100'", "Power (mW)", "'25.0'", "half are empty", "1\\xa0h 30"):
        assert expected in text, expected


def test_tables_and_remarks_of_a_trace_stand_below_it_and_others_do_not() -> None:
    errors = Table(
        "battery-errors", "Simulated against meter", (TableColumn("RMSE", np.array([2.0])),), belongs_to="battery"
    )
    other = Table("battery-lives", "When batteries end", (TableColumn("Life", np.array([1.0])),))
    note = Note("battery-unit", "Unit?", "check the unit", "warning", belongs_to="battery")
    text = words_of(traces_tab((TRACE, errors, other, note), "light", 1200))
    assert "Simulated against meter" in text and "check the unit" in text and "When batteries end" not in text

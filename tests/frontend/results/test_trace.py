from __future__ import annotations

import numpy as np

from engines.contract.results import Note, Table, TableColumn
from frontend.pages.run.tabs.traces import traces_tab
from tests.frontend.pages.run.tabs.cases import TRACE, words_of


def test_tables_and_remarks_of_a_trace_stand_below_it_and_others_do_not() -> None:
    errors = Table(
        "battery-errors", "Simulated against meter", (TableColumn("RMSE", np.array([2.0])),), belongs_to="battery"
    )
    other = Table("battery-lives", "When batteries end", (TableColumn("Life", np.array([1.0])),))
    note = Note("battery-unit", "Unit?", "check the unit", "warning", belongs_to="battery")
    text = words_of(traces_tab((TRACE, errors, other, note), "light", 1200))
    assert "Simulated against meter" in text and "check the unit" in text and "When batteries end" not in text

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.results import Note, Series, Table, Trace
from engines.recordings.recording import Recording, Track
from engines.simulation.recorded_overlay import overlay

TRACE = Trace(
    "charge", "Charge", np.array([0.0, 10.0, 20.0]), (Series("Simulated", np.array([100.0, 80.0, 60.0]), "%"),)
)


def recorded(unit: str, *values: float, begin_s: float = 5.0) -> Recording:
    times = begin_s + 10.0 * np.arange(len(values))
    return Recording(
        "r", "Recorded", {"level": unit}, "level", False, (Track("one", times, {"level": np.array(values)}),)
    )


def test_errors_are_those_over_the_times_that_both_have() -> None:
    drawn, (errors, *rest) = overlay(TRACE, recorded("share", 0.98, 0.84, 0.60, 0.50))
    assert isinstance(errors, Table) and not rest
    # Simulated - measured: 2, -4, 0 at the three common moments; the fourth lies behind the trace.
    found = {column.title: column.values[0] for column in errors.table_columns}
    assert found["RMSE"] == pytest.approx(np.sqrt(20 / 3)) and found["Mean error"] == pytest.approx(-2 / 3)
    assert found["Largest error"] == pytest.approx(4.0) and found["Points"] == "3"
    assert drawn.series[-1].y.tolist() == pytest.approx([98.0, 84.0, 60.0])


def test_a_unit_that_no_series_has_changes_nothing_and_says_so() -> None:
    drawn, (remark,) = overlay(TRACE, recorded("V", 3.0, 3.1))
    assert drawn is TRACE and isinstance(remark, Note) and "unit of a series" in remark.text


def test_means_far_apart_are_asked_about() -> None:
    _, results = overlay(TRACE, recorded("share", 0.001, 0.001))
    assert any(isinstance(each, Note) and "check the unit" in each.text for each in results)

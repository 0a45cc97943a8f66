"""Microcontrollers: tasks and systems that are left out, and systems that no table has."""

from dataclasses import replace
from statistics import median

import pytest

from engines.survey.measurements.microcontrollers import left_out_errors, tiny_estimate
from engines.survey.measurements.rows import MeasuredRow, table_rows


@pytest.mark.parametrize(("quantity", "most"), [("latency", 0.15), ("energy", 0.25)])
@pytest.mark.parametrize("task", ["mlperf-tiny-kws", "mlperf-tiny-ad"])
def test_the_median_system_that_is_left_out_is_near(quantity: str, most: float, task: str) -> None:
    errors = left_out_errors(quantity, task)
    assert len(errors) >= 6 and median(abs(error) for error in errors) <= most


def _row(device: str, network: str = "mlperf-tiny-kws") -> MeasuredRow:
    own = [row for row in table_rows("mlperf_tiny") if row.device == device and row.network == network]
    return next(row for row in own if row.quantity == "latency" and not row.reason)


def test_a_task_that_was_not_measured_counts_as_the_keyword_network() -> None:
    row = _row("nucleo-h7a3zi-q")
    found = tiny_estimate(replace(row, network="mlperf-tiny-ic"))
    assert found is not None and found.band_of == "systems"
    assert found.value == pytest.approx(row.value * 12.5 / 2.66, rel=0.1)


def test_a_system_without_measurements_has_the_cycles_of_its_core() -> None:
    row = _row("nucleo-l4r5zi")
    other = replace(row, device="new", note="submitter x; system y", unit="Arm Cortex-M4 60 MHz")
    found = tiny_estimate(other)
    assert found is not None and found.band_of == "systems without measurements"
    assert found.value == pytest.approx(2 * row.value, rel=0.1)
    assert tiny_estimate(replace(row, unit="Qualcomm Sensing Hub")) is None

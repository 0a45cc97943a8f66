"""The page on the SoC cost model says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engines.cost.calibration.files import MAX_BYTES, MAX_ROWS, read_csv
from engines.cost.calibration.measurements import published_measurements
from hardware.calibration.loader import builtin_calibrations, load_calibration
from hardware.calibration.model import SocCalibration

PAGE = (Path(__file__).parents[3] / "docs" / "soc-cost-model.md").read_text(encoding="utf-8")


def told(calibration: SocCalibration) -> list[str]:
    """The figures of a row of the table."""
    fitted, left_out, predicted = (
        calibration.errors(),
        calibration.errors(left_out=True),
        calibration.errors("predicted"),
    )
    assert fitted is not None and left_out is not None
    parameters = sum(parameter.role == "fitted" for parameter in calibration.parameters.values())
    errors = [f"{error:.1%}" for error in (fitted.median, fitted.worst, left_out.median, left_out.worst)]
    row = [str(fitted.rows), str(parameters), f"{calibration.effective_parameters:.1f}", *errors]
    return [*row, str(predicted.rows) if predicted else "0", f"{predicted.median:.1%}" if predicted else ""]


def test_the_table_of_calibrations_is_what_they_say() -> None:
    rows = {slug: [cell.strip() for cell in cells.split("|")] for slug, cells in
            re.findall(r"^\| `((?:xavier|tx2)-[a-z-]+)` \|(.*)\|$", PAGE, re.MULTILINE)}  # fmt: skip
    assert set(rows) == set(builtin_calibrations())
    for slug, row in rows.items():
        assert row == told(load_calibration(builtin_calibrations()[slug])), slug


def test_worst_rows_are_named() -> None:
    for content in builtin_calibrations().values():
        errors = load_calibration(content).errors()
        assert errors is not None and errors.worst_row in PAGE


def test_every_parameter_is_in_the_table() -> None:
    known = set(re.findall(r"`(?:<unit>\.)?([a-z_<>]+)`", PAGE))
    for source in published_measurements().values():
        for parameter in (*source.fitted, *source.assumed):
            assert parameter.name.rpartition(".")[2] in known


def test_the_example_runs() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, object] = {}
    exec(example, names)
    assert names["costs"].latency_s.shape[1:] == (2, 1)  # type: ignore[attr-defined]
    assert names["every"].latency_s.shape == (1, 2, 25578)  # type: ignore[attr-defined]
    factor = names["calibration"].error_factor("latency")  # type: ignore[attr-defined]
    assert factor == pytest.approx(1.40, abs=0.005)


def test_the_example_of_a_csv_reads_and_the_limits_are_those() -> None:
    (example,) = re.findall(r"```csv\n(.*?)```", PAGE, re.DOTALL)
    assert [len(row.layers) for row in read_csv(example)] == [1, 2, 0]
    assert f"{MAX_BYTES // 10**6} MB and {MAX_ROWS:,} rows" in PAGE

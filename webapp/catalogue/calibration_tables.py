"""Calibrations as tables on a terminal."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from engines.contract.integer_format import many
from engines.cost.calibration.words import error_words
from hardware.calibration.model import CalibrationRow, ErrorSummary, SocCalibration
from webapp.base.printing import print_table


def print_calibration(stream: Any, calibration: SocCalibration) -> None:
    """Print a table of all rows with measured and estimated values, followed by the summary lines."""
    print_table(stream, rows_table(calibration))
    stream.writelines(line + "\n" for line in summary_lines(calibration))


def rows_table(calibration: SocCalibration) -> Table:
    """Return one line per row: measured, estimated, deviation, deviation where its workload was left out, fitted or predicted."""
    table = Table(title=f"{calibration.slug}: {calibration.title}", title_justify="left")
    table.add_column("Row")
    for head in ("Measured", "Estimated", "Error", "Left out"):
        table.add_column(head, justify="right")
    table.add_column("Row is")
    table.add_column("Where", overflow="fold")
    for row in calibration.rows:
        figures = (f"{row.measured:.4g} {_unit(row)}", f"{row.estimated:.4g} {_unit(row)}", _percent(row.error))
        table.add_row(row.name, *figures, _percent(row.left_out_error), row.role, row.where)
    return table


def summary_lines(calibration: SocCalibration) -> list[str]:
    """Return parameters, errors of fitted, left-out and predicted rows, and the band that estimates carry."""
    fitted = sum(parameter.role == "fitted" for parameter in calibration.parameters.values())
    decided, assumed = calibration.effective_parameters, len(calibration.parameters) - fitted
    lines = [f"{fitted} fitted parameters ({decided:.1f} decided by the rows, the rest by priors), {assumed} assumed."]
    for words, errors in (
        ("Fitted", calibration.errors()),
        ("Leave one workload out", calibration.errors(left_out=True)),
        ("Predicted", calibration.errors("predicted")),
    ):
        lines += [f"{words}: {_errors_in_words(errors)}."] if errors else []
    factors = {quantity: calibration.error_factor(quantity) for quantity in sorted(calibration.quantities)}
    bands = [f"{name} x/÷ {factor:.2f}" if factor else f"{name} unknown" for name, factor in factors.items()]
    return [
        *lines,
        f"Error band (holds 90 % of held-out measurements): {', '.join(bands)}.",
        *filter(None, [error_words(calibration)]),
    ]


def _errors_in_words(errors: ErrorSummary) -> str:
    return (
        f"{many(errors.rows, 'row')}, median {errors.median:.1%}, mean {errors.mean:.1%}, "
        f"worst {errors.worst:.1%} ({errors.worst_row})"
    )


def _unit(row: CalibrationRow) -> str:
    return "" if row.in_unit == "ratio" else row.in_unit


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:+.1%}"

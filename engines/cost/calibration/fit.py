"""The fit of the SoC cost model's parameters to measured rows, with the residual and the leave-one-out prediction of each row.

Least squares on logarithms: a row that is twice too high counts as one that is half of what it should be. Each parameter has a
prior (a value and a factor that counts as one standard deviation), so that a source of few rows does not send the parameters that
it cannot tell to absurd values; `effective_parameters` says how many the rows decided (the trace of the influence matrix).

The honest error of a calibration is that of `left_out`: the same fit without any row of the workload, asked for that row. Where
all rows are of one workload, its operations are left out in five parts instead.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from engines.contract.arrays import FloatArray
from engines.cost.calibration.estimates import Networks, PreparedRow, RowBatch, estimates, prepare_rows
from engines.cost.calibration.measurements import FittedParameter, Measurements
from engines.cost.soc.model import SocCostModel
from hardware.calibration.model import CalibrationRow, Parameter, SocCalibration
from hardware.soc.model import Soc

if TYPE_CHECKING:
    from scipy.optimize import OptimizeResult

_DIGITS = 6
_FOLDS = 5


def fit_calibration(measurements: Measurements, soc: Soc, networks: Networks) -> SocCalibration:
    """Return the calibration that a source gives, with the residual of every row.

    Args:
        measurements: rows and parameters.
        soc: the device.
        networks: slug -> network.

    Raises:
        ProblemError: a row names an unknown unit, network or operation, or no row is fitted.
    """
    fit = _Fit(measurements, soc, networks)
    solution = fit.solve(fit.fitted_rows)
    calibration = fit.calibration(solution.x)
    left_out = fit.left_out(solution.x)
    values = estimates(fit.rows, SocCostModel(soc, calibration))
    rows = tuple(
        result_row(prepared, float(value), left_out.get(prepared.row.name))
        for prepared, value in zip(fit.rows, values, strict=True)
    )
    return replace(calibration, rows=rows, effective_parameters=round(fit.effective_parameters(solution), 2))


class _Fit:
    """The fit of one source; a solution holds the logarithms of the fitted parameters."""

    def __init__(self, measurements: Measurements, soc: Soc, networks: Networks) -> None:
        self.measurements, self.soc = measurements, soc
        self.rows = prepare_rows(measurements.rows, soc, networks)
        self.fitted_rows = [prepared for prepared in self.rows if prepared.row.role == "fitted"]
        self.priors = np.log([parameter.prior for parameter in measurements.fitted])
        self.deviations = np.log([parameter.factor for parameter in measurements.fitted])
        self.highest = np.array([_log_highest(parameter) for parameter in measurements.fitted])
        self.covered = _covered(self.fitted_rows)

    def calibration(self, solution: FloatArray, digits: int = _DIGITS) -> SocCalibration:
        """Return the calibration of a solution; parameters are rounded, so that its document states the values of estimates."""
        source = self.measurements
        values = [float(f"{math.exp(value):.{digits}g}") for value in solution]
        fitted = [
            Parameter(p.name, value, "fitted", p.note, p.prior, p.factor)
            for p, value in zip(source.fitted, values, strict=True)
        ]
        assumed = [Parameter(p.name, p.value, "assumed", p.note) for p in source.assumed]
        return SocCalibration(
            slug=source.slug,
            title=source.title,
            source=source.source,
            author=source.author,
            soc=source.soc,
            precision=source.precision,
            launcher=source.launcher,
            parameters={parameter.name: parameter for parameter in [*fitted, *assumed]},
            covered=self.covered,
            rows=(),
            device=source.device,
        )

    def solve(self, rows: Sequence[PreparedRow], start: FloatArray | None = None) -> OptimizeResult:
        """Return the best solution for those rows; `start` and the solution have shape `parameters` and hold logarithms."""
        from scipy.optimize import least_squares  # on use: it takes 30 MB, and every web server knows this module

        measured, batch = np.log([prepared.row.measured for prepared in rows]), RowBatch(rows)
        counting = np.array([prepared.row.deviation or self.measurements.deviation for prepared in rows])

        def residuals(solution: FloatArray) -> FloatArray:
            model = SocCostModel(self.soc, self.calibration(solution, digits=15))
            logs = np.log(batch.estimate(model))
            return np.concatenate([
                (logs - measured) / counting, (solution - self.priors) / self.deviations
            ])  # fmt: skip

        begin = np.minimum(self.priors if start is None else start, self.highest - 1e-9)
        return least_squares(residuals, begin, bounds=(-np.inf, self.highest), x_scale=self.deviations)

    def left_out(self, start: FloatArray) -> Mapping[str, float]:
        """Return row -> its estimate from a fit that saw no row of its workload; of its part where there is one workload.

        `start`, shape `parameters`, is where each fit begins.
        """
        found: dict[str, float] = {}
        for fold in dict.fromkeys(self._folds()):
            own = [row for row, place in zip(self.fitted_rows, self._folds(), strict=True) if place == fold]
            others = [row for row, place in zip(self.fitted_rows, self._folds(), strict=True) if place != fold]
            if others:
                model = SocCostModel(self.soc, self.calibration(self.solve(others, start).x))
                values = estimates(own, model)
                found |= {one.row.name: float(value) for one, value in zip(own, values, strict=True)}
        return found

    def _folds(self) -> list[str]:
        """Return the fold of each row: its workload, or its operation if there is only one workload."""
        workloads = [prepared.row.workload for prepared in self.fitted_rows]
        if len(set(workloads)) > 1:
            return workloads
        parts = [prepared.row.operations for prepared in self.fitted_rows]
        order = list(dict.fromkeys(parts))
        return [str(order.index(part) % _FOLDS) for part in parts]

    def effective_parameters(self, solution: OptimizeResult) -> float:
        """Return the trace of the influence matrix of the rows: parameters that they decided, the rest is the priors'."""
        jacobian = solution.jac[: len(self.fitted_rows)]
        information = jacobian.T @ jacobian
        penalty = np.diag(1 / self.deviations**2)
        return float(np.trace(np.linalg.solve(information + penalty, information)))


def _covered(rows: Iterable[PreparedRow]) -> dict[str, frozenset[str]]:
    """Return unit -> kinds that a fitted row ran on it."""
    covered: dict[str, set[str]] = {}
    for prepared in rows:
        for unit, kind in prepared.kinds:
            covered.setdefault(unit, set()).add(kind)
    return {unit: frozenset(kinds) for unit, kinds in covered.items()}


def _log_highest(parameter: FittedParameter) -> float:
    return np.inf if parameter.highest is None else math.log(parameter.highest)


def result_row(prepared: PreparedRow, estimated: float, left_out: float | None) -> CalibrationRow:
    """Return a row with its estimate, rounded as documents store it."""
    row = prepared.row
    return CalibrationRow(
        name=row.name,
        workload=row.workload,
        unit=prepared.unit_words,
        quantity=row.quantity,
        measured=row.measured,
        estimated=float(f"{estimated:.{_DIGITS}g}"),
        in_unit=row.in_unit,
        role=row.role,
        where=row.where,
        left_out=None if left_out is None else float(f"{left_out:.{_DIGITS}g}"),
    )

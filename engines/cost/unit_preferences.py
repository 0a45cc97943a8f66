"""Which unit of a system on a chip each operation of a network prefers, by how much, and what hand-overs take from it.

Every operation that runs is estimated alone on every unit that has a clock (`engines.cost.soc.model`), under one calibration and
setting. An operation that the calibration does not cover on a unit has no figure there, and the reason is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.errors import ProblemError
from engines.cost.calibration.public_comparison import public_words
from engines.cost.calibration.words import calibration_words
from engines.cost.preferences import QUANTITIES, Quantity
from engines.cost.soc.clocks import ClockSettings, clock_settings
from engines.cost.soc.model import SocCostModel
from engines.cost.soc.operations import OperationTable, operation_table
from engines.workloads.network import Network
from hardware.calibration.model import SocCalibration
from hardware.soc.model import Soc

NOWHERE = -1


@dataclass(frozen=True)
class UnitTotal:
    """The network on one unit, or on each operation's preferred one.

    Attributes:
        operations: that have a figure there; of "preferred" those that prefer any unit.
        latency_s, energy_j: sums over them.
        preferred: operations that prefer the unit.
    """

    operations: int
    latency_s: float
    energy_j: float
    preferred: int


@dataclass(frozen=True)
class UnitPreferences:
    """Costs of the `n` operations of a network that run, on the `u` units of a device.

    Attributes:
        operations: the `n` operations, in order.
        clocks: the one setting.
        units: names.
        latency_s, energy_j: shape `n x u`; infinite where there is no figure.
        reasons: (operation, unit) -> why there is none.
        handed_s, handed_j: time and energy of a unit transition after each operation, shape `n`.
    """

    network: Network
    soc: Soc
    calibration: SocCalibration
    operations: OperationTable
    clocks: ClockSettings
    units: tuple[str, ...]
    latency_s: FloatArray
    energy_j: FloatArray
    reasons: Mapping[tuple[int, str], str]
    handed_s: FloatArray
    handed_j: FloatArray
    batch: int = 1

    @property
    def supported(self) -> BoolArray:
        """Where there is a figure, shape `n x u`."""
        return np.isfinite(self.latency_s)

    def values(self, quantity: Quantity) -> FloatArray:
        """Return the latency (s), energy (J) or their product (J s), shape `n x u`; less is better, infinite where there is none.

        Raises:
            ProblemError: there is no such quantity.
        """
        if quantity not in QUANTITIES:
            raise ProblemError("quantity", quantity, f"one of {', '.join(QUANTITIES)}")
        if quantity == "edp":
            return self.latency_s * self.energy_j
        return self.latency_s if quantity == "latency" else self.energy_j

    def best(self, quantity: Quantity) -> IntArray:
        """Return the unit that each operation prefers, shape `n`; `NOWHERE` for one that has no figure at all."""
        best = np.asarray(self.values(quantity).argmin(axis=1), dtype=np.int64)
        best[~self.supported.any(axis=1)] = NOWHERE
        return best

    def ratios(self, quantity: Quantity) -> FloatArray:
        """Return the cost on each unit relative to the best one, shape `n x u`, at least 1; NaN without an estimate."""
        values = self.values(quantity)
        lowest = values.min(axis=1, keepdims=True)
        ratios = np.full(values.shape, np.nan)
        known = self.supported
        np.divide(values, lowest, out=ratios, where=known)
        return ratios

    def margins(self, quantity: Quantity) -> FloatArray:
        """Return the cost on the second best unit relative to the best one, shape `n`; NaN without a second estimate."""
        ordered = np.sort(self.values(quantity), axis=1)
        if ordered.shape[1] < 2:
            return np.full(len(ordered), np.nan)
        margins = np.full(len(ordered), np.nan)
        np.divide(ordered[:, 1], ordered[:, 0], out=margins, where=np.isfinite(ordered[:, 1]))
        return margins

    def band(self, quantity: Quantity) -> float | None:
        """Return the error band of an estimate; None without held-out measurements.

        That of the product of latency and energy takes their errors as independent.
        """
        if quantity != "edp":
            return self.calibration.error_factor(quantity)
        factors = [self.calibration.error_factor(each) for each in ("latency", "energy")]
        known = [np.log(factor) for factor in factors if factor is not None]
        return float(np.exp(np.sqrt(np.sum(np.square(known))))) if len(known) == len(factors) else None

    @property
    def public_words(self) -> str:
        """Return what of this network was measured in public on the device, beside its estimate; "" where nothing was."""
        alone = {
            unit: total.latency_s
            for unit, total in self.totals("latency").items()
            if total.operations == len(self.operations)
        }
        return public_words(self.soc, self.network.slug, self.batch, alone, self.calibration.precision)

    @property
    def costs_words(self) -> str:
        """Where the figures are from and in which precision."""
        return calibration_words(self.calibration, self.soc)

    def clear(self, quantity: Quantity) -> BoolArray:
        """Return the operations whose preference is more than the calibration's band, shape `n`.

        None where the band is not known.
        """
        band = self.band(quantity)
        with np.errstate(invalid="ignore"):
            return np.asarray(self.margins(quantity) > (np.inf if band is None else band))

    def totals(self, quantity: Quantity) -> dict[str, UnitTotal]:
        """Return unit -> the operations that have a figure there, and how many prefer it."""
        best, known = self.best(quantity), self.supported
        return {
            unit: UnitTotal(
                int(known[:, place].sum()),
                float(self.latency_s[known[:, place], place].sum()),
                float(self.energy_j[known[:, place], place].sum()),
                int((best == place).sum()),
            )
            for place, unit in enumerate(self.units)
        }

    def preferred(self, quantity: Quantity, *, handovers: bool) -> UnitTotal:
        """Return every operation on the unit that it prefers, one after the other.

        Args:
            quantity: by which they prefer.
            handovers: whether changes of unit are counted.
        """
        best = self.best(quantity)
        rows = np.flatnonzero(best != NOWHERE)
        latency, energy = self.latency_s[rows, best[rows]].sum(), self.energy_j[rows, best[rows]].sum()
        if handovers:
            changed = rows[:-1][best[rows][1:] != best[rows][:-1]]
            latency, energy = latency + self.handed_s[changed].sum(), energy + self.handed_j[changed].sum()
        return UnitTotal(len(rows), float(latency), float(energy), len(rows))

    def changes(self, quantity: Quantity) -> int:
        """Return the number of changes of the preferred unit along the network."""
        best = self.best(quantity)
        return int((np.diff(best[best != NOWHERE]) != 0).sum())


def unit_preferences(
    network: Network,
    soc: Soc,
    calibration: SocCalibration,
    clocks_mhz: Mapping[str, float] | None = None,
    *,
    fallback: bool = True,
    batch: int = 1,
) -> UnitPreferences:
    """Compare the units of a device for every operation of `network` that runs.

    Args:
        network: network whose operations are compared, in order.
        soc: the device.
        calibration: calibration of that device.
        clocks_mhz: unit or "memory" -> clock; what is left out stands at its highest.
        fallback: whether a unit may have operations that it does not run itself, where the calibration measured it so.
        batch: samples together.

    Raises:
        ProblemError: a calibration of another device, a clock that it does not have, or a batch below 1.
    """
    model = SocCostModel(soc, calibration, fallback=fallback)
    clocks = clock_settings(soc, [dict(clocks_mhz or {})])
    units = tuple(name for name, unit in soc.units.items() if unit.frequencies_hz)
    every = operation_table(network.operations)
    running = every.take(name for name, runs in zip(every.names, every.runs, strict=True) if runs)
    latency, energy, reasons = _costs(model, running, clocks, units, batch, network.slug)
    handed = model.transitions(running, clocks, batch=batch)
    return UnitPreferences(
        network,
        soc,
        calibration,
        running,
        clocks,
        units,
        latency,
        energy,
        reasons,
        handed.latency_s[:, 0],
        handed.energy_j[:, 0],
        batch,
    )


def _costs(
    model: SocCostModel,
    running: OperationTable,
    clocks: ClockSettings,
    units: tuple[str, ...],
    batch: int,
    workload: str,
) -> tuple[FloatArray, FloatArray, dict[tuple[int, str], str]]:
    """Return the costs on all units; those that the calibration does not know at all stay infinite."""
    latency = np.full((len(running), len(units)), np.inf)
    energy = latency.copy()
    reasons = {
        (row, unit): f"{running.names[row]}: {model.why_not(unit, running.kinds[row])}"
        for unit in units if unit not in model.units for row in range(len(running))
    }  # fmt: skip
    known = [unit for unit in units if unit in model.units]
    costs = model.costs(running, clocks, units=known, batch=batch, partial=True, workload=workload)
    places = [units.index(unit) for unit in known]
    latency[:, places], energy[:, places] = costs.latency_s[:, :, 0], costs.energy_j[:, :, 0]
    return latency, energy, reasons | costs.reasons

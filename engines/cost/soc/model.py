"""Latency and energy of operations on the units of a system on a chip, at any clocks, from a calibration.

A roofline per operation. On a unit u at clock f (highest F), with the memory at clock m (highest M):

    t = launches * launch * (p F_c / f_c + (1 - p) F / f) + max(c, b) + serial * min(c, b),
    c = (2 MACs + unpack * weights) / (share * peak(f)), b = bytes / (memory share * bandwidth(m))
    E = MACs * e_mac * V(f)^2 + bytes * e_byte * V(m)^2 + t * base * (l V(f) + (1 - l) V(f)^2 f / F)

- bytes: elements times their bits (`hardware.bits`): those that were asked for, else those that the network states, else those of
  the calibration. peak: of the pair of bits, or of the first wider format that the unit has; there weights below 8 bits are
  unpacked first, `unpack` operations each. Shares stay as they were fitted, and e_mac scales with the wider operand.
- serial: part of the shorter of the two that does not hide behind the longer: 0, a roofline, where a calibration does not say; a
  core that computes and waits in turn has more. Weights and copies of unrolled inputs may have shares of the bandwidth of their
  own, and each further group of a convolution a part of a launch (`group_launch_share`, 1 where a calibration does not say).
- p: part of a launch that the clock f_c of the launching CPU paces; the rest follows the unit's own clock.
- V(f) = v + (1 - v) f / F: supply voltage as a share of the highest. Dynamic energy of a task follows V^2, dynamic power V^2 f,
  leakage power V (first-order CMOS); l is the leakage's share of the base power. The devices' voltage tables are not published.
- F, F_c and M are those of the device that the calibration was fitted to: a copy with other clocks extrapolates from there.
- shares are of the published peak and bandwidth and differ by unit and by kind of operation; every value is the calibration's.

When the unit changes, the result goes through shared memory: it is written and read at the memory's clock, and the runtime
hands over (odema-2023 eqs. 6 and 7: tau_out + tau_in, e_out + e_in).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import TypeVar

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray
from engines.contract.errors import ProblemError
from engines.cost.soc.calibration_lineage import inherited, reference_figures
from engines.cost.soc.clocks import MEMORY, ClockSettings, named_mode
from engines.cost.soc.operations import KINDS_TOGETHER, OperationTable
from engines.workloads.network import COMPUTE_KINDS
from hardware.bits import BITS_PER_BYTE, BitWidths, Rate, bit_widths, rate_of
from hardware.calibration.device_figures import device_figures
from hardware.calibration.model import FINER_KINDS, SocCalibration
from hardware.soc.model import Soc

_JOULES_PER_PICOJOULE = 1e-12
_SECONDS_PER_MICROSECOND = 1e-6
_OPERATIONS_PER_MAC = 2
Share = TypeVar("Share", float, FloatArray)


class NoEstimateError(ProblemError):
    """An error for operations without an estimate; the message names operator and unit, and how to add a calibration."""


def power_share(clock_share: Share, voltage: Share, leakage: float) -> Share:
    """Return the base power as a share of that at the highest clock: l V + (1 - l) V^2 f / F."""
    return leakage * voltage + (1 - leakage) * voltage**2 * clock_share


def bits_of(name: str, field: str = "bits") -> BitWidths:
    """Return the bits that a name stands for.

    Args:
        name: "int8", "w4a16-g128", ...
        field: field of the name, for the refusal.

    Raises:
        ProblemError: the name is unknown; the error lists the known ones.
    """
    try:
        return bit_widths(name)
    except ValueError as error:
        raise ProblemError(field, name, str(error)) from error


def counted_bits(own: BitWidths, asked: str) -> BitWidths:
    """Return the bits of a network that states none: the requested ones, else the device's own.

    Raises:
        ProblemError: the name is unknown.
    """
    return bits_of(asked, "params.bits") if asked else own


@dataclass(frozen=True)
class SocCosts:
    """The costs of `n` operations, or groups of operations, on `u` units at `s` clock settings.

    Attributes:
        units: names of the units, in the order of the second axis.
        latency_s, energy_j: latency in s and energy in J, shape `n x u x s`; infinite if the unit cannot run the operation.
        supported: whether the unit can run the operation, shape `n x u`.
        reasons: (row, unit) -> reason for each unsupported pair.
    """

    units: tuple[str, ...]
    latency_s: FloatArray
    energy_j: FloatArray
    supported: BoolArray
    reasons: dict[tuple[int, str], str]


@dataclass(frozen=True)
class _Widths:
    """The bytes and rates of `n` operations on a unit; shape `n x 1`, or a number if all are equal.

    Attributes:
        weight_bytes, activation_bytes: bytes of a weight and of an activation.
        arithmetic_bytes: bytes of the wider operand.
        operations_per_cycle: peak rate; infinite if the unit has no format for the operands.
        unpacked: operations to unpack each weight.
    """

    weight_bytes: float | FloatArray
    activation_bytes: float | FloatArray
    arithmetic_bytes: float | FloatArray
    operations_per_cycle: float | FloatArray
    unpacked: float | FloatArray


@dataclass(frozen=True)
class TransitionCosts:
    """The costs of a unit transition after each of `n` operations, shape `n x s`; the same for every pair of units."""

    latency_s: FloatArray
    energy_j: FloatArray


class SocCostModel:
    """The cost model of one device under one calibration.

    Args:
        soc: the device.
        calibration: calibration of the device, or of one of its lineage, applied by `inherited`.
        mode: power mode of the device; switched-off cores lower the peak, while its clocks belong to the settings.
        fallback: whether a unit may get operations that it cannot run itself, at the calibrated costs, which contain the
            fall-back if the source measured it.
        bits: bits of weights and activations that override the network's; "": those of the network, else of the calibration.

    Raises:
        ProblemError: the calibration belongs to no device of the lineage, the device has no shared memory, or the bits are unknown.
    """

    def __init__(
        self, soc: Soc, calibration: SocCalibration, *, mode: str | None = None, fallback: bool = True, bits: str = ""
    ) -> None:
        calibration = inherited(calibration, soc)
        if soc.memory is None:
            raise ProblemError(
                "inputs.hardware.memory", None, "given", reason="The cost model needs the bandwidth of a shared memory."
            )
        self.soc, self.calibration, self._memory = soc, calibration, soc.memory
        self.mode, self.fallback = named_mode(soc, mode), fallback
        self.bits, self.counts_stated_bits = bits_of(bits) if bits else calibration.bits, not bits
        fitted_hz = reference_figures(calibration, soc).highest_hz
        self._highest_hz = {**device_figures(soc).highest_hz, **fitted_hz}

    estimator_words = ""

    @property
    def launcher(self) -> str:
        """Unit whose clock paces launches."""
        return self.calibration.launcher

    @property
    def precision(self) -> str:
        """Return the name of the bits of weights and activations for networks that state none."""
        return self.bits.name

    @property
    def units(self) -> tuple[str, ...]:
        """Units of the device that the calibration covers."""
        return tuple(name for name in self.soc.units if name in self.calibration.covered)

    def why_not(self, unit: str, kind: str) -> str:
        """Return the reason for a missing estimate of `kind` (or fused kinds) on `unit`; "" if there is an estimate."""
        reasons = (self._why_not(unit, each) for each in kind.split(KINDS_TOGETHER))
        return next(filter(None, reasons), "")

    def _why_not(self, unit: str, kind: str) -> str:
        covered = self.calibration.covered.get(unit)
        if unit not in self.soc.units:
            return f"{self.soc.slug} has no unit {unit}"
        if not self.soc.units[unit].frequencies_hz:
            return f"no clock of {unit} is known"
        supported = self.soc.units[unit].supported_operations
        if not self.soc.active_share(unit, self.mode):
            return f"{unit} is off in {self.mode}"
        if not self.fallback and supported is not None and kind not in supported:
            return f"{unit} does not run {kind} itself"
        if covered is None:
            return f"the calibration {self.calibration.slug} has no measurement of the unit {unit}"
        if kind not in covered:
            return f"the calibration {self.calibration.slug} has no measurement of {kind} on {unit}"
        if kind in COMPUTE_KINDS and self._rate(unit, self.bits) is None:
            return f"no peak of {unit} in {self.precision}, or in a wider format, is known"
        return ""

    def costs(
        self,
        operations: OperationTable,
        clocks: ClockSettings,
        *,
        units: Sequence[str] | None = None,
        batch: int = 1,
        groups: Sequence[int] | None = None,
        partial: bool = False,
        workload: str = "",
    ) -> SocCosts:
        """Return the latency and energy of every operation on every unit at every setting.

        Args:
            operations: `n` operations.
            clocks: `s` settings.
            units: names of units; by default all that the calibration covers.
            batch: samples per execution; weights are read once.
            groups: first operation of each group (ascending, from 0): rows are then summed over groups.
            partial: True: operations without an estimate cost infinity and get a reason; False: they raise an error.
            workload: slug of the network, for scale factors from a user's measured totals.

        Raises:
            NoEstimateError: a unit has no estimate for an operation that runs, and `partial` is False.
            ProblemError: the batch is below 1.
        """
        units = tuple(units) if units is not None else self.units
        if batch < 1:
            raise ProblemError("batch", batch, "at least 1")
        rows = len(operations) if groups is None else len(groups)
        latency = np.empty((rows, len(units), len(clocks)))
        energy, supported = np.empty_like(latency), np.ones((rows, len(units)), dtype=bool)
        reasons: dict[tuple[int, str], str] = {}
        for column, unit in enumerate(units):
            missing = self._missing(operations, unit)
            if missing and not partial:
                raise self._refusal(operations, unit, missing)
            for row, why in missing.items():
                group = row if groups is None else int(np.searchsorted(groups, row, side="right")) - 1
                reasons.setdefault((group, unit), f"{operations.names[row]}: {why}")
                supported[group, column] = False
            unit_latency, unit_energy = self._on_unit(operations, unit, clocks, batch, missing, groups)
            factors = self.calibration.scales.get((workload, unit), (1.0, 1.0))
            latency[:, column], energy[:, column] = unit_latency * factors[0], unit_energy * factors[1]
        refused = ~supported[:, :, None] & np.ones(len(clocks), dtype=bool)
        latency[refused], energy[refused] = np.inf, np.inf
        return SocCosts(units, latency, energy, supported, reasons)

    def time_parts_s(
        self, operations: OperationTable, clocks: ClockSettings, unit: str, *, batch: int = 1, workload: str = ""
    ) -> FloatArray:
        """Return the parts of each operation's latency on a unit at the first of `clocks`, in seconds, shape `n x 3`.

        The columns are launches, compute and memory. The longer one of compute and memory counts completely, the other one with
        the part that does not overlap. Rows add up to the latency of `costs`; an operation that cannot run there has zeros.
        """
        active = operations.runs.copy()
        active[list(self._missing(operations, unit))] = False
        paced = clocks.frequencies_hz.get(self.calibration.launcher, clocks.frequencies_hz[MEMORY])
        columns = np.stack([clocks.frequencies_hz[unit][:1], paced[:1], clocks.frequencies_hz[MEMORY][:1]])
        launch, compute, memory = self._times(operations, active, unit, columns, batch)
        bound, serial = compute >= memory, self._serial(unit)
        parts = np.concatenate(
            [launch, np.where(bound, compute, serial * compute), np.where(bound, serial * memory, memory)], axis=1
        )
        return parts * self.calibration.scales.get((workload, unit), (1.0, 1.0))[0]

    def transitions(self, operations: OperationTable, clocks: ClockSettings, *, batch: int = 1) -> TransitionCosts:
        """Return the costs of transferring the result of each operation to another unit through shared memory.

        The synchronisation adds only time, because the power of the units during it is not known separately.
        """
        size_bytes = operations.output_elements * batch * self._activation_bits(operations) / BITS_PER_BYTE
        moved = 2 * size_bytes[:, None]
        latency = self.calibration.value("handover_us") * _SECONDS_PER_MICROSECOND + moved / self._bandwidth(clocks)
        per_byte = self.calibration.value("memory_energy_pj_per_byte") * _JOULES_PER_PICOJOULE
        return TransitionCosts(latency, moved * per_byte * self._memory_voltage(clocks) ** 2)

    def _rate(self, unit: str, bits: BitWidths) -> Rate | None:
        return rate_of(self.soc.units[unit].operations_per_cycle, bits)

    def _activation_bits(self, operations: OperationTable) -> FloatArray:
        """Return the bits of an activation of each operation, shape `n`."""
        if not self.counts_stated_bits:
            return np.full(len(operations), self.bits.activations)
        return np.where(operations.activation_bits, operations.activation_bits, self.bits.activations)

    def _widths(self, operations: OperationTable, unit: str) -> _Widths:
        if not self.counts_stated_bits or not operations.stated_bits:
            return self._uniform(unit, self.bits)
        columns: dict[str, FloatArray] = {each.name: np.empty((len(operations), 1)) for each in fields(_Widths)}
        for weights, activations in operations.stated_bits:
            rows = (operations.weight_bits == weights) & (operations.activation_bits == activations)
            found = self._uniform(unit, self.bits.with_stated(weights, activations))
            for name, column in columns.items():
                column[rows] = getattr(found, name)
        return _Widths(**columns)

    def _uniform(self, unit: str, bits: BitWidths) -> _Widths:
        rate, each = self._rate(unit, bits), self.soc.units[unit]
        unpacked = each.unpack_operations_per_weight if rate is not None and rate.unpacks else 0.0
        per_cycle = np.inf if rate is None else rate.operations_per_cycle
        per_cycle *= self.soc.active_share(unit, self.mode) or 1.0
        return _Widths(bits.weight_bytes, bits.activation_bytes, bits.arithmetic_bytes, per_cycle, unpacked)

    def _missing(self, operations: OperationTable, unit: str) -> dict[int, str]:
        """Return row -> reason why the unit has no estimate for the operation."""
        reasons = [self.why_not(unit, kind) for kind in operations.distinct_kinds]
        lacking = np.array([bool(reason) for reason in reasons], dtype=bool)
        rows = np.flatnonzero(operations.runs & lacking[operations.kind_places]) if lacking.any() else ()
        return {int(row): reasons[operations.kind_places[row]] for row in rows}

    def _refusal(self, operations: OperationTable, unit: str, missing: dict[int, str]) -> NoEstimateError:
        row, why = next(iter(missing.items()))
        kinds = ", ".join(sorted({operations.kinds[index] for index in missing}))
        return NoEstimateError(
            f"operations.{operations.names[row]}",
            f"{kinds} on {unit}",
            "operations that an estimator covers",
            reason=f"No estimate: {why}.",
            remedies=[
                f"Measure them and calibrate it: `paretoscope calibrate-soc {self.soc.slug} FILE` (docs/soc-cost-model.md)."
            ],
        )

    def _on_unit(
        self,
        operations: OperationTable,
        unit: str,
        clocks: ClockSettings,
        batch: int,
        missing: Iterable[int],
        groups: Sequence[int] | None,
    ) -> tuple[FloatArray, FloatArray]:
        """Return the latency and energy of the (groups of) operations, shape `n x s`.

        Each distinct clock of the unit is computed once.
        """
        if unit not in clocks.frequencies_hz:
            nothing = np.full((len(operations) if groups is None else len(groups), len(clocks)), np.inf)
            return nothing, nothing
        paced = clocks.frequencies_hz.get(self.calibration.launcher, clocks.frequencies_hz[MEMORY])
        columns = np.stack([clocks.frequencies_hz[unit], paced, clocks.frequencies_hz[MEMORY]])
        distinct, place = np.unique(columns, axis=1, return_inverse=True)
        active = operations.runs.copy()
        active[list(missing)] = False
        latency, energy = self._roofline(operations, active, unit, distinct, batch)
        if groups is not None:
            starts = np.asarray(groups, dtype=np.int64)
            latency, energy = np.add.reduceat(latency, starts, axis=0), np.add.reduceat(energy, starts, axis=0)
        return latency[:, place.ravel()], energy[:, place.ravel()]

    def _roofline(
        self, operations: OperationTable, active: BoolArray, unit: str, clocks: FloatArray, batch: int
    ) -> tuple[FloatArray, FloatArray]:
        """Return latency and energy by the module's equations; `clocks` has rows for the unit, the launching CPU and the memory."""
        calibration, widths = self.calibration, self._widths(operations, unit)
        unit_hz, _, memory_hz = clocks
        macs, unpacked, moved = self._work(operations, active, batch, widths)
        launch, compute, memory = self._times(operations, active, unit, clocks, batch)
        latency = launch + np.maximum(compute, memory) + self._serial(unit) * np.minimum(compute, memory)
        voltage, memory_voltage = self._voltage(unit, unit_hz), self._voltage(MEMORY, memory_hz)
        clock_share = unit_hz / self._highest_hz[unit]
        base_w = calibration.value(f"{unit}.base_power_w") * power_share(
            clock_share, voltage, calibration.value("leakage_share")
        )
        fitted_bytes = calibration.bits.arithmetic_bytes
        mac_pj = calibration.value(f"{unit}.mac_energy_pj") * widths.arithmetic_bytes / fitted_bytes
        byte_pj = calibration.value("memory_energy_pj_per_byte")
        macs = macs + unpacked / _OPERATIONS_PER_MAC
        switching_pj = macs * mac_pj * voltage**2 + moved * byte_pj * memory_voltage**2
        return latency, switching_pj * _JOULES_PER_PICOJOULE + latency * base_w

    def _work(
        self, operations: OperationTable, active: BoolArray, batch: int, widths: _Widths
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return MACs, operations that unpack weights, and bytes moved of each operation, shape `n x 1`."""
        weights, moved = operations.weight_elements[:, None], operations.activation_elements[:, None] * batch
        size = moved * widths.activation_bytes + weights * widths.weight_bytes
        rows = active[:, None]
        macs = np.where(rows, operations.macs[:, None], 0.0) * batch
        return macs, np.where(rows & (macs > 0), weights * widths.unpacked, 0.0), np.where(rows, size, 0.0)

    def _times(
        self, operations: OperationTable, active: BoolArray, unit: str, clocks: FloatArray, batch: int
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the seconds of launches, at the unit's peak and at the memory's bandwidth, shape `n x s` each."""
        share, memory_share = self._shares(operations, active, unit)
        unit_hz, launcher_hz, memory_hz = clocks
        widths = self._widths(operations, unit)
        macs, unpacked, moved = self._work(operations, active, batch, widths)
        work = _OPERATIONS_PER_MAC * macs + unpacked
        compute = work / (share[:, None] * widths.operations_per_cycle * unit_hz)
        bandwidth = self._memory.bytes_per_cycle * memory_hz
        memory = moved / (memory_share[:, None] * bandwidth)
        memory = memory + self._further_bytes(operations, active, unit, batch, widths, memory_share) / bandwidth
        further = self.calibration.value_or(f"{unit}.group_launch_share", 1.0) * (operations.launches - 1)
        launches = np.where(active, 1 + further, 0.0)[:, None]
        return launches * self._launch_s(unit, unit_hz, launcher_hz), compute, memory

    def _further_bytes(
        self, operations: OperationTable, active: BoolArray, unit: str, batch: int, widths: _Widths, shares: FloatArray
    ) -> FloatArray:
        """Return the bytes at the full bandwidth beyond those at each operation's share, shape `n x 1`.

        These are copies of unrolled inputs, and the difference for weights with their own share of the bandwidth.
        """
        found = np.zeros((len(operations), 1))
        if unrolled := self.calibration.value_or(f"{unit}.unrolled_memory_share", 0.0):
            found += operations.unrolled_elements[:, None] * batch * widths.activation_bytes / unrolled
        if weights := self.calibration.value_or(f"{unit}.weight_memory_share", 0.0):
            found += operations.weight_elements[:, None] * widths.weight_bytes * (1 / weights - 1 / shares[:, None])
        return np.where(active[:, None], found, 0.0)

    def _shares(self, operations: OperationTable, active: BoolArray, unit: str) -> tuple[FloatArray, FloatArray]:
        """Return the share of the peak and of the bandwidth that each operation reaches; 1 for operations without arithmetic."""
        kinds, places = operations.distinct_finer_kinds, operations.finer_kind_places
        shares, memory_shares = np.ones(len(kinds)), np.ones(len(kinds))
        for place in np.unique(places[active]):
            kind = kinds[place]
            memory_shares[place] = self.calibration.memory_share(unit, kind)
            if FINER_KINDS.get(kind, kind) in COMPUTE_KINDS:
                shares[place] = self.calibration.share(unit, kind)
        return shares[places], memory_shares[places]

    def _serial(self, unit: str) -> float:
        return self.calibration.value_or(f"{unit}.serial_share", 0.0)

    def _launch_s(self, unit: str, unit_hz: FloatArray, launcher_hz: FloatArray) -> FloatArray:
        calibration, highest = self.calibration, self._highest_hz[unit]
        launcher = self.soc.units.get(calibration.launcher)
        paced = calibration.value("launch_paced_share") if launcher and launcher.frequencies_hz else 0.0
        own = (1 - paced) * highest / unit_hz
        by_launcher = paced * self._highest_hz[calibration.launcher] / launcher_hz if paced else 0.0
        launch: FloatArray = calibration.value(f"{unit}.launch_us") * _SECONDS_PER_MICROSECOND * (own + by_launcher)
        return launch

    def _voltage(self, name: str, clock_hz: FloatArray) -> FloatArray:
        lowest = self.calibration.value("lowest_voltage_share")
        return lowest + (1 - lowest) * clock_hz / self._highest_hz[name]

    def _memory_voltage(self, clocks: ClockSettings) -> FloatArray:
        return self._voltage(MEMORY, clocks.frequencies_hz[MEMORY])

    def _bandwidth(self, clocks: ClockSettings) -> FloatArray:
        return self._memory.bytes_per_cycle * clocks.frequencies_hz[MEMORY]

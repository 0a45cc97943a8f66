"""Calibrations of a system on a chip: named parameters of the cost model, fitted to one source, with what they reproduce.

A calibration belongs to one source, because published figures of one board contradict each other: Map-and-Conquer's power of a
DLA is a quarter of MaGNAS'. A run pins one, and every estimate quotes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Literal

from hardware.bits import BitWidths, bit_widths
from hardware.calibration.device_figures import DeviceFigures
from hardware.calibration.error_band import error_band

Quantity = Literal["latency", "energy", "power"]
ParameterRole = Literal["fitted", "assumed"]
RowRole = Literal["fitted", "predicted"]

# Shares of a processor may pass 1: its peak is what some kernel reached, and caches give more than the bandwidth of the memory.
MOST_OF_A_PROCESSOR = 100.0
# What rows of whole networks have in their names, in place of operations.
WHOLE_NETWORK = "whole network"
# From as many whole networks on, they tell how far an estimate of a network is off; rows of single operations tell another error.
_NETWORKS_FOR_BAND = 4
# Kinds of operations that share an efficiency where a calibration does not tell them apart.
OPERATOR_GROUPS: Mapping[str, tuple[str, ...]] = {
    "dense": ("conv", "transposed_conv", "gemm", "matmul"),
    "depthwise": ("depthwise",),
}
# Kinds of operations told apart by how a processor executes them -> the kind whose share counts where a calibration does not.
FINER_KINDS: Mapping[str, str] = {"pointwise_conv": "conv", "unblocked_conv": "conv", "activated_gemm": "gemm"}


@dataclass(frozen=True)
class Parameter:
    """One number of the cost model.

    Attributes:
        name: "gpu.launch_us": unit and figure, or a figure alone where it is of the whole device.
        value: in the unit that the name ends in; shares have none.
        role: "fitted", or "assumed" where the source cannot tell.
        prior, prior_factor: of a fitted one: where it starts from, and the factor up or down that counts as one standard
            deviation.
    """

    name: str
    value: float
    role: ParameterRole
    note: str = ""
    prior: float | None = None
    prior_factor: float | None = None


@dataclass(frozen=True)
class CalibrationRow:
    """One figure of the source next to what the calibrated model says.

    Attributes:
        name: "b0 on gpu, latency".
        workload: slug of the network; rows of one workload are left out together.
        unit: unit of the device, or "mapping" where several work.
        quantity: measured quantity.
        measured, estimated: in `in_unit`.
        in_unit: "ms", "mJ", "W", or "ratio".
        left_out: the estimate of a fit without any row of this workload; None for rows that are predicted anyway.
        where: place in the source.
    """

    name: str
    workload: str
    unit: str
    quantity: Quantity
    measured: float
    estimated: float
    in_unit: str
    role: RowRole
    where: str
    left_out: float | None = None

    @property
    def of_network(self) -> bool:
        """Whether it is of a whole network."""
        return WHOLE_NETWORK in self.name

    @property
    def error(self) -> float:
        """Relative deviation of the estimate, signed."""
        return self.estimated / self.measured - 1

    @property
    def left_out_error(self) -> float | None:
        """The relative deviation of an estimate fitted without this workload."""
        return None if self.left_out is None else self.left_out / self.measured - 1


@dataclass(frozen=True)
class ErrorSummary:
    """Absolute relative errors of some rows."""

    rows: int
    median: float
    mean: float
    worst: float
    worst_row: str


@dataclass(frozen=True)
class SocCalibration:
    """A calibrated cost model of one device.

    Attributes:
        soc: slug of the device.
        precision: precision of the measured networks ("fp16").
        launcher: unit whose clock paces the launches of the others.
        covered: unit -> kinds of operations that a measured workload had on it; all others are refused.
        quantities: what was measured, so that an estimate of something else can be distinguished.
        scales: (workload, unit) -> (factor on latency, factor on energy), from measured totals of a user.
        effective_parameters: degrees of freedom that the rows took up; the priors hold the rest.
        device: figures of the device that the parameters were fitted at; None: those of the built-in device of that name, else
            of the device that the calibration is used for.
    """

    slug: str
    title: str
    source: str
    author: str
    soc: str
    precision: str
    launcher: str
    parameters: Mapping[str, Parameter]
    covered: Mapping[str, frozenset[str]]
    rows: tuple[CalibrationRow, ...]
    scales: Mapping[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    effective_parameters: float = 0.0
    device: DeviceFigures | None = None

    @property
    def bits(self) -> BitWidths:
        """Return the bits of the measured networks."""
        return bit_widths(self.precision)

    def value(self, name: str) -> float:
        """Return a parameter's value.

        Raises:
            KeyError: the calibration has none of that name.
        """
        return self.parameters[name].value

    def share(self, unit: str, kind: str) -> float:
        """Return the share of the unit's peak that operations of `kind` reach: by kind, else by the coarser kind, else by group.

        Raises:
            KeyError: `kind` multiplies nothing, or the calibration has none of them.
        """
        own = self.parameters.get(f"{unit}.{kind}_share")
        if own is not None:
            return own.value
        if kind in FINER_KINDS:
            return self.share(unit, FINER_KINDS[kind])
        group = next(name for name, kinds in OPERATOR_GROUPS.items() if kind in kinds)
        return self.value(f"{unit}.{group}_share")

    def memory_share(self, unit: str, kind: str) -> float:
        """Return the share of the memory bandwidth that operations of `kind` reach: by kind, else by coarser kind, else by unit."""
        own = self.parameters.get(f"{unit}.{kind}_memory_share")
        if own is not None:
            return own.value
        return self.memory_share(unit, FINER_KINDS[kind]) if kind in FINER_KINDS else self.value(f"{unit}.memory_share")

    def value_or(self, name: str, otherwise: float) -> float:
        """Return the value of a parameter; `otherwise` if the calibration lacks it."""
        found = self.parameters.get(name)
        return otherwise if found is None else found.value

    @property
    def quantities(self) -> frozenset[Quantity]:
        """Return what the fitted rows measured."""
        return frozenset(row.quantity for row in self.rows if row.role == "fitted")

    def errors(self, role: RowRole = "fitted", *, left_out: bool = False) -> ErrorSummary | None:
        """Return median, mean and worst of the absolute relative errors; None where there are no such rows.

        Args:
            role: role of the rows.
            left_out: errors of the fits that did not see the row's workload.
        """
        pairs = [(row, row.left_out_error if left_out else row.error) for row in self.rows if row.role == role]
        known = [(row.name, abs(error)) for row, error in pairs if error is not None]
        if not known:
            return None
        name, worst = max(known, key=lambda pair: pair[1])
        sizes = [size for _, size in known]
        return ErrorSummary(len(sizes), median(sizes), sum(sizes) / len(sizes), worst, name)

    def error_factor(self, quantity: Quantity) -> float | None:
        """Return the error band of an estimate of a new workload, over `independent_rows`; None where there is no such row."""
        rows = self.independent_rows(quantity)
        return error_band((row.estimated if row.left_out is None else row.left_out) / row.measured for row in rows)

    def independent_rows(self, quantity: Quantity) -> list[CalibrationRow]:
        """Return the rows whose estimate is by a fit that did not see their network: left out, or predicted.

        Those of whole networks alone where there are enough: what operations are off by partly cancels in a network.
        """
        found = [
            row
            for row in self.rows
            if row.quantity == quantity and (row.role == "predicted" or row.left_out is not None)
        ]
        whole = [row for row in found if row.of_network]
        return whole if len(whole) >= _NETWORKS_FOR_BAND else found

"""Costs of compute units without measurements, from peak rate, bandwidth and power in the document of the device.

The roofline of `engines.cost.soc.model` with parameters that are stated, not fitted:

- A unit reaches the share of its peak, and takes the time per launch, that units of its kind reach in the built-in calibrations
  (geometric mean of what was fitted); no CPU was measured: `CPU_SHARE` and `CPU_LAUNCH_US` are assumed.
- While it works it draws the document's power of the unit at full load (of a device with one unit: the device's); what it
  computes draws nothing beside that, what it moves draws the memory's energy.
- Operands whose bits a unit has no peak for are computed at the peak of the next wider format (`hardware.bits.rate_of`).

Kinds that a unit does not run itself are left out: what a fall-back would cost is not on a data sheet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import exp, log

from engines.contract.errors import ProblemError
from engines.cost.calibration.defaults import device_defaults
from engines.cost.calibration.estimates import estimates, prepare_rows
from engines.cost.calibration.measurements import published_measurements
from engines.cost.soc.calibration_lineage import nearest_builtin, reference_figures
from engines.cost.soc.model import NoEstimateError, SocCostModel, power_share
from engines.workloads.loader import builtin_network
from engines.workloads.network import COMPUTE_KINDS
from hardware.bits import able_units
from hardware.calibration.device_figures import DeviceFigures, device_figures
from hardware.calibration.error_band import error_band
from hardware.calibration.loader import builtin_calibrations, load_calibration
from hardware.calibration.model import CalibrationRow, Parameter, SocCalibration
from hardware.soc.loader import builtin_socs, load_soc
from hardware.soc.model import ProcessingUnit, Soc
from hardware.soc.summary import unit_title

SLUG = "datasheet"
CPU_SHARE, CPU_LAUNCH_US = 0.4, 5.0
DEPTHWISE_SHARE, MEMORY_SHARE = 0.1, 0.7
# Beside those that compute; "unpriced" is what no cost model knows.
_MOVING_KINDS = (
    "batchnorm", "activation", "pool", "norm", "softmax", "eltwise", "concat", "reshape", "resize", "reduce", "gather", "topk",
    "embedding",
)  # fmt: skip
_KINDS = frozenset((*COMPUTE_KINDS, *_MOVING_KINDS))
_LEAKAGE = (0.3, "assumed: less than was fitted to Xavier, as the power here contains what computing draws")


@dataclass(frozen=True)
class DatasheetEstimate:
    """The estimate of a device from its data sheet, without measurements.

    Attributes:
        calibration: parameters of every unit with enough known values; its rows check the rule where measurements exist.
        missing: unit -> values that the document lacks.
    """

    calibration: SocCalibration
    missing: Mapping[str, str]


def datasheet_estimate(
    soc: Soc, precision: str = "", reference: DeviceFigures | None = None, *, power_needed: bool = True
) -> DatasheetEstimate:
    """Return the estimate that a device's document allows without measurements.

    Args:
        soc: the device.
        reference: figures of the device whose highest clocks times per launch are at; by default those of the nearest built-in
            device of the lineage, so that a copy with a higher clock takes no more time at any clock of its parent.
        precision: precision of weights and activations; by default fp16 if a unit has it, else the widest known.
        power_needed: whether a unit without a known power is left out; else it draws nothing, and energies mean nothing.

    Raises:
        ProblemError: no unit can be estimated; the error names the missing values and their keys.
    """
    precision = precision or usual_precision(soc)
    reference = reference or nearest_builtin(soc) or device_figures(soc)
    missing = _lacking(soc, precision, power_needed)
    able = [name for name in soc.units if name not in missing]
    if words := _lacking_words(soc, missing):
        raise ProblemError(
            "inputs.hardware",
            soc.slug,
            f"a device with {', '.join(words)}",
            remedies=[
                "Add these values to a copy of the device.",
                "Measure the device and calibrate it (Catalogue, Calibrations, Calibrate with your measurements).",
            ],
        )
    parameters = [parameter for name in able for parameter in _unit_parameters(soc, soc.units[name], reference)]
    shared = {**device_defaults(), "leakage_share": _LEAKAGE}
    parameters += [Parameter(name, value, "assumed", note) for name, (value, note) in shared.items()]
    calibration = SocCalibration(
        slug=SLUG, title=f"{soc.title} by its data sheet", source=soc.sources.get("units", "the device's document"),
        author="no measurement", soc=soc.slug, precision=precision, launcher=_launcher(soc),
        parameters={parameter.name: parameter for parameter in parameters},
        covered={name: _kinds(soc.units[name]) for name in able}, rows=(), device=reference,
    )  # fmt: skip
    return DatasheetEstimate(calibration, missing)


def lacking_figures(soc: Soc, precision: str = "") -> tuple[str, ...]:
    """Return the keys, with words, that a document lacks for an estimate of any unit; empty if one unit can be estimated.

    Args:
        soc: the device.
        precision: as of `datasheet_estimate`.
    """
    precision = precision or usual_precision(soc)
    return _lacking_words(soc, _lacking(soc, precision))


def lacks_power_alone(soc: Soc, precision: str = "") -> bool:
    """Return whether a document lacks only the power for an estimate of some unit, so that latencies can be estimated.

    Args:
        soc: the device.
        precision: as of `datasheet_estimate`.
    """
    precision = precision or usual_precision(soc)
    return _lacking(soc, precision) != _lacking(soc, precision, power_needed=False)


def with_datasheet_units(calibration: SocCalibration, soc: Soc) -> tuple[SocCalibration, tuple[str, ...]]:
    """Return a calibration extended by data-sheet estimates of the units that it lacks, and the names of these units.

    Units without enough known values are not added.
    """
    try:
        found = datasheet_estimate(
            soc, calibration.precision, calibration.device or reference_figures(calibration, soc)
        )
    except ProblemError:
        return calibration, ()
    units = tuple(name for name in found.calibration.covered if name not in calibration.covered)
    own = {
        name: parameter
        for name, parameter in found.calibration.parameters.items()
        if name.partition(".")[0] in units and "." in name
    }
    covered = {**calibration.covered, **{name: found.calibration.covered[name] for name in units}}
    return replace(calibration, parameters={**calibration.parameters, **own}, covered=covered), units


@cache
def checked_rows() -> tuple[CalibrationRow, ...]:
    """Return published measurements with the data sheet estimate of the same device, to judge the estimation rule.

    The shares of the peak are means over the same sources, so that no row is wholly unseen. Rows with an operation that a unit does
    not run itself are left out.
    """
    found = []
    for source in published_measurements().values():
        soc = load_soc(builtin_socs()[source.soc])
        estimate = datasheet_estimate(soc, source.precision)
        model = SocCostModel(soc, estimate.calibration)
        rows = [row for row in source.rows if row.relative_to is None]
        for prepared in prepare_rows(rows, soc, builtin_network):
            row = prepared.row
            try:
                value = float(estimates([prepared], model)[0])
            except NoEstimateError:
                continue
            name = f"{row.name} ({source.slug})"
            compared = CalibrationRow(
                name,
                row.workload,
                prepared.unit_words,
                row.quantity,
                row.measured,
                value,
                row.in_unit,
                "predicted",
                row.where,
            )
            found.append(compared)
    return tuple(found)


def datasheet_error_factor(quantity: str) -> float | None:
    """Return the error band over `checked_rows`; None where no row measured it."""
    return error_band(row.estimated / row.measured for row in checked_rows() if row.quantity == quantity)


def usual_precision(soc: Soc) -> str:
    """Return the precision of estimates by a data sheet: fp16 where a unit has it, else the widest known."""
    known = {name for unit in soc.units.values() for name in unit.operations_per_cycle}
    return next((name for name in ("fp16", "fp32", "int8") if name in known), "fp16")


def _lacking(soc: Soc, precision: str, power_needed: bool = True) -> dict[str, str]:
    """Return unit -> what the document lacks of it, of those that it is not enough for."""
    executing = able_units({name: unit.operations_per_cycle for name, unit in soc.units.items()}, precision)
    found: dict[str, str] = {}
    for name, unit in soc.units.items():
        lacks = {
            "frequencies_mhz": not unit.frequencies_hz,
            f"operations_per_cycle (in {precision} or wider)": name not in executing,
            "power": power_needed and _power_w(soc, unit) is None,
        }
        if any(lacks.values()):
            found[name] = ", ".join(f"units.{name}.{figure}" for figure, lacking in lacks.items() if lacking)
    return found


def _lacking_words(soc: Soc, missing: Mapping[str, str]) -> tuple[str, ...]:
    """Return the keys that a document lacks for an estimate of any unit; empty if one unit can be estimated."""
    if soc.memory is not None and len(missing) < len(soc.units):
        return ()
    memory = "memory.frequencies_mhz and memory.bytes_per_cycle (bandwidth of the shared memory)"
    return (*(() if soc.memory else (memory,)), *missing.values(), *(() if soc.units else ("units",)))


def _power_w(soc: Soc, unit: ProcessingUnit) -> float | None:
    """Return the power at full load and the highest clock."""
    if unit.power is not None:
        return unit.power.watts(1.0)
    if len(soc.units) > 1:
        return None
    return next(
        (soc.power_states_w[name] for name in ("running", "active") if name in soc.power_states_w), soc.design_power_w
    )


def _unit_parameters(soc: Soc, unit: ProcessingUnit, reference: DeviceFigures) -> list[Parameter]:
    power_w = _power_w(soc, unit) or 0.0
    own_hz = unit.frequencies_hz[-1]
    power_w /= _power_share(own_hz / reference.highest_hz.get(unit.name, own_hz))
    share, launch_us, note = _measured_means(unit.kind)
    told = soc.sources.get(f"units.{unit.name}.power.dynamic_w", "the device's document")
    values = (
        ("dense_share", share, note),
        ("depthwise_share", min(DEPTHWISE_SHARE, share), "assumed"),
        ("memory_share", MEMORY_SHARE, "assumed"),
        ("launch_us", launch_us, note),
        ("base_power_w", power_w, told),
        ("mac_energy_pj", 0.0, "part of the unit's power"),
    )
    return [Parameter(f"{unit.name}.{name}", value, "assumed", why) for name, value, why in values]


def _power_share(clock_share: float) -> float:
    """Return the power at a clock relative to that at the reference's highest clock, for which the document states the power."""
    lowest, leakage = device_defaults()["lowest_voltage_share"][0], _LEAKAGE[0]
    return power_share(clock_share, lowest + (1 - lowest) * clock_share, leakage)


@cache
def _measured_means(kind: str) -> tuple[float, float, str]:
    """Return (share of the peak, microseconds per launch, source) of a kind of unit."""
    shares, launches = [], []
    for content in builtin_calibrations().values():
        calibration = load_calibration(content)
        for name in calibration.covered:
            if load_soc(builtin_socs()[calibration.soc]).units[name].kind != kind:
                continue
            share, launch = calibration.parameters[f"{name}.dense_share"], calibration.parameters[f"{name}.launch_us"]
            shares += [share.value] if share.role == "fitted" else []
            launches += [launch.value] if launch.role == "fitted" else []
    if not shares or not launches:
        return CPU_SHARE, CPU_LAUNCH_US, f"assumed: no {unit_title(kind)} was measured"
    return _mean(shares), _mean(launches), f"mean of what {unit_title(kind)}s reach in the built-in calibrations"


def _mean(values: list[float]) -> float:
    return exp(sum(map(log, values)) / len(values))


def _kinds(unit: ProcessingUnit) -> frozenset[str]:
    return _KINDS if unit.supported_operations is None else _KINDS & unit.supported_operations


def _launcher(soc: Soc) -> str:
    """Return the CPU of the highest clock; "" where there is none."""
    clocks = {
        unit.name: unit.frequencies_hz[-1] for unit in soc.units.values() if unit.kind == "cpu" and unit.frequencies_hz
    }
    return max(clocks, key=lambda name: clocks[name], default="")

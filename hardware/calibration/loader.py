"""Reads and writes documents of schema `soc-calibration/1`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from hardware.calibration.device_figures import MEMORY, DeviceFigures
from hardware.calibration.model import MOST_OF_A_PROCESSOR, OPERATOR_GROUPS, CalibrationRow, Parameter, SocCalibration
from hardware.calibration.schema import CALIBRATION_SCHEMA, CalibrationDocument, FittedDeviceSection
from hardware.document_reader import contents_of, document_loader, validated
from hardware.errors import HardwareError

CALIBRATIONS = Path(__file__).parent / "builtin"
_STATED_DIGITS = 1e-3
_UNIT_FIGURES = ("launch_us", "memory_share", "base_power_w", "mac_energy_pj")
_DEVICE_FIGURES = (
    "memory_energy_pj_per_byte",
    "handover_us",
    "lowest_voltage_share",
    "leakage_share",
    "launch_paced_share",
)


def builtin_calibrations() -> Mapping[str, Mapping[str, Any]]:
    """Return slug -> content of every calibration that ships with the product; read once per process."""
    return contents_of(CALIBRATIONS)


def calibration_content(calibration: SocCalibration, summary: str = "") -> dict[str, Any]:
    """Return the document that reads as `calibration`."""
    return {
        "schema": CALIBRATION_SCHEMA,
        **{key: getattr(calibration, key) for key in ("slug", "title")},
        "summary": summary,
        **{key: getattr(calibration, key) for key in ("source", "author", "soc", "precision", "launcher")},
        "parameters": [_given(vars(parameter)) for parameter in calibration.parameters.values()],
        "covered": {unit: sorted(kinds) for unit, kinds in calibration.covered.items()},
        "rows": [_given(vars(row)) for row in calibration.rows],
        "scales": [
            {"workload": workload, "unit": unit, "latency_factor": latency, "energy_factor": energy}
            for (workload, unit), (latency, energy) in calibration.scales.items()
        ],
        "effective_parameters": calibration.effective_parameters,
        "errors": _errors(calibration),
        **({} if calibration.device is None else {"device": _device_content(calibration.device)}),
    }


def _device_content(device: DeviceFigures) -> dict[str, Any]:
    units = {
        name: {
            "kind": kind,
            **({"highest_mhz": device.highest_hz[name] / 1e6} if name in device.highest_hz else {}),
            "operations_per_cycle": dict(device.operations_per_cycle.get(name, {})),
        }
        for name, kind in device.kinds.items()
    }
    return {
        "units": units,
        "memory": {"highest_mhz": device.highest_hz[MEMORY] / 1e6, "bytes_per_cycle": device.bytes_per_cycle},
    }


def _device(section: FittedDeviceSection) -> DeviceFigures:
    highest = {name: round(unit.highest_mhz * 1e6, 3) for name, unit in section.units.items() if unit.highest_mhz}
    return DeviceFigures(
        {**highest, MEMORY: round(section.memory.highest_mhz * 1e6, 3)},
        {name: unit.kind for name, unit in section.units.items()},
        {
            name: {str(key): value for key, value in unit.operations_per_cycle.items()}
            for name, unit in section.units.items()
        },
        section.memory.bytes_per_cycle,
    )


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value not in (None, "")}


@document_loader
def load_calibration(content: Mapping[str, Any], file: str) -> SocCalibration:
    """Return the calibration that a document describes."""
    document = validated(CalibrationDocument, content, file)
    parameters = {section.name: Parameter(**section.model_dump()) for section in document.parameters}
    if len(parameters) < len(document.parameters):
        raise HardwareError(file, "parameters", f"{len(document.parameters)} names", "distinct names")
    needed = [f"{unit}.{figure}" for unit in document.covered for figure in _UNIT_FIGURES]
    for name in (*needed, *_DEVICE_FIGURES):
        if name not in parameters:
            raise HardwareError(
                file, f"parameters.{name}", None, "given", reason="The cost model needs this parameter."
            )
    _check_shares(document, parameters, file)
    calibration = SocCalibration(
        slug=document.slug,
        title=document.title,
        source=document.source,
        author=document.author,
        soc=document.soc,
        precision=document.precision,
        launcher=document.launcher,
        parameters=parameters,
        covered={unit: frozenset(kinds) for unit, kinds in document.covered.items()},
        rows=tuple(CalibrationRow(**section.model_dump()) for section in document.rows),
        scales={(s.workload, s.unit): (s.latency_factor, s.energy_factor) for s in document.scales},
        effective_parameters=document.effective_parameters,
        device=None if document.device is None else _device(document.device),
    )
    _check_errors(document, calibration, file)
    return calibration


@cache
def calibrations_of(soc: str) -> tuple[SocCalibration, ...]:
    """Return the built-in calibrations of a device by its slug, read once per process."""
    contents = builtin_calibrations().values()
    return tuple(load_calibration(content) for content in contents if content["soc"] == soc)


def _check_shares(document: CalibrationDocument, parameters: Mapping[str, Parameter], file: str) -> None:
    """Check that every share is one, and what was measured has the share that the model divides by."""
    units = {} if document.device is None else document.device.units
    cpus = {name for name, unit in units.items() if unit.kind == "cpu"}
    for index, section in enumerate(document.parameters):
        unit, dot, _ = section.name.rpartition(".")
        most = MOST_OF_A_PROCESSOR if unit in cpus else 1
        if section.name.endswith("share") and (section.value > most or (dot and section.value <= 0)):
            raise HardwareError(
                file, f"parameters.{index}.value", section.value, f"above 0 and at most {most:g} ({section.name})"
            )
    for unit, kinds in document.covered.items():
        for group, members in OPERATOR_GROUPS.items():
            lacking = [kind for kind in kinds if kind in members and f"{unit}.{kind}_share" not in parameters]
            if lacking and f"{unit}.{group}_share" not in parameters:
                raise HardwareError(
                    file, f"parameters.{unit}.{group}_share", None, f"given, as {lacking[0]} is covered"
                )


def _check_errors(document: CalibrationDocument, calibration: SocCalibration, file: str) -> None:
    """Check that errors that a document states are those of its rows."""
    for name, stated in document.errors.items():
        computed = _errors(calibration).get(name)
        got = stated.model_dump()
        if computed is None or any(
            abs(got[key] - computed[key]) > _STATED_DIGITS for key in ("median", "mean", "worst")
        ):
            raise HardwareError(
                file, f"errors.{name}", got, f"the errors computed from the rows: {computed or 'there are none'}"
            )


def _errors(calibration: SocCalibration) -> dict[str, dict[str, Any]]:
    """Return the summaries by name, those that there are."""
    found = {
        "fitted": calibration.errors(),
        "left_out": calibration.errors(left_out=True),
        "predicted": calibration.errors("predicted"),
    }
    return {
        name: {key: round(value, 4) if isinstance(value, float) else value for key, value in vars(errors).items()}
        for name, errors in found.items()
        if errors is not None
    }

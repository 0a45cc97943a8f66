"""Costs of the detector on the device: given, or from the cost model of a system on a chip for a network, at several clocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from engines.contract.engine import Problem, require
from engines.cost.calibration.unmeasured import CalibrationCoverage
from engines.cost.soc.clocks import ClockSettings, clock_grid, named_mode
from engines.cost.soc.decided_clocks import clocks_mhz
from engines.cost.soc_networks import NetworkPricer, covered_networks, fused_table
from engines.mapping.problem.rules import clock_choices
from engines.methods.energyshield.params import EnergyShieldParams
from engines.workloads.network import Scenario, ScenarioModel
from hardware.calibration.model import SocCalibration
from hardware.soc.model import Soc

_MOST_SETTINGS = 200


@dataclass(frozen=True)
class Detector:
    """One setting: latency and energy of a frame.

    Attributes:
        clocks_mhz: clocks in MHz of the device; empty where latency and power are given.
    """

    latency_s: float
    energy_j: float
    clocks_mhz: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Detectors:
    """Every setting that is done within a window.

    Attributes:
        each: fastest setting last, as clocks are listed.
        covered: the device with its calibration; None where latency and power are given.
        unit: unit of the device.
        network: detector network in words.
    """

    each: tuple[Detector, ...]
    covered: CalibrationCoverage | None = None
    unit: str = ""
    network: str = ""


def detectors_of(problem: Problem[EnergyShieldParams]) -> Detectors:
    """Return the detectors of a problem.

    Raises:
        ProblemError: a device without a network or the other way round, clocks that do not exist, or no setting is done within a
            window: names the nearest.
    """
    params = problem.params
    window_s = params.window_ms / 1e3
    if "hardware" not in problem.inputs and "workload" not in problem.inputs:
        found = Detectors((Detector(params.detector_ms / 1e3, params.detector_ms / 1e3 * params.detector_w),))
        _require_in_time(found, window_s, "params.detector_ms")
        return found
    for slot in ("hardware", "workload"):
        reason = "A run needs both a device and a network, or none of them."
        require(slot in problem.inputs, f"inputs.{slot}", None, "given", reason=reason)
    found = _priced(problem)
    _require_in_time(found, window_s, "params.window_ms")
    kept = tuple(each for each in found.each if each.latency_s <= window_s)
    return Detectors(kept, found.covered, found.unit, found.network)


def _priced(problem: Problem[EnergyShieldParams]) -> Detectors:
    params, soc = problem.params, problem.value("hardware", Soc)
    network = problem.value("workload", Scenario).models[0].network
    mode = named_mode(soc, params.power_mode)
    covered = covered_networks(
        soc, problem.optional("calibration", SocCalibration), [network], params.unmeasured, params.precision
    )
    covered = covered.within_memory([ScenarioModel(network, 1)], ignore=params.ignore_memory)
    pricer = NetworkPricer(covered.soc, covered.calibration, params.unit, params.precision, mode)
    unit = pricer.choose_unit([network])
    settings = _settings(covered.soc, unit, params)
    model = covered.model(mode=mode)
    costs = model.costs(fused_table(network), settings, units=[unit], groups=(0,))
    each = tuple(
        Detector(float(costs.latency_s[0, 0, row]), float(costs.energy_j[0, 0, row]), clocks_mhz(settings, row))
        for row in range(len(settings))
    )
    return Detectors(each, covered, unit, network.title)


def _settings(soc: Soc, unit: str, params: EnergyShieldParams) -> ClockSettings:
    mode = named_mode(soc, params.power_mode)
    chosen = clock_choices(params.clock_choices)
    if not chosen and unit in soc.units and soc.units[unit].frequencies_hz:
        steps = soc.steps_hz(unit, mode)
        places = np.unique(np.round(np.linspace(len(steps) - 1, 0, min(params.clock_steps, len(steps)))).astype(int))
        chosen = {unit: [steps[place] / 1e6 for place in places.tolist()]}
    found = clock_grid(soc, chosen, mode)
    require(
        len(found) <= _MOST_SETTINGS,
        "params.clock_choices",
        len(found),
        f"a list with at most {_MOST_SETTINGS} combinations of clocks",
    )
    return found


def _require_in_time(found: Detectors, window_s: float, field_name: str) -> None:
    fastest = min(each.latency_s for each in found.each)
    accepted = f"a detector that is done within a window of {1e3 * window_s:g} ms"
    reason = "The last of the windows without a result is the device's own."
    require(fastest <= window_s, field_name, f"{1e3 * fastest:.4g} ms on the device", accepted, reason=reason)

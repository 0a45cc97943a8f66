"""Bounds of physics that designs of any engine keep: what columns, documents and parameters declare is held against each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from benchmarks.bench_estimates import default_problem
from engines.contract.arrays import FloatArray
from engines.contract.designs import Designs
from engines.contract.engine import Engine, Preset, Problem
from engines.contract.errors import ProblemError
from engines.contract.quantities import SHARE
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.registry import BUILT_INS, get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.workloads.network import Scenario
from hardware.package.model import ChipletPackage
from hardware.radio.model import Radio
from hardware.soc.model import Soc

_ROUNDING = 1e-9
_MEASURED = 1.25  # measured power of a unit may lie above its document's
_OPERATIONS_PER_MAC = 2
DEFAULT = "default"
# Energies that several machines take at once, or that are not of the time which their name suggests.
SHARED_ENERGY = {("duet", "energy_j"), ("duet", "datacentre_energy_j")}
# Load that is asked for: above 1 not all of it is served, which this column has to say.
DEMANDS = {"busiest_channel_fraction": "frames_in_deadline_fraction"}
# What ends where the device has sent its data: no answer is waited for.
ONE_WAY = {"privynas"}
# The time in which all MACs of the workload are computed, where it is not `latency_s`; None: not all are, by design.
WHOLE_LATENCY = {"hadas": "static_latency_s", "map-and-conquer": None, "split-computing": None}


@dataclass(frozen=True)
class Case:
    """An engine with its default inputs, or one of its presets."""

    engine: str
    name: str

    def problem(self, **params: Any) -> Problem[Any]:
        """The problem, with other parameters where they only make it smaller."""
        engine = get_engine(self.engine)
        if self.name == DEFAULT:
            default = default_problem(self.engine)
            return make_problem(self.engine, default.inputs, params, 0) if params else default
        preset = preset_of(engine, self.name)
        documents = {slot: get_builtin(engine.inputs[slot].kind, slug) for slot, slug in preset.inputs.items()}
        return make_problem(self.engine, documents, {**preset.params, **params}, 0)

    def __str__(self) -> str:
        return f"{self.engine} {self.name}"


def preset_of(engine: Engine, name: str) -> Preset:
    """The preset of that name."""
    return next(each for each in engine.presets if each.name == name)


def every_case() -> Iterator[Case]:
    """Defaults and presets of all engines."""
    for name in BUILT_INS:
        yield Case(name, DEFAULT)
        yield from (Case(name, preset.name) for preset in get_engine(name).presets)


def first_designs(problem: Problem[Any], steps: int = 1) -> Designs:
    """Designs of the first so many steps that have some."""
    found: list[Designs] = []
    for step in drive(get_engine(problem.engine), problem, LocalContext(problem)):
        if step.designs is not None and len(step.designs):
            found.append(step.designs)
        if len(found) == steps:
            break
    return Designs.concatenate(found)


def check(problem: Problem[Any], designs: Designs, *, link: bool = True) -> int:
    """Hold designs within their limits against every bound that applies, and return how many did.

    Args:
        problem: of the designs.
        designs: with all columns of the engine.
        link: whether the network's delay has to be that of the radio's document.
    """
    kept = designs.feasible(get_engine(problem.engine).quantities)
    columns = {name: values[kept] for name, values in designs.columns.items()}
    checks = (check_values, check_power, check_computing, *((check_link,) if link else ()))
    return sum(each(problem, columns) for each in checks) if kept.any() else 0


def check_values(problem: Problem[Any], columns: Mapping[str, FloatArray]) -> int:
    """Times, energies, powers and sizes are finite and from 0 on, shares at most 1, per cents at most 100."""
    for quantity in get_engine(problem.engine).quantities:
        values = columns[quantity.name]
        values = values[~np.isnan(values)]  # not defined for a design
        if quantity.unit in ("s", "J", "W", "B", "h", "J·s", "1/s"):
            assert (values >= 0).all() and np.isfinite(values).all(), (quantity.name, values)
        if quantity.unit == SHARE:
            high = columns[quantity.name] > 1 + _ROUNDING
            served = columns.get(DEMANDS.get(quantity.name, ""), np.ones(len(high)))
            assert (served[high] < 1).all(), (quantity.name, values.max())
        if quantity.unit == "%" and "accuracy" in quantity.name:
            assert (values <= 100 + _ROUNDING).all(), (quantity.name, values.max())
    return 1


def check_power(problem: Problem[Any], columns: Mapping[str, FloatArray]) -> int:
    """Energy over time, and power itself, are within what device and radio can draw."""
    most_w = _MEASURED * most_power_w(problem)
    if not np.isfinite(most_w):
        return 0
    found = {name: columns[name] for name in ("power_w", "mean_power_w") if name in columns}
    for name in columns:
        seconds = _time_of(name, columns) if name.endswith("energy_j") else None
        if seconds is not None and (problem.engine, name) not in SHARED_ENERGY:
            found[name] = columns[name][seconds > 0] / seconds[seconds > 0]
    for name, watts in found.items():
        assert np.nanmax(watts, initial=0.0) <= most_w, f"{name}: {np.nanmax(watts):.4g} W of at most {most_w:.4g} W"
    return len(found)


def check_link(problem: Problem[Any], columns: Mapping[str, FloatArray]) -> int:
    """What is sent takes at least its bits over the bandwidth and the round trip of the network."""
    if "radio" not in problem.inputs or "latency_s" not in columns:
        return 0
    radio = problem.value("radio", Radio)
    sent = next((columns[name] for name in ("uploaded_bytes", "payload_bytes", "sent_bytes") if name in columns), None)
    sent = problem.params.payload_bytes * columns["offloaded_fraction"] if sent is None else sent
    assert radio.round_trip_s is not None
    rate = link_bits_per_s(problem, radio)
    share = columns.get("offloaded_fraction", np.minimum(sent, 1.0))
    network_s = 0.0 if problem.engine in ONE_WAY else radio.round_trip_s
    if problem.engine == "split-computing":  # the car computes meanwhile, and ends later in many windows
        assert (columns["latency_s"] >= share * network_s).all()
    else:
        assert (columns["latency_s"] >= share * network_s + 8 * sent / rate - _ROUNDING).all()
    return 1


def check_computing(problem: Problem[Any], columns: Mapping[str, FloatArray]) -> int:
    """MACs take at least their number over the peak of all units."""
    peak = peak_macs_per_s(problem)
    macs = columns.get("macs", _workload_macs(problem))
    if macs is None or not np.isfinite(peak):
        return 0
    if "slowest_per_s" in columns:
        assert (columns["slowest_per_s"] * macs <= peak).all()
        return 1
    seconds = WHOLE_LATENCY.get(problem.engine, "latency_s")
    if seconds is None or seconds not in columns:
        return 0
    assert (columns[seconds] >= macs / peak).all(), (seconds, np.min(columns[seconds] * peak / macs))
    return 1


def link_bits_per_s(problem: Problem[Any], radio: Radio) -> float:
    """Bandwidth of the upload: as given, else typical."""
    given = getattr(problem.params, "bandwidth_mbps", getattr(problem.params, "upload_mbps", None))
    return radio.typical_bits_per_s["uplink"] if given is None else 1e6 * given


def most_power_w(problem: Problem[Any]) -> float:
    """All units of the device at their highest clocks with memory and radio; infinite where documents do not say."""
    watts = 0.0
    if "radio" in problem.inputs:
        radio = problem.value("radio", Radio)
        watts += radio.power_w(link_bits_per_s(problem, radio))
    if hasattr(problem.params, "local_power_w"):
        return watts + float(problem.params.local_power_w)
    soc = _soc(problem)
    if soc is None:
        return inf
    units = [unit.power.watts(1.0) if unit.power else inf for unit in soc.units.values()]
    memory = soc.memory.power.watts(1.0) if soc.memory and soc.memory.power else 0.0
    drawn = sum(units) + memory + sum(soc.idle_rails_w.values())
    declared = max((soc.design_power_w or 0.0, *(mode.budget_w or 0.0 for mode in soc.power_modes.values())))
    return watts + (max(drawn, declared) if np.isfinite(drawn) else declared or inf)


def peak_macs_per_s(problem: Problem[Any]) -> float:
    """Return the sum of the peaks of all units, each in its fastest precision; infinite where documents do not say."""
    if "hardware" in problem.inputs and problem.inputs["hardware"].content.get("schema", "").startswith(
        "chiplet-package"
    ):
        package = problem.value("hardware", ChipletPackage)
        elements = sum(chiplet.processing_elements for chiplet in package.chiplets)
        return float(elements * package.clock_hz)
    soc = _soc(problem)
    if soc is None:
        return inf
    each = [_peak_of(unit) for unit in soc.units.values()]
    servers = 1 + getattr(problem.params, "server_speedup", 0.0)
    server = problem.value("server", Soc) if "server" in problem.inputs else None
    there = sum(_peak_of(unit) for unit in server.units.values()) if server else 0.0
    return (servers * sum(each) + there) / _OPERATIONS_PER_MAC


def _peak_of(unit: Any) -> float:
    known = [unit.count * unit.peak_operations_per_s(name) for name in unit.operations_per_cycle]
    return max(known, default=inf)


def _soc(problem: Problem[Any]) -> Soc | None:
    try:
        return problem.value("hardware", Soc) if "hardware" in problem.inputs else None
    except (TypeError, ProblemError):
        return None


def _workload_macs(problem: Problem[Any]) -> float | None:
    if "workload" not in problem.inputs:
        return None
    return float(sum(model.network.macs for model in problem.value("workload", Scenario).models))


def _time_of(energy: str, columns: Mapping[str, FloatArray]) -> FloatArray | None:
    prefix = energy.removesuffix("energy_j")
    return next((columns[prefix + end] for end in ("latency_s", "time_s", "s") if prefix + end in columns), None)

"""A network on a system on a chip: every unit alone, and the exact front of mappings to all of them, at the highest clocks.

Costs are as near to measurements as the device allows: its calibration; the same with operations that it lacks estimated like
others; at last units by their data sheet. What an engine of mappings needs to price it alike is told with the result.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.certainty import Certainty
from engines.contract.errors import ProblemError
from engines.cost.calibration.datasheet import lacking_figures, lacks_power_alone
from engines.cost.calibration.public_comparison import public_words
from engines.cost.calibration.unmeasured import covered_kinds
from engines.cost.calibration.words import error_words
from engines.cost.estimators.registry import DEFAULT
from engines.cost.memory_capacity import (
    MEMORY_UNKNOWN,
    TooLittleMemoryError,
    memory_demand,
    memory_is_known,
    memory_size,
    require_memory,
)
from engines.cost.soc.operations import operation_table
from engines.mapping.problem.instance import Instance, build_instance, standalone
from engines.mapping.problem.options import MappingOptions
from engines.mapping.problem.pricing import Pricing, pricing_of
from engines.mapping.solver.open_results import MOST_OPEN
from engines.mapping.solver.unit_costs import MappingScores
from engines.mapping.solver.unit_mapping import FrontSearch
from engines.survey.survey_result import (
    WAY_ON,
    Basis,
    DeviceEstimate,
    DeviceMapping,
    SurveyOptions,
    UnsupportedNetworkError,
    front_of,
)
from engines.workloads.network import Network, ScenarioModel
from engines.workloads.weight_bits import weight_bits_words
from hardware.bits import bit_widths
from hardware.calibration.model import SocCalibration
from hardware.soc.model import SUSTAINED, Soc
from hardware.soc.public_measurements import measured_in_public
from hardware.soc.summary import unit_title

_USUAL = SurveyOptions()
_LABELS = 2000  # partial mappings kept per unit: fronts of some hundred points stay exact, larger ones are thinned
_STATES = 2500  # of results that wait for later blocks, at most: beyond, a network takes minutes
_NAMED = 3
_NO_POWER = (
    "The power of a unit is not published, so the energy is unknown. The latency is that of the fastest mapping."
)
_LEAST = bit_widths("int8")  # of every element: a network that exceeds a memory so needs bits asked for
BURST = "At burst clocks; the power mode sustained has the clocks that the device holds."
_UNIT_FIGURE = re.compile(r"units\.(?P<unit>[^.]+)\.(?P<figure>\w+)(?P<rest>.*)")
_FIGURES = {"frequencies_mhz": "clocks", "operations_per_cycle": "operations per cycle", "power": "power at full load"}


def price_soc(
    soc: Soc,
    network: Network,
    calibrations: Sequence[tuple[str, SocCalibration]] = (),
    options: SurveyOptions = _USUAL,
) -> DeviceEstimate:
    """Return the network on the device.

    Args:
        soc: the device.
        network: one sample of it is priced.
        calibrations: names and calibrations that count before the built-in ones, where they are of the device or its lineage.
        options: bits and power mode.

    Raises:
        UnsupportedNetworkError: no such power mode, no unit runs some operation, the network does not fit into the memory, or the
            document lacks what costs follow from.
    """
    own = {name: each for name, each in calibrations if each.soc in soc.names}
    running = operation_table(network.operations)
    kinds = [kind for kind, runs in zip(running.kinds, running.runs, strict=True) if runs]
    name = max(own, key=lambda each: covered_kinds(own[each], kinds)) if own and not soc.by_dataflow else None
    refusal: ProblemError | None = None
    data_sheet = MappingOptions(unmeasured="datasheet", power_needed=not lacks_power_alone(soc, options.bits))
    measured = (MappingOptions(), MappingOptions(unmeasured="assumed"))
    for way in measured[:1] if soc.by_dataflow else (*measured, data_sheet):
        asked = replace(way, bits=options.bits, power_mode=soc.mode_named(options.power_mode))
        if soc.by_dataflow:
            asked = replace(asked, cost_model=options.cost_model)
        try:
            pricing = pricing_of(soc, network, own[name] if name else None, asked)
            instance = build_instance(soc, ScenarioModel(network, 1), pricing, asked)
        except TooLittleMemoryError as error:
            raise UnsupportedNetworkError(f"{error.sentence}. {WAY_ON}") from error
        except ProblemError as error:
            refusal = error
        else:
            return replace(_priced(instance, pricing, asked), **_told(instance, pricing, asked, name))
    assert refusal is not None  # every way was refused
    if refusal.field in ("params.power_mode", "params.bits"):
        words = f"No estimate: {refusal.field.removeprefix('params.')} must be {refusal.accepted}"
        raise UnsupportedNetworkError(f"{words}. {refusal.reason}" if refusal.reason else words)
    raise UnsupportedNetworkError(_reason(soc, network, refusal)) from refusal


def _told(instance: Instance, pricing: Pricing, asked: MappingOptions, calibration: str | None) -> dict[str, Any]:
    """Return the remarks on an estimate, as fields of `DeviceEstimate`."""
    network, stated = instance.workload.network, any(each.weight_bits for each in instance.workload.network.operations)
    note = "" if stated else weight_bits_words(network.weight_bits, network.title, pricing.model.bits.weights)
    if SUSTAINED in instance.soc.power_modes and not asked.power_mode:
        note = " ".join(filter(None, (note, BURST)))
    params = {
        name: value
        for name, value, usual in (
            ("unmeasured", asked.unmeasured, "refused"), ("bits", asked.bits, ""), ("power_mode", asked.power_mode, ""),
            ("cost_model", asked.cost_model, DEFAULT),
        )
        if value != usual
    }  # fmt: skip
    return {
        "note": note, "bits": pricing.model.precision, "params": params,
        "inputs": {"calibration": calibration} if calibration else {},
        "energy_reason": "" if asked.power_needed else _NO_POWER,
    }  # fmt: skip


def _scored(place: int, scores: MappingScores, words: str, power_known: bool) -> DeviceMapping:
    return DeviceMapping(float(scores.latency_s[place]), float(scores.energy_j[place]) if power_known else None, words)


def _priced(instance: Instance, pricing: Pricing, asked: MappingOptions) -> DeviceEstimate:
    costs = instance.costs
    front = FrontSearch(costs, instance.limits, _LABELS, most_open=_most_open(costs.units)).front([0])
    _, alone = standalone(costs, 0)
    known = asked.power_needed
    goals = [scores.edp_js if known else scores.latency_s for scores in (alone, front.scores)]
    goals[0] = np.where(np.isfinite(alone.latency_s), goals[0], np.inf)
    place, best = (int(goal.argmin()) for goal in goals)
    row = front.units[best]
    way = _scored(best, front.scores, _mapped(instance, row), known)
    single = None
    if np.isfinite(goals[0][place]):
        single = _scored(place, alone, f"{unit_title(instance.units[place])} alone", known)
        if goals[0][place] <= goals[1][best]:  # a front that was thinned may lack it
            row, way = np.full_like(row, place), single
    used = {instance.units[unit] for unit in row.tolist()}
    basis, certainty, words, factors = _origin(pricing, used)
    words += "" if memory_is_known(instance.soc) else f"; {MEMORY_UNKNOWN}"
    public, covered = _in_public(instance, alone.latency_s, factors[0])
    band = "" if factors == (None, None) else error_words(pricing.measured.calibration)
    factors = (factors[0] if covered else None, factors[1])
    points = front_of(front.scores.latency_s, front.scores.energy_j) if known else ()
    return DeviceEstimate(
        way,
        single,
        points,
        front.latency_error_s == 0 and not front.left_out,
        basis,
        words,
        *factors,
        band=band,
        public=public,
        certainty=certainty,
    )


def _most_open(units: int) -> int:
    """Return the largest number of simultaneously waiting results, each of which lies on one or more units."""
    return max(count for count in range(MOST_OPEN + 1) if (2**units - 1) ** count <= _STATES)


def _origin(pricing: Pricing, used: set[str]) -> tuple[Basis, Certainty, str, tuple[float | None, float | None]]:
    """Return the source of the metrics of a mapping to the `used` units, with the error bands of latency and energy."""
    certainty = pricing.certainty(used)
    if pricing.covered is None:
        words = f"{pricing.model.precision}, dataflow cost model, no measurement{pricing.model.estimator_words}"
        return "dataflow", certainty, words, (None, None)
    calibration = pricing.measured.calibration
    words = pricing.measured.words(used)
    if certainty != "calibrated":
        return "data sheet" if certainty == "data sheet" else "calibration", certainty, words, (None, None)
    return "calibration", certainty, words, (calibration.error_factor("latency"), calibration.error_factor("energy"))


def _in_public(instance: Instance, alone_s: FloatArray, factor: float | None) -> tuple[str, bool]:
    """Return public measurements of the network on the device in words, and whether all lie within the factor of the estimates.

    Args:
        instance: the network on the device.
        alone_s: estimates for each unit alone, shape `u`.
        factor: factor of the calibration's latencies; None where there is none.
    """
    soc, slug = instance.soc, instance.workload.network.slug
    known = {
        unit: latency for unit, latency in zip(instance.units, alone_s.tolist(), strict=True) if np.isfinite(latency)
    }
    rows = [row for row in measured_in_public(soc.names, slug, 1) if row.unit in known]
    covered = factor is None or all(1 / factor <= row.latency_s / known[row.unit] <= factor for row in rows)
    return public_words(soc, slug, 1, known, instance.model.precision), covered


def _mapped(instance: Instance, row: IntArray) -> str:
    """Return the number of blocks per unit: "GPU 31 blocks, DLA 3"."""
    counts = Counter(instance.units[unit] for unit in row.tolist())
    parts = [f"{unit_title(unit)} {count}" for unit, count in counts.most_common()]
    if len(parts) == 1:
        return f"{unit_title(next(iter(counts)))} alone"
    return ", ".join([f"{parts[0]} blocks", *parts[1:]])


def too_large(soc: Soc, network: Network) -> str:
    """Return a sentence where a network exceeds the memory of a device even at 8 bits; "" where it fits or nothing is known.

    Microcontrollers whose document names no shared memory have the memory on their chips.
    """
    demand, units = memory_demand([ScenarioModel(network, 1)], stated=True), soc.units.values()
    on_chip = [unit.on_chip_memory_bytes for unit in units if unit.kind == "mcu"]
    sizes = [size for size in on_chip if size is not None]
    if soc.memory is None and sizes and len(sizes) == len(units) and demand.total_bytes(_LEAST) > sum(sizes):
        size = memory_size(sum(sizes))
        return f"Does not fit: {demand.sentence(_LEAST)}. The device has {size} on chip; its document names no other memory"
    try:
        require_memory(soc, demand, _LEAST)
    except TooLittleMemoryError as error:
        return error.sentence
    return ""


def _in_words(lacking: str) -> str:
    """Return the keys of `lacking_figures` in words: "core: operations per cycle (in fp16 or wider), power"."""
    found = [_UNIT_FIGURE.fullmatch(key) for key in lacking.split(", ")]
    figures = [each for each in found if each is not None]
    if len(figures) != len(found):
        return "bandwidth of the shared memory" if lacking.startswith("memory.") else lacking
    named = ", ".join(_FIGURES.get(each["figure"], each["figure"]) + each["rest"] for each in figures)
    return f"{unit_title(figures[0]['unit'])}: {named}"


def _reason(soc: Soc, network: Network, refusal: ProblemError) -> str:
    """Return why a device cannot run the network: its memory, operations that no unit runs, or values that are missing."""
    lacking = () if soc.by_dataflow else lacking_figures(soc)
    if refusal.field == "inputs.hardware" and lacking:
        if unfit := too_large(soc, network):
            return unfit
        more = len(lacking) - _NAMED
        rest = f"; and values of {more} more unit{'s' * (more > 1)}" if more > 0 else ""
        named = "; ".join(map(_in_words, lacking[:_NAMED]))
        return f"No estimate: the device has no measurements, and its document lacks {named}{rest}"
    return f"No unit runs {refusal.got}" if refusal.field == "inputs.calibration" else str(refusal)

"""The remark of a run whose networks store weights in fewer bits than its costs count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engines.contract.engine import Problem
from engines.contract.errors import ProblemError
from engines.contract.results import Note
from engines.cost.calibration.datasheet import usual_precision
from engines.cost.calibration.unmeasured import builtin_calibration
from engines.cost.soc.model import BYTES_PER_ELEMENT, word_bits
from engines.workloads.loader import load_scenario
from engines.workloads.network import Network
from engines.workloads.schema import NETWORK_SCHEMA, SCENARIO_SCHEMA
from engines.workloads.weight_bits import weight_bits_notes
from hardware.package.family import PACKAGE
from hardware.soc.family import SOC
from hardware.soc.loader import load_soc

_CALIBRATION_SCHEMA = "soc-calibration/1"


def weight_bits_remarks(problem: Problem[Any]) -> tuple[Note, ...]:
    """Return one warning, where a network of the run stores weights in fewer bits than its device's costs count; else none."""
    networks = [*_networks(problem)]
    counted = max(_counted_bits(problem), default=0) if networks else 0
    text = " ".join(weight_bits_notes(networks, counted)) if counted else ""
    return (Note("weight-bits", "Bits of weights", text, "warning"),) if text else ()


def _networks(problem: Problem[Any]) -> Iterator[Network]:
    """Yield the networks of the inputs that state bits of weights; built-in networks state none."""
    for content in _contents(problem, NETWORK_SCHEMA, SCENARIO_SCHEMA):
        models = content.get("models") or ({"network": content},)
        if any(isinstance(model["network"], Mapping) and "weight_bits" in model["network"] for model in models):
            yield from (model.network for model in load_scenario(content).models)


def _counted_bits(problem: Problem[Any]) -> Iterator[int]:
    """Yield the bits that each device of the inputs counts for a weight."""
    yield from (8 * int(content.get("word_bytes", 1)) for content in _contents(problem, PACKAGE.schema))
    calibrated = [content["precision"] for content in _contents(problem, _CALIBRATION_SCHEMA)]
    said = [each for each in (getattr(problem.params, "precision", ""), *calibrated) if each in BYTES_PER_ELEMENT]
    for content in _contents(problem, SOC.schema):
        soc = load_soc(content)
        if soc.by_dataflow or said:
            yield word_bits("int8" if soc.by_dataflow else said[0])
            continue
        try:
            yield word_bits(builtin_calibration(soc, ()).precision)
        except ProblemError:  # no calibration: the device's data sheet
            yield word_bits(usual_precision(soc))


def _contents(problem: Problem[Any], *schemas: str) -> Iterator[Mapping[str, Any]]:
    return (each.content for each in problem.inputs.values() if each.content.get("schema") in schemas)

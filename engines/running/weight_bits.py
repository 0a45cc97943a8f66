"""The remark of a run whose networks store weights in fewer bits than its costs count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engines.contract.engine import Problem
from engines.contract.errors import ProblemError
from engines.contract.results import Note
from engines.cost.calibration.datasheet import usual_precision
from engines.cost.calibration.unmeasured import builtin_calibration
from engines.cost.soc.model import bits_of
from engines.workloads.loader import load_scenario
from engines.workloads.network import Network
from engines.workloads.schema import NETWORK_SCHEMA, SCENARIO_SCHEMA
from engines.workloads.weight_bits import weight_bits_notes
from hardware.bits import is_bits_name
from hardware.package.family import PACKAGE
from hardware.soc.family import SOC
from hardware.soc.loader import load_soc
from hardware.soc.model import Soc

_CALIBRATION_SCHEMA = "soc-calibration/1"


def weight_bits_remarks(problem: Problem[Any]) -> tuple[Note, ...]:
    """Return one warning where a network of the run stores weights in fewer bits than its device's costs count; else none."""
    networks = [*_networks(problem)]
    counted = [*_counted(problem)] if networks else []
    if all(by_operation for _, by_operation in counted):
        networks = [each for each in networks if not any(operation.weight_bits for operation in each.operations)]
    text = " ".join(weight_bits_notes(networks, max(bits for bits, _ in counted))) if counted else ""
    return (Note("weight-bits", "Bits of weights", text, "warning"),) if text else ()


def _networks(problem: Problem[Any]) -> Iterator[Network]:
    """Yield the networks of the inputs that state bits of weights; built-in networks state none."""
    for content in _contents(problem, NETWORK_SCHEMA, SCENARIO_SCHEMA):
        models = content.get("models") or ({"network": content},)
        if any(isinstance(model["network"], Mapping) and "weight_bits" in model["network"] for model in models):
            yield from (model.network for model in load_scenario(content).models)


def _counted(problem: Problem[Any]) -> Iterator[tuple[float, bool]]:
    """Yield for each device the bits that it counts for a weight, and whether those that an operation states take their place."""
    calibrated = [content["precision"] for content in _contents(problem, _CALIBRATION_SCHEMA)]
    asked = [getattr(problem.params, name, "") for name in ("bits", "precision")]
    said = [each for each in (*asked, *calibrated) if is_bits_name(each)]
    for content in _contents(problem, PACKAGE.schema):
        yield bits_of(said[0]).weights if said else 8 * int(content.get("word_bytes", 1)), True
    for content in _contents(problem, SOC.schema):
        soc = load_soc(content)
        yield bits_of(said[0] if said else "int8" if soc.by_dataflow else _usual(soc)).weights, True


def _usual(soc: Soc) -> str:
    """Return the precision of the device's calibration, or of its data sheet where there is none."""
    try:
        return builtin_calibration(soc, ()).precision
    except ProblemError:
        return usual_precision(soc)


def _contents(problem: Problem[Any], *schemas: str) -> Iterator[Mapping[str, Any]]:
    return (each.content for each in problem.inputs.values() if each.content.get("schema") in schemas)

"""Requirements of every schedule search on a package and the networks on it."""

from __future__ import annotations

from engines.contract.engine import require
from engines.cost.memory_capacity import memory_demand, require_memory
from engines.cost.soc.model import counted_bits
from engines.workloads.network import Scenario
from engines.workloads.unknown_operators import require_priced
from hardware.package.model import DATAFLOWS, ChipletPackage

_MOST_CHIPLETS = 62  # occupied chiplets are bits of a signed 64-bit integer


def require_package(package: ChipletPackage) -> None:
    """Refuse a package with no chiplets or too many, or of dataflows that no cost model knows.

    Raises:
        ProblemError: names what cannot be.
    """
    count = len(package.chiplets)
    accepted = f"a package of 1 to {_MOST_CHIPLETS} chiplets"
    require(1 <= count <= _MOST_CHIPLETS, "inputs.hardware.package", count, accepted)
    for dataflow in sorted({chiplet.dataflow for chiplet in package.chiplets}):
        accepted = f"chiplets of {' or '.join(DATAFLOWS)}"
        require(dataflow in DATAFLOWS, "inputs.hardware.chiplets", dataflow, accepted)


def require_work(scenario: Scenario, package: ChipletPackage, *, ignore_memory: bool, bits: str = "") -> None:
    """Refuse a workload without models or layers, of operations that no cost model knows, or larger than the memory.

    Raises:
        ProblemError: names what cannot be.
    """
    require(len(scenario.models) > 0, "inputs.workload.models", 0, "a list of at least one model")
    require_priced(scenario)
    for model in scenario.models:
        layers = len(model.network.layers)
        require(
            layers > 0,
            f"inputs.workload.{model.network.slug}",
            layers,
            "a network with at least one layer that computes",
        )
    require_memory(
        package, memory_demand(scenario.models, stated=not bits), counted_bits(package.bits, bits), ignore=ignore_memory
    )

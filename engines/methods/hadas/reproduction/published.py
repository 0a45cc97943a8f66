"""The published values, and the problems that stand next to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engines.contract.engine import Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.reproduction.rows import Publication

PUBLICATION = Publication(Path(__file__).parent, "odema-2024")
TX2, XAVIER = "jetson-tx2", "jetson-agx-xavier"


@dataclass(frozen=True)
class Unit:
    """One of the four hardware settings of section 2.3.4.

    Attributes:
        unmeasured: treatment of operations without measurements.
    """

    title: str
    device: str
    unit: str
    unmeasured: str


UNITS = {
    "agx_volta": Unit("AGX Volta GPU", XAVIER, "gpu", "assumed"),
    "carmel_cpu": Unit("Carmel CPU", XAVIER, "cpu", "datasheet"),
    "pascal_gpu": Unit("TX2 Pascal GPU", TX2, "gpu", "refused"),
    "denver_cpu": Unit("Denver CPU", TX2, "denver2", "datasheet"),
}


def problem_of(unit: Unit, params: Mapping[str, Any], workload: str = "", seed: int = 0) -> Problem:
    """Return a problem of the engine on a unit; without a workload the space is searched."""
    documents = {"hardware": get_builtin("hardware", unit.device)}
    if workload:
        documents["workload"] = get_builtin("workload", workload)
    # As published: networks that a search is compared with are no results of it.
    fixed = {"unit": unit.unit, "unmeasured": unit.unmeasured, "baselines_found": False}
    return make_problem("hadas", documents, {**fixed, **params}, seed=seed)

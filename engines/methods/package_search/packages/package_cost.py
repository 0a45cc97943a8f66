"""The cost of making a package (goyal-2023 section 6.3, `engines.cost.silicon.costs`).

Chiplets of one dataflow and number of processing elements are one design, as large as the largest of them: one mask set makes them
all, wherever they stand. Every design is new.
"""

from __future__ import annotations

from math import nan

import numpy as np

from engines.contract.results import Breakdown, Note, Result
from engines.cost.package.area import package_area_parts_mm2
from engines.cost.silicon.costs import (
    EACH,
    ONCE,
    PART_TITLES,
    Chiplets,
    Money,
    package_money,
    require_exposable,
    require_process,
)
from hardware.package.model import ChipletPackage
from hardware.silicon.model import SiliconCosts


def process_of(package: ChipletPackage) -> str:
    """Return the name of the process that its chiplets are made in: "28nm"."""
    return f"{package.process_node_nm:g}nm"


def require_priced(package: ChipletPackage, costs: SiliconCosts) -> None:
    """Refuse a package whose process the costs do not have.

    Raises:
        ProblemError: names the processes that there are.
    """
    require_process(costs, process_of(package), "inputs.hardware.process_node_nm")
    require_exposable(costs, designs_mm2(package)[0].tolist(), "inputs.hardware")


def designs_mm2(package: ChipletPackage) -> tuple[np.ndarray, np.ndarray]:
    """Return the areas of the different chiplets, shape `k`, and how many there are of each."""
    kinds = [(chiplet.dataflow, chiplet.processing_elements) for chiplet in package.chiplets]
    areas = package_area_parts_mm2(package).sum(axis=1)
    distinct = list(dict.fromkeys(kinds))
    largest = [max(area for area, own in zip(areas.tolist(), kinds, strict=True) if own == kind) for kind in distinct]
    return np.array(largest), np.array([float(kinds.count(kind)) for kind in distinct])


def money_of(package: ChipletPackage, costs: SiliconCosts) -> Money:
    """Return the cost of one package by its parts."""
    areas, counts = designs_mm2(package)
    names = (process_of(package),) * len(areas)
    return package_money(costs, Chiplets(names, areas[None, :], counts[None, :], np.ones((1, len(areas)))))


def cost_usd(package: ChipletPackage, costs: SiliconCosts | None, systems: float) -> float:
    """Return the cost of one of so many good systems; NaN where costs are not given."""
    return nan if costs is None else float(money_of(package, costs).per_system_usd(systems)[0])


def money_results(package: ChipletPackage, costs: SiliconCosts | None, systems: float) -> tuple[Result, ...]:
    """Return the one-time costs per system and the costs of every system, as results."""
    if costs is None:
        return ()
    parts = money_of(package, costs).parts()
    parts[:, : len(ONCE)] /= systems
    areas, _ = designs_mm2(package)
    words = "one design" if len(areas) == 1 else f"{len(areas)} designs"
    text = (
        f"Chiplets of one dataflow and size are one design, as large as the largest of them: {words} here, all "
        "new. The one-time cost "
    )
    text += f"is shared by {systems:,.0f} systems. Memory chips and packaging beyond the interposer are not counted."
    return (
        Breakdown(
            "cost", "Cost of a system", ("This package",), tuple(PART_TITLES[name] for name in (*ONCE, *EACH)), parts, "USD"
        ),
        Note("cost-model", "Cost", text, belongs_to="cost"),
    )  # fmt: skip

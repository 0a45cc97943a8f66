"""Whether any package can keep the limits."""

from __future__ import annotations

from engines.contract.engine import Infeasibility
from engines.methods.package_search.packages.space import PackageSpace


def find_infeasibility(space: PackageSpace) -> Infeasibility | None:
    """The limit that even the smallest package of the space breaks; None if there is none."""
    least = space.least()
    elements = float(sum(space.candidate(least).processing_elements))
    area_mm2 = space.area_mm2(least)
    fewer = ("fewer processing elements per chiplet to choose from", "params.processing_elements")
    if space.max_processing_elements is not None and elements > space.max_processing_elements:
        remedies: tuple[tuple[str, str], ...] = (
            _allow(elements, "processing elements", "params.max_processing_elements"),
            fewer,
        )
        return _beyond("processing elements of a package", elements, space.max_processing_elements, "PEs", remedies)
    if space.max_area_mm2 is not None and area_mm2 > space.max_area_mm2:
        remedies = (
            _allow(area_mm2, "mm²", "params.max_area_mm2"),
            ("a smaller memory bandwidth to choose from", "params.memory_bandwidth_gb_per_s"),
            ("fewer interface sides to choose from", "params.interface_sides"),
            fewer,
        )
        return _beyond("silicon of a package", area_mm2, space.max_area_mm2, "mm²", remedies)
    return None


def _allow(demand: float, unit: str, field: str) -> tuple[str, str]:
    return (f"at least {demand:.6g} {unit} allowed", field)


def _beyond(limit: str, demand: float, bound: float, unit: str, remedies: tuple[tuple[str, str], ...]) -> Infeasibility:
    return Infeasibility(limit, demand, float(bound), unit, demand - bound, remedies)

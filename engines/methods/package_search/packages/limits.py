"""The limits of packages, and the least that any package of a space has."""

from __future__ import annotations

from engines.contract.engine import Bound
from engines.contract.limits import Limit
from engines.methods.package_search.packages.space import PackageSpace

_FEWER = ("Fewer processing elements per chiplet to choose from.", "params.processing_elements")
LIMITS = (
    Limit(
        "max_processing_elements", "processing_elements", "processing elements of a package", "PEs",
        remedies=(_FEWER,), has_slack=False,
    ),
    Limit(
        "max_area_mm2", "area_mm2", "silicon of a package", "mm²",
        remedies=(
            ("A smaller memory bandwidth to choose from.", "params.memory_bandwidth_gb_per_s"),
            ("Fewer interface sides to choose from.", "params.interface_sides"),
            _FEWER,
        ),
        has_slack=False,
    ),
)  # fmt: skip


def bounds_of(space: PackageSpace) -> tuple[Bound, ...]:
    """Return the processing elements and silicon of the smallest package."""
    least = space.least()
    elements = float(sum(space.candidate(least).processing_elements))
    return (
        Bound("processing_elements", "Processing elements of any package", elements, ""),
        Bound("area_mm2", "Silicon of any package", space.area_mm2(least), "mm²"),
    )

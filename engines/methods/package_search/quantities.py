"""What the numbers of a design of the package search mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engines.methods.scar.quantities import QUANTITIES as SCHEDULE_QUANTITIES
from engines.quantities import Quantity

_EDP = "edp_js"
_PACKAGE = (
    Quantity(
        "area_mm2", "Silicon area", "mm²", "minimise", "objective",
        "All chiplets with links and memory interfaces: fitted to published NVDLA areas in 28 nm (docs/engines/package-search.md).",
    ),
    Quantity(
        "processing_elements", "Processing elements", "", "none", "decision", "Multiply-accumulate units of all chiplets."
    ),
    Quantity("nvdla_chiplets", "NVDLA chiplets", "", "none", "decision", "Chiplets of the weight stationary dataflow."),
    Quantity(
        "link_gb_per_s", "Link bandwidth", "GB/s", "none", "decision", "Of a link between chiplets, each direction."
    ),
    Quantity(
        "memory_gb_per_s", "Memory bandwidth", "GB/s", "none", "decision", "Of all memory interfaces of the package together."
    ),
)  # fmt: skip


def _schedule_quantities() -> tuple[Quantity, ...]:
    """Those of SCAR; the energy-delay product can be an objective here."""
    return tuple(replace(q, role="objective") if q.name == _EDP else q for q in SCHEDULE_QUANTITIES)


_BY_NAME = {quantity.name: quantity for quantity in (*_schedule_quantities(), *_PACKAGE)}
_FIRST = ("latency_s", "energy_j", _EDP, "area_mm2")
QUANTITIES = tuple(_BY_NAME[name] for name in (*_FIRST, *(name for name in _BY_NAME if name not in _FIRST)))
COLUMNS = tuple(quantity.name for quantity in QUANTITIES)


def with_objectives(columns: Sequence[str]) -> tuple[Quantity, ...]:
    """The quantities where only `columns` are objectives."""
    return tuple(
        replace(q, role="metric") if q.role == "objective" and q.name not in columns else q for q in QUANTITIES
    )

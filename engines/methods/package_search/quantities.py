"""The metrics of a design of the package search."""

from __future__ import annotations

from engines.chiplets.decision_columns import SCHEDULE_COLUMNS
from engines.chiplets.quantities import QUANTITIES as SCHEDULE_QUANTITIES
from engines.contract.decision_columns import DecisionColumn
from engines.contract.quantities import ObjectiveChoice, Quantity
from engines.methods.package_search.params import objective_columns

_PACKAGE = (
    Quantity(
        "area_mm2", "Silicon area", "mm²", "minimise", "objective",
        "All chiplets with links and memory interfaces: fitted to published NVDLA areas in 28 nm (docs/engines/package-search.md).",
    ),
    Quantity(
        "cost_usd", "Cost of a system", "USD", "minimise", "objective",
        "One-time costs divided by the number of systems, plus the costs of every system (goyal-2023 "
            "section 6.3). It needs silicon costs.",
    ),
    Quantity(
        "processing_elements", "Processing elements", "", "none", "decision", "Multiply-accumulate units of all chiplets."
    ),
    Quantity("nvdla_chiplets", "NVDLA chiplets", "", "none", "decision", "Chiplets of the weight stationary dataflow."),
    Quantity(
        "unused_chiplets", "Unused chiplets", "", "none", "metric",
        "Chiplets that no model uses in any time window. Their dataflow only affects where time windows "
            "are cut (Algorithm 1 of odema-2024).",
    ),
    Quantity(
        "link_gb_per_s", "Link bandwidth", "GB/s", "none", "decision", "Bandwidth of a link between chiplets in each direction."
    ),
    Quantity(
        "memory_gb_per_s", "Memory bandwidth", "GB/s", "none", "decision", "Bandwidth of all memory interfaces of the package "
        "together."
    ),
)  # fmt: skip


_BY_NAME = {quantity.name: quantity for quantity in (*SCHEDULE_QUANTITIES, *_PACKAGE)}
MAY_SPAN = ("latency_s", "energy_j", "edp_js", "area_mm2", "cost_usd")
QUANTITIES = tuple(_BY_NAME[name] for name in (*MAY_SPAN, *(name for name in _BY_NAME if name not in MAY_SPAN)))
COLUMNS = tuple(quantity.name for quantity in QUANTITIES)
CHOICE = ObjectiveChoice(MAY_SPAN, objective_columns)

DECISION_COLUMNS = (
    DecisionColumn("dataflows", "Dataflow of each chiplet", read=lambda d: d["package"]["dataflows"]),
    DecisionColumn("memory", "Memory bandwidth", "GB/s", read=lambda d: d["package"]["memory_bandwidth_gb_per_s"]),
    DecisionColumn(
        "sides",
        "Memory interfaces",
        help="Sides of the package with memory interfaces.",
        read=lambda d: d["package"]["interface_sides"],
    ),
    DecisionColumn("goal", "Scheduled for", help="Objective that selected the schedule of the package."),
    *SCHEDULE_COLUMNS[:-1],
)

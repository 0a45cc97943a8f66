"""What the numbers of a mapping mean."""

from __future__ import annotations

from dataclasses import replace

from engines.contract.limits import LIMIT_SLACK
from engines.contract.quantities import ObjectiveChoice, Quantity

QUANTITIES = (
    Quantity(
        "latency_s", "Latency", "s", "minimise", "objective",
        "Sum over blocks, and of a hand-over through memory wherever the unit changes (odema-2023 eq. 6).",
    ),
    Quantity(
        "energy_j", "Energy", "J", "minimise", "objective",
        "Sum over blocks and hand-overs (odema-2023 eq. 7).",
    ),
    Quantity("power_w", "Average power", "W", "minimise", "metric", "Energy over latency."),
    Quantity("edp_js", "EDP", "J·s", "minimise", "metric", "Latency times energy."),
    Quantity("transitions", "Changes of unit", "", "minimise", "metric", "How often two blocks in a row run on different units."),
    replace(
        LIMIT_SLACK,
        help="Least room to any limit as a share of it, below 0 where one is broken, or by the share of blocks that are not where "
        "rules want them; 1 without limits.",
    ),
)  # fmt: skip
OBJECTIVE_COLUMNS = {
    "latency_energy": ("latency_s", "energy_j"),
    "latency_power": ("latency_s", "power_w"),
    "latency_energy_power": ("latency_s", "energy_j", "power_w"),
    "latency": ("latency_s",),
    "energy": ("energy_j",),
    "power": ("power_w",),
    "edp": ("edp_js",),
}
CHOICE = ObjectiveChoice(
    ("latency_s", "energy_j", "power_w", "edp_js"), lambda params: OBJECTIVE_COLUMNS[params.objectives]
)

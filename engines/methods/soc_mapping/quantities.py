"""The metrics of a mapping."""

from __future__ import annotations

from dataclasses import replace

from engines.contract.limits import LIMIT_SLACK
from engines.contract.quantities import ObjectiveChoice, Quantity
from engines.methods.soc_mapping.params import SocMappingParams

QUANTITIES = (
    Quantity(
        "latency_s", "Latency", "s", "minimise", "objective",
        "Sum over blocks, plus a transfer through memory at every unit transition (odema-2023 eq. 6).",
    ),
    Quantity(
        "energy_j", "Energy", "J", "minimise", "objective",
        "Sum over blocks and transfers (odema-2023 eq. 7).",
    ),
    Quantity("power_w", "Average power", "W", "minimise", "metric", "Energy over latency."),
    Quantity("edp_js", "EDP", "J·s", "minimise", "metric", "Latency times energy."),
    Quantity(
        "transitions", "Unit transitions", "", "minimise", "metric",
        "Number of consecutive block pairs on different compute units.",
    ),
    replace(
        LIMIT_SLACK,
        help="Smallest distance to any limit, as a share of that limit. Negative: a limit is violated, or "
            "blocks violate rules. 1: no limits are set.",
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


def best_metric(params: SocMappingParams) -> str:
    """Return what the search was asked for: within a limit on latency the least energy, else the product of both."""
    chosen = OBJECTIVE_COLUMNS[params.objectives]
    if len(chosen) == 1:
        return chosen[0]
    limited = params.latency_limit_s is not None or params.latency_slack_percent is not None
    return "energy_j" if limited and "energy_j" in chosen else "edp_js"


CHOICE = ObjectiveChoice(
    ("latency_s", "energy_j", "power_w", "edp_js"), lambda params: OBJECTIVE_COLUMNS[params.objectives]
)

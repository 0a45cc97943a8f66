"""The metrics of a mapping."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.decision_columns import DecisionColumn
from engines.contract.limits import LIMIT_SLACK, Limit
from engines.contract.quantities import SHARE, Quantity
from engines.mapping.designs.decision_columns import CLOCKS

QUANTITIES = (
    Quantity(
        "throughput_per_s", "Mean throughput", "1/s", "maximise", "objective",
        "Inferences per second in steady state, mean over the networks (karatzas-2024 section 5.2).",
    ),
    Quantity(
        "power_w", "Power", "W", "minimise", "objective",
        "Power of the active units, by clock and load, and of the memory (karatzas-2024 section 5.2).",
    ),
    Quantity(
        "inferences_per_j", "Inferences per joule", "1/J", "maximise", "objective",
        "Inferences of all networks together over power, E in karatzas-2024, which calls it inferences per watt.",
    ),
    Quantity(
        "fairness_fraction", "Fairness", SHARE, "maximise", "objective",
        "Smallest share of a network. A share is the rate over that of the scenario, or over the highest rate alone.",
    ),
    Quantity(
        "bound_fraction", "Share of the bound", SHARE, "maximise", "metric",
        "Mean throughput divided by the least upper bound of any mapping within the power limit, by linear "
            "programming.",
    ),
    Quantity(
        "slowest_per_s", "Slowest network", "1/s", "maximise", "metric", "Inferences per second of the slowest network."
    ),
    Quantity("cuts", "Cuts", "", "none", "metric", "Transitions from one unit to another, over all networks."),
    LIMIT_SLACK,
)  # fmt: skip
POWER = Limit("power_limit_w", "power_w", "power", "W")
FAIRNESS = Limit("fairness_limit_percent", "fairness_fraction", "fairness", "%", upper=False, scale=0.01)
LIMITS = (POWER, FAIRNESS)
MODES_W = (10.0, 15.0, 30.0)


def _networks(decision: Mapping[str, Any]) -> list[str]:
    """Return per network its units with how many layers each runs; decisions have the layer after the last of each segment."""
    found = []
    for segments in decision["networks"]:
        ends = [end for end, _ in segments]
        pairs = zip(ends, [0, *ends[:-1]], segments, strict=True)
        found.append(" → ".join(f"{unit} ({end - before:g})" for end, before, (_, unit) in pairs))
    return found


DECISION_COLUMNS = (
    DecisionColumn(
        "networks",
        "Units of each network",
        help="Compute units of each network, with the number of layers on each.",
        read=_networks,
    ),
    CLOCKS,
)

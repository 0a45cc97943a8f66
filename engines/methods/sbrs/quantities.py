"""The metrics of an application."""

from __future__ import annotations

from engines.contract.limits import LIMIT_SLACK, Limit
from engines.contract.quantities import Quantity

QUANTITIES = (
    Quantity(
        "memory_bytes", "Memory", "B", "minimise", "objective",
        "Parameters that are stored once and buffers as large as their largest use (minakova-2022 eq. 1 over the supergraph).",
    ),
    Quantity(
        "response_delay_s", "Longest response delay", "s", "minimise", "objective",
        "Time from the step of the switch request to the first output of the new network, over all pairs. "
            "See minakova-2022 Algorithms 3 and 4; 0 with one network.",
    ),
    Quantity(
        "weighted_rank", "Weighted rank", "", "minimise", "objective",
        "Lowest weighted rank within the application, mean over the requirement sets (minakova-2022 eq. "
            "5). Ranks are among all networks of the workload.",
    ),
    Quantity("networks", "Networks", "", "none", "decision", "Number of networks (scenarios) of the application."),
    Quantity(
        "naive_memory_bytes", "Memory as separate networks", "B", "minimise", "metric",
        "Sum of the memory of all networks stored separately (eq. 1).",
    ),
    Quantity(
        "memory_saved_percent", "Memory saved", "%", "maximise", "metric",
        "Share of the memory of separate networks that sharing saves.",
    ),
    Quantity(
        "naive_delay_s", "Delay of naive switching", "s", "minimise", "metric",
        "Longest delay of naive switching over all pairs of networks.",
    ),
    Quantity(
        "delay_saved_percent", "Delay saved", "%", "maximise", "metric",
        "Share of the delay of naive switching that is saved, mean over all pairs.",
    ),
    Quantity(
        "switch_memory_bytes", "Second copies while switching", "B", "minimise", "metric",
        "Shared buffers that the new network writes before the old one has read them, in the pair that needs most.",
    ),
    Quantity(
        "mission_accuracy_percent", "Accuracy on the mission", "%", "maximise", "metric",
        "Mean accuracy over the working time with switching. It needs accuracies, an environment and a battery.",
    ),
    Quantity(
        "mission_life_s", "Time to the minimum level", "s", "maximise", "metric",
        "Time until the battery reaches its minimum level on the mission with switching, at most the duration of the mission.",
    ),
    Quantity(
        "mission_over_budget_s", "Time over budget", "s", "minimise", "metric",
        "Time above the power budget on the mission with switching.",
    ),
    LIMIT_SLACK,
)  # fmt: skip

MEMORY = Limit("memory_limit_mb", "memory_bytes", "memory of an application", "MB", scale=1e6)
LIMITS = (
    MEMORY,
    Limit("response_limit_s", "response_delay_s", "response delay", "s"),
)

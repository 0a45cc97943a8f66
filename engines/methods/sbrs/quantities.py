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
    Quantity("networks", "Networks", "", "none", "decision", "Scenarios of the application."),
    Quantity("naive_memory_bytes", "Memory as separate networks", "B", "minimise", "metric", "Sum of eq. 1."),
    Quantity("memory_saved_percent", "Memory saved", "%", "maximise", "metric", "By sharing, of the separate networks' memory."),
    Quantity("naive_delay_s", "Delay of naive switching", "s", "minimise", "metric", "Longest over all pairs."),
    Quantity(
        "delay_saved_percent", "Delay saved", "%", "maximise", "metric", "Mean over all pairs, of the delay of naive switching."
    ),
    Quantity(
        "switch_memory_bytes", "Second copies while switching", "B", "minimise", "metric",
        "Shared buffers that the new network writes before the old one has read them, in the pair that needs most.",
    ),
    Quantity(
        "mission_accuracy_percent", "Accuracy on the mission", "%", "maximise", "metric",
        "Mean over the working time with switching; needs accuracies, an environment and a battery.",
    ),
    Quantity(
        "mission_life_s", "Time to the minimum level", "s", "maximise", "metric",
        "On the mission with switching; its duration where the battery lasts.",
    ),
    Quantity("mission_over_budget_s", "Time over budget", "s", "minimise", "metric", "On the mission with switching."),
    LIMIT_SLACK,
)  # fmt: skip

MEMORY = Limit("memory_limit_mb", "memory_bytes", "memory of an application", "MB", scale=1e6)
LIMITS = (
    MEMORY,
    Limit("response_limit_s", "response_delay_s", "response delay", "s"),
)

"""The metrics of a controller."""

from __future__ import annotations

from engines.contract.limits import LIMIT_SLACK, Limit
from engines.contract.quantities import SHARE, Quantity

QUANTITIES = (
    Quantity(
        "energy_j", "Energy of a window", "J", "minimise", "objective",
        "Mean energy of the car: computing time x power, and the radio while it sends (odema-2024 eq. 5.12 to 5.15).",
    ),
    Quantity(
        "risky_fraction", "Risky windows", SHARE, "minimise", "objective",
        "Share of windows that are sent to the server although their detections are below the threshold.",
    ),
    Quantity(
        "missed_fraction", "Missed deadlines", SHARE, "minimise", "objective",
        "Share of windows that end after the deadline.",
    ),
    Quantity(
        "saved_fraction", "Energy saved", SHARE, "maximise", "metric",
        "Share of energy saved against running all pipelines in the car.",
    ),
    Quantity(
        "offloaded_fraction", "Offloaded windows", SHARE, "none", "metric",
        "Share of windows in which at least one pipeline is sent.",
    ),
    Quantity("latency_s", "Latency", "s", "none", "metric", "Mean latency of a window."),
    Quantity(
        "quality", "mAP of offloaded windows", "", "none", "metric",
        "Mean average precision in offloaded windows (AMAP of the publication), on simulated scenes.",
    ),
    Quantity("reward", "Reward", "", "maximise", "metric", "Mean of the published reward (eq. 5.7 to 5.10); 0 is the best value."),
    Quantity(
        "reward_lost", "Reward lost", "", "minimise", "metric",
        "Expected reward of the exact optimum less that of this controller, on the same time windows. "
            "Negative: the controller has more information.",
    ),
    LIMIT_SLACK,
)  # fmt: skip
LIMITS = (
    Limit("energy_limit_j", "energy_j", "energy of a window", "J"),
    Limit("risky_limit_percent", "risky_fraction", "risky windows", "%", scale=0.01),
    Limit("missed_limit_percent", "missed_fraction", "missed deadlines", "%", scale=0.01),
)

"""What the numbers of a trained estimator mean."""

from __future__ import annotations

from engines.contract.quantities import SHARE, Quantity

QUANTITIES = (
    Quantity(
        "throughput_near_fraction", "Throughput within one class", SHARE, "maximise", "objective",
        "Share of the mappings of held-out mixes whose class of throughput is predicted with at most one class of error.",
    ),
    Quantity(
        "power_near_fraction", "Power within one class", SHARE, "maximise", "objective", "Likewise, of power."
    ),
    Quantity(
        "throughput_exact_fraction", "Throughput, exact class", SHARE, "maximise", "metric",
        "Share of the mappings of held-out mixes whose class of throughput is predicted exactly.",
    ),
    Quantity("power_exact_fraction", "Power, exact class", SHARE, "maximise", "metric", "Likewise, of power."),
    Quantity(
        "unseen_throughput_fraction", "Throughput within one class, networks never seen", SHARE, "maximise", "metric",
        "On mixes made of networks that training never saw.",
    ),
    Quantity(
        "unseen_power_fraction", "Power within one class, networks never seen", SHARE, "maximise", "metric",
        "On mixes made of networks that training never saw.",
    ),
    Quantity(
        "throughput_gap_fraction", "Calibration error of throughput", SHARE, "minimise", "metric",
        "Expected calibration error: how far sureness and the share that is right are apart.",
    ),
    Quantity("power_gap_fraction", "Calibration error of power", SHARE, "minimise", "metric", "Likewise, of power."),
    Quantity("weight_count", "Weights", "", "minimise", "metric", "Learnt numbers of the transformer."),
)  # fmt: skip

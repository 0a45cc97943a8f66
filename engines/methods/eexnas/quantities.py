"""The metrics of a network with an exit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.decision_columns import DecisionColumn
from engines.contract.limits import LIMIT_SLACK, Limit
from engines.contract.quantities import SHARE, Quantity


def _pools(decision: Mapping[str, Any]) -> list[str]:
    return [f"{each['pool']}/{each['pool_stride']}" if each["pool"] else "none" for each in decision["blocks"]]


QUANTITIES = (
    Quantity(
        "accuracy_percent", "Accuracy with exit", "%", "maximise", "objective",
        "Measured on validation windows. The exit answers windows for which its confidence reaches the threshold.",
        "backbone_accuracy_percent",
    ),
    Quantity(
        "energy_j", "Energy with exit", "J", "minimise", "objective",
        "Mean of a window: the share that leaves at each end times the energy up to there (odema-2024 section B.6.2).",
        "backbone_energy_j",
    ),
    Quantity("backbone_accuracy_percent", "Accuracy without exit", "%", "maximise", "objective", "Accuracy of the last layer "
    "alone."),
    Quantity("backbone_energy_j", "Energy without exit", "J", "minimise", "objective", "Energy of a time window up to the "
    "last layer."),
    Quantity("latency_s", "Mean time", "s", "minimise", "metric", "Time of a time window: energy over power."),
    Quantity("ram_bytes", "RAM", "B", "minimise", "metric", "Largest input and output of a layer, outputs, and the overhead."),
    Quantity(
        "flash_bytes", "Weights", "B", "minimise", "metric",
        "Memory of all weights, the exit included: 32 bits each, 1 bit each in binary networks.",
    ),
    Quantity("left_early_fraction", "Leave early", SHARE, "none", "metric", "Share of the windows that the exit answers."),
    Quantity(
        "test_accuracy_percent", "Accuracy (test)", "%", "maximise", "metric",
        "Accuracy with exit on test windows, which no choice used.",
    ),
    Quantity(
        "backbone_test_accuracy_percent", "Accuracy without exit (test)", "%", "maximise", "metric", "Test accuracy of the "
        "last layer alone.",
    ),
    Quantity("temperature", "Temperature", "", "none", "metric", "Temperature of the exit, fitted on validation windows."),
    Quantity(
        "ece_before_percent", "ECE before", "%", "minimise", "metric", "Expected calibration error of the exit, on test windows.",
    ),
    Quantity(
        "ece_percent", "ECE after", "%", "minimise", "metric",
        "Expected calibration error of the exit with the fitted temperature, on test windows.",
    ),
    Quantity("threshold", "Threshold", "", "none", "decision", "Least confidence with which the exit answers, 0 to 1."),
    Quantity("binary", "Binary", "", "none", "decision", "1: weights and activations of one bit."),
    Quantity("blocks", "Blocks", "", "none", "decision", "Number of convolutions."),
    LIMIT_SLACK,
)  # fmt: skip
DECISION_COLUMNS = (
    DecisionColumn(
        "filters",
        "Filters",
        help="Filters of each convolution.",
        read=lambda d: [each["filters"] for each in d["blocks"]],
    ),
    DecisionColumn(
        "kernels",
        "Kernels",
        help="Kernel of each convolution.",
        read=lambda d: [each["kernel"] for each in d["blocks"]],
    ),
    DecisionColumn(
        "strides",
        "Strides",
        help="Stride of each convolution.",
        read=lambda d: [each["stride"] for each in d["blocks"]],
    ),
    DecisionColumn("pools", "Pooling", help="Window and stride of the maximum behind each convolution.", read=_pools),
    DecisionColumn("hidden", "Hidden layer", help="Width of the fully connected layer before the last; 0 for none."),
)
RAM = Limit(
    "ram_limit_kib", "ram_bytes", "RAM", "KiB", scale=1024.0, remedies=(("Choose a larger device.", "inputs.hardware"),)
)
ENERGY = Limit("energy_limit_j", "energy_j", "energy", "J")
LIMITS = (RAM, ENERGY)

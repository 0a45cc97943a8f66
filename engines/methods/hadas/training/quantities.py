"""The metrics of a network with trained exits."""

from __future__ import annotations

from engines.contract.quantities import SHARE, Quantity

QUANTITIES = (
    Quantity(
        "macs", "Mean MACs", "", "minimise", "objective",
        "Mean multiply-accumulates per image, including those of passed exits.",
    ),
    Quantity("accuracy_percent", "Accuracy", "%", "maximise", "objective", "Measured on the validation images."),
    Quantity(
        "test_accuracy_percent", "Test accuracy", "%", "maximise", "metric",
        "Measured on the test images, which no choice used.",
    ),
    Quantity(
        "lost_percent", "Lost to the ideal", "%", "minimise", "metric",
        "Percentage points of accuracy below the ideal exit policy, under which each image leaves at the first correct end.",
    ),
    Quantity("left_early_fraction", "Left early", SHARE, "none", "metric", "Share of the validation images that leave at an exit."),
    Quantity("exits", "Exits", "", "none", "metric", "Number of exits, without the network's own end."),
)  # fmt: skip

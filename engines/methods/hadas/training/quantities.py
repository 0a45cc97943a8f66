"""The metrics of a network with trained exits."""

from __future__ import annotations

from engines.contract.quantities import SHARE, Quantity

QUANTITIES = (
    Quantity(
        "macs", "Mean MACs", "", "minimise", "objective",
        "Multiply-accumulates of an image in the mean, exits on the way included.",
    ),
    Quantity("accuracy_percent", "Accuracy", "%", "maximise", "objective", "Measured on the validation images."),
    Quantity(
        "test_accuracy_percent", "Test accuracy", "%", "maximise", "metric",
        "Measured on the test images, which nothing is chosen by.",
    ),
    Quantity(
        "lost_percent", "Lost to the ideal", "%", "minimise", "metric",
        "Points of accuracy below the ideal mapping of the same exits, each image at the first end that is right.",
    ),
    Quantity("left_early_fraction", "Left early", SHARE, "none", "metric", "Share of the validation images that leave at an exit."),
    Quantity("exits", "Exits", "", "none", "metric", "How many there are; the network's own end is not counted."),
)  # fmt: skip

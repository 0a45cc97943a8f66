"""The metrics of a trained subnet."""

from __future__ import annotations

from engines.contract.quantities import Quantity

QUANTITIES = (
    Quantity(
        "accuracy_percent", "Accuracy", "%", "maximise", "objective",
        "Share of the validation images classified correctly, with the supernet's weights and its own batch statistics.",
    ),
    Quantity("macs", "MACs", "", "minimise", "objective", "Multiply-accumulate operations of one image."),
    Quantity(
        "test_accuracy_percent", "Test accuracy", "%", "maximise", "metric",
        "Accuracy on the test images, which no choice used.",
    ),
    Quantity("weight_count", "Weights", "", "minimise", "metric", "Learnt numbers that the subnet uses."),
)  # fmt: skip

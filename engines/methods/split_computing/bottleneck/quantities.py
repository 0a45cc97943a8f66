"""The metrics of a network with trained bottlenecks."""

from __future__ import annotations

from engines.contract.quantities import Quantity

QUANTITIES = (
    Quantity(
        "accuracy_percent", "Accuracy", "%", "maximise", "objective",
        "Measured on the validation images, the branches' probabilities fused by their mean.",
    ),
    Quantity("sent_bytes", "Sent", "B", "minimise", "objective", "Data that all branches send for one image, 8 bits per value."),
    Quantity("macs", "MACs", "", "minimise", "objective", "Multiply-accumulates of all branches, encoders and decoders included."),
    Quantity(
        "test_accuracy_percent", "Test accuracy", "%", "maximise", "metric",
        "Measured on the test images, which no choice used.",
    ),
    Quantity(
        "lost_percent", "Accuracy lost", "%", "minimise", "metric",
        "Percentage points below the original branches on validation images.",
    ),
    Quantity("loss", "Loss", "", "minimise", "metric", "Cross-entropy of the fused probabilities on the validation images."),
    Quantity(
        "deviation", "Deviation", "", "minimise", "metric",
        "Sum of the blockwise search (odema-2024 eq. 5.2 and 5.5), both views. It adds each part's "
            "distance from its block, divided by the block's standard deviation.",
    ),
    Quantity("encoder_macs", "MACs before sending", "", "minimise", "metric", "Multiply-accumulates of the encoders of all "
    "branches."),
    Quantity("encoder_s", "Latency before sending", "s", "minimise", "metric", "Latency of one branch's encoder on the device."),
    Quantity("tail_s", "Latency of the rest", "s", "minimise", "metric", "Latency of one branch's decoder and blocks on the "
    "device."),
    Quantity("energy_j", "Energy on the device", "J", "minimise", "metric", "Energy of all branches if the device computes "
    "everything."),
)  # fmt: skip

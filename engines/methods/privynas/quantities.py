"""The metrics of a design, a network with its cut and budget."""

from __future__ import annotations

from engines.contract.limits import LIMIT_SLACK, Limit
from engines.contract.quantities import Quantity

QUANTITIES = (
    Quantity(
        "accuracy_percent", "Total accuracy", "%", "maximise", "objective",
        "Mean of clean and noisy accuracy on validation images, with fresh noise, after the server's side "
            "was trained on noise.",
    ),
    Quantity("epsilon", "Privacy budget", "", "minimise", "objective", "Epsilon of every element that is sent: 2 B / b."),
    Quantity(
        "latency_s", "Edge latency", "s", "minimise", "objective",
        "Layers up to the cut, clipping and noise on the device, and sending.",
    ),
    Quantity("energy_j", "Edge energy", "J", "minimise", "objective", "Energy of the device for the same steps."),
    Quantity(
        "test_accuracy_percent", "Total accuracy (test)", "%", "maximise", "metric",
        "Mean of clean and noisy accuracy on test images, which no choice used.",
    ),
    Quantity(
        "clean_test_percent", "Clean accuracy (test)", "%", "maximise", "metric",
        "Accuracy on test images without clipping and noise.",
    ),
    Quantity(
        "noisy_test_percent", "Noisy accuracy (test)", "%", "maximise", "metric",
        "Accuracy on test images with clipping and noise, as in use.", "clean_test_percent",
    ),
    Quantity(
        "untrained_noisy_percent", "Noisy accuracy before", "%", "maximise", "metric",
        "Noisy accuracy on validation images before the server side was trained for this design.",
    ),
    Quantity("bound", "Bound B", "", "none", "metric", "Median of the largest absolute element over images to learn from."),
    Quantity("noise_scale", "Noise scale b", "", "none", "metric", "2 B / epsilon."),
    Quantity(
        "tensor_epsilon", "Budget of the whole tensor", "", "minimise", "metric",
        "Elements x epsilon: what holds for all that is sent together, whatever two images are compared.",
    ),
    Quantity(
        "reconstruction_error", "Reconstruction error", "", "maximise", "metric",
        "Measured squared error of a decoder that reconstructs the image, divided by that of guessing the mean image.",
    ),
    Quantity(
        "membership_area", "Membership attack", "", "minimise", "metric",
        "Measured: area under the curve of telling images that were learnt from by their loss; 0.5 is guessing.",
    ),
    Quantity(
        "device_memory_bytes", "Memory on the device", "B", "minimise", "metric",
        "Weights of the layers on the device, and inputs and results that are needed at the same time.",
    ),
    Quantity("sent_bytes", "Sent", "B", "minimise", "metric", "Data that the device sends per image, 32 bits per element."),
    Quantity("position", "Cut after block", "", "none", "decision", "Number of blocks on the device."),
    LIMIT_SLACK,
)  # fmt: skip
LATENCY = Limit("latency_limit_s", "latency_s", "edge latency", "s")
ENERGY = Limit("energy_limit_j", "energy_j", "edge energy", "J")
MEMORY = Limit("memory_limit_mb", "device_memory_bytes", "memory of the device", "MB", scale=1e6)
LIMITS = (LATENCY, ENERGY, MEMORY)

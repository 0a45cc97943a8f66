"""Scores of measured outputs and kept layers. Without torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.methods.myml.choices import Choice
from engines.methods.myml.costs import pruning_cost
from engines.methods.myml.instance import MymlInstance
from engines.methods.myml.layers import LayerRemainder, totals


@dataclass(frozen=True, eq=False)
class NetworkMeasurement:
    """A network.

    Attributes:
        kept: kept part of its layers.
        classes: classes of its outputs.
        accuracy, test_accuracy: for the user, on images to choose by and to report on, from 0 to 1.
        all_accuracy: on all images to choose by.
        images_seen: that the user had to bring while it was pruned.
    """

    kept: tuple[LayerRemainder, ...]
    classes: tuple[int, ...]
    accuracy: float
    test_accuracy: float
    all_accuracy: float
    images_seen: int

    @staticmethod
    def of(
        instance: MymlInstance, kept: tuple[LayerRemainder, ...], classes: tuple[int, ...], outputs: Sequence[FloatArray],
        labels: Sequence[IntArray], images_seen: int,
    ) -> NetworkMeasurement:  # fmt: skip
        """Measure outputs `n x classes` on both held-out splits against their labels."""
        right = [np.array(classes)[found.argmax(axis=1)] == known for found, known in zip(outputs, labels, strict=True)]
        own = [float((instance.user.weights(known) * hit).sum()) for hit, known in zip(right, labels, strict=True)]
        return NetworkMeasurement(kept, classes, own[0], own[1], float(right[0].mean()), images_seen)


def columns_of(
    instance: MymlInstance, choice: Choice, measured: NetworkMeasurement, original: NetworkMeasurement
) -> dict[str, float]:
    """Return the row of a design."""
    device, params = instance.device, instance.params
    image = device.inference(measured.kept, choice.platform)
    before = device.inference(instance.whole, choice.platform)
    classes = len(instance.user.classes if choice.specific else measured.classes)
    images = params.images_per_class * classes
    pruning = pruning_cost(choice, instance.whole, measured.kept, device, images, params.extra_epochs)
    saved = before.joules - image.joules
    dense = choice.platform == "accelerator"
    weights, macs = totals(measured.kept)
    return {
        "accuracy_percent": 100 * measured.accuracy,
        "size_bytes": float(sum(each.size_bytes(dense) for each in measured.kept)),
        "latency_s": image.seconds,
        "energy_j": image.joules,
        "pruning_time_s": pruning.seconds,
        "pruning_energy_j": pruning.joules,
        "test_accuracy_percent": 100 * measured.test_accuracy,
        "accuracy_drop_percent": 100 * (original.accuracy - measured.accuracy),
        "all_accuracy_percent": 100 * measured.all_accuracy,
        "macs": float(macs),
        "amortised_images": repaid(pruning.joules, saved),
        "weights_left_percent": 100 * weights / totals(instance.whole)[0],
    }


def repaid(spent_j: float, saved_j: float) -> float:
    """Return the images until pruning has saved what it took; NaN where an image saves nothing."""
    return spent_j / saved_j if saved_j > 0 else float("nan")

"""The metrics of a pruned network."""

from __future__ import annotations

from engines.contract.limits import LIMIT_SLACK, Limit
from engines.contract.quantities import ObjectiveChoice, Quantity
from engines.methods.myml.params import MymlParams

QUANTITIES = (
    Quantity(
        "accuracy_percent", "Accuracy for the user", "%", "maximise", "objective",
        "Accuracy on validation images: correct answers in each class of the user, weighted by the "
            "frequency of the class.",
    ),
    Quantity(
        "size_bytes", "Size", "B", "minimise", "objective",
        "One byte per weight, four per bias, and the positions of channels if filters keep different ones.",
    ),
    Quantity("latency_s", "Latency", "s", "minimise", "objective", "Latency of an image on the chosen platform, in 8 bits."),
    Quantity("energy_j", "Energy", "J", "minimise", "objective", "Energy of an image: power x time of processor and array."),
    Quantity(
        "pruning_time_s", "Pruning time", "s", "minimise", "objective",
        "Time of all images: three passes over updated layers, one forward pass elsewhere (goyal-2023 eq. 4.1).",
    ),
    Quantity("pruning_energy_j", "Pruning energy", "J", "minimise", "objective", "Energy of all images over the pruning time."),
    Quantity(
        "test_accuracy_percent", "Accuracy (test)", "%", "maximise", "metric",
        "Accuracy for the user on test images, which no choice used.",
    ),
    Quantity(
        "accuracy_drop_percent", "Loss of accuracy", "%", "minimise", "metric",
        "Percentage points below the original network on the same images.",
    ),
    Quantity(
        "all_accuracy_percent", "Accuracy on all classes", "%", "maximise", "metric",
        "Accuracy on all validation images. Images of other classes count as wrong.",
    ),
    Quantity("macs", "Operations", "", "minimise", "metric", "Multiply-accumulates of the pruned network per image."),
    Quantity(
        "amortised_images", "Repaid after", "", "minimise", "metric",
        "Number of images after which the saved energy exceeds that of pruning. Missing if an image saves nothing.",
    ),
    Quantity("weights_left_percent", "Weights left", "%", "none", "metric", "Share of the original weights that is left."),
    LIMIT_SLACK,
)  # fmt: skip
DROP = Limit(
    "accuracy_drop_limit_percent", "accuracy_drop_percent", "loss of accuracy", "%",
    remedies=(("Allow smaller pruning rates.", "params.rates_percent"),),
)  # fmt: skip
SIZE = Limit(
    "size_limit_kb", "size_bytes", "size", "kB", scale=1e3,
    remedies=(("Allow larger pruning rates.", "params.rates_percent"),),
)  # fmt: skip
PRUNING = Limit(
    "pruning_limit_s", "pruning_time_s", "pruning time", "s",
    remedies=(("Take fewer images.", "params.images_per_class"),),
)  # fmt: skip
LIMITS = (DROP, SIZE, PRUNING)
_USE = ("accuracy_percent", "size_bytes", "latency_s", "energy_j")
_ALL = (*_USE, "pruning_time_s", "pruning_energy_j")


def _chosen(params: MymlParams) -> tuple[str, ...]:
    return _USE if params.objectives == "use" else _ALL


CHOICE = ObjectiveChoice(_ALL, _chosen)

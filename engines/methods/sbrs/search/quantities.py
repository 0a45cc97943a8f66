"""The metrics of a network."""

from __future__ import annotations

from engines.contract.decision_columns import DecisionColumn
from engines.contract.limits import LIMIT_SLACK, Limit
from engines.contract.quantities import Quantity

_SMALLER = (("Choose a smaller space.", "params.space"),)
QUANTITIES = (
    Quantity(
        "accuracy_percent", "Accuracy (validation)", "%", "maximise", "objective",
        "Measured on the validation split of the data set after the training so far; that split is never trained on.",
    ),
    Quantity("throughput_fps", "Throughput", "fps", "maximise", "objective", "Frames per second, one by one (minakova-2022 "
    "eq. 2)."),
    Quantity("memory_bytes", "Memory", "B", "minimise", "objective", "Parameters and tensors of all edges (minakova-2022 eq. 1)."),
    Quantity("energy_j", "Energy", "J", "minimise", "objective", "Energy of one frame (minakova-2022 eq. 3)."),
    Quantity("power_w", "Power", "W", "minimise", "metric", "Energy times throughput."),
    Quantity("parameters", "Parameters", "", "minimise", "metric", "Learnable parameters, with batch normalisation fused."),
    Quantity("layers", "Layers", "", "none", "metric", "Number of layers that are executed."),
    Quantity("epochs", "Epochs", "", "none", "metric", "Epochs of training so far, inherited ones included."),
    Quantity(
        "test_accuracy_percent", "Accuracy (test)", "%", "maximise", "metric",
        "Accuracy of fully trained networks on the test split, which no choice used.",
    ),
    LIMIT_SLACK,
)  # fmt: skip
DECISION_COLUMNS = (
    DecisionColumn("depths", "Layers of each cluster", read=lambda d: [len(cluster) for cluster in d["clusters"]]),
    DecisionColumn(
        "neurons", "Neurons of each cluster", help="Neurons of its layers in order; – for a cluster without layers.",
        read=lambda d: ["+".join(str(neurons) for neurons, _ in cluster) or "–" for cluster in d["clusters"]],
    ),
    DecisionColumn(
        "kernels", "Kernels of each cluster", help="Sides, of its layers one after the other; – for a cluster without any.",
        read=lambda d: ["+".join(str(kernel) for _, kernel in cluster) or "–" for cluster in d["clusters"]],
    ),
)  # fmt: skip
MEMORY = Limit("memory_limit_mb", "memory_bytes", "memory", "MB", scale=1e6, remedies=_SMALLER)
LIMITS = (
    MEMORY,
    Limit("throughput_demand_fps", "throughput_fps", "throughput", "fps", upper=False, remedies=_SMALLER),
)

"""The metrics of trained recommenders."""

from __future__ import annotations

from engines.contract.quantities import Quantity

QUANTITIES = (
    Quantity(
        "accuracy_percent", "Accuracy", "%", "maximise", "objective", "Accuracy on the held-out rows, mean over seeds."
    ),
    Quantity(
        "datacentre_macs", "MACs of a candidate", "", "minimise", "objective",
        "Multiply-accumulates that the datacentre computes for every candidate.",
    ),
    Quantity(
        "device_macs", "MACs of the device", "", "minimise", "metric",
        "Multiply-accumulates of the device per query, without the static bottom MLP.",
    ),
    Quantity("auc", "AUC", "", "maximise", "metric", "Area under the ROC curve, mean over seeds."),
    Quantity("log_loss", "Log-loss", "", "minimise", "metric", "Cross-entropy in nats, mean over seeds."),
    Quantity(
        "accuracy_spread_percent", "Spread over seeds", "%", "minimise", "metric",
        "Largest minus smallest accuracy over the seeds, in percentage points.",
    ),
    Quantity("accuracy_loss_percent", "Accuracy lost", "%", "minimise", "metric", "Percentage points below the monolithic model."),
    Quantity("bottom_layers", "Bottom layers split", "", "none", "decision", "Number of split layers, counted from the first."),
    Quantity("top_layers", "Top layers split", "", "none", "decision", "Number of split layers, counted from the first."),
    Quantity("int8", "int8", "", "none", "decision", "1 if the user's top MLP is quantised to int8, else 0."),
)  # fmt: skip

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
    Quantity("device_macs", "MACs of the device", "", "minimise", "metric", "For a query, the static bottom MLP left out."),
    Quantity("auc", "AUC", "", "maximise", "metric", "Area under the ROC curve, mean over seeds."),
    Quantity("log_loss", "Log-loss", "", "minimise", "metric", "In nats, mean over seeds."),
    Quantity("accuracy_spread_percent", "Spread over seeds", "%", "minimise", "metric", "Largest less least accuracy."),
    Quantity("accuracy_loss_percent", "Accuracy lost", "%", "minimise", "metric", "Points less than the monolithic model."),
    Quantity("bottom_layers", "Bottom layers split", "", "none", "decision", "From the first on."),
    Quantity("top_layers", "Top layers split", "", "none", "decision", "From the first on."),
    Quantity("int8", "int8", "", "none", "decision", "1 where the user's top MLP is quantised."),
)  # fmt: skip

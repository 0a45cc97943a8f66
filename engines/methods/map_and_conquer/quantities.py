"""The metrics of a cut network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.decision_columns import DecisionColumn
from engines.contract.limits import LIMIT_SLACK, Limit
from engines.contract.quantities import SHARE, Quantity
from engines.mapping.designs.decision_columns import CLOCKS

QUANTITIES = (
    Quantity(
        "latency_s", "Latency", "s", "minimise", "objective",
        "Mean over inputs. An input takes as long as the slowest stage that it starts (odema-2024 eqs. 2.15 to 2.20).",
    ),
    Quantity(
        "energy_j", "Energy", "J", "minimise", "objective",
        "Mean over inputs of all started parts of stages (eqs. 2.18, 2.19, 2.21), and of the transfer of features.",
    ),
    Quantity(
        "accuracy_percent", "Accuracy", "%", "maximise", "objective",
        "Accuracy of the last stage, from the share of what matters that it sees. Assumed, or fitted to "
            "measured stages.",
    ),
    Quantity(
        "performance_js", "Accuracy-weighted EDP (P)", "J·s", "minimise", "metric",
        "Base accuracy over accuracy, times mean latency, times mean energy (eq. 2.23): what the published search ranks by.",
    ),
    Quantity(
        "whole_latency_s", "Latency of all stages", "s", "minimise", "metric", "Latency of an input that starts every stage "
        "(eq. 2.20)."
    ),
    Quantity(
        "whole_energy_j", "Energy of all stages", "J", "minimise", "metric", "Energy of an input that starts every stage (eq. "
        "2.21)."
    ),
    Quantity(
        "union_percent", "Accuracy of any stage", "%", "maximise", "metric",
        "Share of inputs that at least one stage classifies correctly.",
    ),
    Quantity(
        "first_stage_fraction", "Answered by the first stage", SHARE, "maximise", "metric",
        "Share of inputs that only the first stage computes.",
    ),
    Quantity(
        "reuse_percent", "Reuse of features", "%", "none", "metric",
        "Share of features that later stages reuse: ones in the indicator matrix, without the last stage.",
    ),
    Quantity(
        "features_bytes", "Features kept", "B", "minimise", "metric", "Features that wait in memory for later stages, size(F, I)."
    ),
    LIMIT_SLACK,
)  # fmt: skip
OBJECTIVES = ("latency_s", "energy_j", "accuracy_percent")
LIMITS = (
    Limit("latency_limit_s", "latency_s", "latency", "s"),
    Limit("energy_limit_j", "energy_j", "energy", "J"),
    Limit("memory_limit_mb", "features_bytes", "features kept", "MB", scale=1e6),
    Limit("accuracy_least_percent", "accuracy_percent", "accuracy", "%", upper=False),
    Limit("reuse_most_percent", "reuse_percent", "reuse of features", "%"),
    Limit("reuse_least_percent", "reuse_percent", "reuse of features", "%", upper=False),
)


def _shares(decision: Mapping[str, Any]) -> dict[str, float]:
    """Return per cent of all steps that each stage computes."""
    steps = [sum(stage) for stage in decision["partition"]]
    return {f"stage {number}": 100 * step / sum(steps) for number, step in enumerate(steps, start=1)}


DECISION_COLUMNS = (
    DecisionColumn("units", "Unit of each stage", help="Compute unit of each stage, in the order of the stages."),
    DecisionColumn(
        "shares", "Share", "%", "Share of the network's steps that a stage computes, over all layers.", _shares
    ),
    DecisionColumn(
        "reused",
        "Layers reused",
        help="Layers of earlier stages whose features later ones read.",
        read=lambda d: sum(map(sum, d["reuse"])),
    ),
    CLOCKS,
)

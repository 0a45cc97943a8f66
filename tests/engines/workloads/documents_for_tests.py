"""Small valid workload documents that tests change."""

from __future__ import annotations

from typing import Any

from engines.workloads.network import Operation
from engines.workloads.operations import to_operation
from engines.workloads.schema import OperationSection


def network_content(*operations: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A `network/1` document of `operations`, by default one convolution with its activation."""
    rows = list(operations) or [
        {"name": "conv", "kind": "conv", "k": 8, "c": 3, "r": 3, "s": 3, "y": 16, "x": 12, "stride": 2, "pad": 1},
        {"name": "relu", "kind": "activation"},
    ]
    content = {"schema": "network/1", "slug": "tiny", "title": "Tiny", "short_title": "Tiny", "source": "made up"}
    return {**content, "operations": rows, **changes}


def scenario_content(*models: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A `scenario/1` document of `models`, by default two ResNet-50 samples."""
    content = {"schema": "scenario/1", "slug": "mine", "title": "Mine", "source": "made up"}
    return {**content, "models": list(models) or [{"network": "resnet50", "batch": 2}], **changes}


def operation(kind: str, **figures: Any) -> Operation:
    return to_operation(0, OperationSection(name="it", kind=kind, **figures))  # type: ignore[arg-type]

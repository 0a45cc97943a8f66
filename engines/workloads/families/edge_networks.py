"""The networks for edge devices that are built in: recent mobile classifiers, detectors, segmentation and small devices."""

from __future__ import annotations

from engines.workloads.families import (
    detection_transformers,
    hybrid_classifiers,
    mlperf_tiny,
    mobile_classifiers,
    segmentation,
    single_shot,
    tiny_vit,
    yolo,
)
from engines.workloads.families.document import LazyNetwork

_FAMILIES = (
    yolo, detection_transformers, single_shot, segmentation, mobile_classifiers, hybrid_classifiers, tiny_vit, mlperf_tiny,
)  # fmt: skip


def edge_networks() -> dict[str, LazyNetwork]:
    """Return slug -> document of every one; nothing is drawn yet."""
    return {document["slug"]: document for family in _FAMILIES for document in family.networks()}

"""The networks that are built in for tasks of today's edge devices: image features, masks, depth, speech, driving, generation."""

from __future__ import annotations

from engines.workloads.families import (
    bird_eye,
    car_cameras,
    dense_prediction,
    diffusion,
    image_encoders,
    point_clouds,
    segment_anything,
    segment_anything_2,
    speech,
)
from engines.workloads.families.document import LazyNetwork


def foundation_networks() -> dict[str, LazyNetwork]:
    """Return slug -> document of every one; nothing is drawn yet."""
    families = (
        image_encoders,
        dense_prediction,
        segment_anything,
        segment_anything_2,
        speech,
        diffusion,
        point_clouds,
        bird_eye,
        car_cameras,
    )
    return {document["slug"]: document for family in families for document in family.networks()}

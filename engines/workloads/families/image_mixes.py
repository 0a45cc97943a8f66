"""Mixes of image classifiers that run at once, found by name: "image-mix-8-3" is the third mix of eight networks.

karatzas-2024 section 5.3 draws ten mixes each of 6, 8 and 10 networks out of the 80 of torchvision and does not print which; these
are drawn once and for all, by the size and the number of the mix.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from engines.workloads.families.classifiers import classifiers

_TRACED = (
    "googlenet",
    "inception-v3",
    "mobilenet-v2",
    "resnet50",
    "vgg16",
    "vgg19",
)  # tables of the zoo, no family draws them
_NAME = re.compile(r"image-mix-([1-9]|10)-([1-9]\d?)")


def drawn_mix(size: int, number: int) -> tuple[str, ...]:
    """Return the names of the networks of the mix of that size and number, from 0."""
    pool = sorted([*classifiers(), *_TRACED])
    return tuple(np.random.default_rng([2024, size, number]).choice(pool, size, replace=False).tolist())


def image_mix(slug: str) -> Mapping[str, Any] | None:
    """Return the scenario of that name, networks by their names alone; None for any other name."""
    match = _NAME.fullmatch(slug)
    if match is None:
        return None
    size, number = int(match[1]), int(match[2])
    return {
        "schema": "scenario/1",
        "slug": slug,
        "title": f"Mix {number} of {size} image networks",
        "summary": f"{size} of the 80 image classifiers of torchvision at once, frames of each always waiting.",
        "source": "Drawn after karatzas-2024 section 5.3, which does not name the mapped networks.",
        "models": [{"network": name, "batch": 1} for name in drawn_mix(size, number - 1)],
    }

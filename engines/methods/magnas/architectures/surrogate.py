"""Accuracy of architectures that were not trained here: the nearest published network of the same data set.

The eight networks of Table 2 of odema-2023 per data set are all that is known. An architecture gets the accuracy of the one that
differs least in graph operators, superblocks with feed-forward parts and superblocks with pre-processing (the mean where several
are as near), less 0.05 points for every superblock with feed-forward parts that it has fewer. Depth and inner width are not printed
and change nothing. It ranks coarsely at best: every figure that comes of it says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from engines.supernets.space import SUPERBLOCKS, Architecture
from engines.supernets.workload import letters
from hardware.documents import load_yaml

PublishedData = Literal["cifar-10", "cifar-100", "oxford-flowers", "tiny-imagenet"]
POINTS_LOST_PER_SUPERBLOCK = 0.05
_FILE = Path(__file__).parent / "accuracy.yaml"


@dataclass(frozen=True)
class PublishedNetwork:
    """A network of Table 2: operators by superblock, superblocks with feed-forward parts and with pre-processing, accuracy."""

    name: str
    operators: tuple[str, ...]
    feed_forward: float
    preprocessed: float
    accuracy_percent: float


@dataclass(frozen=True)
class PublishedAccuracy:
    """The published networks of one data set."""

    title: str
    classes: int
    networks: tuple[PublishedNetwork, ...]

    def percent(self, architecture: Architecture) -> float:
        """Return the accuracy of an architecture by its nearest published network."""
        feed_forward = sum(choice.feed_forward for choice in architecture)
        distances = [_distance(architecture, network) for network in self.networks]
        least = min(distances)
        near = [network for network, far in zip(self.networks, distances, strict=True) if far == least]
        lost = [POINTS_LOST_PER_SUPERBLOCK * max(0.0, network.feed_forward - feed_forward) for network in near]
        return sum(network.accuracy_percent - less for network, less in zip(near, lost, strict=True)) / len(near)


@cache
def published_accuracy(data: PublishedData) -> PublishedAccuracy:
    """Return the published accuracies of a data set."""
    held: Mapping[str, Any] = load_yaml(_FILE)["data_sets"][data]
    networks = tuple(
        PublishedNetwork(
            point["name"],
            tuple(point["operators"].split("-")),
            point["feed_forward_percent"] / 100 * SUPERBLOCKS,
            point["preprocessed_percent"] / 100 * SUPERBLOCKS,
            float(point["top1_percent"]),
        )
        for point in held["points"]
    )
    return PublishedAccuracy(held["title"], held["classes"], networks)


def _distance(architecture: Architecture, network: PublishedNetwork) -> float:
    operators = sum(
        own != other for own, other in zip(letters(architecture).split("-"), network.operators, strict=True)
    )
    feed_forward = sum(choice.feed_forward for choice in architecture)
    preprocessed = sum(choice.preprocessed for choice in architecture)
    return operators + abs(feed_forward - network.feed_forward) + abs(preprocessed - network.preprocessed)

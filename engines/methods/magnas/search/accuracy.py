"""Accuracy of architectures in a search: measured with trained weights, or taken from published networks."""

from __future__ import annotations

from typing import Protocol

from engines.contract.engine import Context
from engines.contract.integer_format import counted
from engines.contract.results import Note
from engines.methods.magnas.architectures.surrogate import POINTS_LOST_PER_SUPERBLOCK, published_accuracy
from engines.methods.magnas.search.setup import Setup
from engines.supernets.space import Architecture
from engines.supernets.stored_accuracy import measured_with


class Accuracy(Protocol):
    """The accuracy estimator of architectures."""

    def percent(self, architecture: Architecture) -> float:
        """Return the value in percent."""
        ...


def accuracy_of(setup: Setup, context: Context) -> Accuracy:
    """Return measured accuracy where there are weights, published otherwise.

    Raises:
        ProblemError: the weights or their data set are not stored any more, or are not what the document says.
    """
    if setup.weights is None:
        return published_accuracy(setup.params.data_set)
    return measured_with(setup.weights, context, setup.params.validation_images)


def accuracy_note(setup: Setup) -> Note:
    """Return the note on the source of the accuracies."""
    if setup.weights is None:
        published = published_accuracy(setup.params.data_set)
        text = (
            f"Accuracy is not measured. Each architecture has that of the nearest of {len(published.networks)} networks on "
            f"{published.title} (odema-2023 Table 2). It has {POINTS_LOST_PER_SUPERBLOCK} points less per superblock without "
            "feed-forward parts. The table gives no depth and inner width, so these change nothing here: the least always wins. "
            "Train a supernet (train-supernet) and give its weights for accuracies that are measured."
        )
        return Note("accuracy", "Accuracy of published neighbours", text, "warning")
    data = setup.weights.data
    count = min(data.examples["validation"], setup.params.validation_images)
    text = (
        f"Measured on {counted(count)} validation images of {data.title} with the weights {setup.weights.slug}. The search "
        "chooses by these images. Its designs are therefore a little more accurate on them than on others."
    )
    return Note("accuracy", "Measured accuracy", text)

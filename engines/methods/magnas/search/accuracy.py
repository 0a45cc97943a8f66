"""Accuracy of architectures in a search: measured with trained weights, or taken from published networks."""

from __future__ import annotations

from typing import Protocol

from engines.contract.engine import Context
from engines.methods.magnas.architectures.surrogate import published_accuracy
from engines.methods.magnas.search.setup import Setup
from engines.supernets.space import Architecture
from engines.supernets.stored_accuracy import measured_with


class Accuracy(Protocol):
    """Tells the accuracy of architectures."""

    def percent(self, architecture: Architecture) -> float:
        """Return the value in percent."""
        ...


def accuracy_of(setup: Setup, context: Context) -> Accuracy:
    """Return the measured where there are weights, published otherwise.

    Raises:
        ProblemError: the weights or their data set are not stored any more, or are not what the document says.
    """
    if setup.weights is None:
        return published_accuracy(setup.params.data_set)
    return measured_with(setup.weights, context, setup.params.validation_images)

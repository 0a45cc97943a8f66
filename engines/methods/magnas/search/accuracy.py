"""Accuracy of architectures in a search: measured with trained weights, or taken from published networks."""

from __future__ import annotations

from typing import Protocol

from engines.contract.engine import Context
from engines.contract.errors import ProblemError
from engines.methods.magnas.architectures.space import Architecture
from engines.methods.magnas.architectures.surrogate import published_accuracy
from engines.methods.magnas.search.setup import Setup


class Accuracy(Protocol):
    """Tells the accuracy of architectures."""

    def percent(self, architecture: Architecture) -> float:
        """In percent."""
        ...


def accuracy_of(setup: Setup, context: Context) -> Accuracy:
    """Measured where there are weights, published otherwise.

    Raises:
        ProblemError: the weights or their data set are not stored any more, or are not what the document says.
    """
    if setup.weights is None:
        return published_accuracy(setup.params.data_set)
    from engines.data.learnt import require_torch

    require_torch()
    from engines.methods.magnas.supernet.measuring import MeasuredAccuracy

    try:
        weights = context.files.get(setup.weights.sha256)
    except KeyError as error:
        accepted = "a supernet whose file of weights is stored: train it again"
        raise ProblemError("inputs.weights.file.sha256", setup.weights.sha256, accepted) from error
    return MeasuredAccuracy(setup.weights, weights, context, setup.params.validation_images)

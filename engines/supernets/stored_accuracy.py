"""Accuracy of subnets by the weights that a site keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.contract.engine import Context
from engines.contract.errors import CheckpointError, ProblemError
from engines.supernets.weights_document import SupernetWeights

if TYPE_CHECKING:
    from engines.supernets.measuring import MeasuredAccuracy


def measured_with(said: SupernetWeights, context: Context, most: int) -> MeasuredAccuracy:
    """Return the accuracy of the subnets of a trained supernet on its validation images.

    Args:
        said: its document.
        context: holds the files, and names the device.
        most: validation images, at most.

    Raises:
        ProblemError: torch is missing, the weights or their data set are not stored any more, or are not what the document says.
    """
    from engines.data.training_data import require_torch

    require_torch()
    from engines.supernets.measuring import MeasuredAccuracy

    try:
        weights = context.files.get(said.sha256)
    except KeyError as error:
        accepted = "a supernet whose file of weights is stored"
        raise ProblemError(
            "inputs.weights.file.sha256", said.sha256, accepted, remedies=["Train the supernet again."]
        ) from error
    try:
        return MeasuredAccuracy(said, weights, context, most)
    except CheckpointError as error:
        accepted = "weights of the search space that the document describes"
        raise ProblemError("inputs.weights.file.sha256", said.sha256, accepted, reason=str(error)) from error

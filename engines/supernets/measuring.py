"""Measured accuracy of subnets of a trained supernet. Imported only where torch is needed."""

from __future__ import annotations

import numpy as np
from safetensors.torch import load

from engines.contract.arrays import IntArray
from engines.contract.engine import Context
from engines.contract.errors import CheckpointError, ProblemError
from engines.contract.numeric.random_streams import random_stream
from engines.data.data_set import DataSet, Split
from engines.data.torch_images import Images, pinned
from engines.supernets.network import Supernet
from engines.supernets.space import Architecture, SupernetSpace
from engines.supernets.weights_document import SupernetWeights

_CALIBRATION_EXAMPLES = 256
_MEASURED_TOGETHER = 512


class MeasuredAccuracy:
    """Accuracy on validation images, with each subnet's own batch statistics.

    Args:
        said: values of the document.
        weights: the file.
        context: holds the data set's file, and names the device.
        most: validation images, at most.
    """

    def __init__(self, said: SupernetWeights, weights: bytes, context: Context, most: int) -> None:
        self._data = said.data.read(context.files)
        if self._data.content_hash() != said.data_sha256:
            reason = "The data set has other images."
            accepted = f"{said.data_sha256}"
            raise ProblemError("inputs.weights.data_sha256", self._data.content_hash(), accepted, reason=reason)
        seed, limit = int(said.training.get("seed", 0)), said.training.get("training_examples")
        self._rows = training_order(random_stream(seed, "examples"), self._data, limit)
        self._device, self._most = context.device, most
        self._supernet = load_supernet(said.space, weights, context.device)
        self._images = Images(self._data, said.space.image_side, context.device)

    def percent(self, architecture: Architecture) -> float:
        """Return the value in percent."""
        with pinned(self._device):
            return measured_accuracy(
                self._supernet, self._images, self._data, self._rows, architecture, self._data.validation, self._most
            )


def training_order(stream: np.random.Generator, data: DataSet, most: int | None) -> IntArray:
    """Return the rows of the training examples that are used, in their seeded order."""
    return stream.permutation(len(data.train))[:most]


def measured_accuracy(
    supernet: Supernet,
    images: Images,
    data: DataSet,
    training_rows: IntArray,
    architecture: Architecture,
    split: Split,
    most: int | None = None,
) -> float:
    """Return the accuracy in percent of a subnet; its batch statistics are of the first of `training_rows`."""
    count = len(split) if most is None else min(most, len(split))
    right = 0
    with supernet.measured(images.batch(data.train, training_rows[:_CALIBRATION_EXAMPLES]), architecture):
        for start in range(0, count, _MEASURED_TOGETHER):
            rows = np.arange(start, min(start + _MEASURED_TOGETHER, count))
            guessed = supernet(images.batch(split, rows), architecture).argmax(1).cpu().numpy()
            right += int((guessed == split.labels[rows]).sum())
    return 100.0 * right / count


def load_supernet(space: SupernetSpace, weights: bytes, device: str = "cpu") -> Supernet:
    """Return a trained supernet.

    Raises:
        CheckpointError: the weights are of another supernet.
    """
    supernet = Supernet(space)
    try:
        supernet.load_state_dict(load(weights))
    except (RuntimeError, KeyError, ValueError) as error:
        raise CheckpointError(f"The weights do not fit the supernet: {str(error)[:300]}") from error
    supernet.to(device)
    return supernet

"""Measured accuracy of subnets of a trained supernet. Imported only where torch is needed."""

from __future__ import annotations

from engines.contract.engine import Context
from engines.contract.errors import ProblemError
from engines.contract.random_streams import random_stream
from engines.data.torch_images import Images, pinned
from engines.methods.magnas.architectures.space import Architecture
from engines.methods.magnas.supernet.training import load_supernet, measured_accuracy, training_order
from engines.methods.magnas.supernet.weights_document import SupernetWeights


class MeasuredAccuracy:
    """Accuracy on validation images, with each subnet's own batch statistics.

    Args:
        said: what the document says.
        weights: the file.
        context: holds the data set's file, and names the device.
        most: validation images, at most.
    """

    def __init__(self, said: SupernetWeights, weights: bytes, context: Context, most: int) -> None:
        self._data = said.data.read(context.files)
        if self._data.content_hash() != said.data_sha256:
            raise ProblemError(
                "inputs.weights.data_sha256", self._data.content_hash(), f"{said.data_sha256}: other images"
            )
        seed, limit = int(said.training.get("seed", 0)), said.training.get("training_examples")
        self._rows = training_order(random_stream(seed, "examples"), self._data, limit)
        self._device, self._most = context.device, most
        self._supernet = load_supernet(said.space, weights, context.device)
        self._images = Images(self._data, said.space.image_side, context.device)

    def percent(self, architecture: Architecture) -> float:
        """In percent."""
        with pinned(self._device):
            return measured_accuracy(
                self._supernet, self._images, self._data, self._rows, architecture, self._data.validation, self._most
            )

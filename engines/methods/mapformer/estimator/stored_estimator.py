"""A trained estimator on the board of a problem."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.engine import FileStore
from engines.contract.errors import CheckpointError, ProblemError
from engines.methods.mapformer.estimator.classes import CLASSES
from engines.methods.mapformer.estimator.document import TrainedEstimator, weights_of
from engines.methods.mapformer.estimator.fitting import clock_rows
from engines.methods.mapformer.estimator.sequence import sequences_of
from engines.simulation.board import Board, Mappings

if TYPE_CHECKING:
    from engines.methods.mapformer.estimator.network import Estimator


@dataclass(frozen=True, eq=False)
class Prediction:
    """The prediction for `b` mappings.

    Attributes:
        throughput, power: probabilities of the classes, shape `b x CLASSES`.
    """

    throughput: FloatArray
    power: FloatArray

    @property
    def classes(self) -> tuple[IntArray, IntArray]:
        """The most likely ones of throughput and power, shape `b`."""
        return np.asarray(self.throughput.argmax(axis=1)), np.asarray(self.power.argmax(axis=1))

    @property
    def expected(self) -> tuple[FloatArray, FloatArray]:
        """Mean class of throughput and of power, from 0, shape `b`."""
        numbers = np.arange(CLASSES)
        return (self.throughput * numbers).sum(axis=1), (self.power * numbers).sum(axis=1)


class StoredEstimator:
    """The predictor of classes of mappings.

    Args:
        said: its document.
        board: board of the problem.
        soc: slug of the device.
        files: holds its weights.

    Raises:
        ProblemError: torch is missing, its weights are not stored, or it is for another board.
    """

    def __init__(self, said: TrainedEstimator, board: Board, soc: str, files: FileStore) -> None:
        from engines.data.training_data import require_torch

        require_torch()
        self.said, self._board, self._rows = said, board, clock_rows(said, board, soc)
        self._weights = weights_of(said, files)
        self._read: Estimator | None = None

    @property
    def throughput_edges(self) -> FloatArray:
        """Ends of the classes, in 1/s."""
        return self.said.throughput_edges

    @property
    def power_edges(self) -> FloatArray:
        """Ends of the classes, in W."""
        return self.said.power_edges

    def told(self, mappings: Mappings) -> Prediction:
        """Return the classes of mappings that were tidied."""
        from engines.data.torch_images import pinned
        from engines.methods.mapformer.estimator.trainer import estimator_with, probabilities

        with pinned("cpu"):
            if self._read is None:
                try:
                    self._read = estimator_with(self.said.shape, self._weights)
                except CheckpointError as error:
                    accepted = "weights of the shape that the document describes"
                    raise ProblemError(
                        "inputs.weights.file.sha256", self.said.sha256, accepted, reason=str(error)
                    ) from error
            found = sequences_of(self._board, mappings, self.said.shape.networks)
            return Prediction(
                *probabilities(self._read, replace(found, clock=self._rows[found.clock].astype(np.int16)))
            )

"""How large an estimator is; without torch."""

from __future__ import annotations

from dataclasses import dataclass

from engines.methods.mapformer.estimator.classes import CLASSES
from engines.methods.mapformer.estimator.sequence import FEATURES


@dataclass(frozen=True)
class EstimatorShape:
    """Shape of the transformer; defaults are karatzas-2024 Table 2.

    Attributes:
        units: units of the board.
        clocks: clocks of all units together, with OFF for each.
        networks: networks that a mix may contain.
        layers, heads, width, inner: clocks of the encoder.
    """

    units: int
    clocks: int
    networks: int = 10
    layers: int = 4
    heads: int = 8
    width: int = 64
    inner: int = 256

    @property
    def weight_count(self) -> int:
        """Learnt numbers: encoder with its last normalisation, embeddings of profiles, units and clocks, two heads."""
        width = self.width
        each = 4 * (width * width + width) + 2 * width * self.inner + width + self.inner + 4 * width
        embedding = 2 * width * (FEATURES + 1) + (2 * width + 1) * width + (self.units + self.clocks) * width
        heads = 2 * ((2 * width + 1) * width + (width + 1) * CLASSES)
        return self.layers * each + 2 * width + embedding + heads

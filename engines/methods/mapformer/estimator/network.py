"""The transformer of karatzas-2024 Table 2. Imported only where torch is needed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from engines.methods.mapformer.estimator.classes import CLASSES
from engines.methods.mapformer.estimator.sequence import FEATURES, Sequences
from engines.methods.mapformer.estimator.shape import EstimatorShape


class CompositeEmbedding(nn.Module):
    """Listing 1: embeddings of layers, units and operating points, each with positions, added.

    Layers are embedded by their profile and not by a table of known ones, so that networks which training never saw can be read.
    """

    def __init__(self, shape: EstimatorShape) -> None:
        super().__init__()
        inner = 2 * shape.width
        self.layers = nn.Sequential(nn.Linear(FEATURES, inner), nn.GELU(), nn.Linear(inner, shape.width))
        self.units = nn.Embedding(shape.units, shape.width)
        self.points = nn.Embedding(shape.clocks, shape.width)
        self.register_buffer("mean", torch.zeros(FEATURES))
        self.register_buffer("spread", torch.ones(FEATURES))
        self.register_buffer("positions", _sinusoids(shape.networks + 1, shape.width))

    def forward(self, profile: Tensor, unit: Tensor, clock: Tensor, network: Tensor) -> Tensor:
        """Return an array of shape `b x t x width`."""
        place = self.positions[network]
        own = self.layers((profile - self.mean) / self.spread)
        return own + self.units(unit) + self.points(clock) + 3 * place


class Estimator(nn.Module):
    """Composite embedding, encoder, and two heads of classes over what the sequence is on average and at most."""

    def __init__(self, shape: EstimatorShape) -> None:
        super().__init__()
        self.embedding = CompositeEmbedding(shape)
        layer = nn.TransformerEncoderLayer(
            shape.width, shape.heads, shape.inner, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
        )
        self.encoder = nn.TransformerEncoder(layer, shape.layers, nn.LayerNorm(shape.width), enable_nested_tensor=False)
        self.throughput, self.power = (
            nn.Sequential(nn.Linear(2 * shape.width, shape.width), nn.GELU(), nn.Linear(shape.width, CLASSES))
            for _ in range(2)
        )

    def forward(self, read: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Return the scores of the classes of throughput and of power, shapes `b x CLASSES`."""
        found = self.embedding(read["profile"], read["unit"], read["clock"], read["network"])
        empty = read["empty"]
        found = self.encoder(found, src_key_padding_mask=empty)
        counts = (~empty)[..., None]
        mean = (found * counts).sum(dim=1) / counts.sum(dim=1)
        most = found.masked_fill(empty[..., None], -math.inf).amax(dim=1)
        pooled = torch.cat([mean, most], dim=1)
        return self.throughput(pooled), self.power(pooled)


def as_tensors(sequences: Sequences, device: str = "cpu") -> dict[str, Tensor]:
    """Return the input tensors of `Estimator`."""
    empty = np.arange(sequences.unit.shape[1]) >= sequences.count[:, None]
    columns: dict[str, Any] = {name: getattr(sequences, name) for name in ("unit", "clock", "network")}
    found = {name: torch.from_numpy(values.astype(np.int64)).to(device) for name, values in columns.items()}
    found["profile"] = torch.from_numpy(np.ascontiguousarray(sequences.profile)).to(device)
    found["empty"] = torch.from_numpy(empty).to(device)
    return found


def _sinusoids(count: int, width: int) -> Tensor:
    """Return the positions as sines and cosines (Vaswani et al. 2017), shape `count x width`."""
    place = torch.arange(count)[:, None]
    rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10_000.0) / width))
    table = torch.zeros(count, width)
    table[:, 0::2], table[:, 1::2] = torch.sin(place * rates), torch.cos(place * rates)
    return table

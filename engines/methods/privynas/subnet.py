"""One network of the supernet, cut. Imported only where torch is needed."""

from __future__ import annotations

from copy import deepcopy

import numpy as np
from torch import Tensor, nn

from engines.methods.privynas.choice import Choice
from engines.methods.privynas.mechanism import noise, scale_of
from engines.methods.privynas.network import OperationBlock, PrivacySupernet, protected


class Subnet(nn.Module):
    """One network of the supernet with weights of its own, both sides of its cut.

    Attributes:
        choice: what it is.
        bound: B behind its cut.
    """

    def __init__(self, supernet: PrivacySupernet, choice: Choice) -> None:
        super().__init__()
        active = [
            OperationBlock(deepcopy(block), place)
            for block, place in zip(supernet.blocks, choice.operations, strict=True)
        ]
        self.edge = nn.Sequential(deepcopy(supernet.stem), *active[: choice.position])
        self.server = nn.Sequential(*active[choice.position :], deepcopy(supernet.head))
        self.choice, self.bound = choice, float("nan")

    def protected(self, maps: Tensor, stream: np.random.Generator, epsilon: float | None = None) -> Tensor:
        """What is sent, of what the edge gave out; at the design's own budget or at another one."""
        scale = scale_of(self.bound, self.choice.epsilon if epsilon is None else epsilon)
        return protected(maps, self.bound, scale, lambda shape: noise(stream, shape))

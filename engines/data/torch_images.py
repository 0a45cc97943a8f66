"""Images as batches of torch, recorded values, and trainings that the same seed repeats. Imported only where torch is needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from engines.contract.arrays import IntArray
from engines.data.data_set import DataSet, Split
from engines.data.scaling import Scaling


@contextmanager
def pinned(device: str) -> Iterator[None]:
    """Use one thread and deterministic algorithms, so that equal seeds give equal weights."""
    threads, deterministic = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    filled = torch.utils.deterministic.fill_uninitialized_memory
    torch.set_num_threads(1)
    torch.utils.deterministic.fill_uninitialized_memory = False
    torch.use_deterministic_algorithms(device != "cpu")
    try:
        yield
    finally:
        torch.set_num_threads(threads)
        torch.utils.deterministic.fill_uninitialized_memory = filled
        torch.use_deterministic_algorithms(deterministic)


class TakesRecorded(nn.Module):  # type: ignore[misc, unused-ignore]  # torch is optional: without it this is Any
    """A network that takes signals as they are recorded, shape `n x channels x samples x 1`, and scales them itself."""

    def __init__(self, network: nn.Module, scaling: Scaling) -> None:
        super().__init__()
        self.network = network
        for name, part in zip(("mean", "rest", "deviation"), scaling.parts, strict=True):
            self.register_buffer(name, torch.from_numpy(part)[:, None, None])

    def forward(self, values: Tensor) -> Tensor:
        """Return the outputs of the network for recorded values."""
        found: Tensor = self.network((values - self.mean - self.rest) / self.deviation)
        return found


def takes_recorded(network: nn.Module, scaling: Scaling | None) -> nn.Module:
    """Return the network with the scaling of recorded signals built in; unchanged if `scaling` is None."""
    return network if scaling is None else TakesRecorded(network, scaling)


class Images:
    """Examples of a data set as torch takes them.

    Args:
        data: images.
        side: side to which images are scaled bilinearly; None for no scaling.
        device: torch device of the batches.
    """

    def __init__(self, data: DataSet, side: int | None, device: str) -> None:
        self._side, self._device, self._scale = side, device, data.feature_scale

    def batch(self, split: Split, rows: IntArray) -> Tensor:
        """Return an array of shape `b x channels x side x side`, values within 0..1."""
        found = torch.from_numpy(split.features[rows].astype(np.float32) * np.float32(self._scale)).to(self._device)
        if self._side is None:
            return found
        if found.shape[-1] == self._side and found.shape[-2] == self._side:
            return found
        return functional.interpolate(found, (self._side, self._side), mode="bilinear", align_corners=False)

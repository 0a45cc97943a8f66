"""Two attacks on the tensor that is sent, trained and measured. Imported only where torch is needed.

Reconstruction: a small decoder learns to give the image from the noisy tensor, on images to learn from with fresh noise in every
epoch; its squared error on test images over that of guessing the mean image. 1: nothing was got; 0: the image itself.

Membership (Yeom et al., CSF 2018): the loss of the server's outputs for the noisy tensor tells images that were learnt from
from those that were not; the area under its curve. 0.5: nothing was got; 1: all of it. Epsilon is of what is sent, not of the
images that the weights were learnt from, so that this one is no test of the mechanism.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from engines.contract.arrays import FloatArray
from engines.data.data_set import DataSet, Split
from engines.data.torch_images import Images
from engines.learning.torch_learner import Stream
from engines.methods.privynas.subnet import Subnet

_HIDDEN, _EPOCHS, _BATCH, _RATE = 128, 10, 64, 2e-3
_MOST = 2000  # images of a split that attacks look at


@dataclass(frozen=True)
class Leak:
    """The outcome of the attacks.

    Attributes:
        reconstruction: error of the decoder over that of guessing the mean image.
        membership: area under the curve of the attack.
    """

    reconstruction: float
    membership: float


def measured_leak(subnet: Subnet, data: DataSet, images: Images, stream: Stream) -> Leak:
    """Return the results of both attacks on one design."""
    learnt, held_out = _Seen(subnet, data.train, images), _Seen(subnet, data.test, images)

    def drawn(*names: str | int) -> np.random.Generator:
        return stream("leak", subnet.choice.name, *names)

    return Leak(_reconstruction(subnet, learnt, held_out, drawn), _membership(subnet, learnt, held_out, drawn))


def area_under_curve(members: FloatArray, others: FloatArray) -> float:
    """Return the probability that a member's loss is below that of a non-member, ties counted half (Mann-Whitney)."""
    values = np.concatenate([members, others])
    _, number, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[number]
    above = ranks[len(members) :].sum() - len(others) * (len(others) + 1) / 2
    return float(above / (len(members) * len(others)))


class _Seen:
    """The first images of a split, flat, with what the device's side gives for them."""

    def __init__(self, subnet: Subnet, split: Split, images: Images) -> None:
        rows = np.arange(min(_MOST, len(split)))
        held = images.batch(split, rows)
        self.pixels, self.labels = held.flatten(1), torch.from_numpy(split.labels[rows]).to(held.device)
        with torch.no_grad():
            self.maps: Tensor = subnet.edge(held)

    def __len__(self) -> int:
        return len(self.labels)


def _reconstruction(subnet: Subnet, learnt: _Seen, held_out: _Seen, stream: Stream) -> float:
    elements, pixels = learnt.maps[0].numel(), learnt.pixels.shape[1]
    with torch.random.fork_rng():
        torch.manual_seed(int(stream("decoder").integers(2**31)))
        decoder: nn.Module = nn.Sequential(nn.Linear(elements, _HIDDEN), nn.ReLU(), nn.Linear(_HIDDEN, pixels))
    decoder.to(learnt.pixels.device)
    mean = learnt.pixels.mean(dim=0)
    optimizer = torch.optim.Adam(decoder.parameters(), lr=_RATE)
    scale = 1 / (subnet.bound * (1 + 2 / subnet.choice.epsilon))  # a decoder learns from values around 1
    for epoch in range(_EPOCHS):
        draws = stream("epoch", epoch)
        for rows in torch.from_numpy(draws.permutation(len(learnt))).split(_BATCH):
            sent = subnet.protected(learnt.maps[rows], draws).flatten(1)
            optimizer.zero_grad(set_to_none=True)
            functional.mse_loss(mean + decoder(scale * sent), learnt.pixels[rows]).backward()
            optimizer.step()
    with torch.no_grad():
        sent = subnet.protected(held_out.maps, stream("test")).flatten(1)
        error = functional.mse_loss(mean + decoder(scale * sent), held_out.pixels)
    return float(error / functional.mse_loss(mean.expand_as(held_out.pixels), held_out.pixels))


def _membership(subnet: Subnet, learnt: _Seen, held_out: _Seen, stream: Stream) -> float:
    draws, losses = stream("membership"), list[FloatArray]()
    with torch.no_grad():
        for seen in (learnt, held_out):
            outputs = subnet.server(subnet.protected(seen.maps, draws))
            found = functional.cross_entropy(outputs, seen.labels, reduction="none")
            losses.append(np.asarray(found.cpu().numpy(), np.float64))
    return area_under_curve(losses[0], losses[1])

"""Training of OmniBoost's networks. Imported only where torch is needed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import torch
from torch import nn

from engines.contract.arrays import FloatArray
from engines.data.torch_images import pinned
from engines.methods.mapformer.omniboost.network import ThroughputNetwork
from engines.methods.mapformer.omniboost.samples import BlockSamples

BATCH, RATE, DECAY = 256, 4e-3, 1e-3


def trained(
    samples: BlockSamples,
    limit: int,
    epochs: int,
    random: Callable[..., np.random.Generator],
    start: ThroughputNetwork | None = None,
) -> Iterator[tuple[int, float, ThroughputNetwork]]:
    """Yield after each epoch: number of epochs, mean loss, and the network; the last one is the trained network.

    Huber error of the standardised logarithm, AdamW, learning rate along a cosine.

    Args:
        samples: to learn from; mappings that meet the limit at no clocks are left out.
        limit: column of `throughput_per_s`.
        epochs: passes over them.
        random: streams.
        start: a trained one to continue from, as one within a power mode is retrained.
    """
    kept = samples.throughput_per_s[:, limit] > 0
    blocks, values = samples.blocks[kept], np.log(samples.throughput_per_s[kept, limit])
    with pinned("cpu"):
        network = _started(samples, values, int(random("weights").integers(2**31)), start)
        rate = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
        wanted = torch.from_numpy(((values - values.mean()) / values.std()).astype(np.float32))
        steps, done = epochs * -(-len(values) // BATCH), 0
        for epoch in range(epochs):
            losses = []
            order = random("epoch", limit, epoch).permutation(len(values))
            network.train()
            for begin in range(0, len(order), BATCH):
                rows = order[begin : begin + BATCH]
                for group in rate.param_groups:
                    group["lr"] = RATE * 0.5 * (1 + math.cos(math.pi * done / steps))
                read = torch.from_numpy(blocks[rows])
                loss = nn.functional.smooth_l1_loss(network(read), wanted[rows])
                rate.zero_grad()
                loss.backward()
                rate.step()
                done += 1
                losses.append(float(loss.detach()))
            yield epoch + 1, float(np.mean(losses)), network


def _started(
    samples: BlockSamples, values: FloatArray, seed: int, start: ThroughputNetwork | None
) -> ThroughputNetwork:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = ThroughputNetwork(samples.blocks.shape[1])
    if start is not None:
        network.load_state_dict(start.state_dict())
    network.mean.fill_(float(values.mean()))
    network.spread.fill_(float(values.std()))
    return network

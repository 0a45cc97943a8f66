"""Windows of time on which every controller is measured: channel, queue, belief and what really was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray
from engines.methods.split_computing.scenes import Scenes
from engines.methods.split_computing.system import SplitSystem
from engines.simulation.server_queue import ServerQueue
from engines.simulation.wireless_channel import Channel

Randoms = Callable[..., np.random.Generator]


@dataclass(frozen=True, eq=False)
class Windows:
    """`n` windows.

    Attributes:
        belief: that the window is robust, as the context has it.
        robust: whether it is.
        quality: its mAP.
    """

    system: SplitSystem
    bits_per_s: FloatArray
    delay_s: FloatArray
    belief: FloatArray
    robust: BoolArray
    quality: FloatArray

    def __len__(self) -> int:
        return len(self.bits_per_s)

    @cached_property
    def latency_s(self) -> FloatArray:
        """Return the latency of every action, shape `a x n`."""
        return self.system.latency_s(self.bits_per_s, self.delay_s)

    @cached_property
    def missed(self) -> BoolArray:
        """Return whether every action ends after the deadline, shape `a x n`."""
        return self.system.missed(self.latency_s)

    @cached_property
    def energy_j(self) -> FloatArray:
        """Return the energy of every action, shape `a x n`."""
        return self.system.energy_j(self.bits_per_s)


def drawn_windows(
    system: SplitSystem,
    channel: Channel,
    queue: ServerQueue,
    scenes: Scenes,
    random: Randoms,
    count: int,
    *names: str | int,
) -> Windows:
    """Return the windows in a row; `names` key their random numbers."""
    belief = scenes.beliefs(random("belief", *names), count)
    robust = np.asarray(random("robust", *names).random(count) < belief)
    return Windows(
        system,
        channel.bits_per_s(random("channel", *names), (count,)),
        queue.delay_s(random("queue", *names), (count,)),
        belief,
        robust,
        scenes.quality(random("quality", *names), robust),
    )


def states(system: SplitSystem, bits_per_s: FloatArray, delay_s: FloatArray, belief: FloatArray) -> Windows:
    """Return the observed state of a controller without the true state: for maps of its actions."""
    nothing = np.full(len(bits_per_s), np.nan)
    return Windows(system, bits_per_s, delay_s, belief, np.zeros(len(bits_per_s), dtype=bool), nothing)

"""Conditions of an episode: obstacles on the road, channel and queue of every window, drawn once for all designs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.engine import Context
from engines.methods.energyshield.layout import Layout, drawn_obstacles
from engines.simulation.server_queue import ServerQueue
from engines.simulation.wireless_channel import Channel

RECENT = 5  # windows that the estimate of the answer's time looks back on, as in the published code


@dataclass(frozen=True, eq=False)
class Conditions:
    """Conditions of `e` episodes of `w` windows with `o` obstacles.

    Attributes:
        obstacles_x_m, obstacles_y_m: shape `e x o`.
        bits_per_s: throughput by radio, shape `radios x e x w`.
        delay_s: delay in seconds of the server by load, shape `loads x e x w`.
        known_bits_per_s, known_delay_s: what the estimate knows at the beginning of each window, shapes likewise.
        noise: on the steering of a poor controller, shape `e x w`.
    """

    obstacles_x_m: FloatArray
    obstacles_y_m: FloatArray
    bits_per_s: FloatArray
    delay_s: FloatArray
    known_bits_per_s: FloatArray
    known_delay_s: FloatArray
    noise: FloatArray


def drawn_conditions(
    context: Context,
    episodes: int,
    windows: int,
    layout: Layout,
    channels: Sequence[Channel],
    queues: Sequence[ServerQueue],
    *,
    worst: bool,
) -> Conditions:
    """Return the conditions of a seed: every radio and every load meets the same luck.

    Args:
        context: whose random numbers are drawn.
        episodes: `e`.
        windows: `w`.
        layout: layout of the obstacles.
        channels: channels of each radio.
        queues: queues of each load.
        worst: whether the estimate takes the worst of the last `RECENT` windows, not their mean.
    """
    shape = (episodes, windows)
    x_m, y_m = drawn_obstacles(layout, context.random("obstacles"), episodes)
    bits = np.stack([channel.bits_per_s(context.random("channel"), shape) for channel in channels])
    delay = np.stack([queue.delay_s(context.random("queue"), shape) for queue in queues])
    means_s = np.array([queue.mean_s for queue in queues])
    means_bits = np.array([1 / channel.mean_s_per_bit for channel in channels])
    return Conditions(
        x_m, y_m, bits, delay,
        recent(bits, means_bits, "least" if worst else "mean"),
        recent(delay, means_s, "most" if worst else "mean"),
        context.random("controller").standard_normal(shape),
    )  # fmt: skip


def recent(values: FloatArray, first: FloatArray, of: str) -> FloatArray:
    """Return mean, least or most of the windows before each one, `RECENT` of them where there are so many.

    Args:
        values: shape `k x e x w`.
        first: what is taken before anything is known, shape `k`.
        of: "mean", "least" or "most".
    """
    found = np.empty_like(values)
    found[:, :, 0] = first[:, None]
    for window in range(1, values.shape[2]):
        past = values[:, :, max(0, window - RECENT) : window]
        found[:, :, window] = (
            past.mean(axis=2) if of == "mean" else past.min(axis=2) if of == "least" else past.max(axis=2)
        )
    return found

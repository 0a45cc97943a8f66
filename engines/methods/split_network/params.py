"""Parameters of a network that is cut between a device and a server."""

from __future__ import annotations

from typing import Literal

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, limit, number, switch
from engines.cost.calibration_unmeasured import Unmeasured, unmeasured_field
from engines.cost.device_fields import power_mode_field, precision_field, unit_field


class SplitNetworkParams(EngineParams):
    """Device, channel, server and what is sent."""

    bandwidth_mbps: float | None = number(
        None, (0, 1e6), "Mbit/s", "Bandwidth", "Radio and channel",
        "Of the upload; where it varies, the scale of its Rayleigh distribution. Empty: what the radio's document calls typical.",
        above=True,
    )  # fmt: skip
    channel: Literal["fixed", "rayleigh"] = choice(
        "fixed", "Channel", "Radio and channel",
        {"fixed": "Always the same bandwidth", "rayleigh": "Rayleigh: another bandwidth in every window"},
        "Of a channel that varies, latency and energy are means over time.",
    )  # fmt: skip
    server_speedup: float = number(
        10.0, (1e-3, 1e6), "x", "Speed of the server", "Server",
        "How many times as fast as the device's unit the server computes every layer, where no server of the catalogue is chosen.",
    )  # fmt: skip
    queue: Literal["fixed", "geometric"] = choice(
        "fixed", "Queue of the server", "Server",
        {"fixed": "Always the same delay", "geometric": "Geometric: by the load of the server"},
        "What passes before the server starts.",
    )  # fmt: skip
    queue_ms: float = number(
        10.0, (0, 1e6), "ms", "Delay", "Server", "Waiting and round trip; counts where the delay is always the same."
    )
    load: float = number(
        0.97, (0, 0.9999), "of 1", "Load of the server", "Server", "Share of time in which it is busy; of a geometric queue.",
        advanced=True,
    )  # fmt: skip
    task_ms: float = number(
        0.75, (0, 1e6), "ms", "Time per task ahead", "Server", "Of a geometric queue, which holds at most 4000 tasks.",
        advanced=True,
    )  # fmt: skip
    compression: float = number(
        8.0, (1, 1024), "x", "Bottleneck", "What is sent",
        "A 1 x 1 convolution divides the channels of what is sent by this number, and another one restores them at the server. "
        "Every cut is tried with and without. 1: no bottleneck.",
    )  # fmt: skip
    int8: bool = switch(
        True,
        "Send 8-bit integers",
        "What is sent",
        "Results of layers are sent as 8-bit integers, not in the device's precision.",
    )
    input_bits: int = number(
        8, (1, 64), "bits", "Bits per value of the input", "What is sent", "Of the network's input, as in an image of 8 bits.",
        advanced=True,
    )  # fmt: skip
    unit: str = unit_field("Device")
    precision: Literal["fp32", "fp16"] = precision_field("Device")
    power_mode: str = power_mode_field("Device", advanced=True)
    unmeasured: Unmeasured = unmeasured_field("Device", "datasheet")
    latency_limit_s: float | None = limit("s", 1e4, "Latency, at most", "Mean latency of an inference.")
    energy_limit_j: float | None = limit("J", 1e6, "Energy, at most", "Of the device for an inference.")

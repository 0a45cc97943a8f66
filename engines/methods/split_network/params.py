"""Parameters of a network that is cut between a device and a server."""

from __future__ import annotations

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import for_experts, limit, number, switch
from engines.cost.calibration.unmeasured import Unmeasured, unmeasured_field
from engines.cost.device_fields import Precision, power_mode_field, precision_field, unit_field
from engines.simulation.radio_link import (
    ChannelKind,
    QueueKind,
    bandwidth_field,
    channel_field,
    load_field,
    queue_delay_field,
    queue_field,
    round_trip_field,
    task_field,
)


class SplitNetworkParams(EngineParams):
    """Device, channel, server and what is sent."""

    bandwidth_mbps: float | None = bandwidth_field(
        None, "Radio and channel",
        "Of the upload; where it varies, the scale of its Rayleigh distribution. Empty: what the radio's document calls typical.",
    )  # fmt: skip
    channel: ChannelKind = for_experts(
        channel_field("fixed", "Radio and channel", "Of a channel that varies, latency and energy are means over time.")
    )
    server_speedup: float = number(
        10.0, (1e-3, 1e6), "x", "Speed of the server", "Server",
        "How many times as fast as the device's unit the server computes every layer, where no server of the catalogue is chosen.",
    )  # fmt: skip
    queue: QueueKind = queue_field("fixed", "Server", "What passes before the server starts.")
    queue_ms: float = for_experts(
        queue_delay_field(0.0, "Server", "Waiting at the server; counts where the delay is always the same.")
    )
    round_trip_ms: float | None = round_trip_field("Server")
    load: float = load_field("Server", advanced=True)
    task_ms: float = task_field(0.75, "Server")
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
        8, (1, 64), "bits", "Bits per value of the input", "What is sent",
        "Of the network's input, as in an image of 8 bits. A token number takes at least the bits that the vocabulary needs.",
        advanced=True,
    )  # fmt: skip
    unit: str = for_experts(unit_field("Device"))
    precision: Precision = for_experts(precision_field("Device"))
    power_mode: str = power_mode_field("Device", advanced=True)
    unmeasured: Unmeasured = for_experts(unmeasured_field("Device", "datasheet"))
    latency_limit_s: float | None = limit("s", 1e4, "Latency, at most", "Mean latency of an inference.")
    energy_limit_j: float | None = limit("J", 1e6, "Energy, at most", "Of the device for an inference.")
    memory_limit_mb: float | None = for_experts(limit(
        "MB", 1e9, "Memory of the device, at most", "Weights and activations of the layers on the device. Empty: what the device "
        "has, where its document says it.",
    ))  # fmt: skip

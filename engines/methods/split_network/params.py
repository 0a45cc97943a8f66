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
        "Bandwidth of the upload; the scale of its Rayleigh distribution if it varies. Empty: the typical "
            "value of the radio description.",
    )  # fmt: skip
    channel: ChannelKind = for_experts(
        channel_field("fixed", "Radio and channel", "Latency and energy of a varying channel are means over time.")
    )
    server_speedup: float = number(
        10.0, (1e-3, 1e6), "x", "Speed of the server", "Server",
        "Speed of the server relative to the device's unit for every layer, if no server of the catalogue is chosen.",
    )  # fmt: skip
    queue: QueueKind = queue_field("fixed", "Server", "Waiting time before the server starts.")
    queue_ms: float = for_experts(queue_delay_field(0.0, "Server", "Waiting time at the server, for a constant delay."))
    round_trip_ms: float | None = round_trip_field("Server")
    load: float = load_field("Server", advanced=True)
    task_ms: float = task_field(0.75, "Server")
    compression: float = number(
        8.0, (1, 1024), "x", "Bottleneck", "Transferred data",
        "A 1 x 1 convolution divides the channels of the transferred data by this number; another one "
            "restores them. The search evaluates every cut with and without it. 1: no bottleneck.",
    )  # fmt: skip
    int8: bool = switch(
        True,
        "Send 8-bit integers",
        "Transferred data",
        "Results of layers are sent as 8-bit integers, not in the device's precision.",
    )
    input_bits: int = number(
        8, (1, 64), "bits", "Bits per value of the input", "Transferred data",
        "Bits of the network's input, such as 8 for an image. A token number takes at least the bits of "
            "the vocabulary.",
        advanced=True,
    )  # fmt: skip
    unit: str = for_experts(unit_field("Device"))
    precision: Precision = for_experts(precision_field("Device"))
    power_mode: str = power_mode_field("Device", advanced=True)
    unmeasured: Unmeasured = for_experts(unmeasured_field("Device", "datasheet"))
    latency_limit_s: float | None = limit("s", 1e4, "Latency, at most", "Mean latency of an inference.")
    energy_limit_j: float | None = limit("J", 1e6, "Energy, at most", "Largest energy of the device per inference.")
    memory_limit_mb: float | None = for_experts(limit(
        "MB", 1e9, "Memory of the device, at most", "Weights and activations of the layers on the device. Empty: what the device "
        "has, where its document says it.",
    ))  # fmt: skip

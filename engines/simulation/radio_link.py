"""A radio's channel and a server's queue as parameters say: the fields of every engine with both, and what is made of them.

Traces, where a problem has them, take the place of both (`engines.simulation.recorded_trace`).
"""

from __future__ import annotations

from typing import Any, Literal

from engines.contract.engine import Problem, require
from engines.contract.parameter_fields import choice, number
from engines.recordings.recording import Recording
from engines.simulation.recorded_trace import TraceChannel, TraceQueue, trace_channel, trace_queue
from engines.simulation.server_queue import FixedQueue, GeometricQueue, ServerQueue
from engines.simulation.wireless_channel import Channel, FixedChannel, RayleighChannel
from hardware.radio.model import Direction, Radio

ChannelKind = Literal["fixed", "rayleigh"]
QueueKind = Literal["fixed", "geometric"]
CAPACITY = 4000  # tasks in the queue of EnergyShield's code, which the geometric queue takes
_BITS_PER_MBIT = 1e6


def channel_field(default: ChannelKind, group: str, description: str) -> Any:
    """Declare the parameter for a varying or constant bandwidth."""
    choices = {"fixed": "Always the same bandwidth", "rayleigh": "Rayleigh: another bandwidth in every window"}
    return choice(default, "Channel", group, choices, description)


def bandwidth_field(default: float | None, group: str, description: str) -> Any:
    """Return Mbit/s, or the scale of their Rayleigh distribution."""
    return number(default, (0, 1e6), "Mbit/s", "Bandwidth", group, description, above=True)


def queue_field(default: QueueKind, group: str, description: str) -> Any:
    """Return whether the delay of the server varies."""
    choices = {"fixed": "Always the same delay", "geometric": "Geometric: by the load of the server"}
    return choice(default, "Queue of the server", group, choices, description)


def queue_delay_field(default_ms: float, group: str, description: str) -> Any:
    """Return milliseconds, where the delay is always the same."""
    return number(default_ms, (0, 1e6), "ms", "Delay", group, description)


def round_trip_field(group: str, *, advanced: bool = True) -> Any:
    """Return the field of the network's delay in milliseconds, empty by default."""
    words = (
        "Round trip of the network, independent of the data sent. Empty: the typical value of the radio "
        "description, or none with a recorded delay."
    )
    return number(None, (0, 1e5), "ms", "Round trip", group, words, advanced=advanced)


def load_field(group: str, *, advanced: bool = False) -> Any:
    """Declare the parameter for the load of the server."""
    words = "Share of time in which the server is busy, for a geometric queue."
    return number(0.97, (0, 0.9999), "of 1", "Load of the server", group, words, advanced=advanced)


def task_field(default: float, group: str, unit: Literal["ms", "µs"] = "ms") -> Any:
    """Declare the parameter for the time per task ahead in the queue, in the unit of its name."""
    words = f"Time per task in a geometric queue of at most {CAPACITY} tasks, unless another number of places is given."
    return number(default, (0, 1e6), unit, "Time per task ahead", group, words, advanced=True)


def capacity_field(group: str) -> Any:
    """Declare the parameter for the number of places in the queue."""
    return number(
        CAPACITY,
        (0, 10**6),
        "tasks",
        "Places in the queue",
        group,
        "Number of places of a geometric queue.",
        advanced=True,
    )


def channel_of(kind: ChannelKind, bits_per_s: float) -> Channel:
    """Return the channel of parameters."""
    return (RayleighChannel if kind == "rayleigh" else FixedChannel)(bits_per_s)


def queue_of(kind: QueueKind, queue_ms: float, load: float, task_ms: float, capacity: int = CAPACITY) -> ServerQueue:
    """Return the queue of parameters."""
    return GeometricQueue(load, capacity, task_ms / 1e3) if kind == "geometric" else FixedQueue(queue_ms / 1e3)


def round_trip_s(problem: Problem[Any], radio: Radio, given_ms: float | None) -> float:
    """Return the network's delay in seconds: as given, else of the radio's document, 0 where neither is known or a trace has it."""
    if given_ms is not None:
        return given_ms / 1e3
    return 0.0 if "queue_trace" in problem.inputs else radio.round_trip_s or 0.0


def traced_channel(problem: Problem[Any], window_s: float) -> TraceChannel | None:
    """Return the channel of the slot "channel_trace"; None where it is empty. Raises `ProblemError` as `trace_channel`."""
    recorded = problem.optional("channel_trace", Recording)
    return None if recorded is None else trace_channel(recorded, window_s, "inputs.channel_trace")


def traced_queue(problem: Problem[Any], window_s: float) -> TraceQueue | None:
    """Return the queue of the slot "queue_trace"; None where it is empty. Raises `ProblemError` as `trace_queue`."""
    recorded = problem.optional("queue_trace", Recording)
    return None if recorded is None else trace_queue(recorded, window_s, "inputs.queue_trace")


def joules_per_bit(radio: Radio, field: str) -> float:
    """Return the joules per bit of sending, at any throughput; the base power adds for the duration.

    Raises:
        ProblemError: the radio's document has no figures of its uplink.
    """
    accepted = "a wireless link whose document has the power of the uplink (transfer_power.uplink_mw_per_mbps)"
    require(radio.uplink_j_per_bit is not None, field, radio.slug, accepted)
    return float(radio.uplink_j_per_bit or 0.0)


def uplink_bits_per_s(radio: Radio, given_mbps: float | None, field: str) -> float:
    """Return the throughput of the uplink, as `link_bits_per_s`."""
    return link_bits_per_s(radio, "uplink", given_mbps, field)


def link_bits_per_s(radio: Radio, direction: Direction, given_mbps: float | None, field: str) -> float:
    """Return the throughput that was given, or else what the radio's document calls typical.

    Raises:
        ProblemError: neither is known.
    """
    if given_mbps is not None:
        return given_mbps * _BITS_PER_MBIT
    typical = radio.typical_bits_per_s.get(direction)
    reason = f"The document of {radio.slug} has no typical throughput of the {direction}."
    require(typical is not None, field, None, "given", reason=reason)
    return float(typical or 0.0)

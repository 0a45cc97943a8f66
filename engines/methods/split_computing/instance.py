"""A problem made ready: the car, its channel, the server and the scenes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engines.contract.engine import Context, Problem, require
from engines.methods.split_computing.bottleneck.document import BottleneckSection, MeasuredBottlenecks
from engines.methods.split_computing.params import SplitComputingParams
from engines.methods.split_computing.scenes import Scenes
from engines.methods.split_computing.system import SplitSystem, bits_of
from engines.methods.split_computing.windows import Windows, drawn_windows
from engines.simulation.radio_link import (
    channel_of,
    joules_per_bit,
    queue_of,
    round_trip_s,
    traced_channel,
    traced_queue,
)
from engines.simulation.server_queue import DelayedQueue, ServerQueue
from engines.simulation.wireless_channel import Channel
from hardware.radio.model import Radio

WINDOW_S = 0.1  # "windows of at most 100 ms" (section 5.4.1)
_BITS_PER_MBIT = 1e6


@dataclass(frozen=True, eq=False)
class ControlInstance:
    """The prepared problem that managers and pages share; `trained` is the bottleneck that gives times and payload, if any."""

    params: SplitComputingParams
    radio: Radio
    system: SplitSystem
    channel: Channel
    queue: ServerQueue
    scenes: Scenes
    trained: BottleneckSection | None = None

    def windows(self, context: Context, count: int, *names: str | int) -> Windows:
        """Return the windows drawn under that name."""
        return drawn_windows(self.system, self.channel, self.queue, self.scenes, context.random, count, *names)

    @cached_property
    def typical_delay_s(self) -> float:
        """Return what thresholds on the bandwidth take the server's delay to be."""
        return self.queue.mean_s


def instance_of(problem: Problem[SplitComputingParams]) -> ControlInstance:
    """Return everything of a problem.

    Raises:
        ProblemError: a radio without figures of its uplink, counts of pipelines that cannot be offloaded, a deadline that the car
            alone cannot keep, bottlenecks that all lose more accuracy than may be given up.
    """
    params, radio = problem.params, problem.value("radio", Radio)
    per_bit = joules_per_bit(radio, "inputs.radio")
    trained = _trained(problem)
    if trained is None:
        encoder_s, tail_s, power_w = params.encoder_ms / 1e3, params.tail_ms / 1e3, params.local_power_w
        payload_bytes = params.payload_bytes
    else:
        encoder_s, tail_s, power_w = trained.encoder_s, trained.tail_s, trained.power_w
        payload_bytes = trained.sent_bytes
    local_s = params.pipelines * (encoder_s + tail_s)
    deadline_s = local_s if params.deadline_ms is None else params.deadline_ms / 1e3
    in_time = deadline_s >= local_s * (1 - 1e-9)
    require(
        in_time,
        "params.deadline_ms",
        params.deadline_ms,
        f"at least {1e3 * local_s:g} ms, the latency without offloading",
    )
    system = SplitSystem(
        params.pipelines, (0, *_counts(params)), encoder_s, tail_s, power_w, bits_of(payload_bytes),
        radio.base_power_w, per_bit, deadline_s,
    )  # fmt: skip
    scenes = Scenes(params.quality_threshold, params.context_share)
    return ControlInstance(params, radio, system, _channel(problem), _queue(problem), scenes, trained)


def _trained(problem: Problem[SplitComputingParams]) -> BottleneckSection | None:
    measured = problem.optional("bottleneck", MeasuredBottlenecks)
    field = "params.accuracy_given_up_percent"
    return None if measured is None else measured.within(problem.params.accuracy_given_up_percent, field)


def _counts(params: SplitComputingParams) -> tuple[int, ...]:
    words, most = params.offloadable.replace(",", " ").split(), params.pipelines - 1
    accepted = f"whole numbers from 1 to {most}, separated by spaces"
    require(
        bool(words) and all(word.isdecimal() for word in words),
        "params.offloadable",
        params.offloadable,
        accepted,
        reason="One pipeline always stays in the car.",
    )
    counts = sorted({int(word) for word in words})
    reason = "One pipeline always stays in the car."
    require(counts[0] >= 1 and counts[-1] <= most, "params.offloadable", params.offloadable, accepted, reason=reason)
    require(len(counts) <= 8, "params.offloadable", params.offloadable, "a list of at most 8 numbers")
    return tuple(counts)


def _channel(problem: Problem[SplitComputingParams]) -> Channel:
    params = problem.params
    return traced_channel(problem, WINDOW_S) or channel_of(params.channel, params.bandwidth_mbps * _BITS_PER_MBIT)


def _queue(problem: Problem[SplitComputingParams]) -> ServerQueue:
    params = problem.params
    said = queue_of(params.queue, params.queue_ms, params.load, params.task_ms, params.capacity)
    network_s = round_trip_s(problem, problem.value("radio", Radio), params.round_trip_ms)
    return DelayedQueue(traced_queue(problem, WINDOW_S) or said, network_s)

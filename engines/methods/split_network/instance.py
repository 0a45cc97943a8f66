"""A problem made ready: the graph of the network, what its layers cost, the channel and the server."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray
from engines.contract.engine import Problem
from engines.contract.limits import Allowed, allowed_by
from engines.contract.numeric.ordered_sums import product_in_order
from engines.cost.calibration.unmeasured import CalibrationCoverage, estimates_as_remedies
from engines.cost.memory_capacity import within_capacity
from engines.cost.soc.model import bits_of
from engines.cost.soc_networks import NetworkPricer, covered_networks, fused_table, layer_starts
from engines.methods.split_network.cuts import CutGraph, Cuts, Tensor, every_cut, layer_graph
from engines.methods.split_network.params import SplitNetworkParams
from engines.methods.split_network.quantities import LIMITS, MEMORY
from engines.simulation.radio_link import (
    channel_of,
    joules_per_bit,
    queue_of,
    round_trip_s,
    traced_channel,
    traced_queue,
    uplink_bits_per_s,
)
from engines.simulation.recorded_trace import TraceChannel
from engines.simulation.server_queue import DelayedQueue, ServerQueue
from engines.simulation.wireless_channel import Channel
from engines.workloads.network import Network, Operation, Scenario, ScenarioModel
from hardware.bits import BitWidths
from hardware.calibration.model import SocCalibration
from hardware.radio.model import Radio
from hardware.soc.model import Soc
from hardware.soc.summary import unit_title

WINDOW_S = 0.1  # of traces
_BITS_PER_BYTE = 8
Latencies = Callable[[Network], FloatArray]


@dataclass(frozen=True, eq=False)
class SplitCosts:
    """The costs of `n` layers and `t` tensors, the network's input first; the second row of `2 x t` is with a bottleneck.

    Attributes:
        latency_s, energy_j: latency and energy of layers on the device, shape `n`.
        bits: number of sent bits, shape `2 x t`.
        coding_s, coding_j: time and energy of the bottleneck's first convolution on the device, shape `2 x t`.
        decoding_s: time of its second convolution at the server, shape `2 x t`.
        server_s: latency of layers at the server, shape `n`.
    """

    latency_s: FloatArray
    energy_j: FloatArray
    bits: FloatArray
    coding_s: FloatArray
    coding_j: FloatArray
    decoding_s: FloatArray
    server_s: FloatArray


@dataclass(frozen=True, eq=False)
class LayerMemory:
    """The memory that `n` layers need on a device.

    Attributes:
        weight_bytes: weights of each layer, shape `n`, without weights that several operations share.
        activation_bytes: largest number of bytes that each layer reads and writes, shape `n`.
        shared: size in bytes of each shared weight and the layers that use it.
    """

    weight_bytes: FloatArray
    activation_bytes: FloatArray
    shared: tuple[tuple[float, tuple[int, ...]], ...]

    def needed_bytes(self, inside: BoolArray) -> FloatArray:
        """Return the bytes that sets of layers need: each weight once, and the activations of the layer with most.

        Args:
            inside: the layers of each of `c` sets, shape `c x n`.
        """
        activations: FloatArray = (inside * self.activation_bytes).max(axis=1)
        found = product_in_order(inside, self.weight_bytes) + activations
        for size, layers in self.shared:
            found = found + size * inside[:, layers].any(axis=1)
        return found


@dataclass(frozen=True, eq=False)
class SplitInstance:
    """The prepared problem that searches and pages share.

    Attributes:
        unit: unit of the device, which runs layers.
        server: description of the server for notes.
        bandwidth_bits_per_s: of the channel, or its scale; of a trace, the one whose time per bit is its mean.
        trace: trace of the channel; None where the parameters say what it is.
    """

    network: Network
    covered: CalibrationCoverage
    unit: str
    radio: Radio
    params: SplitNetworkParams
    graph: CutGraph
    costs: SplitCosts
    server: str
    bandwidth_bits_per_s: float
    queue: ServerQueue
    allowed: Allowed
    memory: LayerMemory
    trace: TraceChannel | None = None

    @cached_property
    def cuts(self) -> Cuts:
        """Every cut."""
        return every_cut(self.graph)

    @property
    def channel(self) -> Channel:
        """Return the channel of the problem."""
        return self.channel_of(self.bandwidth_bits_per_s)

    def channel_of(self, bandwidth_bits_per_s: float) -> Channel:
        """Return a channel of the same kind with this bandwidth."""
        if self.trace is not None:
            return self.trace.scaled(1 / bandwidth_bits_per_s)
        return channel_of(self.params.channel, bandwidth_bits_per_s)

    @property
    def joules_per_bit(self) -> float:
        """Return the marginal energy of sending in joules per bit; the base power is added for the duration."""
        return joules_per_bit(self.radio, "inputs.radio")


@estimates_as_remedies
def instance_of(problem: Problem[SplitNetworkParams]) -> SplitInstance:
    """Return everything of a problem.

    Raises:
        ProblemError: a radio without figures of its uplink, a unit that does not exist, an operation that it cannot run.
    """
    params, soc, radio = problem.params, problem.value("hardware", Soc), problem.value("radio", Radio)
    network = problem.value("workload", Scenario).models[0].network
    joules_per_bit(radio, "inputs.radio")
    trace = traced_channel(problem, WINDOW_S)
    bandwidth = (
        uplink_bits_per_s(radio, params.bandwidth_mbps, "params.bandwidth_mbps")
        if trace is None
        else 1 / trace.mean_s_per_bit
    )
    covered = covered_networks(
        soc, problem.optional("calibration", SocCalibration), [network], params.unmeasured, params.precision
    )
    pricer = NetworkPricer(covered.soc, covered.calibration, params.unit, params.precision, params.power_mode or None)
    pricer.choose_unit([network])
    server, words = _server(problem, network, pricer)
    table = fused_table(network)
    graph = layer_graph(network.operations, table.output_elements.tolist(), layer_starts(table))
    memory = _layer_memory(network, layer_starts(table), bits_of(params.precision))
    most = memory.needed_bytes(np.ones((1, len(graph.names)), bool))[0]
    allowed = within_capacity(allowed_by(LIMITS, params), MEMORY, soc, float(most))
    return SplitInstance(
        network, covered, pricer.unit, radio, params, graph, _costs(network, graph, pricer, server, params), words, bandwidth,
        _queue(problem), allowed, memory, trace,
    )  # fmt: skip


def _layer_memory(network: Network, starts: Sequence[int], bits: BitWidths) -> LayerMemory:
    layer_of = np.searchsorted(starts, np.arange(len(network.operations)), side="right") - 1
    users: dict[tuple[str, int], set[int]] = defaultdict(set)
    for operation, layer in zip(network.operations, layer_of.tolist(), strict=True):
        for weight in operation.shared_weights:
            users[weight].add(layer)
    own = [each.weight_elements - sum(count for _, count in each.shared_weights) for each in network.operations]
    activations = [each.input_elements + each.output_elements for each in network.operations]
    sizes = np.array([own, activations], dtype=np.float64) * [[bits.weight_bytes], [bits.activation_bytes]]
    shared = tuple((count * bits.weight_bytes, tuple(sorted(layers))) for (_, count), layers in users.items())
    return LayerMemory(np.add.reduceat(sizes[0], starts), np.maximum.reduceat(sizes[1], starts), shared)


def _queue(problem: Problem[SplitNetworkParams]) -> ServerQueue:
    params = problem.params
    said = queue_of(params.queue, params.queue_ms, params.load, params.task_ms)
    network_s = round_trip_s(problem, problem.value("radio", Radio), params.round_trip_ms)
    return DelayedQueue(traced_queue(problem, WINDOW_S) or said, network_s)


def _server(problem: Problem[SplitNetworkParams], network: Network, device: NetworkPricer) -> tuple[Latencies, str]:
    """Return the latency of the layers of networks at the server, and the server in words.

    A server of the catalogue is priced like the device: on its fastest unit, in 32 bits, by its datasheet if nothing was measured.
    """
    soc, speedup = problem.optional("server", Soc), problem.params.server_speedup
    if soc is None:
        words = f"The server is {speedup:g} times as fast as the device for every layer."
        return lambda asked: device.price(asked).latency_s / speedup, words
    covered = covered_networks(soc, None, [network], "datasheet", "fp32")
    covered = covered.within_memory([ScenarioModel(network, 1)], slot="server")
    pricer = NetworkPricer(covered.soc, covered.calibration, "", "fp32", None)
    pricer.choose_unit([network])
    words = f"The server is {soc.title}, on {unit_title(pricer.unit)} in 32 bits and for this inference alone: "
    return lambda asked: pricer.price(asked).latency_s, f"{words}{covered.of(pricer.unit).words()}."


def _costs(
    network: Network, graph: CutGraph, pricer: NetworkPricer, server: Latencies, params: SplitNetworkParams
) -> SplitCosts:
    layers = pricer.price(network)
    word = bits_of("int8" if params.int8 else params.precision).activations
    bits = np.array([tensor.elements * word for tensor in graph.tensors], dtype=np.float64)
    bits[0] = graph.tensors[0].elements * max(params.input_bits, token_bits(network.operations[0]))
    shape = (2, len(graph.tensors))
    both, coding_s, coding_j, decoding_s = np.stack([bits, bits]), np.zeros(shape), np.zeros(shape), np.zeros(shape)
    wide = [number for number, each in enumerate(graph.tensors) if number and _kept(each, params) < each.channels]
    if wide:
        kept = np.array([_kept(graph.tensors[number], params) for number in wide])
        channels = np.array([graph.tensors[number].channels for number in wide])
        tensors = [graph.tensors[number] for number in wide]
        coding = pricer.price(_convolutions(tensors, channels.tolist(), kept.tolist()))
        decoding = server(_convolutions(tensors, kept.tolist(), channels.tolist()))
        both[1, wide] = bits[wide] / channels * kept
        coding_s[1, wide], coding_j[1, wide] = coding.latency_s, coding.energy_j
        decoding_s[1, wide] = decoding
    return SplitCosts(
        layers.latency_s, layers.energy_j, both, coding_s, coding_j, decoding_s, server(network)
    )  # fmt: skip


def token_bits(first: Operation) -> int:
    """Return the bits of one input value of a network that begins with a table: enough for the number of any row; else 0."""
    if first.kind != "embedding" or not first.input_elements:
        return 0
    width = first.output_elements // first.input_elements
    return (first.weight_elements // max(1, width) - 1).bit_length()


def _kept(tensor: Tensor, params: SplitNetworkParams) -> int:
    """Return the channels that a bottleneck leaves, at least one."""
    return max(1, round(tensor.channels / params.compression))


def bottleneck_operations(tensor: Tensor, params: SplitNetworkParams) -> tuple[Operation, ...]:
    """Return the bottleneck's convolution on the device, which leaves a share of the tensor's channels."""
    return _convolutions([tensor], [tensor.channels], [_kept(tensor, params)]).operations


def _convolutions(tensors: Sequence[Tensor], before: Sequence[int], after: Sequence[int]) -> Network:
    """Return 1 x 1 convolutions, one for each tensor, as a network that can be priced."""
    operations = []
    for number, (tensor, c, k) in enumerate(zip(tensors, before, after, strict=True)):
        places = tensor.elements // tensor.channels
        operations.append(Operation(
            index=number, name=f"bottleneck.{number}", kind="conv", k=k, c=c, r=1, s=1, y=places, x=1, oy=places, ox=1,
            stride=1, padding_y=0, padding_x=0, groups=1, repeats=1, macs=places * c * k, weight_elements=c * k,
            input_elements=places * c, output_elements=places * k,
        ))  # fmt: skip
    return Network("bottlenecks", "Bottlenecks", "Bottlenecks", (), "", operations=tuple(operations))

"""The cost of cuts: latency, energy of the device, bytes; as designs, and over bandwidths and delays.

    latency = layers inside + coding + bits x s/bit + delay + decoding + layers outside / speed-up
    energy  = layers inside + coding + bits x (base power x s/bit + energy per bit)

The delay counts wherever the server has something to do. Both are linear in s/bit and in the delay, so that their means over a
channel and a queue are those at the mean s/bit and the mean delay: nothing is sampled for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.designs import Decision
from engines.contract.engine import Context
from engines.contract.errors import DecisionError
from engines.contract.numeric.ordered_sums import product_in_order
from engines.methods.split_network.instance import SplitInstance
from engines.methods.split_network.quantities import ENERGY, MEMORY
from engines.search.strategies import Columns

WINDOWS = 2000
_REACHED = 0.95
_ROWS = 256  # cuts whose windows are in memory together


@dataclass(frozen=True, eq=False)
class Cut:
    """A cut.

    Attributes:
        inside: layers on the device, shape `n`.
        bottleneck: whether what is sent passes through one.
    """

    inside: BoolArray
    bottleneck: bool = False


@dataclass(frozen=True, eq=False)
class CutCosts:
    """`c` cuts.

    Attributes:
        inside: layers on the device, shape `c x n`.
        bottleneck: whether what is sent passes through one, shape `c`.
        crossing: mask of the sent tensors, shape `c x t`.
        device_s, device_j: layers and coding on the device, shape `c`.
        server_s: decoding and layers at the server, shape `c`; 0 where all layers are on the device.
        bits: shape `c`.
    """

    inside: BoolArray
    bottleneck: BoolArray
    crossing: BoolArray
    device_s: FloatArray
    device_j: FloatArray
    server_s: FloatArray
    bits: FloatArray

    @property
    def remote(self) -> BoolArray:
        """Whether the server has something to do, shape `c`."""
        return np.asarray(~self.inside.all(axis=1))

    def latency_s(self, s_per_bit: float, delay_s: float) -> FloatArray:
        """Return the value for each of `c` cuts, shape `c`."""
        return self.device_s + self.bits * s_per_bit + np.where(self.remote, delay_s, 0.0) + self.server_s

    def energy_j(self, s_per_bit: float, base_w: float, joules_per_bit: float) -> FloatArray:
        """Return the value for each of `c` cuts, shape `c`."""
        return self.device_j + self.bits * (base_w * s_per_bit + joules_per_bit)


def priced(instance: SplitInstance, cuts: Sequence[Cut]) -> CutCosts:
    """Return the costs of cuts."""
    inside, bottleneck = np.stack([cut.inside for cut in cuts]), np.array([cut.bottleneck for cut in cuts])
    costs, crossing, row = instance.costs, instance.graph.crossing(inside), bottleneck.astype(np.int64)

    def sent(values: FloatArray) -> FloatArray:
        return np.where(row, product_in_order(crossing, values[1]), product_in_order(crossing, values[0]))

    return CutCosts(
        inside, bottleneck, crossing,
        product_in_order(inside, costs.latency_s) + sent(costs.coding_s),
        product_in_order(inside, costs.energy_j) + sent(costs.coding_j),
        product_in_order(~inside, costs.server_s) + sent(costs.decoding_s),
        sent(costs.bits),
    )  # fmt: skip


def every(instance: SplitInstance) -> list[Cut]:
    """Return every cut, then every cut again with a bottleneck where that changes what is sent."""
    inside = instance.cuts.inside
    narrower = instance.costs.bits[1] < instance.costs.bits[0]  # nowhere without compression
    again = inside[(instance.graph.crossing(inside) & narrower).any(axis=1)]
    return [*map(Cut, inside), *(Cut(each, True) for each in again)]


def columns_of(instance: SplitInstance, cuts: CutCosts, context: Context) -> Columns:
    """Return what cuts are judged by."""
    s_per_bit, delay_s = instance.channel.mean_s_per_bit, instance.queue.mean_s
    return {
        "latency_s": cuts.latency_s(s_per_bit, delay_s),
        "energy_j": cuts.energy_j(s_per_bit, instance.radio.base_power_w, instance.joules_per_bit),
        "uploaded_bytes": cuts.bits / 8,
        "latency_95_s": _reached(instance, cuts, context),
        "device_memory_bytes": instance.memory.needed_bytes(cuts.inside),
        "device_layers": cuts.inside.sum(axis=1).astype(np.float64),
        "bottleneck": cuts.bottleneck.astype(np.float64),
    }


def encode(instance: SplitInstance, cut: Cut) -> dict[str, Any]:
    """Return the decision of a cut."""
    last = [instance.graph.names[layer] for layer in instance.graph.last(cut.inside)]
    return {"last_on_device": last, "bottleneck": cut.bottleneck}


def decode(instance: SplitInstance, decision: Decision) -> Cut:
    """Return the cut of a decision.

    Raises:
        DecisionError: it describes none.
    """
    place = {name: number for number, name in enumerate(instance.graph.names)}
    last, narrow = decision.get("last_on_device"), decision.get("bottleneck", False)
    if not isinstance(last, list) or not all(isinstance(name, str) and name in place for name in last):
        raise DecisionError("decision.last_on_device", last, "a list of layer names from the table of layers")
    if not isinstance(narrow, bool) or (narrow and instance.params.compression == 1):
        raise DecisionError("decision.bottleneck", narrow, "false, or true with params.compression above 1")
    return Cut(instance.graph.closed([place[name] for name in last]), narrow)


def best_cuts(
    instance: SplitInstance, cuts: CutCosts, s_per_bit: FloatArray, delays_s: FloatArray
) -> tuple[IntArray, FloatArray]:
    """Return the cut of least latency at each of `q` delays and `b` times per bit, within energy and memory, and that latency.

    Args:
        instance: instance of the problem.
        cuts: all that may be chosen; of equal ones the first is.
        s_per_bit: shape `b`.
        delays_s: shape `q`.

    Returns:
        Numbers of cuts, -1 where none keeps the limit, and seconds, then infinite; shape `q x b` each.
    """
    sending = cuts.bits[:, None] * s_per_bit
    base_s = (cuts.device_s + cuts.server_s)[:, None] + sending
    most_j = instance.allowed.get(ENERGY)
    if most_j is not None:
        energy = (cuts.device_j + cuts.bits * instance.joules_per_bit)[:, None] + instance.radio.base_power_w * sending
        base_s = np.where(energy <= most_j, base_s, np.inf)
    if MEMORY in instance.allowed:
        fits = instance.memory.needed_bytes(cuts.inside) <= instance.allowed[MEMORY] * MEMORY.scale
        base_s = np.where(fits[:, None], base_s, np.inf)
    # The delay is the same for every cut that needs the server: only its best one, and the rest, are compared.
    picked, least = [], []
    for kind in (cuts.remote, ~cuts.remote):
        rows = np.flatnonzero(kind)
        first = base_s[rows].argmin(axis=0)
        picked.append(rows[first])
        least.append(base_s[rows[first], np.arange(len(s_per_bit))])
    away = least[0] + delays_s[:, None]
    best_s = np.minimum(away, least[1])
    number = np.where(away < least[1], picked[0], picked[1])
    return np.where(np.isfinite(best_s), number, -1), best_s


def _reached(instance: SplitInstance, cuts: CutCosts, context: Context) -> FloatArray:
    """Return the latency that 95 % of windows do not pass, shape `c`; the windows are the same for every cut."""
    s_per_bit = 1 / instance.channel.bits_per_s(context.random("channel"), (WINDOWS,))
    delay_s = instance.queue.delay_s(context.random("queue"), (WINDOWS,))
    place, found = int(np.ceil(_REACHED * WINDOWS)) - 1, np.empty(len(cuts.bits))
    for begin in range(0, len(found), _ROWS):
        rows = slice(begin, begin + _ROWS)
        sending = cuts.bits[rows, None] * s_per_bit + np.where(cuts.remote[rows, None], delay_s, 0.0)
        found[rows] = np.partition(sending, place, axis=1)[:, place]
    return cuts.device_s + found + cuts.server_s

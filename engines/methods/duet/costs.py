"""Costs of the parts of a recommender on the device, over the link and in the datacentre.

    lookups of a server   = lookups x (time per lookup + bytes of a row / bandwidth)
    layers                = max(2 MACs x inferences / (efficiency x peak), bytes of weights / bandwidth)
    rows of the device    = bytes / rate of the scratchpad, or rows x time of a DRAM access + bytes / bandwidth
    upload                = bits / throughput
    query, monolithic     = delay + lookups + layers, for all candidates
    query, decomposed     = delay + max(device + upload, candidates' lookups and item top MLP) + combined top MLP

A query larger than a batch is computed by several servers at once, each a batch: latency is that of one batch, energy that of all.

The publication prints shares and gains, no seconds and no joules. Two figures are fitted to it, and marked so wherever they count:
the time per lookup (to the latency shares of RM3 and RM4 in Figure 5.11) and the energy of the device over power x time (to the
64 % that the device has of RM4's energy, section 5.4.2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray
from engines.methods.duet.decomposition import Decomposition
from engines.methods.duet.recommender import BYTES_FP32, Recommender, macs_of
from hardware.radio.model import Radio

FITTED_LOOKUP_NS = 24.0
FITTED_EDGE_FACTOR = 2870.0
PEAK_PER_PRECISION = {
    "fp32": 1.0,
    "int8": 4.0,
}  # operations per cycle: four 8-bit numbers in the place of one of 32 bits
BYTES = {"fp32": BYTES_FP32, "int8": 1}
SCRATCHPAD_BYTES_PER_S = (
    32 * 2.8e9
)  # a row of 256 bits in a cycle of the location tracker's clock (section 5.4.6); assumed
AREA_MM2_PER_BYTE = 0.238 / (720 * 1024)  # SRAM of 10 nm: Table 5.4, RM2
TRACKER_AREA_MM2, TRACKER_POWER_W, TRACKER_CYCLE_S = 250e-6, 0.66e-3, 0.33e-9  # section 5.4.6
NEAR_MEMORY = {"none": 1.0, "recnmp": 10.0, "trim": 39.0}  # speed-up of lookups (section 5.4.8)
NEAR_MEMORY_TITLES = {"recnmp": "RecNMP", "trim": "TRiM"}


@dataclass(frozen=True)
class Server:
    """One server of the datacentre.

    Attributes:
        operations_per_s: rate that its layers reach.
        bytes_per_s: bandwidth of its memory.
        lookup_s: time of an embedding lookup in addition to moving its bytes.
        power_w: while it computes.
        overhead_s: per batch.
    """

    operations_per_s: float
    bytes_per_s: float
    lookup_s: float
    power_w: float
    overhead_s: float = 0.0

    def lookups_s(self, model: Recommender, lookups: float, inferences: FloatArray, speedup: float = 1.0) -> FloatArray:
        """Return the embedding lookups of so many inferences, shape as those."""
        each = self.lookup_s + model.dimension * BYTES_FP32 / self.bytes_per_s
        return lookups * inferences * each / speedup

    def layers_s(self, widths: tuple[int, ...], inferences: FloatArray) -> FloatArray:
        """Return the layers of an MLP for so many inferences in one batch, shape as those."""
        macs = macs_of(widths)
        weights_s = macs * BYTES_FP32 / self.bytes_per_s
        return np.where(inferences > 0, np.maximum(2 * macs * inferences / self.operations_per_s, weights_s), 0.0)


@dataclass(frozen=True)
class Edge:
    """The user's device.

    Attributes:
        operations_per_s: rate that its layers reach in 32-bit numbers.
        bytes_per_s: bandwidth of its memory.
        row_s: time of a DRAM access to a row.
        power_w: while it computes.
        energy_factor: joules that were measured over power x time.
    """

    operations_per_s: float
    bytes_per_s: float
    row_s: float
    power_w: float
    energy_factor: float

    def layers_s(self, widths: tuple[int, ...], precision: str) -> float:
        """Return the layers of an MLP for one inference."""
        macs, faster = macs_of(widths), PEAK_PER_PRECISION[precision]
        return max(2 * macs / (faster * self.operations_per_s), macs * BYTES[precision] / self.bytes_per_s)

    def rows_s(self, rows: float, row_bytes: float, scratchpad: bool) -> float:
        """Return the rows of the user's own tables, read in order."""
        if scratchpad:
            return rows * row_bytes / SCRATCHPAD_BYTES_PER_S
        return rows * (self.row_s + row_bytes / self.bytes_per_s)

    def summed_rows_s(self, rows: float, row_bytes: float, sums_bytes: float, speedup: float) -> float:
        """Return the rows that units near the DRAM read and add up, so many times as fast.

        Then only the sums come to the processor.
        """
        return self.rows_s(rows, row_bytes, scratchpad=False) / speedup + sums_bytes / self.bytes_per_s

    def energy_j(self, busy_s: FloatArray | float) -> FloatArray | float:
        """Return the compute energy in joules for `busy_s` seconds."""
        return self.energy_factor * self.power_w * busy_s


@dataclass(frozen=True)
class Link:
    """The radio of the device.

    Attributes:
        bits_per_s: bandwidth of the upload.
        delay_s: network round trip of every query, monolithic or decomposed.
    """

    radio: Radio
    bits_per_s: float
    delay_s: float

    def seconds(self, payload_bytes: float) -> float:
        """Return the seconds of an upload."""
        return 8 * payload_bytes / self.bits_per_s

    def energy_j(self, payload_bytes: float) -> float:
        """Return the energy of an upload: base power for its duration, and energy per bit."""
        return self.radio.transfer_energy_j(8 * payload_bytes, self.bits_per_s)


@dataclass(frozen=True)
class Monolithic:
    """Parts of a query that the datacentre computes alone, in seconds of one batch; each of shape `b`, of batches."""

    user_lookups_s: FloatArray
    item_lookups_s: FloatArray
    bottom_s: FloatArray
    top_s: FloatArray
    overhead_s: float

    @property
    def seconds(self) -> FloatArray:
        """All of them."""
        return self.user_lookups_s + self.item_lookups_s + self.bottom_s + self.top_s + self.overhead_s


def monolithic(model: Recommender, server: Server, inferences: FloatArray, speedup: float = 1.0) -> Monolithic:
    """Return the whole model for so many candidates in one batch."""
    return Monolithic(
        server.lookups_s(model, model.user_lookups, inferences, speedup),
        server.lookups_s(model, model.item_lookups, inferences, speedup),
        server.layers_s(model.bottom, inferences),
        server.layers_s((model.features, *model.top), inferences),
        server.overhead_s,
    )


@dataclass(frozen=True)
class ItemPart:
    """The datacentre's part of a query, in seconds of one batch; each of shape `b`, of batches."""

    lookups_s: FloatArray
    item_top_s: FloatArray
    combined_s: FloatArray
    overhead_s: float

    @property
    def before_s(self) -> FloatArray:
        """Until the user's vector is needed."""
        return self.lookups_s + self.item_top_s + self.overhead_s

    @property
    def seconds(self) -> FloatArray:
        """All of it."""
        return self.before_s + self.combined_s


def item_part(
    model: Recommender, parts: Decomposition, server: Server, inferences: FloatArray, speedup: FloatArray | float = 1.0
) -> ItemPart:
    """Return the datacentre's half for so many candidates in one batch; `inferences` and `speedup` have one shape."""
    lookups = server.lookups_s(model, model.item_lookups, inferences) / speedup
    return ItemPart(
        lookups,
        server.layers_s(parts.item_top, inferences),
        server.layers_s(parts.combined, inferences),
        server.overhead_s,
    )


@dataclass(frozen=True)
class UserPart:
    """The device's part of one query in seconds, and its upload."""

    rows_s: float
    bottom_s: float
    top_s: float
    upload_s: float
    upload_j: float
    payload_bytes: float

    @property
    def compute_s(self) -> float:
        """Before the upload."""
        return self.rows_s + self.bottom_s + self.top_s

    @property
    def seconds(self) -> float:
        """Until the datacentre has the user's vector."""
        return self.compute_s + self.upload_s

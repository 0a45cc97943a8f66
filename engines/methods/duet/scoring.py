"""Evaluation of designs: tables with the cost of each choice, looked up for many designs at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.errors import DecisionError
from engines.methods.duet.costs import (
    AREA_MM2_PER_BYTE,
    BYTES,
    NEAR_MEMORY,
    TRACKER_AREA_MM2,
    ItemPart,
    UserPart,
    item_part,
    monolithic,
)
from engines.methods.duet.instance import DuetInstance, speedups
from engines.methods.duet.recommender import BYTES_FP32
from engines.methods.duet.space import GENES, kept

SECONDS_PER_HOUR = 3600.0
Row = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Scorer:
    """Prices designs of one problem."""

    instance: DuetInstance

    def columns(self, genes: IntArray) -> dict[str, FloatArray]:
        """Return column -> values of the designs, shape `n` each.

        Args:
            genes: shape `n x 11`, as `Space.every`.
        """
        split, layers, ratio, bottom, tables, top, history, hardware, batch, near, edge_near = genes.T
        compute = (
            self._rows[tables, history, hardware, edge_near]
            + self._bottom[split, bottom, hardware]
            + self._top[layers, ratio, top]
        )
        edge_s = compute + self._upload_s[layers, ratio, top]
        before, after = self._item[0][layers, ratio, batch, near], self._item[1][layers, ratio, batch, near]
        edge_j = self.instance.edge.energy_j(compute) + self._upload_j[layers, ratio, top]
        datacentre_j = self.instance.server.power_w * self.servers[batch] * (before + after)
        latency = self.instance.link.delay_s + np.maximum(edge_s, before) + after
        area = np.where(
            hardware == self._with_unit, self._area[split, tables, history], self._near_memory_area_mm2[edge_near]
        )
        return {
            "latency_s": latency, "edge_energy_j": np.asarray(edge_j), "datacentre_energy_j": datacentre_j, "area_mm2": area,
            "accuracy_loss_percent": self._loss(genes), "battery_life_h": battery_life_h(self.instance, np.asarray(edge_j)),
            "energy_j": edge_j + datacentre_j, "payload_bytes": self._payload[layers, ratio, top], "edge_s": edge_s,
            "latency_gain": self.alone_s / latency, "energy_gain": self.alone_j / (edge_j + datacentre_j),
            "top_layers": np.array(self.instance.space.top_layers, dtype=np.float64)[layers],
            "split_ratio": np.array(self.instance.space.ratios)[ratio],
            "history_lookups": np.array([self._longest(share) for share in self.instance.space.histories])[history],
            "batch": np.array(self.instance.space.batches, dtype=np.float64)[batch],
        }  # fmt: skip

    @cached_property
    def servers(self) -> FloatArray:
        """Return the number of servers that share a query, by batch."""
        size = self.instance.params.query_size
        return np.array([float(-(-size // batch)) for batch in self.instance.space.batches])

    @cached_property
    def inferences(self) -> FloatArray:
        """Return the inferences of one server, by batch: all servers have equally many."""
        return self.instance.params.query_size / self.servers

    @cached_property
    def alone_s(self) -> float:
        """Latency of the monolithic model, the whole query on one server without near-memory processing."""
        whole = np.array([float(self.instance.params.query_size)])
        return (
            float(monolithic(self.instance.model, self.instance.server, whole).seconds[0]) + self.instance.link.delay_s
        )

    @cached_property
    def alone_j(self) -> float:
        """Energy of the same."""
        return self.instance.server.power_w * (self.alone_s - self.instance.link.delay_s)

    def user_part(self, genes: Sequence[int]) -> UserPart:
        """Return the computation of the device in one design."""
        split, layers, ratio, bottom, tables, top, history, hardware = genes[:8]
        return UserPart(
            float(self._rows[tables, history, hardware, genes[10]]), float(self._bottom[split, bottom, hardware]),
            float(self._top[layers, ratio, top]), float(self._upload_s[layers, ratio, top]),
            float(self._upload_j[layers, ratio, top]), float(self._payload[layers, ratio, top]),
        )  # fmt: skip

    def datacentre_part(self, genes: Sequence[int]) -> ItemPart:
        """Return the computation of one server in a design."""
        space = self.instance.space
        parts = space.parts[(space.split_bottom[0], space.top_layers[genes[1]], genes[2])]
        speedup = speedups((space.near_memory[genes[9]],))[0]
        return item_part(self.instance.model, parts, self.instance.server, self.inferences[[genes[8]]], speedup)

    @cached_property
    def _with_unit(self) -> int:
        space = self.instance.space
        return space.hardware.index(True) if True in space.hardware else -1

    @cached_property
    def _rows(self) -> FloatArray:
        """The user's tables; sums that come out of the memory are of 32 bits."""
        space, edge, model = self.instance.space, self.instance.edge, self.instance.model
        sums_bytes = float(BYTES_FP32 * model.pooled_values)

        def seconds(name: str, share: float, unit: bool, near: str) -> float:
            rows, row_bytes = space.history_rows(share), model.dimension * BYTES[name]
            if unit or near == "none":
                return edge.rows_s(rows, row_bytes, unit)
            return edge.summed_rows_s(rows, row_bytes, sums_bytes, NEAR_MEMORY[near])

        return _table(seconds, space.tables_precisions, space.histories, space.hardware, space.edge_near_memory)

    @cached_property
    def _near_memory_area_mm2(self) -> FloatArray:
        given = self.instance.params.edge_near_memory_mm2
        return np.array([0.0 if name == "none" else given for name in self.instance.space.edge_near_memory])

    @cached_property
    def _bottom(self) -> FloatArray:
        """Without the hardware unit nothing is remembered: both halves are computed for every query."""
        space, edge = self.instance.space, self.instance.edge

        def seconds(split: bool, name: str, unit: bool) -> float:
            parts = space.parts[(split, space.top_layers[0], 0)]
            both = (parts.dynamic,) if unit or not split else (parts.dynamic, parts.static)
            return sum(edge.layers_s(widths, name) for widths in both)

        return _table(seconds, space.split_bottom, space.bottom_precisions, space.hardware)

    @cached_property
    def _top(self) -> FloatArray:
        return self._by_top(lambda parts, name: self.instance.edge.layers_s(parts.user_top, name))

    @cached_property
    def _payload(self) -> FloatArray:
        return self._by_top(lambda parts, name: float(parts.payload * BYTES[name]))

    @cached_property
    def _upload_s(self) -> FloatArray:
        return self._by_top(lambda parts, name: self.instance.link.seconds(parts.payload * BYTES[name]))

    @cached_property
    def _upload_j(self) -> FloatArray:
        return self._by_top(lambda parts, name: self.instance.link.energy_j(parts.payload * BYTES[name]))

    def _by_top(self, value: Callable[..., float]) -> FloatArray:
        space = self.instance.space

        def at(layers: int, ratio: int, name: str) -> float:
            return value(space.parts[(space.split_bottom[0], layers, ratio)], name)

        return _table(at, space.top_layers, range(len(space.ratios)), space.top_precisions)

    @cached_property
    def _item(self) -> tuple[FloatArray, FloatArray]:
        """Seconds of a server before and after the user's vector is needed, by layers, ratio, batch and memory."""
        space, model, server = self.instance.space, self.instance.model, self.instance.server
        speedup = np.array(speedups(space.near_memory))
        inferences = np.repeat(self.inferences[:, None], len(speedup), axis=1)
        found = [
            [item_part(model, space.parts[(space.split_bottom[0], layers, ratio)], server, inferences, speedup)
             for ratio in range(len(space.ratios))]
            for layers in space.top_layers
        ]  # fmt: skip
        before = np.array([[part.before_s for part in row] for row in found])
        return before, np.array([[part.combined_s for part in row] for row in found])

    @cached_property
    def _area(self) -> FloatArray:
        space = self.instance.space

        def area(split: bool, name: str, share: float) -> float:
            register = space.parts[(split, space.top_layers[0], 0)].static[-1:] or (0,)
            held = space.history_bytes(share, name) if space.scratchpad_bytes is None else space.scratchpad_bytes
            return AREA_MM2_PER_BYTE * (held + register[0] * BYTES_FP32) + TRACKER_AREA_MM2

        return _table(area, space.split_bottom, space.tables_precisions, space.histories)

    def _loss(self, genes: IntArray) -> FloatArray:
        """Return the points lost: by layers that are split, parts in int8, history left out and ratio, added up."""
        space, losses, model = self.instance.space, self.instance.losses, self.instance.model
        bottom = max(0, len(model.bottom) - 1)
        each = losses.split / max(1, bottom + model.published_split)
        split = np.array(space.split_bottom)[genes[:, 0]]
        layers = np.array(space.top_layers)[genes[:, 1]]
        eight = sum((np.array(names) == "int8")[genes[:, gene]].astype(np.float64) for gene, names in (
            (3, space.bottom_precisions), (4, space.tables_precisions), (5, space.top_precisions),
        ))  # fmt: skip
        left_out = 1 - np.array(space.histories)[genes[:, 6]]
        off = np.where(layers > 0, np.abs(np.array(space.ratios)[genes[:, 2]] - space.ratios[space.nominal]), 0.0)
        lost: FloatArray = (
            each * (bottom * split + layers) + losses.int8 * eight + losses.history * left_out + losses.ratio * off
        )
        return lost

    def _longest(self, share: float) -> float:
        space = self.instance.space
        return float(max(kept(each.lookups, share) for each in space.model.tables if each.user_lookups))

    def decision(self, row: Sequence[int]) -> dict[str, Any]:
        """Return the decision of a design, by gene."""
        return {
            gene: choices[place] for gene, choices, place in zip(GENES, self.instance.space.choices, row, strict=True)
        }

    def row_of(self, decision: Mapping[str, Any]) -> Row:
        """Return the genes of a decision.

        Raises:
            DecisionError: it does not describe a design of this problem.
        """
        space, row = self.instance.space, list[int]()
        for gene, choices in zip(GENES, space.choices, strict=True):
            value = decision.get(gene)
            places = [place for place, each in enumerate(choices) if type(each) is type(value) and each == value]
            if not places:
                raise DecisionError(f"decision.{gene}", value, f"one of {', '.join(map(str, choices))}")
            row.append(places[0])
        if not space.fits(np.array([row]))[0]:
            raise DecisionError("decision.history", decision["history"], "a history that the scratchpad can hold")
        if decision["hardware"] and row[10]:
            got, reason = decision["edge_near_memory"], "The user's tables are in the scratchpad."
            raise DecisionError("decision.edge_near_memory", got, "none", reason=reason)
        return tuple(row)

    @cached_property
    def fastest_candidates(self) -> IntArray:
        """Return candidates for the fastest design on any link: one per group of designs of equal latency.

        What a device computes never gets slower by int8 or by a shorter history, so that the fastest are among these.
        """
        genes, space = self.instance.space.every, self.instance.space
        last = [len(space.bottom_precisions), len(space.tables_precisions), len(space.top_precisions)]
        kept_rows = (genes[:, 3] == last[0] - 1) & (genes[:, 4] == last[1] - 1) & (genes[:, 5] == last[2] - 1)
        return np.asarray(genes[kept_rows & (genes[:, 6] == 0)])

    @cached_property
    def published(self) -> IntArray:
        """The design of the publication, and the same without its hardware optimisations, shape `2 x 11`.

        Bottom MLP split, two top layers split in proportion to the features, int8 for the user's top MLP, the whole history.
        """
        space = self.instance.space
        layers = space.top_layers.index(space.model.published_split)
        rows = []
        for unit in (True, False):
            top = len(space.top_precisions) - 1 if unit else 0
            hardware = space.hardware.index(unit) if unit in space.hardware else 0
            rows.append([
                len(space.split_bottom) - 1, layers, space.nominal, 0, 0, top, len(space.histories) - 1, hardware,
                len(space.batches) - 1, 0, 0,
            ])  # fmt: skip
        return np.array(rows, dtype=np.int64)


def battery_life_h(instance: DuetInstance, edge_energy_j: FloatArray | float) -> FloatArray:
    """Return the battery life of the device with its queries, which add to its usual consumption."""
    store, hours = instance.battery.usable_j, instance.params.idle_life_h
    per_hour = store / hours + instance.params.queries_per_hour * np.asarray(edge_energy_j)
    return np.asarray(store / per_hour)


def _table(value: Callable[..., float], *choices: Sequence[Any]) -> FloatArray:
    """Return `value` of every combination, an axis for each of `choices`."""
    found = [value(*each) for each in product(*choices)]
    return np.array(found, dtype=np.float64).reshape([len(each) for each in choices])

"""The results of one mapping: schedule, energy, blocks, units, clocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.metric_breakdowns import MetricBreakdown
from engines.contract.results import (
    Breakdown,
    Lane,
    LayerGraph,
    LayerNode,
    Result,
    Schedule,
    ScheduleWindow,
    Table,
    TableColumn,
)
from engines.contract.schedules import Bar, busy_shares, schedule_of
from engines.mapping.designs.decision import decode_clocks, decode_units
from engines.mapping.designs.scoring import costs_of
from engines.mapping.explain.broken_limits import broken_note, broken_words
from engines.mapping.explain.clocks import settings_table
from engines.mapping.explain.deployment import deployment_files
from engines.mapping.explain.layer_costs import layer_results
from engines.mapping.problem.instance import Instance
from engines.mapping.solver.unit_mapping import handed_over, score
from hardware.soc.model import ProcessingUnit
from hardware.soc.summary import unit_title

MAPPING_COMPOSED = (
    MetricBreakdown("latency_s", "layer-latency", "by cause", "parts", counted="operator"),
    MetricBreakdown("latency_s", "schedule", "by unit", "lanes"),
    MetricBreakdown("latency_s", "layer-latency", "by layer", "bars"),
    MetricBreakdown("energy_j", "energy", "by unit", "bars"),
    MetricBreakdown("energy_j", "layer-energy", "by layer", "bars"),
)
_KINDS = ("compute", "transfer")
_COMPUTE, _TRANSFER = range(2)
# Weight stationary, output stationary, and the third finish for channels over the array.
_FINISHES = (("kcp", "nvdla"), ("y", "shi-diannao"), ("dpt", "eyeriss"))


class _Mapping:
    """One mapping with the costs of its blocks and transfers, each of shape `n`; a transfer stands with the block after it."""

    def __init__(self, instance: Instance, decision: Mapping[str, Any]) -> None:
        self.instance, self.clocks = instance, decode_clocks(instance, decision)
        self.units = decode_units(instance, decision)
        self.costs, at = costs_of(instance, self.clocks)
        self.at = at
        blocks = np.arange(len(self.units))
        self.latency_s = self.costs.latency_s[blocks, self.units, at]
        self.energy_j = self.costs.energy_j[blocks, self.units, at]
        self.handover_s, self.handover_j = handed_over(self.costs, self.units, at)


def explain_mapping(instance: Instance, decision: Mapping[str, Any]) -> tuple[Result, ...]:
    """Return all results of one design.

    Raises:
        DecisionError: the decision does not describe a mapping of the instance.
    """
    mapping = _Mapping(instance, decision)
    clocks = settings_table(mapping.clocks.at(0))
    scores = score(mapping.costs, mapping.units[None], np.array([mapping.at]))
    return (
        *broken_note(broken_words(instance, mapping.units[None], scores)[0]),
        _schedule(mapping),
        _strip(mapping),
        _blocks_table(mapping),
        _units_table(mapping),
        *layer_results(instance, mapping.units, mapping.clocks, mapping.handover_s, mapping.handover_j),
        _energy(mapping),
        clocks,
        *deployment_files(instance, mapping.units, mapping.clocks),
    )


def _schedule(mapping: _Mapping) -> Schedule:
    instance, now, bars = mapping.instance, 0.0, list[Bar]()
    for block, unit in enumerate(mapping.units.tolist()):
        name = instance.blocks[block]
        for kind, seconds in ((_TRANSFER, mapping.handover_s[block]), (_COMPUTE, mapping.latency_s[block])):
            if kind == _TRANSFER and not seconds:
                continue
            words = name if kind == _COMPUTE else f"transfer to {unit_title(instance.units[unit])} for {name}"
            bars.append(Bar(unit, now, now + seconds, words, kind))
            now += seconds
    busy = busy_shares(bars, len(instance.units), now, _COMPUTE)
    lanes = tuple(
        Lane(name, unit_title(name), _lane_kind(instance.soc.units[name]), float(busy[number]))
        for number, name in enumerate(instance.units)
    )
    window = ScheduleWindow("One inference" if instance.workload.batch == 1 else "One batch", 0.0, float(now))
    follows = [(number - 1, number) for number in range(1, len(bars))]
    title, words = instance.workload.network.title, "one bar is one block of the network"
    return schedule_of(bars, lanes, (window,), (title,), _KINDS, follows, bar_words=words)


def _strip(mapping: _Mapping) -> LayerGraph:
    """Return the blocks in order, coloured by unit, with what they read from further back."""
    instance, skips = mapping.instance, mapping.costs.skips
    kinds = [_finish(instance.soc.units[name]) for name in instance.units]
    nodes = tuple(
        LayerNode(
            str(number), name, unit_title(instance.units[unit]),
            (("Latency", float(seconds), "s"), ("Energy", float(joules), "J")), kinds[unit],
        )
        for number, (name, unit, seconds, joules) in enumerate(
            zip(instance.blocks, mapping.units.tolist(), mapping.latency_s, mapping.energy_j, strict=True)
        )
    )  # fmt: skip
    handed = mapping.costs.handover_s[:, mapping.at]
    edges = [(block, block + 1) for block in range(len(nodes) - 1) if skips is None or handed[block] > 0]
    if skips is not None:
        edges += [(block, reader) for block, of in zip(skips.producer, skips.readers, strict=True) for reader in of]
    return LayerGraph("mapping", "Which unit runs which block", nodes, tuple((str(a), str(b)) for a, b in edges))


def _lane_kind(unit: ProcessingUnit) -> str:
    """Return the kind that selects tint, pattern and words of a unit; a DLA has its own although its kind is "npu"."""
    return unit.name if unit.name == "dla" else unit.kind


def _finish(unit: ProcessingUnit) -> str:
    """Return the kind that selects tint and pattern of a unit; accelerators differ by dataflow."""
    if unit.dataflow is None:
        return _lane_kind(unit)
    return next((finish for start, finish in _FINISHES if unit.dataflow.mapping.startswith(start)), unit.kind)


def _blocks_table(mapping: _Mapping) -> Table:
    instance, at = mapping.instance, mapping.at
    columns = [
        TableColumn("Block", instance.blocks),
        TableColumn("Runs on", tuple(unit_title(instance.units[unit]) for unit in mapping.units.tolist())),
    ]
    for number, name in enumerate(instance.units):
        for title, values, unit in (
            ("latency", mapping.costs.latency_s, "s"),
            ("energy", mapping.costs.energy_j, "J"),
        ):
            own = values[:, number, at]
            columns.append(TableColumn(f"{unit_title(name)} {title}", np.where(np.isfinite(own), own, np.nan), unit))
    columns.append(TableColumn("Transfer before it", mapping.handover_s, "s"))
    return Table(name="blocks", title="Blocks by unit", table_columns=tuple(columns))


def _units_table(mapping: _Mapping) -> Table:
    count = len(mapping.instance.units)

    def by_unit(values: FloatArray) -> FloatArray:
        return np.bincount(mapping.units, weights=values, minlength=count).astype(np.float64)

    busy = by_unit(mapping.latency_s)
    unmeasured = mapping.instance.datasheet_units
    told = tuple("data sheet" if name in unmeasured else "calibration" for name in mapping.instance.units)
    total = float(mapping.latency_s.sum() + mapping.handover_s.sum())
    return Table(
        name="units",
        title="Use of units",
        table_columns=(
            TableColumn("Processing unit", tuple(unit_title(name) for name in mapping.instance.units)),
            TableColumn("Blocks", np.bincount(mapping.units, minlength=count).astype(np.float64)),
            TableColumn("Busy", busy, "s"),
            TableColumn("Share of the time", 100 * busy / total, "%"),
            TableColumn("Energy", by_unit(mapping.energy_j), "J"),
            *([TableColumn("Costs by", told)] if unmeasured else []),
        ),
    )


def _energy(mapping: _Mapping) -> Breakdown:
    count = len(mapping.instance.units)
    values = np.stack(
        [np.bincount(mapping.units, weights=part, minlength=count) for part in (mapping.energy_j, mapping.handover_j)],
        axis=1,
    ).astype(np.float64)
    titles = tuple(unit_title(name) for name in mapping.instance.units)
    return Breakdown("energy", "Energy by unit", titles, ("Blocks", "Transfer to it"), values, "J")

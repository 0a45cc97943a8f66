"""Columns of packages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.arrays import FloatArray
from engines.methods.neksus.dataflow import traffic_of
from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.instance import NeksusInstance
from engines.methods.neksus.package_cost import chiplet_mm2, hub_mm2, micro_bumps, money_of

_TRAFFIC = ("frames_in_deadline_fraction", "energy_j_per_bit", "latency_s", "busiest_channel_fraction")
_STATIC = (
    "cost_usd", "micro_bumps", "silicon_mm2", "once_usd", "each_usd", "chiplets", "ports", "chain_length", "serdes_ratio",
    "channel_bits", "new_chiplets",
)  # fmt: skip


def static_columns(instance: NeksusInstance, designs: Sequence[PackageDesign]) -> dict[str, FloatArray]:
    """Return the columns that do not depend on traffic (costs, micro-bumps, decisions), shape `n` each."""
    columns = {name: np.empty(len(designs)) for name in _STATIC}
    groups: dict[tuple[str, ...], list[int]] = {}
    blocks = instance.system.blocks
    for number, design in enumerate(designs):
        groups.setdefault(tuple(blocks[own[0]].process for own in design.chiplets), []).append(number)
    for rows in groups.values():
        money = money_of(instance.system, instance.costs, [designs[row] for row in rows])
        columns["once_usd"][rows], columns["each_usd"][rows] = money.once_usd, money.each_usd
        columns["cost_usd"][rows] = money.per_system_usd(instance.params.systems)
    for number, design in enumerate(designs):
        columns["micro_bumps"][number] = micro_bumps(instance.system, design)
        silicon = sum(chiplet_mm2(instance.system, design)) + hub_mm2(instance.system, design)
        columns["silicon_mm2"][number] = silicon
        columns["chiplets"][number], columns["ports"][number] = len(design.chiplets), design.ports
        columns["chain_length"][number], columns["serdes_ratio"][number] = design.chain_length, design.serdes_ratio
        columns["channel_bits"][number] = design.channel_bits
        columns["new_chiplets"][number] = len(design.chiplets) - len(design.bought)
    return columns


def traffic_values(instance: NeksusInstance, design: PackageDesign) -> tuple[float, ...]:
    """Return the columns that depend on traffic, in the order of `_TRAFFIC`; bought blocks do not change them."""
    traffic = traffic_of(instance.system, instance.chains, design)
    return traffic.on_time, traffic.joules_per_bit, traffic.latency_s, traffic.busiest


def columns_of(instance: NeksusInstance, designs: Sequence[PackageDesign]) -> dict[str, FloatArray]:
    """Return every column but the slack to the limits, shape `n` each."""
    columns = static_columns(instance, designs)
    known: dict[PackageDesign, tuple[float, ...]] = {}
    rows = []
    for design in designs:
        same = PackageDesign(
            design.topology, design.chiplets, design.chain_length, design.serdes_ratio, design.channel_bits, design.flow,
            frozenset(),
        )  # fmt: skip
        if same not in known:
            known[same] = traffic_values(instance, same)
        rows.append(known[same])
    values = np.array(rows, dtype=np.float64).reshape(len(designs), len(_TRAFFIC))
    columns |= {name: values[:, place] for place, name in enumerate(_TRAFFIC)}
    return columns

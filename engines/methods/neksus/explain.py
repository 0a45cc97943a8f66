"""The explanation of one package: its network by load, the three data flows, energy, cost, and the effect of each parameter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from engines.contract.quantities import SHARE
from engines.contract.results import (
    Breakdown,
    Curve,
    LayerGraph,
    LayerNode,
    Result,
    Sensitivity,
    Series,
    Table,
    TableColumn,
)
from engines.cost.silicon.sensitivity import tornado
from engines.methods.neksus.closed_loop import closed_loop, closed_loop_note, closed_loop_table
from engines.methods.neksus.closed_loop_schedule import closed_loop_schedule
from engines.methods.neksus.dataflow import ENERGY_PARTS, Traffic, traffic_of
from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.flow_schedule import flow_schedule
from engines.methods.neksus.instance import NeksusInstance
from engines.methods.neksus.network_simulation import simulated_network
from engines.methods.neksus.package_cost import money_of
from engines.methods.neksus.params import FLOWS, TOPOLOGIES
from engines.methods.neksus.picture import package_picture
from engines.methods.neksus.volume import cost_parts, volume_results
from hardware.figure_table import figure_table
from hardware.silicon.loader import load_silicon_costs
from hardware.silicon.model import SiliconCosts

_CHANNELS, _SHARE = 15, 0.2
_LOADS = np.linspace(0.1, 3.0, 30)


def explain_package(
    instance: NeksusInstance, design: PackageDesign, costs_content: Mapping[str, Any]
) -> tuple[Result, ...]:
    """Return all results of one package."""
    traffic = traffic_of(instance.system, instance.chains, design)
    flows = {name: _with_flow(instance, design, name) for name in FLOWS}
    return (
        package_graph(instance, design, traffic),
        _channels(traffic),
        *_at_work(instance, design, flows),
        _chains(flows),
        _energy(flows),
        _over_load(instance, design),
        *simulated_network(instance, traffic),
        *cost_parts(instance, design),
        *volume_results(instance, design, "This package"),
        _tornado(instance, design, costs_content),
    )


def _at_work(instance: NeksusInstance, design: PackageDesign, flows: Mapping[str, Traffic]) -> tuple[Result, ...]:
    """Return blocks, network and memory over time: simulated, or a frame by the formulas."""
    if not instance.params.simulate_network:
        return (flow_schedule(instance, flows),)
    loop = closed_loop(instance, design)
    if loop is None:
        return (flow_schedule(instance, flows), closed_loop_note(instance, loop))
    return (
        package_picture(instance, design, loop),
        closed_loop_schedule(instance, loop),
        closed_loop_table(instance, flows, loop),
        closed_loop_note(instance, loop),
    )


def _with_flow(instance: NeksusInstance, design: PackageDesign, flow: str) -> Traffic:
    return traffic_of(instance.system, instance.chains, replace(design, flow=flow))


def package_graph(instance: NeksusInstance, design: PackageDesign, traffic: Traffic) -> LayerGraph:
    """Return the hub, its mini-chains in order, and how busy the ways into every chiplet are."""
    topology = traffic.network.topology
    hub = LayerNode("hub", f"Hub: {TOPOLOGIES[design.topology].lower()}, {design.ports} ports", "Hub")
    nodes, edges = [hub], []
    first = len(topology.links) + 2 * topology.terminals
    for number, members in enumerate(design.chains):
        before = "hub"
        for place, chiplet in enumerate(members):
            if design.chain_length > 1:
                load = float(traffic.loads[first + place])
            else:
                load = float(traffic.loads[len(topology.links) + topology.terminals + chiplet])
            titles = " + ".join(instance.system.blocks[name].title for name in design.chiplets[chiplet])
            kind = "bought" if chiplet in design.bought else "new"
            figures = (("Way in, busy", load, SHARE),)
            group = f"Mini-chain {number + 1}" if design.chain_length > 1 else "Own port"
            nodes.append(LayerNode(str(chiplet), f"{titles} ({kind})", group, figures))
            edges.append((before, str(chiplet)))
            before = str(chiplet)
        if design.chain_length > 1:
            first += len(members) + 3
    return LayerGraph("package", "Package: chiplets in the order of their chains", tuple(nodes), tuple(edges))


def _channels(traffic: Traffic) -> Table:
    order = np.argsort(-traffic.loads, kind="stable")[:_CHANNELS]
    order = order[traffic.loads[order] > 0]
    titles = [traffic.network.channel_title(int(number)) for number in order]
    loads = [float(traffic.loads[number]) for number in order]
    return Table(
        "channels", "Busiest channels",
        (
            TableColumn("Channel", (*titles, "Memory")),
            TableColumn("Busy", np.array([*loads, traffic.memory_load]), SHARE),
        ),
    )  # fmt: skip


def _chains(flows: Mapping[str, Traffic]) -> Table:
    rows = [(FLOWS[name], timing) for name, traffic in flows.items() for timing in traffic.chains]
    return Table(
        "chains", "Chains by data flow",
        (
            TableColumn("Data flow", tuple(title for title, _ in rows)),
            TableColumn("Chain", tuple(timing.chain.title for _, timing in rows)),
            TableColumn("Frame", np.array([timing.latency_s for _, timing in rows]), "s"),
            TableColumn("Deadline", np.array([timing.chain.deadline_s for _, timing in rows]), "s"),
            TableColumn("Frames on time", np.array([timing.on_time for _, timing in rows]), SHARE),
        ),
    )  # fmt: skip


def _energy(flows: Mapping[str, Traffic]) -> Breakdown:
    values = np.stack([traffic.energy_w / traffic.bits_per_s for traffic in flows.values()])
    return Breakdown(
        "energy", "Energy per bit handed on", tuple(FLOWS[name] for name in flows), ENERGY_PARTS, values, "J/bit"
    )


def _over_load(instance: NeksusInstance, design: PackageDesign) -> Curve:
    """Return the latency over how many frames are asked for, until a channel is always busy; then nothing is drawn."""
    series = []
    for name, title in FLOWS.items():
        latency = []
        for factor in _LOADS.tolist():
            chains = [replace(chain, frames_per_s=chain.frames_per_s * factor) for chain in instance.chains]
            found = traffic_of(instance.system, chains, replace(design, flow=name))
            latency.append(found.latency_s if found.busiest < 1 else np.nan)
        series.append(Series(title, np.array(latency), "s"))
    return Curve(
        "over-load", "Latency of a frame over load (ends where a channel is always busy)", _LOADS,
        "Frames, of those asked for", "x",
        tuple(series),
    )  # fmt: skip


def _tornado(instance: NeksusInstance, design: PackageDesign, content: Mapping[str, Any]) -> Sensitivity:
    systems = instance.params.systems

    def cost(costs: SiliconCosts) -> float:
        return float(money_of(instance.system, costs, [design]).per_system_usd(systems)[0])

    swings = tornado(content, cost, _SHARE)
    rows = {row.key: row for row in figure_table(content, load_silicon_costs(content).sources)}
    return Sensitivity(
        "sensitivity", "Change of the system cost when a value falls or rises by a fifth",
        "Cost of a system", "USD", cost(instance.costs),
        tuple(f"{rows[swing.key].group}: {rows[swing.key].title}" for swing in swings),
        tuple(rows[swing.key].unit for swing in swings),
        *(np.array([getattr(swing, name) for swing in swings]) for name in ("low_value", "given", "high_value", "low", "high")),
    )  # fmt: skip

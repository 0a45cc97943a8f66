"""The explanation of one cut: device, radio and server over time, energy, what is sent, and the graph with both sides."""

from __future__ import annotations

import numpy as np

from engines.contract.results import (
    Breakdown,
    Lane,
    LayerGraph,
    LayerNode,
    Note,
    Result,
    ScheduleWindow,
    Table,
    TableColumn,
)
from engines.contract.schedules import Bar, schedule_of
from engines.methods.split_network.instance import SplitInstance
from engines.methods.split_network.quantities import LIMITS
from engines.methods.split_network.scoring import Cut, CutCosts, priced
from hardware.radio.summary import TECHNOLOGY_TITLES
from hardware.soc.summary import unit_title

_COMPUTE, _TRANSFER, _WAIT = range(3)


def explain_cut(instance: SplitInstance, design: Cut) -> tuple[Result, ...]:
    """Return all results of one cut."""
    cut = priced(instance, [design])
    return (
        *_broken(instance, cut),
        _schedule(instance, cut),
        _energy(instance, cut),
        *(() if cut.inside.all() else (_sent(instance, cut),)),
        _graph(instance, cut),
    )


def _schedule(instance: SplitInstance, cut: CutCosts) -> Result:
    s_per_bit = instance.channel.mean_s_per_bit
    delay_s = instance.queue.mean_s if cut.remote[0] else 0.0
    inside = int(cut.inside.sum())
    parts = (
        (0, float(cut.device_s[0]), f"{inside} layers on the device", _COMPUTE),
        (1, float(cut.bits[0] * s_per_bit), "Upload", _TRANSFER),
        (2, delay_s, "Delay of the server", _WAIT),
        (2, float(cut.server_s[0]), f"{cut.inside.shape[1] - inside} layers at the server", _COMPUTE),
    )
    bars, now = [], 0.0
    for lane, seconds, label, kind in parts:
        if seconds > 0:
            bars.append(Bar(lane, now, now + seconds, label, kind))
            now += seconds
    unit_kind = instance.covered.soc.units[instance.unit].kind
    titles = (unit_title(instance.unit), TECHNOLOGY_TITLES[instance.radio.technology], "Server")
    busy = [
        sum(bar.end_s - bar.start_s for bar in bars if bar.lane == lane and bar.kind != _WAIT) / now
        for lane in range(3)
    ]
    names, kinds = ("device", "radio", "server"), (unit_kind, "radio", "server")
    lanes = [Lane(*each) for each in zip(names, titles, kinds, busy, strict=True)]
    return schedule_of(
        bars, lanes, [ScheduleWindow("One inference, at mean bandwidth and delay", 0.0, now)], [instance.network.title],
        kinds=("compute", "transfer", "wait"), title="One inference",
        bar_words="one bar is all layers of a side, the upload, or the delay of the server",
    )  # fmt: skip


def _energy(instance: SplitInstance, cut: CutCosts) -> Breakdown:
    costs, bits = instance.costs, float(cut.bits[0])
    layers = float(costs.energy_j[cut.inside[0]].sum())
    coding = float(costs.coding_j[int(cut.bottleneck[0])][cut.crossing[0]].sum())
    base = bits * instance.channel.mean_s_per_bit * instance.radio.base_power_w
    parts = ("Layers", "Bottleneck", "Radio, base", "Radio, by throughput")
    values = np.array([[layers, coding, base, bits * instance.joules_per_bit]])
    return Breakdown("energy", "Energy of the device", ("Device",), parts, values, "J")


def _sent(instance: SplitInstance, cut: CutCosts) -> Table:
    rows = np.flatnonzero(cut.crossing[0])
    tensors = [instance.graph.tensors[row] for row in rows]
    return Table(
        name="sent",
        title="Transferred data",
        table_columns=(
            TableColumn("Result of", tuple(tensor.title for tensor in tensors)),
            TableColumn("Values", np.array([float(tensor.elements) for tensor in tensors])),
            TableColumn("Sent", instance.costs.bits[int(cut.bottleneck[0]), rows] / 8, "B"),
            TableColumn("Read by layers at the server", np.array(
                [float((~cut.inside[0, list(tensor.readers)]).sum()) for tensor in tensors]
            )),
        ),
    )  # fmt: skip


def _graph(instance: SplitInstance, cut: CutCosts) -> LayerGraph:
    names, kind = instance.graph.names, instance.covered.soc.units[instance.unit].kind
    unit, costs = unit_title(instance.unit), instance.costs
    nodes = tuple(
        LayerNode(
            str(number), name, unit if inside else "Server",
            (("Latency", float(seconds if inside else away), "s"),), kind if inside else "",
        )
        for number, (name, inside, seconds, away) in enumerate(
            zip(names, cut.inside[0].tolist(), costs.latency_s, costs.server_s, strict=True)
        )
    )  # fmt: skip
    edges = tuple((str(a), str(b)) for b, parents in enumerate(instance.graph.parents) for a in parents)
    return LayerGraph("cut", "Which side runs which layer", nodes, edges)


def _broken(instance: SplitInstance, cut: CutCosts) -> tuple[Note, ...]:
    columns = {
        "latency_s": cut.latency_s(instance.channel.mean_s_per_bit, instance.queue.mean_s),
        "energy_j": cut.energy_j(instance.channel.mean_s_per_bit, instance.radio.base_power_w, instance.joules_per_bit),
    }
    words = [
        f"{limit.title} {limit.words(float(columns[limit.column][0]))}, at most {limit.words(instance.allowed[limit])}"
        for limit in LIMITS
        if limit in instance.allowed and columns[limit.column][0] > instance.allowed[limit]
    ]
    return (
        (Note("limits", "Violates limits", f"This cut violates limits: {'; '.join(words)}.", "warning"),)
        if words
        else ()
    )

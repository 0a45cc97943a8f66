"""The explanation of one design: its layers by side, latency and energy by part, the mechanism. Without torch."""

from __future__ import annotations

import numpy as np

from engines.contract.results import Breakdown, LayerGraph, LayerNode, Result, Table, TableColumn
from engines.methods.privynas.choice import Choice
from engines.methods.privynas.instance import PrivynasInstance
from engines.methods.privynas.measuring import Bench
from engines.methods.privynas.mechanism import scale_of

_EDGE, _SERVER, _NOISE = "On the device", "At the server", "Clipping and noise"


def explained(bench: Bench, choice: Choice) -> tuple[Result, ...]:
    """Return grid, tables, breakdowns and notes that explain one design."""
    instance = bench.instance
    return (_graph(instance, choice), *_costs(instance, choice), _budgets(bench, choice))


def _graph(instance: PrivynasInstance, choice: Choice) -> LayerGraph:
    nodes, edges, before = [LayerNode("stem", "Stem", _EDGE)], list[tuple[str, str]](), "stem"

    def put(name: str, title: str, group: str, elements: int | None = None) -> None:
        nonlocal before
        figures = () if elements is None else (("Elements given out", float(elements), ""),)
        nodes.append(LayerNode(name, title, group, figures))
        edges.append((before, name))
        before = name

    for number, (block, place) in enumerate(zip(instance.space.blocks, choice.operations, strict=True), start=1):
        side = _EDGE if number <= choice.position else _SERVER
        put(f"block{number}", f"Block {number}: {block.names[place]}", side, block.elements)
        if number == choice.position:
            put("noise", "Clip and add noise", _NOISE, block.elements)
    put("head", "Head", _SERVER)
    return LayerGraph("network", "Network and cut", tuple(nodes), tuple(edges))


def _costs(instance: PrivynasInstance, choice: Choice) -> tuple[Breakdown, Breakdown]:
    seconds, joules = instance.costs.parts(choice.operations, choice.position)
    blocks = (f"Block {number}" for number in range(1, choice.position + 1))
    parts = ("Stem", *blocks, _NOISE, "Sending")
    return (
        Breakdown("latency", "Edge latency", ("Design",), parts, seconds[None], "s"),
        Breakdown("energy", "Edge energy", ("Design",), parts, joules[None], "J"),
    )


def _budgets(bench: Bench, choice: Choice) -> Table:
    """Return noise scales and accuracy of the same network and cut at other budgets, before training of the server's side."""
    subnet, budgets = bench.subnet(choice), bench.instance.epsilons
    found = [bench.accuracy(subnet, bench.data.test, "budgets", each) for each in budgets]
    return Table(
        "budgets", f"This network and cut at every budget, without training of the server's side (B = {subnet.bound:.4g})",
        (
            TableColumn("Epsilon", np.array(budgets)),
            TableColumn("Noise scale b", np.array([scale_of(subnet.bound, each) for each in budgets])),
            TableColumn("Clean accuracy (test)", np.array([each.clean for each in found]), "%"),
            TableColumn("Noisy accuracy (test)", np.array([each.noisy for each in found]), "%"),
        ),
    )  # fmt: skip

"""The package from above: hub, mini-chains to both sides of it, and how busy each link is in the simulation."""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.results import NetworkLink, NetworkNode, NetworkPicture
from engines.methods.neksus.closed_loop import ChainRun, ClosedLoop
from engines.methods.neksus.closed_loop_schedule import window_cycles
from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.instance import NeksusInstance
from engines.methods.neksus.network import network_of
from engines.methods.neksus.packets import packets_of, routes_of
from engines.methods.neksus.params import FLOWS, TOPOLOGIES
from engines.simulation.noc.topology import Topology

# In steps: one chiplet and its channel, a mini-chain below the other.
_HUB_HALF, _FIRST, _HALF, _APART, _RETURN = 0.45, 1.1, 0.36, 0.1, 0.38


def package_picture(instance: NeksusInstance, design: PackageDesign, loop: ClosedLoop) -> NetworkPicture:
    """Return the loads while the heaviest chain is in the middle of a frame and the others keep their pace.

    The design's data flow first.
    """
    topology = network_of(instance.system, design).topology
    runs = sorted(loop.heaviest(instance), key=lambda run: run.flow != design.flow)
    rows = -(-len(design.chains) // 2)
    kind = TOPOLOGIES[design.topology].lower()
    busiest = max(float(np.max(_hub_loads(topology, run), initial=0.0)) for run in runs)
    details = f"{kind}, {design.ports} ports"
    if len(topology.links):
        details += f"; busiest channel between its routers {busiest:.0%}"
    nodes = [NetworkNode("Hub", details, 0.0, (rows - 1) / 2, 2 * _HUB_HALF, rows - 0.3, "dram")]
    links: list[NetworkLink] = []
    for number, members in enumerate(design.chains):
        side, row = (-1.0 if number % 2 else 1.0), float(number // 2)
        for place, chiplet in enumerate(members):
            nodes.append(_chiplet(instance, design, chiplet, side * (_FIRST + place), row))
        links += _chain_links(design, number, side, row)
    chain = instance.chains[runs[0].number].title
    routes, cycles = routes_of(design), window_cycles(tuple(runs), runs[0].number)
    return NetworkPicture(
        "network-picture", f"Links by load, simulated: {chain} in the middle of a frame", tuple(nodes), tuple(links),
        tuple(FLOWS[run.flow] for run in runs), np.array([_loads(topology, design, run) for run in runs]),
        tuple(packets_of(instance, run, list(routes), cycles) for run in runs), tuple(routes.values()),
        tuple(each.title for each in instance.chains), cycles / instance.system.router.hz,
    )  # fmt: skip


def _chiplet(instance: NeksusInstance, design: PackageDesign, chiplet: int, x: float, y: float) -> NetworkNode:
    blocks = design.chiplets[chiplet]
    titles = " and ".join(instance.system.blocks[name].title.lower() for name in blocks)
    bought = "bought" if chiplet in design.bought else "new"
    name = "+".join(name.upper() for name in blocks)
    return NetworkNode(name, f"{titles}, {bought}", x, y, 2 * _HALF, 0.5, "npu")


def _chain_links(design: PackageDesign, number: int, side: float, row: float) -> list[NetworkLink]:
    """Return the channels in the order of a ring's segments; of a chiplet with its own port, from the hub and to it."""
    members = design.chains[number]
    names = ["hub", *("+".join(design.chiplets[chiplet]).upper() for chiplet in members)]
    if design.chain_length == 1:
        near, far = side * _HUB_HALF, side * (_FIRST - _HALF)
        return [
            NetworkLink(f"Hub to {names[1]}", (near, far), (row - _APART, row - _APART)),
            NetworkLink(f"{names[1]} to hub", (far, near), (row + _APART, row + _APART)),
        ]
    edges = [
        _HUB_HALF,
        *(end for place in range(len(members)) for end in (_FIRST + place - _HALF, _FIRST + place + _HALF)),
    ]
    found = [
        NetworkLink(
            f"{names[place]} to {names[place + 1]}", (side * edges[2 * place], side * edges[2 * place + 1]), (row, row)
        )
        for place in range(len(members))
    ]
    last, below = _FIRST + len(members) - 1, row + _RETURN
    back = NetworkLink(f"{names[-1]} to hub", (side * last, side * last, side * _HUB_HALF), (row + 0.25, below, below))
    return [*found, back]


def _loads(topology: Topology, design: PackageDesign, run: ChainRun) -> list[float]:
    """Return the shares of time, in the order of the links."""
    found: list[float] = []
    for number, members in enumerate(design.chains):
        if design.chain_length == 1:
            entering, leaving = run.outcome.terminal_load[members[0]].tolist()
            held = topology.terminal_cycles_per_flit
            found += [leaving * held, entering * held]
        else:
            held = topology.chains[number].cycles_per_flit
            found += (run.outcome.segment_load[number, : len(members) + 1] * held).tolist()
    return found


def _hub_loads(topology: Topology, run: ChainRun) -> FloatArray:
    return run.outcome.link_load * np.array([link.cycles_per_flit for link in topology.links], dtype=np.float64)

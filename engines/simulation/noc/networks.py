"""The networks that goyal-2023 compares (section 6.5.2), as `Topology` values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from engines.simulation.noc.topology import Chain, Link, Topology


def crossbar(terminals: int, latency_cycles: int = 1) -> Topology:
    """Return one router with a port for each terminal."""
    return Topology(
        f"{terminals} x {terminals} crossbar",
        1,
        (),
        (0,) * terminals,
        np.full((1, 1), -1, dtype=np.int64),
        terminal_latency_cycles=latency_cycles,
        places=((0.0, 0.0),),
    )


def mesh(columns: int, rows: int, concentration: int = 1) -> Topology:
    """Return a grid of routers with XY routing: first along the row, then along the column.

    Args:
        columns: from 1 on.
        rows: from 1 on.
        concentration: terminals on each router; more than one makes the concentrated mesh.
    """
    _at_least_one(columns=columns, rows=rows, concentration=concentration)
    pairs = []
    for router in range(columns * rows):
        column, row = router % columns, router // columns
        near = ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1))
        pairs += [(router, y * columns + x) for x, y in near if 0 <= x < columns and 0 <= y < rows]
    name = (
        f"{columns} x {rows} mesh"
        if concentration == 1
        else f"{columns} x {rows} concentrated mesh, {concentration} each"
    )
    return _grid(name, columns, rows, concentration, pairs, step=lambda at, to: at + (to > at) - (to < at))


def flattened_butterfly(columns: int, rows: int, concentration: int) -> Topology:
    """Return each router linked to all others of its row and of its column; first along the row, then along the column.

    The 4-ary 3-flat of goyal-2023 and Kim et al. (MICRO 2007) has 4 columns, 4 rows and 4 terminals on each router.
    """
    _at_least_one(columns=columns, rows=rows, concentration=concentration)
    pairs = []
    for router in range(columns * rows):
        column, row = router % columns, router // columns
        pairs += [(router, row * columns + x) for x in range(columns) if x != column]
        pairs += [(router, y * columns + column) for y in range(rows) if y != row]
    name = f"{columns} x {rows} flattened butterfly, {concentration} each"
    return _grid(name, columns, rows, concentration, pairs, step=lambda at, to: to)


def star(terminals: int, local_degree: int = 4) -> Topology:
    """Return the local routers for `local_degree` terminals each, and one router that links these."""
    _at_least_one(terminals=terminals, local_degree=local_degree)
    local = -(-terminals // local_degree)
    centre = local
    links = [*(Link(router, centre) for router in range(local)), *(Link(centre, router) for router in range(local))]
    next_link = np.full((local + 1, local + 1), -1, dtype=np.int64)
    next_link[:local, :] = np.arange(local)[:, None]
    next_link[centre, :local] = local + np.arange(local)
    np.fill_diagonal(next_link, -1)
    owners = tuple(terminal // local_degree for terminal in range(terminals))
    places = (*((float(router), 0.0) for router in range(local)), ((local - 1) / 2, 1.0))
    return Topology(
        f"star of {local} routers, {local_degree} each", local + 1, tuple(links), owners, next_link, places=places
    )


def with_chains(
    hub: Topology, chains: Sequence[Sequence[int]], latency_cycles: int = 2, handshake_cycles: int = 1
) -> Topology:
    """Return a hub whose ports each carry a mini-chain of chiplets in place of a single terminal.

    Args:
        hub: its terminals are the ports.
        chains: of each used port, in order, its chiplets in the order of the ring, numbered from 0 on without gaps.
        latency_cycles: latency in cycles of the ring; see `Chain`.
        handshake_cycles: before each packet.

    Raises:
        ValueError: more chains than ports, a chiplet that stands twice (a chain with a loop) or numbers with gaps.
    """
    if len(chains) > hub.terminals:
        raise ValueError(f"{len(chains)} chains need as many ports. The hub has {hub.terminals} instead.")
    routers: dict[int, int] = {}
    for port, members in enumerate(chains):
        for member in members:
            if member in routers:
                raise ValueError(f"Chiplet {member} appears twice in the chains; a chain must not have loops.")
            routers[member] = hub.terminal_router[port]
    if sorted(routers) != list(range(len(routers))):
        raise ValueError(f"Chiplets of chains are numbered from 0 on without gaps. Got {sorted(routers)} instead.")
    rings = tuple(
        Chain(hub.terminal_router[port], tuple(members), handshake_cycles, latency_cycles)
        for port, members in enumerate(chains)
    )
    owners = tuple(routers[chiplet] for chiplet in range(len(routers)))
    return replace(hub, name=f"{hub.name} with mini-chains", terminal_router=owners, chains=rings)


def crossbar_hub(chiplets: int, ports: int = 16, chain_length: int = 4) -> Topology:
    """Return the interconnect of goyal-2023: a crossbar, at each port a mini-chain of up to `chain_length` chiplets.

    Raises:
        ValueError: more chiplets than the ports' chains can hold.
    """
    _at_least_one(chiplets=chiplets, ports=ports, chain_length=chain_length)
    if chiplets > ports * chain_length:
        raise ValueError(
            f"{chiplets} chiplets do not fit {ports} ports with chains of {chain_length};"
            f" these hold {ports * chain_length}. Use more ports, longer chains or fewer chiplets."
        )
    members = [list(range(first, min(first + chain_length, chiplets))) for first in range(0, chiplets, chain_length)]
    return with_chains(crossbar(ports), members)


def _at_least_one(**values: int) -> None:
    for name, value in values.items():
        if value < 1:
            raise ValueError(f"{name} must be at least 1. Got {value} instead.")


def _grid(
    name: str,
    columns: int,
    rows: int,
    concentration: int,
    pairs: Sequence[tuple[int, int]],
    step: Callable[[int, int], int],
) -> Topology:
    """Return the routers in a grid, numbered along the rows; `step` gives the next column (or row) towards another one."""
    number = {pair: place for place, pair in enumerate(pairs)}
    routers = columns * rows
    next_link = np.full((routers, routers), -1, dtype=np.int64)
    for at in range(routers):
        for end in range(routers):
            (x, y), (to_x, to_y) = (at % columns, at // columns), (end % columns, end // columns)
            if x != to_x:
                next_link[at, end] = number[at, y * columns + step(x, to_x)]
            elif y != to_y:
                next_link[at, end] = number[at, step(y, to_y) * columns + x]
    return Topology(
        name,
        routers,
        tuple(Link(source, target, length_mm=2.0 * _distance(source, target, columns)) for source, target in pairs),
        tuple(terminal // concentration for terminal in range(routers * concentration)),
        next_link,
        places=tuple((float(router % columns), float(router // columns)) for router in range(routers)),
    )


def _distance(source: int, target: int, columns: int) -> int:
    return abs(source % columns - target % columns) + abs(source // columns - target // columns)

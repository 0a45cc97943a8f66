"""A package as it was decided: which blocks share a chiplet, which chiplets a chain, how channels are made, how data flow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engines.contract.errors import DecisionError
from engines.methods.neksus.params import FLOWS, TOPOLOGIES
from hardware.chiplet_system.model import ChipletSystem


@dataclass(frozen=True)
class PackageDesign:
    """A package.

    Attributes:
        topology: of the hub's routers, a key of `TOPOLOGIES`.
        chiplets: blocks of each chiplet; chiplets in the order of the chains, first one next to the hub's port.
        chain_length: chiplets of a mini-chain, the last one may have fewer; 1: every chiplet has a port of its own.
        serdes_ratio: bits of the channel that share a wire.
        channel_bits: of each direction.
        flow: a key of `FLOWS`.
        bought: numbers of the chiplets that are bought.
    """

    topology: str
    chiplets: tuple[tuple[str, ...], ...]
    chain_length: int
    serdes_ratio: int
    channel_bits: int
    flow: str
    bought: frozenset[int]

    @property
    def ports(self) -> int:
        """Of the hub: one for every mini-chain."""
        return -(-len(self.chiplets) // self.chain_length)

    @property
    def chains(self) -> tuple[tuple[int, ...], ...]:
        """Numbers of the chiplets of each mini-chain."""
        count, length = len(self.chiplets), self.chain_length
        return tuple(tuple(range(first, min(first + length, count))) for first in range(0, count, length))

    @property
    def chiplet_of(self) -> dict[str, int]:
        """Block -> its chiplet."""
        return {block: number for number, blocks in enumerate(self.chiplets) for block in blocks}


def encoded(design: PackageDesign) -> dict[str, Any]:
    """As it is stored."""
    return {
        "topology": design.topology,
        "chiplets": [list(blocks) for blocks in design.chiplets],
        "chain_length": design.chain_length,
        "serdes_ratio": design.serdes_ratio,
        "channel_bits": design.channel_bits,
        "flow": design.flow,
        "bought": sorted(design.bought),
    }


def decoded(decision: Mapping[str, Any], system: ChipletSystem, most_ports: int) -> PackageDesign:
    """The package that a decision describes.

    Raises:
        DecisionError: it describes none; more chiplets than the ports' chains hold, a block that stands twice.
    """
    chiplets = _chiplets(decision.get("chiplets"), system)
    numbers = {name: _whole(decision, name) for name in ("chain_length", "serdes_ratio", "channel_bits")}
    topology, flow = _of(decision, "topology", TOPOLOGIES), _of(decision, "flow", FLOWS)
    bought = decision.get("bought", [])
    for number in bought if isinstance(bought, list) else [bought]:
        own = chiplets[number] if isinstance(number, int) and 0 <= number < len(chiplets) else ()
        if len(own) != 1 or not system.blocks[own[0]].for_sale:
            raise DecisionError("decision.bought", bought, "numbers of chiplets of one block each that is for sale")
    design = PackageDesign(topology=topology, chiplets=chiplets, flow=flow, bought=frozenset(bought), **numbers)
    if design.ports > most_ports:
        accepted = (
            f"at most {most_ports * design.chain_length} for {most_ports} ports with chains of {design.chain_length}"
        )
        raise DecisionError("decision.chiplets", len(chiplets), accepted)
    return design


def _chiplets(given: Any, system: ChipletSystem) -> tuple[tuple[str, ...], ...]:
    words = "a list of chiplets, each a list of blocks, every block of the document once: no loops"
    if not isinstance(given, list) or not all(isinstance(blocks, list) and blocks for blocks in given):
        raise DecisionError("decision.chiplets", given, words)
    flat = [block for blocks in given for block in blocks]
    if not all(isinstance(block, str) for block in flat) or sorted(flat) != sorted(system.blocks):
        raise DecisionError("decision.chiplets", given, words)
    for blocks in given:
        if len({system.blocks[block].process for block in blocks}) > 1:
            raise DecisionError("decision.chiplets", blocks, "blocks of one process in a chiplet")
    return tuple(tuple(blocks) for blocks in given)


def _whole(decision: Mapping[str, Any], name: str) -> int:
    value = decision.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 4096:
        raise DecisionError(f"decision.{name}", value, "a whole number from 1 to 4096")
    return value


def _of(decision: Mapping[str, Any], name: str, known: Mapping[str, str]) -> str:
    value = decision.get(name)
    if not isinstance(value, str) or value not in known:
        raise DecisionError(f"decision.{name}", value, f"one of {', '.join(known)}")
    return value

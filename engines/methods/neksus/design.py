"""A package as it was decided: which blocks share a chiplet, which chiplets a chain, how channels are made, how data flow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer, ValidationInfo

from engines.contract.encoding.decoding import ValueRefusal, one_of, whole
from engines.methods.neksus.params import FLOWS, TOPOLOGIES
from hardware.chiplet_system.model import ChipletSystem


def _chiplets(given: Any, info: ValidationInfo[ChipletSystem]) -> Any:
    """Refuse what is no partition of the blocks of the system, which is the context."""
    system = info.context
    words = "a list of chiplets, each a list of blocks, every block of the document once: no loops"
    if not isinstance(given, list) or not all(isinstance(blocks, list) and blocks for blocks in given):
        raise ValueRefusal(given, words)
    flat = [block for blocks in given for block in blocks]
    if not all(isinstance(block, str) for block in flat) or sorted(flat) != sorted(system.blocks):
        raise ValueRefusal(given, words)
    for blocks in given:
        if len({system.blocks[block].process for block in blocks}) > 1:
            raise ValueRefusal(blocks, "blocks of one process in a chiplet")
    return given


def _bought(given: Any, info: ValidationInfo[ChipletSystem]) -> Any:
    """Refuse numbers of chiplets that cannot be bought."""
    chiplets = info.data.get("chiplets", ())
    words = "numbers of chiplets of one block each that is for sale"
    if not isinstance(given, list):
        raise ValueRefusal(given, words)
    for number in given:
        own: Sequence[str] = chiplets[number] if isinstance(number, int) and 0 <= number < len(chiplets) else ()
        if len(own) != 1 or not info.context.blocks[own[0]].for_sale:
            raise ValueRefusal(given, words)
    return given


_Count = Annotated[int, whole(1, 4096)]


@dataclass(frozen=True)
class PackageDesign:
    """A package.

    Attributes:
        topology: topology of the hub's routers, a key of `TOPOLOGIES`.
        chiplets: blocks of each chiplet; chiplets in the order of the chains, first one next to the hub's port.
        chain_length: chiplets of a mini-chain, the last one may have fewer; 1: every chiplet has a port of its own.
        serdes_ratio: bits of the channel that share a wire.
        channel_bits: channel bits of each direction.
        flow: a key of `FLOWS`.
        bought: numbers of the chiplets that are bought.
    """

    topology: Annotated[str, one_of(TOPOLOGIES)]
    chiplets: Annotated[tuple[tuple[str, ...], ...], BeforeValidator(_chiplets)]
    chain_length: _Count
    serdes_ratio: _Count
    channel_bits: _Count
    flow: Annotated[str, one_of(FLOWS)]
    bought: Annotated[frozenset[int], BeforeValidator(_bought), PlainSerializer(sorted)] = frozenset()

    @property
    def ports(self) -> int:
        """Return the ports of the hub: one for every mini-chain."""
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

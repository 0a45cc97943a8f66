"""Space of packages: every package is a row of genes, each a place in a list of choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.contract.numeric.random_streams import random_stream
from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.package_cost import largest_mm2
from engines.methods.neksus.params import NeksusParams, split_list, whole_numbers
from hardware.chiplet_system.model import ApplicationChain, ChipletSystem

GENES = ("topology", "chain_length", "serdes", "width", "flow", "granularity", "reuse", "order")


@dataclass(frozen=True, eq=False)
class PackageSpace:
    """Choices of every gene, in the order of `GENES`.

    Attributes:
        orders: orders of blocks.
        most_ports: largest number of ports of the hub.
        reticle_mm2: largest area of a die of a package.
        decided: blocks that are bought or designed, one by one; a gene for each behind those of `GENES`, 1: bought.
    """

    system: ChipletSystem
    topologies: tuple[str, ...]
    chain_lengths: tuple[int, ...]
    serdes_ratios: tuple[int, ...]
    channel_widths: tuple[int, ...]
    flows: tuple[str, ...]
    granularities: tuple[int, ...]
    reuse: tuple[str, ...]
    orders: tuple[tuple[str, ...], ...]
    most_ports: int
    reticle_mm2: float = float("inf")
    decided: tuple[str, ...] = ()

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many choices each gene has, one more for every block that is decided."""
        lists = (
            self.topologies, self.chain_lengths, self.serdes_ratios, self.channel_widths, self.flows, self.granularities,
            self.reuse, self.orders,
        )  # fmt: skip
        return (*map(len, lists), *(2 for _ in self.decided))

    def design(self, genes: Sequence[int]) -> PackageDesign | None:
        """Return the package of a row of genes; None where the hub has too few ports or a die is larger than the reticle."""
        topology, length, serdes, width, flow, granularity, reuse, order, *bits = genes
        chiplets = merged(self.system, self.orders[order], self.granularities[granularity])
        designed = {block for block, bought in zip(self.decided, bits, strict=True) if not bought}
        offered = () if self.reuse[reuse] == "none" else set(for_sale(self.system)) - designed
        bought = frozenset(n for n, blocks in enumerate(chiplets) if len(blocks) == 1 and blocks[0] in offered)
        found = PackageDesign(
            self.topologies[topology], chiplets, self.chain_lengths[length], self.serdes_ratios[serdes],
            self.channel_widths[width], self.flows[flow], bought,
        )  # fmt: skip
        fits = found.ports <= self.most_ports and largest_mm2(self.system, found) <= self.reticle_mm2
        return found if fits else None


def space_of(
    system: ChipletSystem, chains: Sequence[ApplicationChain], params: NeksusParams, seed: int, reticle_mm2: float
) -> PackageSpace:
    """Return the search space of the parameters; duplicate choices count once."""

    def once(words: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(split_list(words)))

    def numbers(words: str) -> tuple[int, ...]:
        return tuple(dict.fromkeys(whole_numbers(words)))

    reuse = once(params.reuse)
    decided: tuple[str, ...] = ()
    if "each" in reuse:
        reuse, decided = ("each",), once(params.reuse_blocks) or for_sale(system)
    return PackageSpace(
        system, once(params.topologies), numbers(params.chain_lengths), numbers(params.serdes_ratios),
        numbers(params.channel_widths), once(params.flows), numbers(params.granularities), reuse,
        orders_of(system, chains, numbers(params.chain_lengths), params.orders, seed), params.most_ports,
        reticle_mm2, decided,
    )  # fmt: skip


def for_sale(system: ChipletSystem) -> tuple[str, ...]:
    """Return the blocks that can be bought as chiplets."""
    return tuple(name for name, block in system.blocks.items() if block.for_sale)


def merged(system: ChipletSystem, order: Sequence[str], granularity: int) -> tuple[tuple[str, ...], ...]:
    """Return the neighbours of the order put together, up to `granularity` of them, where one process makes them."""
    found: list[tuple[str, ...]] = []
    for block in order:
        fits = found and len(found[-1]) < granularity
        if fits and system.blocks[found[-1][0]].process == system.blocks[block].process:
            found[-1] = (*found[-1], block)
        else:
            found.append((block,))
    return tuple(found)


def orders_of(
    system: ChipletSystem, chains: Sequence[ApplicationChain], lengths: Sequence[int], count: int, seed: int
) -> tuple[tuple[str, ...], ...]:
    """Return up to `count` different orders of the blocks: by traffic for each mini-chain length, as given, then at random."""
    given = tuple(system.blocks)
    found = dict.fromkeys([*(by_traffic(given, chains, length) for length in sorted(lengths, reverse=True)), given])
    for number in range(4 * count):
        if len(found) >= count:
            break
        shuffled = random_stream(seed, "order", number).permutation(len(given))
        found[tuple(given[place] for place in shuffled)] = None
    return tuple(found)[:count]


def by_traffic(blocks: Sequence[str], chains: Sequence[ApplicationChain], length: int) -> tuple[str, ...]:
    """Sort blocks so that a block with much traffic precedes its receiver, in one mini-chain of `length` if it fits.

    The heaviest transfer first: its two blocks join the ends of their rows, where they still are ends. Rows then fill mini-chains,
    the longest first, each where it fits first; longer ones than a mini-chain are cut.
    """
    full: list[list[str]] = []
    for row in _rows(blocks, chains):
        for begin in range(0, len(row), length):
            piece = row[begin : begin + length]
            room = next((other for other in full if len(other) + len(piece) <= length), None)
            if room is None:
                full.append(piece)
            else:
                room += piece
    return tuple(block for chain in sorted(full, key=lambda chain: -len(chain)) for block in chain)


def _rows(blocks: Sequence[str], chains: Sequence[ApplicationChain]) -> list[list[str]]:
    """Return the rows of blocks that hand on to each other, the longest first."""
    rows = {block: [block] for block in blocks}
    moved: dict[tuple[str, str], float] = {}
    for chain in chains:
        for place, size in enumerate(chain.bytes_handed_on):
            pair = (chain.blocks[place], chain.blocks[place + 1])
            moved[pair] = moved.get(pair, 0.0) + size * chain.frames_per_s
    for source, target in sorted(moved, key=lambda pair: -moved[pair]):
        first, second = rows[source], rows[target]
        if first is not second and first[-1] == source and second[0] == target:
            first += second
            rows |= dict.fromkeys(second, first)
    different = {id(row): row for row in rows.values()}
    return sorted(different.values(), key=lambda row: -len(row))

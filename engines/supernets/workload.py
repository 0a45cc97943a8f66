"""A subnet of a supernet as a `network/1` document: the same operations as the catalogue's vision graph networks are made of."""

from __future__ import annotations

from typing import Any

from engines.supernets.space import Architecture, SuperblockChoice, SupernetSpace
from engines.workloads.graph_rules import with_rules
from engines.workloads.loader import load_network
from engines.workloads.network import Network
from engines.workloads.vision_graph_rows import GRAPH_RULES, Row, convolution, feed_forward, grapher, moved

_LETTERS = {"max-relative": "M", "edge": "E", "gin": "G", "sage": "S"}


def letters(architecture: Architecture) -> str:
    """Return the operators as the paper writes them: "M-G-S-G"."""
    return "-".join(_LETTERS[choice.operator] for choice in architecture)


def label_of(architecture: Architecture) -> str:
    """Return the label: operators and number of blocks."""
    return f"{letters(architecture)}, {sum(choice.depth for choice in architecture)} blocks"


def stem_rows(space: SupernetSpace) -> list[Row]:
    """Return the operations before the first superblock, learnt positions among them."""
    rows: list[Row] = []
    channels, side = space.image_channels, space.image_side
    for index, (width, stride) in enumerate(space.stem, start=1):
        act = index < len(space.stem)
        rows += convolution(f"stem.{index}", width, channels, side, kernel=3, stride=stride, act=act)
        channels, side = width, side // stride
    size = channels * side**2
    return [*rows, moved("stem.positions", "eltwise", 2 * size, size, size)]


def superblock_rows(space: SupernetSpace, place: int, choice: SuperblockChoice, first: int) -> list[Row]:
    """Return the operations of one superblock, with the convolution before it where the grid halves; blocks count from `first`."""
    rows: list[Row] = []
    if place and space.widths[place] != space.widths[place - 1]:
        rows += convolution(
            f"reduce{place}", space.widths[place], space.widths[place - 1], space.sides[place - 1],
            kernel=3, stride=2, act=False,
        )  # fmt: skip
    block = space.block(place, choice)
    for number in range(first, first + choice.depth):
        rows += grapher(f"grapher{number}", block) + feed_forward(f"ffn{number}", block)
    return rows


def head_rows(space: SupernetSpace) -> list[Row]:
    """Return the operations after the last superblock."""
    width, side, hidden = space.widths[-1], space.sides[-1], space.head_channels
    classify = {"name": "head.classify", "kind": "conv", "k": space.classes, "c": hidden}
    return [
        moved("head.mean", "pool", width * side**2, width),
        *convolution("head.hidden", hidden, width, 1, act=True),
        classify | {"weight_elements": hidden * space.classes + space.classes},
    ]


def network_rows(space: SupernetSpace, architecture: Architecture) -> list[Row]:
    """Return all operations of a subnet."""
    rows, first = stem_rows(space), 1
    for place, choice in enumerate(architecture):
        rows += superblock_rows(space, place, choice, first)
        first += choice.depth
    return with_rules(rows + head_rows(space), GRAPH_RULES)


def network_document(space: SupernetSpace, architecture: Architecture, slug: str = "subnet") -> dict[str, Any]:
    """Return the subnet as a document of the catalogue."""
    blocks = sum(choice.depth for choice in architecture)
    shape = "pyramid" if space.pyramid else "isotropic"
    return {
        "schema": "network/1",
        "slug": slug,
        "title": f"Vision graph subnet {letters(architecture)}",
        "short_title": letters(architecture),
        "summary": f"{blocks} blocks in four superblocks ({shape}), images of {space.image_side} x {space.image_side}.",
        "source": "a subnet of a MaGNAS supernet (odema-2023 section 4.1)",
        "operations": network_rows(space, architecture),
    }


def network_of(space: SupernetSpace, architecture: Architecture) -> Network:
    """Return the subnet as engines see a workload."""
    return load_network(network_document(space, architecture))

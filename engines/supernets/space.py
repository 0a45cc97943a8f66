"""The architectures that a supernet holds: four superblocks of vision graph blocks, each with five choices.

Source: odema-2023 (MaGNAS) sections 4.1.1, 4.1.2 and 5.1.1, Table 1. Depth, graph operator, whether Graphers pre-process, whether
there are feed-forward parts and how wide they are inside. Blocks of a superblock share their choices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from engines.contract.errors import DecisionError, ProblemError
from engines.workloads.vision_graph import OPERATORS
from engines.workloads.vision_graph_rows import GraphBlock, GraphOperator

SUPERBLOCKS = 4


@dataclass(frozen=True)
class SuperblockChoice:
    """The choices of one superblock.

    Attributes:
        operator: graph operator of all its blocks.
        depth: number of its blocks.
        preprocessed: whether Graphers begin with a 1x1 convolution ("fc_use").
        feed_forward: whether blocks have a feed-forward part ("ffn_use").
        hidden: channels inside the feed-forward parts ("w"); without those parts always the least, as it changes nothing.
    """

    operator: GraphOperator
    depth: int
    preprocessed: bool
    feed_forward: bool
    hidden: int


Architecture = tuple[SuperblockChoice, ...]


@dataclass(frozen=True)
class SupernetSpace:
    """The shapes of a supernet and the choices of its superblocks.

    Attributes:
        image_channels, image_side: channels and side (in pixels) of its input images.
        stem: channels and stride of its 3x3 convolutions, the last without an activation.
        widths: channels of each superblock; where they change, a 3x3 convolution of stride 2 stands between (a pyramid).
        neighbours, dilations, poolings: neighbours, dilations and poolings of the graphs of each superblock (see `GraphBlock`).
        depths, operators: choices of every superblock.
        hidden: choices of the width inside feed-forward parts, by superblock.
        head_channels: head channels of the layer before the classes.
        classes: number of classes.
    """

    image_channels: int
    image_side: int
    stem: tuple[tuple[int, int], ...]
    widths: tuple[int, ...]
    neighbours: tuple[int, ...]
    dilations: tuple[int, ...]
    poolings: tuple[int, ...]
    hidden: tuple[tuple[int, ...], ...]
    head_channels: int
    classes: int
    depths: tuple[int, ...] = (2, 3, 4)
    operators: tuple[GraphOperator, ...] = OPERATORS

    def __post_init__(self) -> None:
        by_superblock = (self.widths, self.neighbours, self.dilations, self.poolings, self.hidden)
        _require(all(len(each) == SUPERBLOCKS for each in by_superblock), "superblocks", "four of each list")
        _require(self.stem[-1][0] == self.widths[0], "stem", f"a stem that ends with {self.widths[0]} channels")
        _require(self.image_side % self.shrinking == 0, "image_side", f"a multiple of {self.shrinking} pixels")
        _require(min(self.depths) >= 1 and list(self.depths) == sorted(self.depths), "depths", "rising from 1 on")
        for place in range(SUPERBLOCKS):
            block = self.block(place, self.smallest(self.operators[0])[place])
            reach = block.neighbours * block.dilation
            accepted = f"at most {block.candidates} ranked candidates in superblock {place + 1}"
            _require(0 < reach <= block.candidates, "neighbours", accepted)

    @property
    def pyramid(self) -> bool:
        """Whether superblocks differ in width."""
        return len(set(self.widths)) > 1

    @property
    def sides(self) -> tuple[int, ...]:
        """Nodes along a side of the grid of each superblock."""
        side = self.image_side
        for _, stride in self.stem:
            side //= stride
        found = [side]
        for before, after in pairwise(self.widths):
            side = side if before == after else side // 2
            found.append(side)
        return tuple(found)

    @property
    def shrinking(self) -> int:
        """Pixels along a side of the image for each node along a side of the last superblock's grid."""
        halved = sum(before != after for before, after in pairwise(self.widths))
        shrunk = 1
        for _, stride in self.stem:
            shrunk *= stride
        return shrunk << halved

    @property
    def printed_size(self) -> int:
        """Encodings, counted as the paper does: the hidden width also where there is no feed-forward part."""
        return prod(len(self.depths) * len(self.operators) * 4 * len(hidden) for hidden in self.hidden)

    @property
    def size(self) -> int:
        """Architectures that differ."""
        return prod(len(self.depths) * len(self.operators) * 2 * (1 + len(each)) for each in self.hidden)

    def block(self, place: int, choice: SuperblockChoice) -> GraphBlock:
        """Return the shape of the blocks of one superblock."""
        return GraphBlock(
            choice.operator,
            self.widths[place],
            self.sides[place],
            self.neighbours[place],
            self.dilations[place],
            self.poolings[place],
            preprocessed=choice.preprocessed,
            hidden=choice.hidden if choice.feed_forward else None,
        )

    def largest(self, operator: GraphOperator) -> Architecture:
        """Return the greatest depth and width with one operator throughout (section 4.1.3)."""
        return tuple(SuperblockChoice(operator, self.depths[-1], True, True, max(each)) for each in self.hidden)

    def smallest(self, operator: GraphOperator) -> Architecture:
        """Return the least depth, nothing that can be left out, one operator throughout (section 4.1.3)."""
        return tuple(SuperblockChoice(operator, self.depths[0], False, False, min(each)) for each in self.hidden)

    def choices(self, place: int) -> list[SuperblockChoice]:
        """Return every distinct superblock at one position."""
        least = min(self.hidden[place])
        inner = [(False, least), *((True, hidden) for hidden in self.hidden[place])]
        return [
            SuperblockChoice(operator, depth, preprocessed, feed_forward, hidden)
            for operator in self.operators
            for depth in self.depths
            for preprocessed in (False, True)
            for feed_forward, hidden in inner
        ]

    def random_superblock(self, place: int, generator: np.random.Generator) -> SuperblockChoice:
        """Return a superblock of which every choice is uniform and independent of the others."""
        feed_forward = bool(generator.integers(2))
        hidden = self.hidden[place][generator.integers(len(self.hidden[place]))]
        return SuperblockChoice(
            self.operators[generator.integers(len(self.operators))],
            self.depths[generator.integers(len(self.depths))],
            bool(generator.integers(2)),
            feed_forward,
            hidden if feed_forward else min(self.hidden[place]),
        )

    def random(self, generator: np.random.Generator) -> Architecture:
        """Return an architecture of such superblocks."""
        return tuple(self.random_superblock(place, generator) for place in range(SUPERBLOCKS))

    @staticmethod
    def with_operators(architecture: Architecture, operators: Sequence[GraphOperator]) -> Architecture:
        """Return the same architecture with other graph operators, one per superblock."""
        return tuple(replace(choice, operator=each) for choice, each in zip(architecture, operators, strict=True))

    def encode(self, architecture: Architecture) -> list[dict[str, Any]]:
        """Encode an architecture as JSON, for decisions."""
        return [asdict(choice) for choice in architecture]

    def decode(self, given: Any, field: str = "decision.architecture") -> Architecture:
        """Return an architecture of this space from JSON.

        Raises:
            DecisionError: it is not one.
        """
        if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != SUPERBLOCKS:
            raise DecisionError(field, given, f"a list of {SUPERBLOCKS} superblocks")
        return tuple(self._superblock(each, place, f"{field}[{place}]") for place, each in enumerate(given))

    def _superblock(self, given: Any, place: int, field: str) -> SuperblockChoice:
        names = {"operator", "depth", "preprocessed", "feed_forward", "hidden"}
        if not isinstance(given, Mapping) or set(given) != names:
            raise DecisionError(field, given, f"a mapping with {', '.join(sorted(names))}")
        allowed: Mapping[str, Sequence[Any]] = {
            "operator": self.operators,
            "depth": self.depths,
            "preprocessed": (False, True),
            "feed_forward": (False, True),
            "hidden": self.hidden[place],
        }
        for name, values in allowed.items():
            if given[name] not in values or isinstance(given[name], bool) != isinstance(values[0], bool):
                raise DecisionError(f"{field}.{name}", given[name], f"one of {', '.join(map(str, values))}")
        hidden = given["hidden"] if given["feed_forward"] else min(self.hidden[place])
        return SuperblockChoice(given["operator"], given["depth"], given["preprocessed"], given["feed_forward"], hidden)


def space_to_json(space: SupernetSpace) -> dict[str, Any]:
    """Return the space as document content; `space_from_json` takes it."""
    return {name: _plain(value) for name, value in asdict(space).items()}


def space_from_json(content: Mapping[str, Any], field: str = "space") -> SupernetSpace:
    """Return the space that a document describes.

    Raises:
        ProblemError: a key is missing, unknown or of the wrong kind.
    """
    try:
        space = SupernetSpace(**{name: _tuples(value) for name, value in content.items()})
    except (TypeError, ValueError, IndexError, ZeroDivisionError) as error:
        raise ProblemError(field, str(error)[:200], "the shapes of a supernet") from error
    unknown = set(space.operators) - set(OPERATORS)
    if unknown:
        raise ProblemError(f"{field}.operators", sorted(unknown), f"of {', '.join(OPERATORS)}")
    return space


def _plain(value: Any) -> Any:
    return [_plain(each) for each in value] if isinstance(value, tuple | list) else value


def _tuples(value: Any) -> Any:
    return tuple(_tuples(each) for each in value) if isinstance(value, tuple | list) else value


def _require(condition: bool, name: str, accepted: str) -> None:
    if not condition:
        raise ProblemError(f"space.{name}", "other shapes", accepted)

"""Spaces of backbones: the AttentiveNAS space, or the subnets of a trained supernet."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from engines.contract.arrays import IntArray
from engines.cost.soc.operations import OperationTable
from engines.methods.hadas.exits import Positions, attentive_positions, graph_positions
from engines.methods.hadas.space import BASELINES, COUNTS, as_decision, decode, from_decision
from engines.supernets.genome import Genome
from engines.supernets.results import OPERATOR_TITLES
from engines.supernets.space import SUPERBLOCKS, Architecture
from engines.supernets.weights_document import SupernetWeights
from engines.supernets.workload import label_of, network_of
from engines.workloads.families.attentive_nas import AttentiveSubnet, attentivenas_network
from engines.workloads.loader import load_network
from engines.workloads.network import Network

Subnet = AttentiveSubnet | Architecture


class BackboneSpace(ABC):
    """Backbones as rows of genes, as networks and as decisions; those of its own that what is found is compared with.

    Attributes:
        baselines_title, baselines_words: what its own are called together, by themselves and within a sentence.
    """

    baselines_title: str
    baselines_words: str

    @property
    @abstractmethod
    def words(self) -> str:
        """Return what its points are, after their number."""

    @property
    @abstractmethod
    def baselines(self) -> Mapping[str, Any]:
        """Its own backbones that others are compared with, by name."""

    @property
    def classes(self) -> int | None:
        """Number of classes that exits distinguish; None if the parameters set it."""
        return None

    @property
    @abstractmethod
    def counts(self) -> IntArray:
        """Choices of each gene."""

    @property
    def size(self) -> int:
        """Backbones."""
        return prod(self.counts.tolist())

    @property
    @abstractmethod
    def ends(self) -> tuple[Any, ...]:
        """Backbones that have every kind of operation that any has; the first has the fewest blocks."""

    @abstractmethod
    def decode(self, genes: IntArray) -> Any:
        """Return the backbone of a row."""

    @abstractmethod
    def as_decision(self, subnet: Any) -> Any:
        """Return the subnet as JSON."""

    @abstractmethod
    def from_decision(self, given: Any) -> Any:
        """Return a backbone from JSON.

        Raises:
            DecisionError: it is none of this space; names the key and what it accepts.
        """

    @abstractmethod
    def network(self, subnet: Any) -> Network:
        """Return the operations of the backbone, without exits."""

    @abstractmethod
    def positions(self, network: Network, table: OperationTable, first: int) -> Positions:
        """Return the possible positions of exits in the backbone.

        Raises:
            ProblemError: nowhere.
        """

    @abstractmethod
    def stem_end(self, table: OperationTable) -> int:
        """Return first operation of the first backbone of `ends` that not every input of every backbone passes."""

    @abstractmethod
    def title(self, subnet: Any) -> str:
        """Return the title of a subnet for pages."""


class AttentiveSpace(BackboneSpace):
    """The published space (odema-2024 Table 2.1)."""

    words = "backbones of the AttentiveNAS space"
    baselines = BASELINES
    baselines_title = "AttentiveNAS a0 to a6"
    baselines_words = "a0 to a6"
    counts = COUNTS
    ends = (BASELINES["a0"], BASELINES["a6"])  # a0: the lowest resolution and the narrowest stem

    def decode(self, genes: IntArray) -> AttentiveSubnet:
        """Decode genes like `BackboneSpace.decode`."""
        return decode(genes)

    def as_decision(self, subnet: AttentiveSubnet) -> dict[str, Any]:
        """Return the backbone in the keys of AttentiveNAS' configuration file."""
        return as_decision(subnet)

    def from_decision(self, given: Any) -> AttentiveSubnet:
        """Read a subnet like `BackboneSpace.from_decision`."""
        return from_decision(given)

    def network(self, subnet: AttentiveSubnet) -> Network:
        """Build a network like `BackboneSpace.network`."""
        return load_network(attentivenas_network("backbone", "Backbone", "Backbone", subnet))

    def positions(self, network: Network, table: OperationTable, first: int) -> Positions:
        """Return the positions of exits, after MBConv layers."""
        return attentive_positions(network, table, first)

    def stem_end(self, table: OperationTable) -> int:
        """Return the first place, behind the stem."""
        return table.blocks(2)[1][4]

    def title(self, subnet: AttentiveSubnet) -> str:
        """Return the title of a subnet: resolution and depth."""
        return f"{subnet.resolution} px, {sum(subnet.depth)} layers"


@dataclass(frozen=True, eq=False)
class SupernetBackbones(BackboneSpace):
    """The subnets of a trained supernet.

    A row has four genes for each superblock: graph operator, depth, whether Graphers pre-process, and the width inside
    feed-forward parts, the first of which represents none.

    Attributes:
        weights: weights of the supernet.
    """

    weights: SupernetWeights
    baselines_title = "Largest subnets"
    baselines_words = "the largest subnets"

    @property
    def words(self) -> str:
        """Names the supernet."""
        return f"subnets of {self.weights.title}"

    @property
    def classes(self) -> int:
        """Return the number of classes of the supernet."""
        return self.weights.space.classes

    @cached_property
    def _shapes(self) -> tuple[tuple[int, ...], ...]:
        space = self.weights.space
        return tuple((len(space.operators), len(space.depths), 2, 1 + len(each)) for each in space.hidden)

    @cached_property
    def _genome(self) -> Genome:
        return Genome(self.weights.space)

    @property
    def counts(self) -> IntArray:
        """Shape `16`."""
        return np.array(self._shapes, dtype=np.int64).ravel()

    @property
    def baselines(self) -> Mapping[str, Architecture]:
        """The largest subnet of each graph operator."""
        space = self.weights.space
        return {f"Largest with {OPERATOR_TITLES[each]}": space.largest(each) for each in space.operators}

    @property
    def ends(self) -> tuple[Architecture, ...]:
        """The smallest, and the largest of each graph operator."""
        space = self.weights.space
        return (space.smallest(space.operators[0]), *(space.largest(each) for each in space.operators))

    def decode(self, genes: IntArray) -> Architecture:
        """Decode genes like `BackboneSpace.decode`."""
        rows = genes.reshape(SUPERBLOCKS, -1).tolist()
        places = [np.ravel_multi_index(tuple(row), shape) for row, shape in zip(rows, self._shapes, strict=True)]
        return self._genome.decode(np.array(places, dtype=np.int64))

    def as_decision(self, subnet: Architecture) -> list[dict[str, Any]]:
        """Return the decision of the subnet, one mapping per superblock."""
        return self.weights.space.encode(subnet)

    def from_decision(self, given: Any) -> Architecture:
        """Read an architecture like `BackboneSpace.from_decision`."""
        return self.weights.space.decode(given, "decision.backbone")

    def network(self, subnet: Architecture) -> Network:
        """Build a network like `BackboneSpace.network`."""
        return network_of(self.weights.space, subnet)

    def positions(self, network: Network, table: OperationTable, first: int) -> Positions:
        """Return the places after vision graph blocks."""
        return graph_positions(network, table, first)

    def stem_end(self, table: OperationTable) -> int:
        """Return the first place, behind the stem."""
        return table.blocks(1)[1][1]

    def title(self, subnet: Architecture) -> str:
        """Return the title of a subnet: graph operators and depth."""
        return label_of(subnet)

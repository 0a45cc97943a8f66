"""The search space: a sequence of clusters with bounds, and the networks in it.

Source: minakova-2022 section 6 ("Genotype Creation", "Genetic Operators"), Tables 3 to 5. A genome gives every cluster its layers;
a layer is its number of neurons and its kernel. Poolings have none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from engines.methods.sbrs.graph import Graph, Node, Shape
from hardware.documents import load_yaml

LayerGene = tuple[int, int]  # neurons, kernel
Genome = tuple[tuple[LayerGene, ...], ...]
LAYERED = ("conv", "conv_res", "fc")
KINDS = (*LAYERED, "max_pool", "global_avg_pool", "global_max_pool")
_SPACES = Path(__file__).parent / "spaces.yaml"


@dataclass(frozen=True)
class Cluster:
    """Layers of one type on one size of feature map.

    Attributes:
        kind: out of `KINDS`.
        layers: least and most layers.
        neurons: least and most neurons of a layer.
        kernel: least and most rows of a kernel, odd.
    """

    kind: str
    layers: tuple[int, int] = (0, 0)
    neurons: tuple[int, int] = (0, 0)
    kernel: tuple[int, int] = (1, 1)

    @property
    def words(self) -> str:
        """For tables."""
        if self.kind not in LAYERED:
            return self.kind.replace("_", " ")
        kernels = f", kernels {self.kernel[0]} to {self.kernel[1]}" if self.kind != "fc" else ""
        bounds = f"{self.layers[0]} to {self.layers[1]} layers, {self.neurons[0]} to {self.neurons[1]} neurons"
        return f"{self.kind.replace('_', ' ')}: {bounds}{kernels}"


@dataclass(frozen=True)
class Genotype:
    """Clusters between an input and as many outputs as there are classes."""

    clusters: tuple[Cluster, ...]
    input_shape: Shape
    classes: int

    @property
    def layered(self) -> tuple[int, ...]:
        """Numbers of the clusters that have layers."""
        return tuple(number for number, cluster in enumerate(self.clusters) if cluster.kind in LAYERED)

    def draw(self, random: np.random.Generator) -> Genome:
        """Return a network at random."""
        return tuple(self._cluster(cluster, random) for cluster in self.clusters)

    def mutate(self, genome: Genome, rate: float, random: np.random.Generator) -> Genome:
        """Give one layer more or fewer neurons, by at most the share `rate` (Q_m) and at least one, or another kernel."""
        place = int(random.choice(self.layered))
        cluster, layers = self.clusters[place], list(genome[place])
        ways = ["neurons"]
        ways += ["kernel"] if cluster.kind != "fc" and cluster.kernel[0] < cluster.kernel[1] else []
        way, number = str(random.choice(ways)), int(random.integers(len(layers)))
        neurons, kernel = layers[number]
        if way == "neurons":
            step = max(1, round(neurons * rate * float(random.random())))
            neurons = int(np.clip(neurons + (step if random.random() < 0.5 else -step), *cluster.neurons))
            layers[number] = (neurons, kernel)
        else:
            layers[number] = (neurons, int(np.clip(kernel + (2 if random.random() < 0.5 else -2), *cluster.kernel)))
        return (*genome[:place], tuple(layers), *genome[place + 1 :])

    def cross(self, first: Genome, second: Genome, random: np.random.Generator) -> tuple[Genome, Genome, int]:
        """Return two networks exchange one whole cluster; also which."""
        place = int(random.choice(self.layered))
        swapped = [(*own[:place], other[place], *own[place + 1 :]) for own, other in ((first, second), (second, first))]
        return swapped[0], swapped[1], place

    def check(self, genome: Any) -> Genome:
        """Return the genome that JSON says.

        Raises:
            ValueError: a cluster is missing or out of its bounds; says which.
        """
        if not isinstance(genome, Sequence) or len(genome) != len(self.clusters):
            raise ValueError(f"must have {len(self.clusters)} clusters")
        found: list[tuple[LayerGene, ...]] = []
        for number, (cluster, layers) in enumerate(zip(self.clusters, genome, strict=True), start=1):
            try:
                genes = tuple((int(neurons), int(kernel)) for neurons, kernel in layers)
            except (TypeError, ValueError, OverflowError) as error:
                raise ValueError(f"cluster {number} must be a list of [neurons, kernel]") from error
            inside = cluster.layers[0] <= len(genes) <= cluster.layers[1] and all(
                cluster.neurons[0] <= neurons <= cluster.neurons[1]
                and cluster.kernel[0] <= kernel <= cluster.kernel[1]
                and kernel % 2
                for neurons, kernel in genes
            )
            if not inside:
                raise ValueError(f"cluster {number} must keep {cluster.words}")
            found.append(genes)
        return tuple(found)

    def graph(self, genome: Genome, name: str) -> Graph:
        """Return the network of a genome."""
        return Graph(name, tuple(_Builder(self).build(genome)))

    def _cluster(self, cluster: Cluster, random: np.random.Generator) -> tuple[LayerGene, ...]:
        if cluster.kind not in LAYERED:
            return ()
        count = int(random.integers(cluster.layers[0], cluster.layers[1] + 1))
        low, high = cluster.kernel
        return tuple(
            (
                int(random.integers(cluster.neurons[0], cluster.neurons[1] + 1)),
                low + 2 * int(random.integers((high - low) // 2 + 1)),
            )
            for _ in range(count)
        )


class _Builder:
    """Makes the nodes of a genome one after the other."""

    def __init__(self, genotype: Genotype) -> None:
        self._genotype = genotype
        self._nodes = [Node("input", "input", (), genotype.input_shape)]

    def build(self, genome: Genome) -> list[Node]:
        """Return all nodes."""
        for number, (cluster, layers) in enumerate(zip(self._genotype.clusters, genome, strict=True), start=1):
            if cluster.kind == "fc":
                for index, (neurons, _) in enumerate(layers, start=1):
                    self._linear(f"c{number}.fc{index}", neurons, activated=True)
            elif cluster.kind in LAYERED:
                self._convolutions(f"c{number}", layers, residual=cluster.kind == "conv_res")
            else:
                self._pool(f"c{number}.{cluster.kind}", cluster.kind)
        self._linear("classes", self._genotype.classes, activated=False)
        return self._nodes

    def _convolutions(self, name: str, layers: Sequence[LayerGene], *, residual: bool) -> None:
        begin = len(self._nodes) - 1
        for index, (neurons, kernel) in enumerate(layers, start=1):
            last = index == len(layers)
            self._conv(f"{name}.conv{index}", neurons, kernel, activated=not (residual and last))
        if residual:
            end, skip = len(self._nodes) - 1, begin
            if self._nodes[begin].shape != self._nodes[end].shape:
                self._conv(f"{name}.skip", self._nodes[end].shape[0], 1, activated=False, source=begin)
                skip = len(self._nodes) - 1
            shape = self._nodes[end].shape
            self._nodes.append(Node(f"{name}.add", "add", (end, skip), shape, activated=True))

    def _conv(self, name: str, neurons: int, kernel: int, *, activated: bool, source: int = -1) -> None:
        source = source if source >= 0 else len(self._nodes) - 1
        channels, height, width = self._nodes[source].shape
        sides = (kernel, kernel if width > 1 else 1)  # signals are maps of one column
        shape = (neurons, channels, *sides)
        self._nodes.append(Node(name, "conv", (source,), (neurons, height, width), sides, activated, shape))

    def _linear(self, name: str, neurons: int, *, activated: bool) -> None:
        source = len(self._nodes) - 1
        shape = (neurons, self._nodes[source].elements)
        self._nodes.append(Node(name, "fc", (source,), (neurons, 1, 1), (1, 1), activated, shape))

    def _pool(self, name: str, kind: str) -> None:
        source = len(self._nodes) - 1
        channels, height, width = self._nodes[source].shape
        if kind == "max_pool":
            window = (min(2, height), min(2, width))
            if window == (1, 1):  # nothing left to reduce: small inputs lose the last poolings
                return
            shape = (channels, height // window[0], width // window[1])
            self._nodes.append(Node(name, "max_pool", (source,), shape, window))
            return
        operator: Any = kind
        self._nodes.append(Node(name, operator, (source,), (channels, 1, 1)))


SMALL = (
    Cluster("conv", (1, 3), (8, 24), (3, 5)),
    Cluster("max_pool"),
    Cluster("conv_res", (1, 3), (12, 32), (3, 5)),
    Cluster("max_pool"),
    Cluster("conv_res", (1, 2), (16, 48), (3, 3)),
    Cluster("global_avg_pool"),
    Cluster("fc", (1, 2), (16, 64)),
)


@cache
def published_spaces() -> Mapping[str, tuple[Cluster, ...]]:
    """Name -> clusters of the published search spaces."""
    content = load_yaml(_SPACES)
    return {name: tuple(_read(space["clusters"])) for name, space in content["spaces"].items()}


def _read(rows: Sequence[Mapping[str, Any]]) -> Iterator[Cluster]:
    for row in rows:
        bounds = {name: tuple(row[name]) for name in ("layers", "neurons", "kernel") if name in row}
        yield Cluster(row["type"], **bounds)

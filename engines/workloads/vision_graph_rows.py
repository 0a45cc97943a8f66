"""Rows of operations of a vision graph network, block by block.

Source: odema-2023 section 3 (eqs. 1 and 2: Grapher = post o combine o aggregate o pre, FFN = fc2 o fc1) and the published
reference, huawei-noah/Efficient-AI-Backbones at f90e129, vig_pytorch. A graph operator works on N nodes of C channels, each of
which looks at K of M candidates (M < N where a pyramid pools them first) and gives 2C channels:

- max-relative: gather both ends, subtract, maximum over the neighbours, join with the node, 1x1 convolution;
- edge: gather both ends, subtract, join, 1x1 convolution *of every edge*, maximum;
- sage: gather the neighbours, 1x1 convolution of every edge, maximum, join with the node, 1x1 convolution;
- gin: gather the neighbours, sum, scale the node by a learnt 1 + epsilon, add, 1x1 convolution of C channels.

The 1x1 convolutions of the operators have 4 groups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from engines.workloads.graph_rules import Rules

GraphOperator = Literal["max-relative", "edge", "gin", "sage"]
Row = dict[str, Any]
GROUPS = 4
# What the rows of a network read that do not read the row before them alone. The features of a Grapher are those after its
# pre-processing, or what it reads; candidates are these or, in a pyramid, their means.
_FEATURES = "{0}.pre|<{0}"
GRAPH_RULES: Rules = (
    (r"(.+)\.knn\.normalise0", (_FEATURES,)),
    (r"(.+)\.knn\.normalise1", ("{0}.knn.pool",)),
    (r"(.+)\.knn\.products", ("{0}.knn.normalise0", "{0}.knn.normalise1|{0}.knn.normalise0")),
    (r"(.+)\.knn\.square([01])", ("{0}.knn.normalise{1}",)),
    (r"(.+)\.knn\.from", ("{0}.knn.products", "{0}.knn.square0")),
    (r"(.+)\.knn\.to", ("", "{0}.knn.square1|{0}.knn.square0")),
    (r"(.+)\.gather_nodes", (_FEATURES,)),
    (r"(.+)\.gather_neighbours", (f"{{0}}.knn.pool|{_FEATURES}", "{0}.knn.topk|{0}.aggregate")),
    (r"(.+)\.(?:subtract|join_ends)", ("", "{0}.gather_nodes")),
    (r"(.+)\.join", ("", _FEATURES)),
    (r"(.+)\.scale", (_FEATURES,)),
    (r"(.+)\.add_sum", ("", "{0}.sum")),
    (r"(.+)\.add", ("", "<{0}")),
)


@dataclass(frozen=True)
class GraphBlock:
    """One Grapher with its feed-forward part.

    Attributes:
        operator: operator of the graph convolution.
        channels: channels of a node.
        side: nodes stand on a grid of `side` x `side`.
        neighbours: number of neighbours of a node, K.
        dilation: the search ranks K times that many and takes every such one.
        pooling: candidates are means of `pooling` x `pooling` nodes; 1: every node is one.
        preprocessed: whether the Grapher begins with a 1x1 convolution.
        hidden: channels inside the feed-forward part; None leaves it out.
        placed: whether learnt relative positions are added to the distances.
    """

    operator: GraphOperator
    channels: int
    side: int
    neighbours: int
    dilation: int = 1
    pooling: int = 1
    preprocessed: bool = True
    hidden: int | None = None
    placed: bool = False

    @property
    def nodes(self) -> int:
        """Nodes, N."""
        return self.side**2

    @property
    def candidates(self) -> int:
        """Nodes that may become neighbours, M."""
        return (self.side // self.pooling) ** 2


def convolution(
    name: str, k: int, c: int, side: int, *, kernel: int = 1, stride: int = 1, groups: int = 1, act: bool
) -> list[Row]:
    """Return a convolution with bias and batch normalisation, padded to `side` / `stride`, and its activation if any."""
    row = {"name": f"{name}.conv", "kind": "conv", "k": k, "c": c, "r": kernel, "s": kernel, "y": side, "x": side}
    row |= {"stride": stride, "pad": kernel // 2, "groups": groups}
    row["weight_elements"] = k * (c // groups) * kernel**2 + k
    return [row, *_after(name, k, (side // stride) ** 2, act)]


def grapher(name: str, block: GraphBlock) -> list[Row]:
    """Return the Grapher: pre-processing, neighbours, graph operator, post-processing, residual addition."""
    channels, nodes, side = block.channels, block.nodes, block.side
    rows = convolution(f"{name}.pre", channels, channels, side, act=False) if block.preprocessed else []
    rows += _neighbours(name, block)
    rows += _OPERATORS[block.operator](name, block)
    rows += convolution(f"{name}.post", channels, 2 * channels, side, act=False)
    return [*rows, moved(f"{name}.add", "eltwise", 2 * nodes * channels, nodes * channels)]


def feed_forward(name: str, block: GraphBlock) -> list[Row]:
    """Return two 1x1 convolutions and the residual addition; nothing where the block has none."""
    if block.hidden is None:
        return []
    size = block.nodes * block.channels
    rows = convolution(f"{name}.fc1", block.hidden, block.channels, block.side, act=True)
    rows += convolution(f"{name}.fc2", block.channels, block.hidden, block.side, act=False)
    return [*rows, moved(f"{name}.add", "eltwise", 2 * size, size)]


def moved(name: str, kind: str, read: int, written: int, weights: int = 0) -> Row:
    """Return an operation that multiplies nothing: elements read and written, and learnt elements."""
    return {
        "name": name, "kind": kind, "input_elements": read, "output_elements": written, "weight_elements": weights
    }  # fmt: skip


def _after(name: str, channels: int, places: int, act: bool) -> list[Row]:
    size = channels * places
    rows = [moved(f"{name}.batchnorm", "batchnorm", size, size, 2 * channels)]
    return [*rows, moved(f"{name}.act", "activation", size, size)] if act else rows


def _neighbours(name: str, block: GraphBlock) -> list[Row]:
    """Return the squared distances of normalised nodes, |a|^2 - 2ab + |b|^2, and the nearest candidates of each."""
    n, m, c = block.nodes, block.candidates, block.channels
    own, pooled, pairs, name = n * c, m * c, n * m, f"{name}.knn"
    apart = block.pooling > 1
    rows = [moved(f"{name}.pool", "pool", own, pooled)] if apart else []
    rows += [
        moved(f"{name}.normalise{i}", "eltwise", 2 * size, size) for i, size in enumerate((own, pooled)[: 1 + apart])
    ]
    rows.append({"name": f"{name}.products", "kind": "matmul", "k": m, "c": c, "y": n})
    rows += [moved(f"{name}.square{i}", "eltwise", 2 * size, size) for i, size in enumerate((own, pooled)[: 1 + apart])]
    rows += [moved(f"{name}.{end}", "eltwise", pairs + size, pairs) for end, size in (("from", n), ("to", m))]
    rows += [moved(f"{name}.positions", "eltwise", 2 * pairs, pairs, pairs)] if block.placed else []
    return [*rows, moved(f"{name}.topk", "topk", pairs, n * block.neighbours * block.dilation)]


def _edge_convolution(name: str, k: int, c: int, block: GraphBlock, per_edge: bool) -> list[Row]:
    x = block.neighbours if per_edge else 1
    row = {"name": f"{name}.conv", "kind": "conv", "k": k, "c": c, "y": block.nodes, "x": x, "groups": GROUPS}
    row["weight_elements"] = k * c // GROUPS + k
    return [row, *_after(name, k, block.nodes * x, act=True)]


def _gather(name: str, block: GraphBlock) -> Row:
    size = block.nodes * block.channels * block.neighbours
    return moved(name, "gather", size, size)


def _max_relative(name: str, block: GraphBlock) -> list[Row]:
    size, edges = block.nodes * block.channels, block.nodes * block.channels * block.neighbours
    return [
        _gather(f"{name}.gather_nodes", block),
        _gather(f"{name}.gather_neighbours", block),
        moved(f"{name}.subtract", "eltwise", 2 * edges, edges),
        moved(f"{name}.maximum", "reduce", edges, size),
        moved(f"{name}.join", "concat", 2 * size, 2 * size),
        *_edge_convolution(f"{name}.combine", 2 * block.channels, 2 * block.channels, block, per_edge=False),
    ]


def _edge(name: str, block: GraphBlock) -> list[Row]:
    size, edges = block.nodes * block.channels, block.nodes * block.channels * block.neighbours
    return [
        _gather(f"{name}.gather_nodes", block),
        _gather(f"{name}.gather_neighbours", block),
        moved(f"{name}.subtract", "eltwise", 2 * edges, edges),
        moved(f"{name}.join_ends", "concat", 2 * edges, 2 * edges),
        *_edge_convolution(f"{name}.combine", 2 * block.channels, 2 * block.channels, block, per_edge=True),
        moved(f"{name}.maximum", "reduce", 2 * edges, 2 * size),
    ]


def _sage(name: str, block: GraphBlock) -> list[Row]:
    size, edges = block.nodes * block.channels, block.nodes * block.channels * block.neighbours
    return [
        _gather(f"{name}.gather_neighbours", block),
        *_edge_convolution(f"{name}.aggregate", block.channels, block.channels, block, per_edge=True),
        moved(f"{name}.maximum", "reduce", edges, size),
        moved(f"{name}.join", "concat", 2 * size, 2 * size),
        *_edge_convolution(f"{name}.combine", 2 * block.channels, 2 * block.channels, block, per_edge=False),
    ]


def _gin(name: str, block: GraphBlock) -> list[Row]:
    size, edges = block.nodes * block.channels, block.nodes * block.channels * block.neighbours
    return [
        _gather(f"{name}.gather_neighbours", block),
        moved(f"{name}.sum", "reduce", edges, size),
        moved(f"{name}.scale", "eltwise", size, size, 1),
        moved(f"{name}.add_sum", "eltwise", 2 * size, size),
        *_edge_convolution(f"{name}.combine", 2 * block.channels, block.channels, block, per_edge=False),
    ]


_OPERATORS: Mapping[GraphOperator, Callable[[str, GraphBlock], list[Row]]] = MappingProxyType(
    {"max-relative": _max_relative, "edge": _edge, "gin": _gin, "sage": _sage}
)

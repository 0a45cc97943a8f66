"""Vision graph networks (ViG, pyramid ViG) from their definition, as `network/1` documents.

Source: Han et al., NeurIPS 2022, and huawei-noah/Efficient-AI-Backbones at f90e129, vig_pytorch, for the published networks;
odema-2023 Table 1 and section 5.1 for the search space of MaGNAS (superblocks of depth 2 to 4 with 12, 16, 20, 24 neighbours).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from engines.workloads.graph_rules import with_rules
from engines.workloads.vision_graph_rows import (
    GRAPH_RULES,
    GraphBlock,
    GraphOperator,
    Row,
    convolution,
    feed_forward,
    grapher,
    moved,
)

SIDE = 224
CLASSES = 1000
HEAD_CHANNELS = 1024
VIG_S_CHANNELS = 320
VIG_S_SIDE = 14
FEED_FORWARD_RATIO = 4
SUPERBLOCK_NEIGHBOURS = (12, 16, 20, 24)
PYRAMID_POOLING = (4, 2, 1, 1)
PYRAMID_NEIGHBOURS = 9
OPERATORS: tuple[GraphOperator, ...] = ("max-relative", "edge", "gin", "sage")
PRODUCTS_DEPTHS = (4, 4, 4, 4)  # odema-2023 section 5.1.5: four blocks within each superblock, also in the pyramid
_SHORT = {"max-relative": "MR", "edge": "Edge", "gin": "GIN", "sage": "SAGE"}
_PYRAMIDS = {"s": ((2, 2, 6, 2), (80, 160, 400, 640)), "m": ((2, 2, 16, 2), (96, 192, 384, 768))}


@dataclass(frozen=True)
class Superblock:
    """A point of MaGNAS' search space for one of the four superblocks (odema-2023 Table 1).

    Attributes:
        operator: graph operator of all its blocks.
        depth: blocks, 2 to 4.
        preprocessed: whether Graphers keep their first 1x1 convolution ("fc_use").
        hidden: channels inside the feed-forward parts; None leaves them out ("ffn_use", "w").
    """

    operator: GraphOperator
    depth: int = 4
    preprocessed: bool = True
    hidden: int | None = FEED_FORWARD_RATIO * VIG_S_CHANNELS


def superblock_operations(superblocks: Sequence[Superblock], classes: int = CLASSES) -> list[Row]:
    """Return the operations of an isotropic network of MaGNAS' space.

    Args:
        superblocks: in order; the n-th has the n-th number of neighbours and dilation n + 1 (as ViG-S has in its quarters).
        classes: number of classes of the head.
    """
    blocks = [
        GraphBlock(superblock.operator, VIG_S_CHANNELS, VIG_S_SIDE, neighbours, index + 1,
                   preprocessed=superblock.preprocessed, hidden=superblock.hidden)
        for index, (superblock, neighbours) in enumerate(zip(superblocks, SUPERBLOCK_NEIGHBOURS, strict=True))
        for _ in range(superblock.depth)
    ]  # fmt: skip
    return isotropic_operations(blocks, classes)


def pyramid_operations(depths: Sequence[int], channels: Sequence[int], operator: GraphOperator) -> list[Row]:
    """Return the operations of a pyramid: four stages on 56, 28, 14 and 7 nodes a side; candidates pooled to 14 (7) a side."""
    rows = _pyramid_stem(channels[0])
    index, side = 0, SIDE // 4
    for stage, (depth, width, pooling) in enumerate(zip(depths, channels, PYRAMID_POOLING, strict=True)):
        if stage:
            rows += convolution(f"reduce{stage}", width, channels[stage - 1], side, kernel=3, stride=2, act=False)
            side //= 2
        for _ in range(depth):
            dilation = min(index // 4 + 1, 49 // PYRAMID_NEIGHBOURS)
            hidden = FEED_FORWARD_RATIO * width
            block = GraphBlock(operator, width, side, PYRAMID_NEIGHBOURS, dilation, pooling, hidden=hidden, placed=True)
            index += 1
            rows += grapher(f"grapher{index}", block) + feed_forward(f"ffn{index}", block)
    return with_rules(rows + _head(channels[-1], side, CLASSES), GRAPH_RULES)


def builtin_vision_graphs() -> Mapping[str, Callable[[], Mapping[str, Any]]]:
    """Return slug -> what builds the document: the four baselines of MaGNAS and pyramids with each graph operator."""
    readers: dict[str, Callable[[], Mapping[str, Any]]] = {}
    for operator in OPERATORS:
        readers[f"magnas-vig-s-{operator}"] = partial(_magnas_baseline, operator)
        for size in _PYRAMIDS:
            if operator != "max-relative":  # traced: pvig-s, pvig-m
                readers[f"pvig-{size}-{operator}"] = partial(_pyramid, size, operator)
    readers["magnas-cifar-100-a3"] = _magnas_a3
    readers["magnas-pvig-m-products"] = _pyramid_of_products
    return MappingProxyType(readers)


def isotropic_operations(blocks: Iterable[GraphBlock], classes: int) -> list[Row]:
    """Return the operations of a network of blocks of one width and side between the stem and the head of ViG-S."""
    width = VIG_S_CHANNELS
    sizes = [3, width // 8, width // 4, width // 2, width, width]
    rows: list[Row] = []
    side = SIDE
    for index, (c, k) in enumerate(pairwise(sizes), start=1):
        stride = 2 if index < len(sizes) - 1 else 1
        rows += convolution(f"stem.{index}", k, c, side, kernel=3, stride=stride, act=index < len(sizes) - 1)
        side //= stride
    size = width * side**2
    rows.append(moved("stem.positions", "eltwise", 2 * size, size, size))
    for index, block in enumerate(blocks, start=1):
        rows += grapher(f"grapher{index}", block) + feed_forward(f"ffn{index}", block)
    return with_rules(rows + _head(width, side, classes), GRAPH_RULES)


def _pyramid_stem(width: int) -> list[Row]:
    rows = convolution("stem.1", width // 2, 3, SIDE, kernel=3, stride=2, act=True)
    rows += convolution("stem.2", width, width // 2, SIDE // 2, kernel=3, stride=2, act=True)
    rows += convolution("stem.3", width, width, SIDE // 4, kernel=3, act=False)
    size = width * (SIDE // 4) ** 2
    return [*rows, moved("stem.positions", "eltwise", 2 * size, size, size)]


def _head(width: int, side: int, classes: int) -> list[Row]:
    classify = {"name": "head.classify", "kind": "conv", "k": classes, "c": HEAD_CHANNELS}
    return [
        moved("head.mean", "pool", width * side**2, width),
        *convolution("head.hidden", HEAD_CHANNELS, width, 1, act=True),
        classify | {"weight_elements": HEAD_CHANNELS * classes + classes},
    ]


def _magnas_baseline(operator: GraphOperator) -> Mapping[str, Any]:
    return _document(
        f"magnas-vig-s-{operator}",
        f"ViG-S with {operator} graph convolutions, as in MaGNAS",
        f"ViG-S {_SHORT[operator]}",
        "Image classification by a graph network: 16 blocks of width 320 on 196 nodes. The quarters have "
        "12, 16, 20 and 24 neighbours.",
        "odema-2023 section 5.1.1 and 5.1.5 (b0 to b3); shapes of huawei-noah/Efficient-AI-Backbones at f90e129",
        superblock_operations([Superblock(operator)] * 4),
    )


def _magnas_a3() -> Mapping[str, Any]:
    operators: tuple[GraphOperator, ...] = ("sage", "gin", "sage", "gin")
    superblocks = [Superblock(operator, 2, index == 0) for index, operator in enumerate(operators)]
    return _document(
        "magnas-cifar-100-a3",
        "MaGNAS a3 for CIFAR-100",
        "MaGNAS a3",
        "Image classification by a graph network: two blocks in each superblock, S-G-S-G. The paper says "
        "that a quarter of the superblocks pre-process, but not which; the first is assumed. The width of "
        "the feed-forward parts is not published; that of ViG-S is assumed.",
        "odema-2023 Tables 2 and 3",
        superblock_operations(superblocks, classes=100),
    )


def _pyramid(size: str, operator: GraphOperator) -> Mapping[str, Any]:
    depths, channels = _PYRAMIDS[size]
    return _document(
        f"pvig-{size}-{operator}",
        f"Pyramid ViG-{size.upper()} with {operator} graph convolutions, 224x224",
        f"PViG-{size.upper()} {_SHORT[operator]}",
        f"Image classification by a graph network: {', '.join(map(str, depths))} blocks of width {', '.join(map(str, channels))}.",
        "huawei-noah/Efficient-AI-Backbones at f90e129, vig_pytorch, with another graph operator (odema-2023 section 5.1.5)",
        pyramid_operations(depths, channels, operator),
    )


def _pyramid_of_products() -> Mapping[str, Any]:
    """Return the pyramid that MaGNAS maps to three accelerators, without neighbour search and with dense aggregation.

    MAESTRO knows no sparse products: the adjacency matrix (nodes x candidates) by the features (candidates x channels), then the
    combination as another product. A reduction between stages belongs to the block before it, which gives 34 blocks.
    """
    return _document(
        "magnas-pvig-m-products",
        "Pyramid ViG-M with GIN as dense products, as in MaGNAS",
        "PViG-M dense",
        "Image classification by a graph network: four blocks in each of four stages of width 96, 192, 384, 768. Aggregation is a "
        "dense product with the adjacency matrix, neighbours are given: 34 blocks, 104 layers.",
        "odema-2023 sections 5.1.5 and 5.7.2; shapes of huawei-noah/Efficient-AI-Backbones at f90e129",
        _as_products(pyramid_operations(PRODUCTS_DEPTHS, _PYRAMIDS["m"][1], "gin")),
    )


def _as_products(rows: Iterable[Row]) -> list[Row]:
    found: list[Row] = []
    block = ""
    for row in rows:
        name, _, part = row["name"].partition(".")
        if part == "knn.products":  # nodes x candidates by candidates x channels instead of the distances
            found.append({"name": f"{name}.aggregate", "kind": "matmul", "k": row["c"], "c": row["k"], "y": row["y"]})
        elif part == "combine.conv":
            found.append({"name": row["name"], "kind": "gemm", "k": row["k"], "c": row["c"], "y": row["y"]})
        elif name.startswith("reduce"):
            found.append({**row, "name": f"{block}.{row['name']}"})
        elif not part.startswith("knn."):
            found.append(row)
        block = block if name.startswith("reduce") else name
    return with_rules(found, GRAPH_RULES)


def _document(slug: str, title: str, short: str, summary: str, source: str, rows: list[Row]) -> Mapping[str, Any]:
    return {
        "schema": "network/1", "slug": slug, "title": title, "short_title": short, "summary": summary, "source": source,
        "operations": rows,
    }  # fmt: skip

"""Vision graph networks built from their definition."""

from __future__ import annotations

from typing import Any

import pytest

from engines.workloads.builtins import builtin_networks
from engines.workloads.loader import builtin_network, load_network
from engines.workloads.network import COMPUTE_KINDS, Network
from engines.workloads.vision_graph import (
    OPERATORS,
    Superblock,
    builtin_vision_graphs,
    isotropic_operations,
    pyramid_operations,
    superblock_operations,
)
from engines.workloads.vision_graph_rows import GraphBlock, Row

NODES, WIDTH = 196, 320

VIG_S_BLOCKS = [
    GraphBlock("max-relative", WIDTH, 14, int(9 + 9 * index / 15), index // 4 + 1, hidden=4 * WIDTH)
    for index in range(16)
]


def network(rows: list[Row]) -> Network:
    head = {"schema": "network/1", "slug": "drawn", "title": "drawn", "short_title": "drawn", "source": "a test"}
    return load_network({**head, "operations": rows})


def moved(rows: Any) -> tuple[int, int]:
    """Elements read and written by operations that multiply nothing."""
    chosen = [row for row in rows if row["kind"] not in COMPUTE_KINDS]
    return sum(row["input_elements"] for row in chosen), sum(row["output_elements"] for row in chosen)


@pytest.mark.parametrize(
    ("rows", "traced"),
    [
        (isotropic_operations(VIG_S_BLOCKS, 1000), "vig-s"),
        (pyramid_operations((2, 2, 6, 2), (80, 160, 400, 640), "max-relative"), "pvig-s"),
        (pyramid_operations((2, 2, 16, 2), (96, 192, 384, 768), "max-relative"), "pvig-m"),
    ],
)
def test_the_definition_gives_the_traced_networks_exactly(rows: list[Row], traced: str) -> None:
    drawn, known = network(rows), builtin_network(traced)
    assert (drawn.macs, drawn.weight_elements) == (known.macs, known.weight_elements)
    assert len(rows) == len(builtin_networks()[traced]["operations"])
    assert moved(rows) == moved(builtin_networks()[traced]["operations"])
    assert sorted(o.kind for o in drawn.operations) == sorted(o.kind for o in known.operations)


def test_superblocks_leave_out_what_they_skip() -> None:
    full = network(superblock_operations([Superblock("gin")] * 4))
    thin = network(superblock_operations([Superblock("gin", preprocessed=False, hidden=None)] * 4))
    assert full.macs - thin.macs == 16 * NODES * (WIDTH**2 + 2 * WIDTH * 4 * WIDTH)
    assert not any(operation.name.startswith("ffn") for operation in thin.operations)
    shallow = network(superblock_operations([Superblock("gin", depth) for depth in (2, 3, 4, 2)]))
    assert sum(operation.name.endswith(".topk") for operation in shallow.operations) == 11


def test_every_operator_has_its_networks() -> None:
    slugs = set(builtin_vision_graphs())
    assert {f"magnas-vig-s-{operator}" for operator in OPERATORS} <= slugs
    assert {f"pvig-{size}-{operator}" for operator in OPERATORS[1:] for size in "sm"} <= slugs

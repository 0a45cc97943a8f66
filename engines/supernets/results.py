"""The results of an architecture by itself: choices, sizes, blocks."""

from __future__ import annotations

import numpy as np

from engines.contract.results import Breakdown, Table, TableColumn
from engines.supernets.space import Architecture, SupernetSpace
from engines.supernets.workload import head_rows, stem_rows, superblock_rows
from engines.workloads.loader import load_network
from engines.workloads.network import Operation
from engines.workloads.vision_graph_rows import Row

OPERATOR_TITLES = {
    "max-relative": "Max-relative",
    "edge": "EdgeConv",
    "gin": "GIN",
    "sage": "GraphSAGE",
}


def architecture_table(space: SupernetSpace, architecture: Architecture) -> Table:
    """Return the choices of each superblock."""
    sides = space.sides
    return Table(
        name="architecture",
        title="Architecture",
        table_columns=(
            TableColumn("Superblock", tuple(str(number) for number in range(1, len(architecture) + 1))),
            TableColumn("Graph operator", tuple(OPERATOR_TITLES[choice.operator] for choice in architecture)),
            TableColumn("Blocks", np.array([float(choice.depth) for choice in architecture])),
            TableColumn(
                "Pre-processing", tuple("yes" if choice.preprocessed else "left out" for choice in architecture)
            ),
            TableColumn("Feed-forward", tuple("yes" if choice.feed_forward else "left out" for choice in architecture)),
            TableColumn(
                "Width inside",
                np.array([float(choice.hidden) if choice.feed_forward else np.nan for choice in architecture]),
            ),
            TableColumn("Channels", np.array([float(width) for width in space.widths])),
            TableColumn("Nodes", np.array([float(side**2) for side in sides])),
            TableColumn("Neighbours", np.array([float(count) for count in space.neighbours])),
        ),
    )


def size_breakdown(space: SupernetSpace, architecture: Architecture) -> Breakdown:
    """Return the multiply-accumulate operations by part of the network and kind of work; their sum is the subnet's."""
    parts = _parts(space, architecture)
    values = np.array([_work(operations) for _, operations in parts])
    kinds = ("Convolutions and layers", "Distances of nodes", "Graph operators")
    return Breakdown("macs", "MACs by part", tuple(title for title, _ in parts), kinds, values, "MAC")


def block_table(space: SupernetSpace, architecture: Architecture) -> Table:
    """Return work, weights and output of every block."""
    blocks: dict[str, list[Operation]] = {}
    for _, operations in _parts(space, architecture):
        for operation in operations:
            blocks.setdefault(operation.name.partition(".")[0], []).append(operation)
    return Table(
        name="architecture-blocks",
        title="Blocks of the architecture",
        table_columns=(
            TableColumn("Block", tuple(blocks)),
            TableColumn("MACs", np.array([float(sum(each.macs for each in held)) for held in blocks.values()])),
            TableColumn(
                "Weights", np.array([float(sum(each.weight_elements for each in held)) for held in blocks.values()])
            ),
            TableColumn("Elements handed on", np.array([float(held[-1].output_elements) for held in blocks.values()])),
        ),
    )


def _parts(space: SupernetSpace, architecture: Architecture) -> list[tuple[str, tuple[Operation, ...]]]:
    found, first = [("Stem", stem_rows(space))], 1
    for place, choice in enumerate(architecture):
        title = f"Superblock {place + 1}"
        found.append((title, superblock_rows(space, place, choice, first)))
        first += choice.depth
    found.append(("Head", head_rows(space)))
    return [(title, _operations(rows)) for title, rows in found]


def _operations(rows: list[Row]) -> tuple[Operation, ...]:
    words = {
        "schema": "network/1",
        "slug": "part",
        "title": "Part",
        "short_title": "Part",
        "summary": "",
        "source": "a part of a subnet",
    }
    return load_network({**words, "operations": rows}).operations


def _work(operations: tuple[Operation, ...]) -> tuple[float, float, float]:
    distances = sum(each.macs for each in operations if ".knn." in each.name)
    graph = sum(each.macs for each in operations if ".combine" in each.name or ".aggregate" in each.name)
    return float(sum(each.macs for each in operations) - distances - graph), float(distances), float(graph)

"""Help for tests of drawn networks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from engines.workloads.families.network_builder import Row
from engines.workloads.loader import load_network
from engines.workloads.network import COMPUTE_KINDS, Layer, Network


def network(rows: list[Row]) -> Network:
    """The network that these operations make."""
    head = {"schema": "network/1", "slug": "drawn", "title": "drawn", "short_title": "drawn", "source": "a test"}
    return load_network({**head, "operations": rows})


def figures_of(layer: Layer) -> tuple[Any, ...]:
    """All that a cost model reads of a layer, and how much is folded into it."""
    shape = (
        layer.kind,
        layer.k,
        layer.c,
        layer.r,
        layer.s,
        layer.y,
        layer.x,
        layer.stride,
        layer.groups,
        layer.repeats,
    )
    work = (layer.macs, layer.weight_elements, layer.input_elements, layer.output_elements)
    return (*shape, *work, len(layer.folded))


def moved(rows: Iterable[Mapping[str, Any]]) -> tuple[Counter[str], int, int]:
    """How many rows of which kind there are, and elements read and written by those that multiply nothing."""
    rows = list(rows)
    chosen = [row for row in rows if row["kind"] not in COMPUTE_KINDS]
    kinds = Counter(str(row["kind"]) for row in rows)
    return kinds, sum(row["input_elements"] for row in chosen), sum(row["output_elements"] for row in chosen)

"""The graph of a split recommender: its parts, where each runs, and what passes between them."""

from __future__ import annotations

from engines.contract.integer_format import counted, many
from engines.contract.results import LayerGraph, LayerNode
from engines.methods.duet.costs import NEAR_MEMORY_TITLES
from engines.methods.duet.decomposition import Decomposition
from engines.methods.duet.recommender import layers_of
from engines.methods.duet.scoring import Scorer

_DEVICE, _REMEMBERED, _SERVER = "Device, every query", "Device, remembered", "Datacentre, every candidate"
_KINDS = {_DEVICE: "cpu", _REMEMBERED: "memory", _SERVER: "server"}


def model_graph(scorer: Scorer, row: list[int]) -> LayerGraph:
    """Return the parts by side, each MLP one node; the edge from the upload to the joint layers is what crosses."""
    space, model = scorer.instance.space, scorer.instance.model
    parts = space.parts[(space.split_bottom[row[0]], space.top_layers[row[1]], row[2])]
    unit, payload = space.hardware[row[7]], scorer.user_part(row).payload_bytes
    drawn = _GraphParts()
    rows = space.history_rows(space.histories[row[6]])
    place = "Scratchpad" if unit else NEAR_MEMORY_TITLES.get(space.edge_near_memory[row[10]], "DRAM")
    kept = (("User's embeddings, values", float(model.pooled_values), ""),)
    ends = [drawn.add("user-tables", f"{place}: {many(rows, 'row')}", _DEVICE, kept, [])]
    ends += _bottom(drawn, parts, unit)
    user = drawn.mlp("user-top", "User top MLP", parts.user_top, _DEVICE, ends)
    crossing = drawn.add("upload", f"Upload: {counted(parts.payload)} values", _DEVICE, (("Size", payload, "B"),), user)
    items = (("Lookups of a candidate", float(model.item_lookups), ""), ("Values", float(model.item_features), ""))
    item = [drawn.add("item-tables", "Item embeddings", _SERVER, items, [])]
    item = drawn.mlp("item-top", "Item top MLP", parts.item_top, _SERVER, item)
    drawn.add("join", "Combined top MLP", _SERVER, _figures(parts.combined), [crossing, *item])
    return LayerGraph("model", "Where each part runs, and what crosses", tuple(drawn.nodes), tuple(drawn.edges))


def _bottom(drawn: _GraphParts, parts: Decomposition, unit: bool) -> list[str]:
    """Return the ends of the halves of the bottom MLP."""
    halves = (
        (parts.static, "Static bottom MLP", _REMEMBERED if unit else _DEVICE),
        (parts.dynamic, "Dynamic bottom MLP" if parts.static else "Bottom MLP", _DEVICE),
    )
    return [
        end
        for widths, title, group in halves
        for end in drawn.mlp(title.lower().replace(" ", "-"), title, widths, group, [])
    ]


def _figures(widths: tuple[int, ...]) -> tuple[tuple[str, float, str], ...]:
    """Return the weights of each layer."""
    return tuple(
        (f"{counted(before)} to {counted(after)}, weights", float(before * after), "")
        for before, after in layers_of(widths)
    )


class _GraphParts:
    """Nodes and edges so far."""

    def __init__(self) -> None:
        self.nodes: list[LayerNode] = []
        self.edges: list[tuple[str, str]] = []

    def add(
        self,
        name: str,
        title: str,
        group: str,
        figures: tuple[tuple[str, float, str], ...],
        after: list[str],
    ) -> str:
        """Add a node after other nodes."""
        self.nodes.append(LayerNode(name, title, group, figures, _KINDS[group]))
        self.edges += [(each, name) for each in after]
        return name

    def mlp(self, name: str, title: str, widths: tuple[int, ...], group: str, after: list[str]) -> list[str]:
        """Return an MLP behind nodes; itself, or those nodes where it has no layer."""
        return [self.add(name, title, group, _figures(widths), after)] if layers_of(widths) else after

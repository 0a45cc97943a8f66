"""The graph of a split recommender: its parts, where each runs, and what passes between them."""

from __future__ import annotations

from engines.contract.results import LayerGraph, LayerNode
from engines.methods.duet.costs import NEAR_MEMORY_TITLES
from engines.methods.duet.decomposition import Decomposition
from engines.methods.duet.recommender import layers_of
from engines.methods.duet.scoring import Scorer

_DEVICE, _REMEMBERED, _SERVER = "Device, every query", "Device, remembered", "Datacentre, every candidate"
_KINDS = {_DEVICE: "cpu", _REMEMBERED: "memory", _SERVER: "server"}


def model_graph(scorer: Scorer, row: list[int]) -> LayerGraph:
    """Layers by side; the edge from the user's last layer to the first joint one is what crosses."""
    space, model = scorer.instance.space, scorer.instance.model
    parts = space.parts[(space.split_bottom[row[0]], space.top_layers[row[1]], row[2])]
    unit, payload = space.hardware[row[7]], scorer.user_part(row).payload_bytes
    drawn = _Drawn()
    rows = float(space.history_rows(space.histories[row[6]]))
    summed = NEAR_MEMORY_TITLES.get(space.edge_near_memory[row[10]])
    tables = "Scratchpad" if unit else f"Tables in DRAM, summed by {summed}" if summed else "Tables in DRAM"
    ends = [drawn.add("user-tables", f"User's embeddings: {tables}", _DEVICE, (("Rows of a query", rows, ""),))]
    ends += _bottom(drawn, parts, unit)
    joined = drawn.add("user-features", f"User's features, {model.user_features} values", _DEVICE, after=ends)
    user = drawn.chain("user-top", "User top MLP", parts.user_top, _DEVICE, joined)
    crossing = drawn.add("upload", f"Upload: {parts.payload} values", _DEVICE, (("Size", payload, "B"),), [user])
    items = (("Lookups of a candidate", float(model.item_lookups), ""),)
    start = drawn.add("item-tables", f"Item embeddings, {model.item_features} values", _SERVER, items)
    item = drawn.chain("item-top", "Item top MLP", parts.item_top, _SERVER, start)
    first = drawn.add("join", f"Joined, {parts.combined[0]} values", _SERVER, after=[crossing, item])
    drawn.chain("combined", "Combined top MLP", parts.combined, _SERVER, first)
    return LayerGraph("model", "Where each part runs, and what crosses", tuple(drawn.nodes), tuple(drawn.edges))


def _bottom(drawn: _Drawn, parts: Decomposition, unit: bool) -> list[str]:
    """Ends of the halves of the bottom MLP."""
    halves = (
        (parts.static, "Static bottom MLP", _REMEMBERED if unit else _DEVICE),
        (parts.dynamic, "Dynamic bottom MLP", _DEVICE),
    )
    ends = []
    for widths, title, group in halves:
        if widths:
            title = title if parts.static else "Bottom MLP"
            name = title.lower().replace(" ", "-")
            start = drawn.add(f"{name}-input", f"{title}: {widths[0]} inputs", group)
            ends.append(drawn.chain(name, title, widths, group, start))
    return ends


class _Drawn:
    """Nodes and edges so far."""

    def __init__(self) -> None:
        self.nodes: list[LayerNode] = []
        self.edges: list[tuple[str, str]] = []

    def add(
        self,
        name: str,
        title: str,
        group: str,
        figures: tuple[tuple[str, float, str], ...] = (),
        after: list[str] | None = None,
    ) -> str:
        """A node behind others."""
        self.nodes.append(LayerNode(name, title, group, figures, _KINDS[group]))
        self.edges += [(each, name) for each in after or []]
        return name

    def chain(self, name: str, title: str, widths: tuple[int, ...], group: str, start: str) -> str:
        """The layers of an MLP behind a node; the last of them, or the node where there is none."""
        for number, (before, after) in enumerate(layers_of(widths), 1):
            figures = (("Weights", float(before * after), ""),)
            start = self.add(f"{name}-{number}", f"{title} {number}: {before} to {after}", group, figures, [start])
        return start

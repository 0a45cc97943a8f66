"""PROV: how many chiplets each model of a window gets (eq 4.2), odema-2024 section 4.4.2."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.chiplets.problem.objectives import Goal, goal_of
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.windows.reconfig import (
    LayerRange,
    expected_layer_edp_js,
    expected_layer_energy_j,
    expected_layer_latency_s,
)

_EXPECTED = {
    "latency": expected_layer_latency_s,
    "energy": expected_layer_energy_j,
    "edp": expected_layer_edp_js,
}
_PARTS = (expected_layer_latency_s, expected_layer_energy_j)


def expected_effort(tables: ScenarioTables, ranges: Sequence[LayerRange], goal: Goal) -> list[float]:
    """Return E(P_i): the expected value of the objective, summed over the layers that each model has in the window.

    The text does not say how layers add up: read as a product of sums, or without equation 4.2 at all, other schedules are allowed.
    Weighted sums and expressions take the sums of expected latency and energy.
    """
    if goal.name in _EXPECTED:
        return [float(_EXPECTED[goal.name](tables, tables.models[r.model])[r.first : r.end].sum()) for r in ranges]
    return [
        goal.one(*(float(expected(tables, tables.models[r.model])[r.first : r.end].sum()) for expected in _PARTS))
        for r in ranges
    ]


def share_nodes(effort: Sequence[float], most_nodes: Sequence[int], chiplets: int) -> list[int]:
    """Return N_i = round(E(P_i) / sum_j E(P_j) x |C|), made to fit.

    Halves round up. Every model gets at least one node and at most its own limit; while the sum exceeds `chiplets`, the model
    with most nodes (the first of them) loses one.

    Args:
        effort: E(P_i) per model.
        most_nodes: what each model can use: one node per layer (heuristic 2) and allowed chiplet.
        chiplets: |C|; at least the number of models.

    Raises:
        ValueError: if there are more models than chiplets.
    """
    if len(effort) > chiplets:
        raise ValueError(
            f"The models of a window must be at most {chiplets}, one chiplet each. Got {len(effort)} instead."
        )
    total = sum(effort)
    shares = [value / total * chiplets if total > 0 else 1.0 for value in effort]
    nodes = [max(1, min(int(np.floor(share + 0.5)), most)) for share, most in zip(shares, most_nodes, strict=True)]
    while sum(nodes) > chiplets:
        nodes[nodes.index(max(nodes))] -= 1
    return nodes


def provisioned_nodes(tables: ScenarioTables, ranges: Sequence[LayerRange], goal: Goal) -> list[int]:
    """Return N_i of every model of a window: shared out by eq 4.2, or (node_rule=free) as many as it has layers and chiplets exist.

    The published search shares by the objective of the pass. The others share by the objective of the run in all passes, so
    that the bound of the run holds for every schedule that it finds.
    """
    most = free_nodes(tables, ranges)
    if tables.params.node_rule == "free":
        return most
    sharing = goal if tables.params.search == "greedy" else goal_of(tables.params)
    return share_nodes(expected_effort(tables, ranges, sharing), most, tables.chiplets)


def free_nodes(tables: ScenarioTables, ranges: Sequence[LayerRange]) -> list[int]:
    """Return as many free chiplets as a model has layers in the time window, or as it may use."""
    return [min(r.end - r.first, len(tables.allowed[r.model])) for r in ranges]

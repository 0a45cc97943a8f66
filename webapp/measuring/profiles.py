"""Profiles of agents as they are stored: bounded in nodes and letters, without a loss for calibrations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

MOST_NODES, MOST_LETTERS = 500, 100


def kept_nodes(nodes: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return at most `MOST_NODES` nodes, in the order of execution, with names of at most `MOST_LETTERS` letters.

    Of more nodes the shortest are added to the one that is executed next, the last of them to the one before: the sum stays.
    Calibrations do so with operations that have no node of their own (`engines.cost.profiles.measured_profile`), and take no line
    that is shorter than a five-hundredth of the latency.
    """
    longest = sorted(range(len(nodes)), key=lambda place: -float(nodes[place]["time_us"]))
    chosen, ahead_us = set(longest[:MOST_NODES]), 0.0
    kept: list[dict[str, Any]] = []
    for place, node in enumerate(nodes):
        ahead_us += float(node["time_us"])
        if place in chosen:
            words = {name: str(node[name])[:MOST_LETTERS] for name in ("name", "operator", "provider")}
            kept.append({**words, "time_us": ahead_us})
            ahead_us = 0.0
    if kept:
        kept[-1]["time_us"] += ahead_us
    return kept

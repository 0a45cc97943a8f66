"""Which limits and rules a mapping breaks, in words: designs hold the least room to all of them alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.results import Note
from engines.mapping.problem.instance import Instance
from engines.mapping.solver.unit_mapping import MappingScores

_MOST_BLOCKS = 5


def broken_words(instance: Instance, units: IntArray, scores: MappingScores) -> list[list[str]]:
    """Return the violated limits and rules of `k` mappings (`units`, shape `k x n`), in words; empty for allowed ones."""
    return [_broken(instance, row, scores, number) for number, row in enumerate(units)]


def broken_note(words: Sequence[str]) -> list[Note]:
    """Return a warning that lists the limits violated by a design; an empty list if it violates none."""
    return [Note("limits", "Violates limits", f"This mapping violates {'; '.join(words)}.", "warning")] if words else []


def own_note(names: Sequence[str], broken: Sequence[Sequence[str]]) -> list[Note]:
    """Return for a run which of the user's own mappings violate which limits."""
    if not names:
        return []
    told = [
        f"“{name}” violates {'; '.join(words)}." if words else f"“{name}” meets all limits and rules."
        for name, words in zip(names, broken, strict=True)
    ]
    level = "warning" if any(broken) else "info"
    return [Note("own-mappings", "Mappings of your own", " ".join(told), level)]


def _broken(instance: Instance, units: IntArray, scores: MappingScores, at: int) -> list[str]:
    limits, found = instance.limits, []
    latency_s, energy_j = float(scores.latency_s[at]), float(scores.energy_j[at])
    if latency_s > limits.latency_s:
        found.append(f"the limit on latency: {1e3 * latency_s:.4g} ms, at most {1e3 * limits.latency_s:.4g} ms")
    if energy_j > limits.energy_j:
        found.append(f"the limit on energy: {1e3 * energy_j:.4g} mJ, at most {1e3 * limits.energy_j:.4g} mJ")
    if np.isfinite(limits.power_w) and energy_j > limits.power_w * latency_s:
        found.append(f"the limit on average power: {energy_j / latency_s:.4g} W, at most {limits.power_w:.4g} W")
    if limits.transitions is not None and scores.transitions[at] > limits.transitions:
        found.append(f"the limit on unit transitions: {scores.transitions[at]}, at most {limits.transitions}")
    barred = np.flatnonzero(~instance.allowed[np.arange(len(units)), units]).tolist()
    if barred:
        some = ", ".join(
            f"{instance.blocks[block]} on {instance.units[units[block]]}" for block in barred[:_MOST_BLOCKS]
        )
        more = f" and {len(barred) - _MOST_BLOCKS} more" if len(barred) > _MOST_BLOCKS else ""
        found.append(f"the rules for units of blocks: {some}{more}")
    return found

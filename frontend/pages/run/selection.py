"""The one selection of the run page: {"design": number or None, "window": index, "follow": whether it follows the best}."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from frontend.designs.run_designs import RunDesigns

FAR = 10


def picked(source: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """Return the selection after a click on a design (`number`) or a window (`index`)."""
    if "index" in source:
        return {**now, "window": int(source["index"])}
    return {**now, "design": int(source["number"]), "follow": False}


def follow_best(designs: RunDesigns, now: Mapping[str, Any]) -> dict[str, Any]:
    """Return the selection after new designs arrived: the best design while it follows; it also replaces a removed design."""
    number = now.get("design")
    gone = number is not None and number >= len(designs)
    if not (now.get("follow") or gone or number is None) or designs.primary not in designs.columns:
        return dict(now)
    return {**now, "design": designs.first_choice, "follow": True}


def on_key(designs: RunDesigns, now: Mapping[str, Any], key: Mapping[str, Any]) -> dict[str, Any]:
    """Return the selection after a key: along the front, through the windows, back to the best."""
    what, step = key.get("what"), FAR if key.get("far") else 1
    if what == "clear":
        return follow_best(designs, {**now, "follow": True, "window": 0})
    if what in ("window-next", "window-back"):
        return {**now, "window": max(0, int(now.get("window", 0)) + (1 if what == "window-next" else -1))}
    if what not in ("next", "back") or not len(designs.front):
        return dict(now)
    return {
        **now,
        "design": _along_front(designs, now.get("design"), step if what == "next" else -step),
        "follow": False,
    }


def _along_front(designs: RunDesigns, number: int | None, step: int) -> int:
    front = designs.front
    at = np.flatnonzero(front == (-1 if number is None else number))
    if len(at):
        position = int(at[0]) + step
    else:
        # From a dominated design the step leads to its neighbour on the front, by the first objective.
        name = designs.objectives[0].name
        value = designs.columns[name][number] if number is not None else -np.inf
        position = int(np.searchsorted(designs.columns[name][front], value)) + (0 if step > 0 else -1)
    return int(front[min(max(position, 0), len(front) - 1)])

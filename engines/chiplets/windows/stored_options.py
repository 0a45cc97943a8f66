"""Mappings of windows as JSON values, for checkpoints: back they come with every digit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.chiplets.problem.decision import Placement, Window
from engines.chiplets.windows.options import WindowOption


def option_to_json(option: WindowOption) -> list[Any]:
    """Return mapping, latency in s and energy in J."""
    return [window_to_json(option.window), float(option.latency_s), float(option.energy_j)]


def option_from_json(entry: Sequence[Any]) -> WindowOption:
    """Return the option that `option_to_json` wrote."""
    return WindowOption(window_from_json(entry[0]), entry[1], entry[2])


def window_to_json(window: Window) -> list[Any]:
    """Return model, first layer, cuts and path of every placement."""
    return [
        [int(p.model), int(p.first_layer), [int(cut) for cut in p.cuts], [int(chiplet) for chiplet in p.path]]
        for p in window
    ]


def window_from_json(entry: Sequence[Any]) -> Window:
    """Return the time window that `window_to_json` wrote."""
    return tuple(Placement(model, first, tuple(cuts), tuple(path)) for model, first, cuts, path in entry)

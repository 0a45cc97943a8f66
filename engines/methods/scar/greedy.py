"""The published search: windows in order, the best mapping of each by the objective (odema-2024 section 4.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engines.methods.scar.decision import ScarSchedule, Window
from engines.methods.scar.objectives import Goal
from engines.methods.scar.reconfig import LayerRange
from engines.methods.scar.schedule_search import search_window
from engines.methods.scar.scoring import MEMORY
from engines.methods.scar.tables import ScenarioTables
from engines.methods.scar.window_options import WindowOptions

WindowSearch = Callable[[ScenarioTables, Sequence[LayerRange], Sequence[int], tuple[int, ...], Goal], WindowOptions]


@dataclass(frozen=True)
class Trajectory:
    """One pass over the windows: the schedule, and what else each window offered on the way."""

    schedule: ScarSchedule
    windows: tuple[WindowOptions, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What was cut short, with the number of the window (from 1 on)."""
        return tuple(f"Window {w}: {note}" for w, options in enumerate(self.windows, 1) for note in options.notes)


def interface_chiplets(tables: ScenarioTables) -> frozenset[int]:
    """Chiplets with a direct off-chip interface."""
    package = tables.package_model.package
    return frozenset(c.index for c in package.chiplets if package.has_interface(c.index))


def root_chiplets(tables: ScenarioTables, before: Window) -> tuple[int, ...]:
    """Chiplets where a model may start: with an interface, or where a model ended in the window `before`; free: any."""
    if tables.params.root_rule == "free":
        return tuple(range(tables.chiplets))
    return tuple(sorted(interface_chiplets(tables) | {placement.path[-1] for placement in before}))


def search_greedily(
    tables: ScenarioTables,
    windows: tuple[tuple[LayerRange, ...], ...],
    goal: Goal,
    layout: str | None = None,
    between: Callable[[], None] = lambda: None,
    search: WindowSearch = search_window,
) -> Trajectory:
    """Window by window, each starting where the best of the window before ended.

    Args:
        tables: the problem on one package variant.
        windows: layers of each model per window.
        goal: what "best" means.
        layout: name of the package variant, None for the package itself.
        between: called before every window; may raise to stop.
        search: how one window is searched; as published by default.
    """
    location = [MEMORY] * len(tables.models)
    found: list[WindowOptions] = []
    before: Window = ()
    for ranges in windows:
        between()
        options = search(tables, ranges, location, root_chiplets(tables, before), goal)
        before = options.best.window
        for placement in before:
            location[placement.model] = placement.path[-1]
        found.append(options)
    return Trajectory(ScarSchedule(tuple(options.best.window for options in found), layout), tuple(found))

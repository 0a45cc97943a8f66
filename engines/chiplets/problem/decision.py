"""A schedule and the nested decision that stores it.

A decision reads `{"layout": null, "windows": [{"models": [{"model": 0, "first_layer": 0, "cuts": [3, 7], "path": [0, 1]}]}]}`:
in a window, the layers of a model from `first_layer` on are cut into segments that end before each of `cuts`, and segment
k runs on chiplet `path[k]`. `layout` names the package variant of a baseline: the same package with all chiplets of one
dataflow, pipelined ("nvdla") or with one chiplet per model ("standalone-nvdla").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from engines.chiplets.problem.starts import start_chiplets
from engines.chiplets.problem.tables import ScenarioTables
from engines.contract.errors import DecisionError
from engines.contract.integer_format import many
from hardware.package.model import DATAFLOWS

STANDALONE_PREFIX = "standalone-"
LAYOUTS = (*DATAFLOWS, *(STANDALONE_PREFIX + dataflow for dataflow in DATAFLOWS))


@dataclass(frozen=True)
class Placement:
    """One model in one window: `cuts` are the exclusive ends of its segments, `path` their chiplets."""

    model: int
    first_layer: int
    cuts: tuple[int, ...]
    path: tuple[int, ...]

    @property
    def end_layer(self) -> int:
        """The layer after the last one of this window."""
        return self.cuts[-1]

    @property
    def segments(self) -> tuple[tuple[int, int, int], ...]:
        """(first layer, layer after the last, chiplet) of every segment."""
        starts = (self.first_layer, *self.cuts[:-1])
        return tuple(zip(starts, self.cuts, self.path, strict=True))


Window = tuple[Placement, ...]


def ends_of(window: Window) -> tuple[int, ...]:
    """Return the chiplets on which the models of a window end."""
    return tuple(placement.path[-1] for placement in window)


@dataclass(frozen=True)
class PackageSchedule:
    """A complete schedule: windows in order, and the package variant they run on (None: the package itself)."""

    windows: tuple[Window, ...]
    layout: str | None = None


def layout_dataflow(layout: str | None) -> str | None:
    """Return the dataflow of all chiplets in a package variant; None for the package itself."""
    return None if layout is None else layout.removeprefix(STANDALONE_PREFIX)


def encode(schedule: PackageSchedule) -> dict[str, Any]:
    """Return the decision of a schedule, JSON-able."""
    return {
        "layout": schedule.layout,
        "windows": [
            {
                "models": [
                    {"model": p.model, "first_layer": p.first_layer, "cuts": list(p.cuts), "path": list(p.path)}
                    for p in window
                ]
            }
            for window in schedule.windows
        ],
    }


def decode(decision: Mapping[str, Any]) -> PackageSchedule:
    """Return the schedule of a decision; only its form is looked at.

    Raises:
        DecisionError: something is missing or of the wrong kind.
    """
    if not isinstance(decision, Mapping):
        raise DecisionError("decision", decision, 'a mapping with "windows"')
    layout = decision.get("layout")
    if layout is not None and layout not in LAYOUTS:
        raise DecisionError("decision.layout", layout, f"null or one of {', '.join(LAYOUTS)}")
    windows = decision.get("windows")
    if not _is_list(windows) or not windows:
        raise DecisionError("decision.windows", windows, "a list of at least one window")
    return PackageSchedule(
        tuple(_decode_window(window, f"decision.windows.{w}") for w, window in enumerate(windows)), layout
    )


def _decode_window(window: Any, at: str) -> Window:
    models = window.get("models") if isinstance(window, Mapping) else None
    if not isinstance(models, Sequence) or isinstance(models, str) or not models:
        raise DecisionError(f"{at}.models", models, "a list of at least one model")
    return tuple(_decode_placement(entry, f"{at}.models.{m}") for m, entry in enumerate(models))


def _decode_placement(entry: Any, at: str) -> Placement:
    if not isinstance(entry, Mapping):
        raise DecisionError(at, entry, 'a mapping with "model", "first_layer", "cuts" and "path"')
    for key in ("model", "first_layer"):
        if not _is_count(entry.get(key)):
            raise DecisionError(f"{at}.{key}", entry.get(key), "an integer from 0 on")
    for key in ("cuts", "path"):
        values = entry.get(key)
        if not _is_list(values) or not values or not all(_is_count(value) for value in values):
            raise DecisionError(f"{at}.{key}", values, "a list of at least one integer from 0 on")
    return Placement(entry["model"], entry["first_layer"], tuple(entry["cuts"]), tuple(entry["path"]))


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def validate(schedule: PackageSchedule, tables: ScenarioTables) -> None:
    """Refuse a schedule that is none of this problem.

    Windows must partition the layers of every model in order (theorem 4.2), segments those of a window (theorem 4.1), a
    path must go over linked chiplets, and a chiplet belongs to one model per window. With the published root rule a model
    starts at an interface chiplet or where some model ended in the window before; a standalone baseline starts anywhere. A
    model keeps to the chiplets that `model_chiplets` allows it.

    Raises:
        DecisionError: names the place, what was got and what is accepted.
    """
    reached = [0] * len(tables.models)
    ends: tuple[int, ...] = ()
    for w, window in enumerate(schedule.windows):
        occupied: dict[int, int] = {}
        for m, placement in enumerate(window):
            at = f"decision.windows.{w}.models.{m}"
            _check_layers(placement, tables, reached, at)
            _check_path(placement, tables, occupied, at)
            _check_allowed(placement, tables, at)
            if not _is_standalone(schedule):
                _check_start(placement, tables, ends, at)
            reached[placement.model] = placement.end_layer
        ends = ends_of(window)
    for model, end in enumerate(reached):
        if end != tables.models[model].layers:
            accepted = f"windows that cover all {tables.models[model].layers} layers of {tables.models[model].title}"
            raise DecisionError("decision.windows", f"{end} layers of {tables.models[model].title}", accepted)


def _check_layers(placement: Placement, tables: ScenarioTables, reached: Sequence[int], at: str) -> None:
    if placement.model >= len(tables.models):
        raise DecisionError(f"{at}.model", placement.model, f"below {len(tables.models)}, the number of models")
    model = tables.models[placement.model]
    if placement.first_layer != reached[placement.model]:
        raise DecisionError(
            f"{at}.first_layer", placement.first_layer, f"{reached[placement.model]}, the next layer of {model.title}"
        )
    bounds = (placement.first_layer, *placement.cuts)
    if any(a >= b for a, b in pairwise(bounds)) or bounds[-1] > model.layers:
        raise DecisionError(
            f"{at}.cuts", list(placement.cuts), f"ascending, above {bounds[0]} and at most {model.layers}"
        )
    if len(placement.path) != len(placement.cuts):
        raise DecisionError(
            f"{at}.path", list(placement.path), f"{many(len(placement.cuts), 'chiplet')}, one per segment"
        )


def _is_standalone(schedule: PackageSchedule) -> bool:
    return schedule.layout is not None and schedule.layout.startswith(STANDALONE_PREFIX)


def _check_path(placement: Placement, tables: ScenarioTables, occupied: dict[int, int], at: str) -> None:
    path = placement.path
    for chiplet in path:
        if chiplet >= tables.chiplets:
            raise DecisionError(f"{at}.path", chiplet, f"chiplets below {tables.chiplets}")
        if chiplet in occupied:
            accepted = "chiplets that no other segment of the window has"
            raise DecisionError(f"{at}.path", chiplet, accepted, reason=f"Chiplet {chiplet} occurs twice.")
        occupied[chiplet] = placement.model
    near = tables.package_model.neighbours
    for a, b in pairwise(path):
        if b not in near[a]:
            reason = f"Chiplets {a} and {b} have no link."
            raise DecisionError(f"{at}.path", list(path), "linked chiplets one after the other", reason=reason)


def _check_allowed(placement: Placement, tables: ScenarioTables, at: str) -> None:
    allowed = tables.allowed[placement.model]
    for chiplet in placement.path:
        if chiplet not in allowed:
            listed = ", ".join(str(each) for each in sorted(allowed))
            accepted = f"chiplets out of {listed} for {tables.models[placement.model].title} (params.model_chiplets)"
            raise DecisionError(f"{at}.path", chiplet, accepted)


def _check_start(placement: Placement, tables: ScenarioTables, ends: Sequence[int], at: str) -> None:
    start = placement.path[0]
    if start not in start_chiplets(tables, ends):
        accepted = "a start at an interface chiplet or where a model ended in the window before (root_rule=published)"
        raise DecisionError(f"{at}.path", start, accepted)

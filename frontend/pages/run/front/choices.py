"""The reader's choices of the front: view, axes, colour, size, scales, what is hidden. Kept in a store and in the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from frontend.designs.run_designs import Region, RunDesigns
from frontend.figures.front.front_parts import Hidden

FrontView = Literal["2d", "3d", "matrix", "parallel"]
VIEWS: tuple[tuple[FrontView, str], ...] = (
    ("2d", "2-D"),
    ("3d", "3-D"),
    ("matrix", "Matrix"),
    ("parallel", "Parallel"),
)
MOST_COLUMNS = 7
_FEW_OBJECTIVES = 3  # without more, four columns tell enough
# What can be hidden, in the order of the switches.
HIDEABLE: tuple[Hidden, ...] = ("dominated", "infeasible", "baselines", "points", "products")
COLUMN_NAMES = ("x", "y", "z", "colour", "size")
MOST_CORNERS = 80


@dataclass(frozen=True)
class Choices:
    """The reader's choices.

    Attributes:
        view: view of the designs.
        x, y, z: columns of the axes ("" for none).
        colour, size: columns by which designs are coloured and sized; "" for one colour, one size.
        log: letters of the logarithmic axes, of "xyz".
        hidden: omitted parts.
    """

    view: FrontView = "2d"
    x: str = ""
    y: str = ""
    z: str = ""
    colour: str = ""
    size: str = ""
    log: str = ""
    hidden: tuple[Hidden, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the choices as the store of the page holds them."""
        named = {name: getattr(self, name) for name in ("view", *COLUMN_NAMES, "log")}
        return named | {"hidden": list(self.hidden)}


def usual_choices(designs: RunDesigns) -> Choices:
    """Return the default choices: the first two objectives."""
    names = [quantity.name for quantity in designs.objectives] or [quantity.name for quantity in designs.quantities]
    names += [quantity.name for quantity in designs.shown if quantity.name not in names]
    x, y, z = (names[at] if at < len(names) else (names[0] if names else "") for at in range(3))
    return Choices(x=x, y=y, z=z)


def read_choices(data: Mapping[str, Any] | None, designs: RunDesigns) -> Choices:
    """Return the choices of a store or an address; whatever does not exist for these designs is as usual."""
    given, usual = data or {}, usual_choices(designs)
    columns = {name: _column(given, name, usual, designs) for name in COLUMN_NAMES}
    view: FrontView = next((name for name, _ in VIEWS if name == given.get("view")), usual.view)
    log = "".join(
        letter for letter in "xyz" if letter in str(given.get("log", "")) and may_be_log(designs, columns[letter])
    )
    wanted = given.get("hidden") or ()
    names = wanted.split(",") if isinstance(wanted, str) else wanted
    return replace(usual, view=view, log=log, hidden=tuple(name for name in HIDEABLE if name in names), **columns)


def _column(given: Mapping[str, Any], name: str, usual: Choices, designs: RunDesigns) -> str:
    value = given.get(name)
    return str(value) if value in designs.columns else str(getattr(usual, name))


def may_be_log(designs: RunDesigns, name: str) -> bool:
    """Return whether a logarithmic axis can show a column: its values are above 0 and not all the same."""
    values = designs.columns.get(name)
    if values is None:
        return False
    finite = values[np.isfinite(values)]
    return bool(len(finite)) and bool(finite.min() > 0) and bool(np.ptp(finite) > 0)


def many_columns(designs: RunDesigns) -> list[str]:
    """Return the columns of matrix and parallel axes: objectives, then constraints, then what else varies."""
    order = ("objective", "constraint", "metric", "decision")
    varying = [q for q in designs.shown if q.role == "objective" or np.ptp(_finite(designs, q.name)) > 0]
    objectives = len(designs.objectives)
    most = 4 if objectives <= _FEW_OBJECTIVES else max(MOST_COLUMNS, objectives)
    return [q.name for q in sorted(varying, key=lambda q: order.index(q.role))][:most]


def _finite(designs: RunDesigns, name: str) -> Any:
    values = designs.columns[name]
    return values[np.isfinite(values)]


# -- limits and lasso in the address ------------------------------------------------------------------------------------


def read_limits(text: str, designs: RunDesigns) -> dict[str, float]:
    """Return the limits of an address, "latency_s:1.9,energy_j:4.4"; what cannot be read is left out."""
    found = {}
    for part in text.split(","):
        name, _, value = part.partition(":")
        number = _number(value)
        if name in designs.columns and number is not None:
            found[name] = number
    return found


def read_region(data: Any, designs: RunDesigns) -> Region | None:
    """Return the lasso of a store (`{"x", "y", "points"}`) or an address ("latency_s,energy_j:1,2,3,4,5,6"), None without one."""
    if isinstance(data, str):
        names, _, numbers = data.partition(":")
        x, _, y = names.partition(",")
        values = [_number(value) for value in numbers.split(",")]
        data = {"x": x, "y": y, "points": list(zip(values[::2], values[1::2], strict=False))}
    if not isinstance(data, Mapping) or not data.get("points"):
        return None
    corners = _corners(data["points"])
    if corners is None or data.get("x") not in designs.columns or data.get("y") not in designs.columns:
        return None
    return Region(str(data["x"]), str(data["y"]), corners)


def region_data(region: Region | None) -> dict[str, Any]:
    """Return the lasso as the store of the page holds it: empty where there is none."""
    return {"x": region.x, "y": region.y, "points": [list(corner) for corner in region.corners]} if region else {}


def _corners(points: Any) -> tuple[tuple[float, float], ...] | None:
    try:
        pairs = [(float(x), float(y)) for x, y in points]
    except (TypeError, ValueError):
        return None
    fit = 3 <= len(pairs) <= MOST_CORNERS and bool(np.isfinite(np.array(pairs)).all())
    return tuple(pairs) if fit else None


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def shown_names(choices: Choices, designs: RunDesigns) -> Sequence[str]:
    """Return the columns that the picture shows."""
    if choices.view == "2d":
        return [choices.x, choices.y]
    return [choices.x, choices.y, choices.z] if choices.view == "3d" else many_columns(designs)

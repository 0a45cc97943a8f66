"""What the publication prints, and how a value of ours is laid beside it."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite, nan
from pathlib import Path
from typing import Any

from engines.published_values import published_results
from engines.reproductions import Comparison, Kind

ANCHOR = "odema-2023"
# Figures are printed with two or three digits, and ours are those of a model: what is nearer than this needs no reason.
_NEAR = 0.05


def _results() -> Mapping[str, Mapping[str, Any]]:
    return published_results(Path(__file__).parent)


def value(name: str) -> Any:
    """A published value: a number, a text, or a list."""
    return _results()[name]["value"]


def where(name: str) -> str:
    """Its place in the publication."""
    return str(_results()[name]["where"])


def clock_choices() -> str:
    """The clocks of Table 1 as the engine soc-mapping takes them."""
    names = {"cpu": "cpu", "gpu": "gpu", "memory": "emc", "dla": "dla"}
    return "; ".join(f"{ours}: {' '.join(map(str, value(f'dvfs.{theirs}')))}" for ours, theirs in names.items())


def compare(
    name: str,
    published: str,
    ours: float,
    group: str,
    *,
    kind: Kind = "predicted",
    reading: str = "",
    unit: str = "",
    why: str = "",
    side: tuple[bool, bool] | None = None,
) -> Comparison:
    """A row: the published value of that name beside ours.

    Args:
        name: what is compared.
        published: name of the published value.
        ours: in the same unit.
        group: heading.
        kind: how ours came about.
        reading: under which reading.
        unit: where the published one is spelt otherwise.
        why: why they differ; left out where they do not.
        side: whether the publication, and whether ours, has the first of two ahead.
    """
    row = _results()[published]
    theirs = float(row["value"])
    ordering = None if side is None or not isfinite(ours) else bool(side[0] == side[1])
    near = abs(ours - theirs) <= _NEAR * abs(theirs) and ordering is not False
    shown = unit or row.get("unit", "")
    return Comparison(
        name, reading, theirs, float(ours), shown, kind, ANCHOR, row["where"], ordering, "" if near else why, group
    )


def unpublished(
    name: str,
    ours: float,
    unit: str,
    group: str,
    place: str,
    *,
    reading: str = "",
    why: str = "",
    agrees: bool | None = None,
) -> Comparison:
    """A row of which the publication says something, but prints no number.

    Args:
        name: what is compared.
        ours: in `unit`.
        unit: of ours.
        group: heading.
        place: where the publication speaks of it.
        reading: under which reading.
        why: what the publication says.
        agrees: whether ours agrees with that; None where nothing can be told.
    """
    ordering = None if agrees is None else bool(agrees)
    return Comparison(name, reading, nan, float(ours), unit, "predicted", ANCHOR, place, ordering, why, group)

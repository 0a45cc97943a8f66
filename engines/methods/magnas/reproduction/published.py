"""What the publication prints, and how a value of ours is laid beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, nan
from pathlib import Path
from typing import Any

from engines.reproduction.comparisons import Comparison, Kind
from engines.reproduction.published_values import published_results

ANCHOR = "odema-2023"
CLOCKS = ("dvfs.cpu", "dvfs.gpu", "dvfs.emc", "dvfs.dla")  # Table 1


def _results() -> Mapping[str, Mapping[str, Any]]:
    return published_results(Path(__file__).parent, ANCHOR)


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
    inputs: Sequence[str] = (),
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
        why: why they may differ.
        side: whether the publication, and whether ours, has the first of two ahead.
        inputs: names of published values that went into ours.
    """
    row = _results()[published]
    low, high = _ends(row["value"])
    shown = unit or row.get("unit", "")
    return _row(
        name, (low, high), ours, shown, row["where"], group, kind, reading, why, side, (published,), tuple(inputs)
    )


def compare_derived(
    name: str,
    theirs: float,
    ours: float,
    unit: str,
    group: str,
    sources: Sequence[str],
    *,
    kind: Kind = "predicted",
    reading: str = "",
    why: str = "",
    side: tuple[bool, bool] | None = None,
) -> Comparison:
    """A row of what follows from several published values: an effect, where two measurements of it are printed.

    The first of `sources`, the names of the published values that `theirs` follows from, tells the place. The others are those of
    `compare`.
    """
    return _row(name, (theirs, None), ours, unit, where(sources[0]), group, kind, reading, why, side, tuple(sources))


def _ends(published: Any) -> tuple[float, float | None]:
    """Both ends of a published range; one number has no upper end."""
    if isinstance(published, list):
        low, high = published
        return float(low), float(high)
    return float(published), None


def _row(
    name: str, theirs: tuple[float, float | None], ours: float, unit: str, place: str, group: str, kind: Kind, reading: str,
    why: str, side: tuple[bool, bool] | None, sources: tuple[str, ...], inputs: tuple[str, ...] = (),
) -> Comparison:  # fmt: skip
    ordering = None if side is None or not isfinite(ours) else bool(side[0] == side[1])
    return Comparison(
        name,
        reading,
        theirs[0],
        float(ours),
        unit,
        kind,
        ANCHOR,
        place,
        ordering,
        why,
        group,
        theirs[1],
        sources,
        inputs,
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

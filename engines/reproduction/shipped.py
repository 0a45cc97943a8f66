"""Ours as computed at release: `reproduced.yaml` beside a method's `published.yaml`, written by a command and by nothing else.

command: what writes it again
computed: the day, in UTC
engines: name -> version of every engine that was run
processor_s: seconds of one core, of the few that matter most (`quick`) and of all
results:
  <publication>:
    <names of published.yaml that the row shows>:
      <what is compared>: {<reading>: ours, or "ours same" and "ours other" where a side wins}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from engines.reproduction.comparisons import Comparison
from hardware.documents import load_yaml

FILE = "reproduced.yaml"
# Sums of many terms end in other digits on other processors; what is kept is what all of them agree on.
DIGITS = 10
_NOTHING_PRINTED = "no number printed"
_ONLY_READING = "ours"
_SIDES = {True: "same", False: "other"}
_HEAD = "# Ours beside published.yaml, written by the command below and never by hand; `make test-long` computes it again.\n"
Place = tuple[str, str, str, str]  # publication, names of published values, what is compared, reading


@dataclass(frozen=True)
class Shipped:
    """What a `reproduced.yaml` says.

    Attributes:
        command: what writes it.
        computed: the day.
        engines: name -> version of every engine that was run.
        processor_s: seconds of one core under `quick` and `all`.
        ours: value and whether the same side wins, by the place of a row.
    """

    command: str
    computed: date
    engines: Mapping[str, int]
    processor_s: Mapping[str, float]
    ours: Mapping[Place, tuple[float, bool | None]]

    def filled(self, rows: Iterable[Comparison]) -> tuple[Comparison, ...]:
        """The rows that it has a value for, with it."""
        return tuple(
            replace(row, ours=self.ours[place][0], ordering=self.ours[place][1])
            for row in rows
            if (place := _place(row)) in self.ours
        )


@cache
def read_shipped(folder: Path) -> Shipped | None:
    """What the package has of a method's folder; None where nothing was computed at release."""
    path = folder / FILE
    if not path.exists():
        return None
    content = load_yaml(path)
    ours = {
        (anchor, sources, name, "" if reading == _ONLY_READING else reading): _read(cell)
        for anchor, of in content["results"].items()
        for sources, names in of.items()
        for name, readings in names.items()
        for reading, cell in readings.items()
    }
    return Shipped(content["command"], content["computed"], content["engines"], content["processor_s"], ours)


def shipped_text(
    command: str,
    computed: date,
    engines: Mapping[str, int],
    processor_s: Mapping[str, float],
    rows: Iterable[Comparison],
) -> str:
    """The text of a `reproduced.yaml`.

    Raises:
        ValueError: two rows would stand in one place.
    """
    results: dict[str, dict[str, dict[str, dict[str, Any]]]] = {}
    for row in rows:
        anchor, sources, name, _ = _place(row)
        reading = row.reading or _ONLY_READING
        readings = results.setdefault(anchor, {}).setdefault(sources, {}).setdefault(name, {})
        if reading in readings:
            raise ValueError(f"Rows must differ in what they show, in name or reading. Got {_place(row)} twice.")
        readings[reading] = _written(row)
    content = {
        "command": command,
        "computed": computed,
        "engines": dict(engines),
        "processor_s": {which: round(seconds, 1) for which, seconds in processor_s.items()},
        "results": results,
    }
    return _HEAD + yaml.safe_dump(content, sort_keys=False, allow_unicode=True, default_flow_style=None, width=140)


def _place(row: Comparison) -> Place:
    return (row.anchor, ", ".join(row.sources) or _NOTHING_PRINTED, row.name, row.reading)


def _written(row: Comparison) -> float | str:
    value = float(f"{row.ours:.{DIGITS}g}")
    return value if row.ordering is None else f"{value!r} {_SIDES[row.ordering]}"


def _read(cell: float | str) -> tuple[float, bool | None]:
    value, _, side = str(cell).partition(" ")
    return float(value), {words: ordering for ordering, words in _SIDES.items()}.get(side)

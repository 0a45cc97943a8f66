"""Values computed at release: `reproduced.yaml` next to a method's `published.yaml`, written by a command and by nothing else.

command: what writes it again
computed: the day, in UTC
engines: name -> version of every engine that was run
processor_s: seconds of one core, of the few that matter most (`quick`) and of all
results:
  <publication>:
    <names of published.yaml that the row shows>:
      <what is compared>: {<reading>: ours, or "ours same" and "ours other" where a side wins; "ours least..most" over seeds}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from engines.reproduction.comparisons import Comparison, Ours
from hardware.documents import dump_yaml, load_yaml

FILE = "reproduced.yaml"
# Sums of many terms end in other digits on other processors; what is kept is what all of them agree on.
DIGITS = 10
_NOTHING_PRINTED = "no number published"
_ONLY_READING = "ours"
_SIDES = {True: "same", False: "other"}
_TO = ".."
_HEAD = "# Ours beside published.yaml, written by the command below and never by hand; `make test-long` computes it again.\n"
Place = tuple[str, str, str, str]  # publication, names of published values, what is compared, reading


@dataclass(frozen=True)
class ReleaseValues:
    """The content of a `reproduced.yaml`.

    Attributes:
        command: command that writes the file.
        computed: the day.
        engines: name -> version of every engine that was run.
        processor_s: seconds of one core under `quick` and `all`.
        ours: what is ours in a row, by its place.
    """

    command: str
    computed: date
    engines: Mapping[str, int]
    processor_s: Mapping[str, float]
    ours: Mapping[Place, Ours]

    def filled(self, rows: Iterable[Comparison]) -> tuple[Comparison, ...]:
        """Return the rows that it has a value for, with it."""
        return tuple(row.with_ours(self.ours[place]) for row in rows if (place := _place(row)) in self.ours)


@cache
def read_shipped(folder: Path) -> ReleaseValues | None:
    """Return the content of a method's packaged file; None if nothing was computed at release."""
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
    return ReleaseValues(content["command"], content["computed"], content["engines"], content["processor_s"], ours)


def shipped_text(
    command: str,
    computed: date,
    engines: Mapping[str, int],
    processor_s: Mapping[str, float],
    rows: Iterable[Comparison],
) -> str:
    """Return the text of a `reproduced.yaml`.

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
    return _HEAD + dump_yaml(content, sort_keys=False, allow_unicode=True, default_flow_style=None, width=140)


def _place(row: Comparison) -> Place:
    return (row.anchor, ", ".join(row.sources) or _NOTHING_PRINTED, row.name, row.reading)


def _written(row: Comparison) -> float | str:
    words = [] if row.ordering is None else [_SIDES[row.ordering]]
    if row.seeds:
        words.append(_TO.join(map(_digits, row.seeds)))
    return " ".join([_digits(row.ours), *words]) if words else float(_digits(row.ours))


def _digits(value: float) -> str:
    return repr(float(f"{value:.{DIGITS}g}"))


def _read(cell: float | str) -> Ours:
    value, *words = str(cell).split()
    orderings = [ordering for ordering, word in _SIDES.items() if word in words]
    seeds = [tuple(map(float, word.split(_TO))) for word in words if _TO in word]
    return Ours(float(value), orderings[0] if orderings else None, (seeds[0][0], seeds[0][1]) if seeds else None)

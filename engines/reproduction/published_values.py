"""The published values: `published.yaml` next to the method that reproduces them, read once per process.

<publication>:
  source: where it is from
  results:                 # each: name, value (number, text or list; of two numbers a range), unit, where, note
  not_compared:            # what no row shows ours next to: values (names, * for any letters) and because
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hardware.documents import load_yaml


@dataclass(frozen=True)
class PublishedValue:
    """A published number or text, or one element of a published list.

    Attributes:
        anchor: the publication.
        name: differs from the others' of it; the place in a list stands in brackets.
        value: in `unit`.
        unit: "" for a pure number or a text.
        where: place in the publication.
    """

    anchor: str
    name: str
    value: float | str
    unit: str
    where: str

    @property
    def entry(self) -> str:
        """The name without the place in a list."""
        return self.name.partition("[")[0]

    @property
    def names(self) -> frozenset[tuple[str, str]]:
        """Return what a row may call it, with the publication: by its own name, or by that of the whole list."""
        return frozenset({(self.anchor, self.name), (self.anchor, self.entry)})


@dataclass(frozen=True)
class NotCompared:
    """Published values without a computed one, and why."""

    because: str
    patterns: tuple[str, ...]
    values: tuple[PublishedValue, ...]


@cache
def _content(folder: Path) -> Mapping[str, Any]:
    """Return all of the `published.yaml` of a method's folder."""
    return load_yaml(folder / "published.yaml")


@cache
def published_results(folder: Path, publication: str) -> Mapping[str, Mapping[str, Any]]:
    """Name -> value, unit and place of each printed result of a publication."""
    return {row["name"]: row for row in _content(folder)[publication]["results"]}


@cache
def published_values(folder: Path) -> tuple[PublishedValue, ...]:
    """Return every value that a method's publications print, element by element."""
    return tuple(
        PublishedValue(anchor, name, value, str(row.get("unit") or ""), str(row["where"]))
        for anchor, content in _content(folder).items()
        for row in content["results"]
        for name, value in _leaves(row["name"], row["value"])
    )


@cache
def not_compared(folder: Path) -> tuple[NotCompared, ...]:
    """Return the values that a method's `published.yaml` lists as not compared, with the reasons."""
    every = published_values(folder)
    return tuple(
        NotCompared(str(entry["because"]), tuple(entry["values"]), _matching(every, anchor, entry["values"]))
        for anchor, content in _content(folder).items()
        for entry in content.get("not_compared", ())
    )


def _matching(every: tuple[PublishedValue, ...], anchor: str, patterns: list[str]) -> tuple[PublishedValue, ...]:
    words = "|".join(re.escape(pattern).replace(r"\*", ".*") for pattern in patterns)
    return tuple(each for each in every if each.anchor == anchor and re.fullmatch(words, each.entry))


def _leaves(name: str, value: Any) -> Iterator[tuple[str, float | str]]:
    if isinstance(value, list):
        for place, element in enumerate(value):
            yield from _leaves(f"{name}[{place}]", element)
    else:
        yield name, value if isinstance(value, str) else float(value)

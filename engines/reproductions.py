"""Published results beside ours.

A method that reproduces results has a module `reproduction` beside its engine, with one function:

    def comparisons(quick: bool) -> Iterator[Comparison]     # runs the engine; `quick`: the few that matter most

Nothing in it is typed in but what was published, with its place: ours comes out of runs of the engine.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from engines.errors import UnknownEngineError
from engines.registry import engine_names, engine_path

Kind = Literal["exact", "fitted", "predicted"]
MODULE = "reproduction"


@dataclass(frozen=True)
class Comparison:
    """One published value beside ours, under one reading of what the publication leaves open.

    Attributes:
        name: what is compared; the same under every reading.
        reading: the choices made, in words; "" where there is nothing to choose.
        published, ours: values in `unit`; `ours` is NaN where the reading cannot give one.
        unit: "x" for a ratio.
        kind: "exact" where formulas alone decide, "fitted" where our model was fitted to such values, else "predicted".
        anchor: the publication that `published` is from; values of two publications are never mixed.
        where: place in it.
        ordering: whether ours and the published value agree on which side is better; None where no side is meant.
        why: why they differ, where they do.
    """

    name: str
    reading: str
    published: float
    ours: float
    unit: str
    kind: Kind
    anchor: str
    where: str
    ordering: bool | None = None
    why: str = ""

    @property
    def ratio(self) -> float:
        """Ours over published; NaN where nothing was published but zero."""
        return self.ours / self.published if self.published else float("nan")


@dataclass(frozen=True)
class Flip:
    """A comparison whose ordering depends on the reading.

    Attributes:
        anchor, name: the comparison.
        holds, fails: the readings under which ours orders the two sides as published, and those under which it does not.
    """

    anchor: str
    name: str
    holds: tuple[str, ...]
    fails: tuple[str, ...]


def reproducible_engines() -> tuple[str, ...]:
    """Names of the engines that have a reproduction, sorted."""
    return tuple(name for name in engine_names() if importlib.util.find_spec(_module_name(name)))


def comparisons_of(engine: str, quick: bool = False) -> Iterator[Comparison]:
    """Run the engine and compare, one after the other as they are computed.

    Raises:
        UnknownEngineError: no engine of that name has a reproduction.
    """
    if engine not in reproducible_engines():
        names = ", ".join(reproducible_engines()) or "none"
        raise UnknownEngineError(f"There is no reproduction of {engine!r}. Reproductions: {names}.")
    found: Callable[[bool], Iterable[Comparison]] = importlib.import_module(_module_name(engine)).comparisons
    yield from found(quick)


def flips(comparisons: Iterable[Comparison]) -> tuple[Flip, ...]:
    """The comparisons whose ordering holds under some readings and fails under others, in the order of their first row."""
    readings: dict[tuple[str, str], dict[bool, list[str]]] = {}
    for each in comparisons:
        if each.ordering is not None:
            readings.setdefault((each.anchor, each.name), {True: [], False: []})[each.ordering].append(each.reading)
    return tuple(
        Flip(*key, tuple(found[True]), tuple(found[False])) for key, found in readings.items() if all(found.values())
    )


def _module_name(engine: str) -> str:
    return f"{engine_path(engine).partition(':')[0].rpartition('.')[0]}.{MODULE}"

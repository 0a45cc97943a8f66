"""Published results beside ours.

A method that reproduces results has a module `reproduction` beside the module `engine` of its engine (others in the same folder
have none of their own), with:

    READINGS: Mapping[str, str]                              # name of each reading -> what it is, the default first
    def comparisons(quick: bool, executor: Executor) -> Iterator[Comparison]
                                                             # runs the engine; `quick`: the few that matter most

Nothing in it is typed in but what was published, with its place: ours comes out of runs of the engine.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from types import ModuleType
from typing import Literal

from engines.contract import Executor
from engines.errors import UnknownEngineError
from engines.executor import InPlaceExecutor
from engines.registry import engine_names, engine_path

Kind = Literal["exact", "fitted", "predicted"]
MODULE = "reproduction"
_ENGINE_MODULE = "engine"


@dataclass(frozen=True)
class Comparison:
    """One published value beside ours, under one reading of what the publication leaves open.

    Attributes:
        name: what is compared; the same under every reading.
        reading: name of the choices made; "" where there is nothing to choose.
        published, ours: values in `unit`; `ours` is NaN where the reading cannot give one, `published` where the publication says
            something that ours bears on and prints no number.
        unit: "x" for a ratio.
        kind: "exact" where formulas alone decide, "fitted" where our model was fitted to such values, else "predicted".
        anchor: the publication that `published` is from; values of two publications are never mixed.
        where: place in it.
        ordering: whether ours and the published value agree on which side is better; None where no side is meant.
        why: why they differ, where they do.
        group: heading under which it stands.
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
    group: str = ""

    @property
    def ratio(self) -> float:
        """Ours over published; NaN where nothing was published, or zero."""
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


@dataclass(frozen=True)
class Compared:
    """One published value beside ours under every reading.

    Attributes:
        first: under the first reading that was computed: name, published value and place.
        by_reading: all of them by reading, the first included.
    """

    first: Comparison
    by_reading: Mapping[str, Comparison]

    @property
    def range(self) -> tuple[float, float] | None:
        """Our least and largest value over the readings; None where there is none."""
        values = [row.ours for row in self.by_reading.values() if isfinite(row.ours)]
        return (min(values), max(values)) if values else None

    @property
    def agreeing(self) -> tuple[int, int]:
        """Under how many readings the same side wins as published, and how many tell sides apart."""
        told = [row.ordering for row in self.by_reading.values() if row.ordering is not None]
        return sum(told), len(told)


def reproducible_engines() -> tuple[str, ...]:
    """Names of the engines that have a reproduction, sorted."""
    return tuple(name for name in engine_names() if _is_main(name) and importlib.util.find_spec(_module_name(name)))


def comparisons_of(engine: str, quick: bool = False, executor: Executor | None = None) -> Iterator[Comparison]:
    """Run the engine and compare, one after the other as they are computed.

    Args:
        engine: name of an engine with a reproduction.
        quick: only the few that matter most.
        executor: where runs are computed; in place by default.

    Raises:
        UnknownEngineError: no engine of that name has a reproduction.
    """
    found: Callable[[bool, Executor], Iterable[Comparison]] = _module(engine).comparisons
    yield from found(quick, executor or InPlaceExecutor())


def readings_of(engine: str) -> Mapping[str, str]:
    """What each reading of a reproduction is, by name, the default first.

    Raises:
        UnknownEngineError: no engine of that name has a reproduction.
    """
    found: Mapping[str, str] = _module(engine).READINGS
    return found


def compared(comparisons: Iterable[Comparison]) -> tuple[Compared, ...]:
    """What is compared, in the order of the first rows; values of different publications stay apart."""
    found: dict[tuple[str, str, str], dict[str, Comparison]] = {}
    for row in comparisons:
        found.setdefault((row.anchor, row.group, row.name), {})[row.reading] = row
    return tuple(Compared(next(iter(rows.values())), rows) for rows in found.values())


def flips(comparisons: Iterable[Comparison]) -> tuple[Flip, ...]:
    """The comparisons whose ordering holds under some readings and fails under others, in the order of their first row."""
    readings: dict[tuple[str, str, str], dict[bool, list[str]]] = {}
    for each in comparisons:
        if each.ordering is not None:
            readings.setdefault((each.anchor, each.group, each.name), {True: [], False: []})[each.ordering].append(
                each.reading
            )
    return tuple(
        Flip(anchor, name, tuple(found[True]), tuple(found[False]))
        for (anchor, _, name), found in readings.items()
        if all(found.values())
    )


def _module(engine: str) -> ModuleType:
    if engine not in reproducible_engines():
        names = ", ".join(reproducible_engines()) or "none"
        raise UnknownEngineError(f"There is no reproduction of {engine!r}. Reproductions: {names}.")
    return importlib.import_module(_module_name(engine))


def _is_main(engine: str) -> bool:
    return engine_path(engine).partition(":")[0].rpartition(".")[2] == _ENGINE_MODULE


def _module_name(engine: str) -> str:
    return f"{engine_path(engine).partition(':')[0].rpartition('.')[0]}.{MODULE}"

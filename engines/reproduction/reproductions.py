"""Published results beside ours.

A method that reproduces results has a module `reproduction` beside the module `engine` of its engine (others in the same folder
have none of their own), with:

    READINGS: Mapping[str, str]              # name of each reading -> what it is, the default first
    ENGINES: tuple[str, ...]                 # what is run; another version of one puts what was computed out of date
    HEADLINE: str                            # name of the comparison that stands for the method where there is room for one
    SECONDS: tuple[float, float]             # measured on one core: quick, all
    def parts(quick: bool) -> tuple[Part, ...]   # `quick`: the few that matter most

Published values are data; ours are a function of what a part computes. So the rows of a part are listed without computing
anything (`listed`), and nothing is typed in but what was published, with its place: ours comes out of runs of the engine.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from math import isfinite, nan
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, Literal, TypeVar

from engines.contract.engine import Executor
from engines.contract.errors import UnknownEngineError
from engines.registry import engine_names, engine_path, get_engine
from engines.reproduction.published_values import NotCompared, PublishedValue, not_compared, published_values
from engines.running.executor import InPlaceExecutor

Kind = Literal["exact", "arithmetic", "fitted", "predicted"]
Key = tuple[str, str, str, str]
Found = TypeVar("Found")
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
        kind: "exact" where an algorithm of the method runs on printed inputs, "arithmetic" where published figures are put together
            and nothing of ours takes part, "fitted" where our model was fitted to such values, else "predicted".
        anchor: the publication that `published` is from; values of two publications are never mixed.
        where: place in it.
        ordering: whether ours and the published value agree on which side is better; None where no side is meant.
        why: why they differ, where they do.
        group: heading under which it stands.
        published_high: upper end of a published range whose lower end is `published`; None where one number is published.
        sources: names of the published values that `published` is, or follows from.
        inputs: names of those that went into ours.
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
    published_high: float | None = None
    sources: tuple[str, ...] = field(default=(), compare=False, repr=False)
    inputs: tuple[str, ...] = field(default=(), compare=False, repr=False)

    @property
    def ratio(self) -> float:
        """Ours over published; over the nearer end of a range, 1 within it. NaN where nothing was published, or zero."""
        nearest = self.published
        if self.published_high is not None and isfinite(self.ours):
            nearest = min(max(self.ours, self.published), self.published_high)
        return self.ours / nearest if nearest else float("nan")

    @property
    def key(self) -> Key:
        """What tells it from the others of its method: publication, heading, name, reading."""
        return (self.anchor, self.group, self.name, self.reading)


@dataclass(frozen=True)
class Part(Generic[Found]):
    """Comparisons that are computed together; the unit of progress, and of going on after a stop.

    Attributes:
        title: what is computed, for people; differs from the other parts'.
        compute: runs the engine.
        rows: the comparisons, made of the published values and of what `compute` found. Cheap: at most arithmetic.
        blank: stands in for what `compute` finds where nothing is computed; what comes out of it is thrown away.
    """

    title: str
    compute: Callable[[Executor], Found]
    rows: Callable[[Found], Iterable[Comparison]]
    blank: Found

    def listed(self) -> tuple[Comparison, ...]:
        """The comparisons without ours: nothing is computed."""
        return tuple(replace(row, ours=nan, ordering=None, why="") for row in self.rows(self.blank))


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


def reproduction_of(engine: str) -> str | None:
    """The engine under which the results of `engine` are reproduced: itself or one whose reproduction runs it, else None."""
    names = reproducible_engines()
    return engine if engine in names else next((name for name in names if engine in engines_of(name)), None)


def parts_of(engine: str, quick: bool = False) -> tuple[Part[Any], ...]:
    """What there is to compute, in order.

    Args:
        engine: name of an engine with a reproduction.
        quick: only the comparisons that matter most.

    Raises:
        UnknownEngineError: no engine of that name has a reproduction.
    """
    found: tuple[Part[Any], ...] = _module(engine).parts(quick)
    return found


@cache
def listed(engine: str, quick: bool = False) -> tuple[Comparison, ...]:
    """Every comparison of an engine with its published value and without ours; nothing is computed.

    Raises:
        UnknownEngineError: no engine of that name has a reproduction.
    """
    return tuple(row for part in parts_of(engine, quick) for row in part.listed())


def comparisons_of(engine: str, quick: bool = False, executor: Executor | None = None) -> Iterator[Comparison]:
    """Run the engine and compare, one after the other as they are computed.

    Args:
        engine: name of an engine with a reproduction.
        quick: only the few that matter most.
        executor: where runs are computed; in place by default.

    Raises:
        UnknownEngineError: no engine of that name has a reproduction.
    """
    for part in parts_of(engine, quick):
        yield from part.rows(part.compute(executor or InPlaceExecutor()))


def engines_of(engine: str) -> tuple[str, ...]:
    """Names of the engines that the reproduction of `engine` runs."""
    found: tuple[str, ...] = _module(engine).ENGINES
    return found


def versions_of(engine: str) -> dict[str, int]:
    """The installed versions of the engines that the reproduction of `engine` runs."""
    return {name: get_engine(name).version for name in engines_of(engine)}


def headline_of(engine: str) -> str:
    """Name of the comparison that stands for the method."""
    return str(_module(engine).HEADLINE)


def seconds_of(engine: str, quick: bool) -> float:
    """How long the reproduction took on one core where it was measured."""
    found: tuple[float, float] = _module(engine).SECONDS
    return found[0 if quick else 1]


def readings_of(engine: str) -> Mapping[str, str]:
    """What each reading of a reproduction is, by name, the default first.

    Raises:
        UnknownEngineError: no engine of that name has a reproduction.
    """
    found: Mapping[str, str] = _module(engine).READINGS
    return found


def published_of(engine: str) -> tuple[PublishedValue, ...]:
    """Every value that the publications of a method print."""
    return published_values(_folder(engine))


@cache
def not_compared_of(engine: str) -> tuple[NotCompared, ...]:
    """The published values that no row shows, by the reason that `published.yaml` gives."""
    shown = {(row.anchor, name) for row in listed(engine) for name in row.sources}
    return tuple(
        replace(entry, values=tuple(each for each in entry.values if not each.names & shown))
        for entry in not_compared(_folder(engine))
    )


def uncovered_of(engine: str) -> tuple[PublishedValue, ...]:
    """The published values that have neither a row nor a reason; there must be none."""
    shown = {(row.anchor, name) for row in listed(engine) for name in row.sources}
    told = {each for entry in not_compared_of(engine) for each in entry.values}
    return tuple(each for each in published_of(engine) if each not in told and not each.names & shown)


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


def _folder(engine: str) -> Path:
    return Path(str(_module(engine).__file__)).parent


def _is_main(engine: str) -> bool:
    return engine_path(engine).partition(":")[0].rpartition(".")[2] == _ENGINE_MODULE


def _module_name(engine: str) -> str:
    return f"{engine_path(engine).partition(':')[0].rpartition('.')[0]}.{MODULE}"

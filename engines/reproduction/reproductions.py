"""Published results beside ours.

A method that reproduces results has a module `reproduction` beside the module `engine` of its engine (others in the same folder
have none of their own), with:

    READINGS: Mapping[str, str]              # name of each reading -> what it is, the default first
    ENGINES: tuple[str, ...]                 # what is run; another version of one puts what was computed out of date
    HEADLINE: str                            # name of the comparison that stands for the method where there is room for one
    def parts(quick: bool) -> tuple[Part, ...]   # `quick`: the few that matter most

Published values are data; ours are a function of what a part computes. So the rows of a part are listed without computing
anything (`listed`), and nothing is typed in but what was published, with its place: ours comes out of runs of the engine.
"""

from __future__ import annotations

import importlib
import importlib.util
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from math import nan
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

from engines.contract.engine import Executor
from engines.contract.errors import UnknownEngineError
from engines.registry import engine_names, engine_path, get_engine
from engines.reproduction.comparisons import Comparison
from engines.reproduction.published_values import NotCompared, PublishedValue, not_compared, published_values
from engines.reproduction.shipped import FILE, Shipped, read_shipped, shipped_text
from engines.running.executor import InPlaceExecutor

Found = TypeVar("Found")
MODULE = "reproduction"
_ENGINE_MODULE = "engine"
_UNKNOWN_S = 60.0


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
        return tuple(replace(row, ours=nan, ordering=None) for row in self.rows(self.blank))


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


def shipped_of(engine: str) -> Shipped | None:
    """What was computed at release; None where nothing was."""
    return read_shipped(_folder(engine))


def seconds_of(engine: str, quick: bool) -> float:
    """How long the reproduction took on one core at release; a minute for a part of which that is not known."""
    shipped = shipped_of(engine)
    known = shipped.processor_s if shipped else {}
    return max(1.0, sum(known.get(part.title, _UNKNOWN_S) for part in parts_of(engine, quick)))


def ship(engine: str, command: str, computed: date, tell: Callable[[str], None] = lambda _: None) -> Path:
    """Compute every comparison of an engine on one core and write what was found beside what was published.

    Args:
        engine: name of an engine with a reproduction.
        command: what a reader runs to do the same.
        computed: the day.
        tell: is given the title of each part before it is computed.

    Raises:
        UnknownEngineError: no engine of that name has a reproduction.
    """
    rows: list[Comparison] = []
    processor_s = {}
    for part in parts_of(engine):
        tell(part.title)
        begun = time.process_time()
        rows += part.rows(part.compute(InPlaceExecutor()))
        processor_s[part.title] = time.process_time() - begun
    path = _folder(engine) / FILE
    path.write_text(shipped_text(command, computed, versions_of(engine), processor_s, rows), encoding="utf-8")
    read_shipped.cache_clear()
    return path


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

"""The reproductions of the engines, found by name.

A method that reproduces results has a module `reproduction` next to the module `engine` of its engine (others in the same folder
have none of their own) with `REPRODUCTION`, an `engines.reproduction.frame.Reproduction`. Next to it lie `published.yaml`, what is
printed, and `reproduced.yaml`, what was computed at release. Nothing is typed in but what was published, with its place.
"""

from __future__ import annotations

import importlib
import importlib.util
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from engines.contract.engine import Executor
from engines.contract.errors import UnknownEngineError
from engines.registry import engine_names, engine_path, get_engine
from engines.reproduction.comparisons import Comparison
from engines.reproduction.declarations import checked_rows
from engines.reproduction.frame import Outcomes, Part, Reproduction
from engines.reproduction.published_values import NotCompared, PublishedValue, not_compared, published_values
from engines.reproduction.release_values import FILE, ReleaseValues, read_shipped, shipped_text
from engines.running.executor import InPlaceExecutor

Found = TypeVar("Found")
MODULE = "reproduction"
_ENGINE_MODULE = "engine"
_UNKNOWN_S = 60.0


def reproducible_engines() -> tuple[str, ...]:
    """Return the names of the engines that have a reproduction, sorted."""
    return _reproducible(engine_names())


@cache
def _reproducible(names: tuple[str, ...]) -> tuple[str, ...]:
    # Kept for the names asked: looking for a module reads its folder.
    return tuple(name for name in names if _is_main(name) and importlib.util.find_spec(_module_name(name)))


def reproduction_of(engine: str) -> str | None:
    """Return the engine under which the results of `engine` are reproduced: itself or one whose reproduction runs it, else None."""
    names = reproducible_engines()
    return engine if engine in names else next((name for name in names if engine in engines_of(name)), None)


def parts_of(engine: str, quick: bool = False) -> tuple[Part, ...]:
    """Return the parts of the reproduction to compute, in order.

    Args:
        engine: name of an engine with a reproduction.
        quick: only the comparisons that matter most.

    Raises:
        UnknownEngineError: no engine of that name has a reproduction.
    """
    return tuple(part for part in _found(engine).parts if part.quick or not quick)


@cache
def listed(engine: str, quick: bool = False) -> tuple[Comparison, ...]:
    """Return every comparison of an engine with its published value alone; nothing is computed.

    Raises:
        UnknownEngineError: no engine of that name has a reproduction.
    """
    return checked_rows(row for part in parts_of(engine, quick) for row in part.listed())


def comparisons_of(engine: str, quick: bool = False, executor: Executor | None = None) -> Iterator[Comparison]:
    """Run the engine and compare, one after the other as they are computed.

    Args:
        engine: name of an engine with a reproduction.
        quick: only the few that matter most.
        executor: executor of the runs; in place by default.

    Raises:
        UnknownEngineError: no engine of that name has a reproduction.
    """
    known: Outcomes = {}
    for part in parts_of(engine, quick):
        yield from part.computed(known, executor or InPlaceExecutor())


def engines_of(engine: str) -> tuple[str, ...]:
    """Return the names of the engines that the reproduction of `engine` runs."""
    return _found(engine).engines


def versions_of(engine: str) -> dict[str, int]:
    """Return the installed versions of the engines that the reproduction of `engine` runs."""
    return {name: get_engine(name).version for name in engines_of(engine)}


def headline_of(engine: str) -> str:
    """Return the name of the comparison that represents the method."""
    return _found(engine).headline


def shipped_of(engine: str) -> ReleaseValues | None:
    """Return the values computed at release; None without them."""
    return read_shipped(_folder(engine))


def seconds_of(engine: str, quick: bool) -> float:
    """Return the seconds that the reproduction took on one core at release; 60 if unknown."""
    shipped = shipped_of(engine)
    return max(1.0, shipped.processor_s["quick" if quick else "all"]) if shipped else _UNKNOWN_S


def ship(engine: str, command: str, computed: date, tell: Callable[[str], None] = lambda _: None) -> Path:
    """Compute every comparison of an engine on one core and write what was found next to what was published.

    Args:
        engine: name of an engine with a reproduction.
        command: command that repeats it.
        computed: the day.
        tell: is given the title of each part before it is computed.

    Raises:
        UnknownEngineError: no engine of that name has a reproduction.
    """
    rows: list[Comparison] = []
    known: Outcomes = {}
    processor_s = {"quick": 0.0, "all": 0.0}
    for part in parts_of(engine):
        tell(part.title)
        begun = time.process_time()
        rows += part.computed(known, InPlaceExecutor())
        for which in ("quick", "all") if part.quick else ("all",):
            processor_s[which] += time.process_time() - begun
    path = _folder(engine) / FILE
    path.write_text(shipped_text(command, computed, versions_of(engine), processor_s, rows), encoding="utf-8")
    read_shipped.cache_clear()
    return path


def readings_of(engine: str) -> Mapping[str, str]:
    """Return reading -> its description, the default first.

    Raises:
        UnknownEngineError: no engine of that name has a reproduction.
    """
    return _found(engine).readings


def published_of(engine: str) -> tuple[PublishedValue, ...]:
    """Return every value that the publications of a method print."""
    return published_values(_folder(engine))


@cache
def not_compared_of(engine: str) -> tuple[NotCompared, ...]:
    """Return the published values that no row shows, by the reason that `published.yaml` gives."""
    shown = {(row.anchor, name) for row in listed(engine) for name in row.sources}
    return tuple(
        replace(entry, values=tuple(each for each in entry.values if not each.names & shown))
        for entry in not_compared(_folder(engine))
    )


def _found(engine: str) -> Reproduction:
    found: Reproduction = _module(engine).REPRODUCTION
    return found


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

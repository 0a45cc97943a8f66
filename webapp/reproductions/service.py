"""Make, store and read reproductions."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from engines.registry import get_engine
from engines.reproduction.reproductions import (
    Comparison,
    Key,
    comparisons_of,
    listed,
    reproducible_engines,
    versions_of,
)
from engines.running.executor import executor_for
from engines.running.runner.child import platform_facts
from webapp.reproductions.models import Reproduction

_NUMBERS = ("published", "ours")  # JSON has no NaN


def reproduce(
    engine: str, quick: bool = False, on_comparison: Callable[[Comparison], None] = lambda _: None, processes: int = 1
) -> Reproduction:
    """Compute every comparison of an engine now and store them together, once the last one is there.

    Args:
        engine: name of an engine with a reproduction.
        quick: only the comparisons that matter most.
        on_comparison: told of each one as it is computed.
        processes: how many compute.

    Raises:
        UnknownEngineError: no engine of that name has a reproduction.
    """
    begun = time.monotonic()
    rows = []
    with executor_for(processes) as executor:
        for row in comparisons_of(engine, quick, executor):
            rows.append(row)
            on_comparison(row)
    return Reproduction.objects.create(
        engine=engine,
        engine_version=get_engine(engine).version,
        versions=versions_of(engine),
        quick=quick,
        comparisons=[to_json(row) for row in rows],
        platform=platform_facts(),
        duration_s=time.monotonic() - begun,
    )


@dataclass(frozen=True)
class Shown:
    """What there is to see of a method's reproduction.

    Attributes:
        engine: the method.
        rows: every comparison with its published value, in order; ours is there where it was computed.
        computed: keys of those that were.
        reproduction: where ours is from; None before the first one.
    """

    engine: str
    rows: tuple[Comparison, ...]
    computed: frozenset[Key]
    reproduction: Reproduction | None

    @property
    def outdated(self) -> bool:
        """Whether an installed engine is another version than the one that was run."""
        return self.reproduction is not None and is_outdated(self.reproduction)


def shown(engine: str) -> Shown:
    """Published values as packaged, ours as last computed here.

    Raises:
        UnknownEngineError: no engine of that name has a reproduction.
    """
    found = _latest_of(engine)
    stored = {row.key: row for row in comparisons(found)} if found else {}
    rows = tuple(_with_ours(row, stored.get(row.key)) for row in listed(engine))
    return Shown(engine, rows, frozenset(row.key for row in rows if row.key in stored), found)


def latest() -> dict[str, Reproduction | None]:
    """The reproduction of every engine that pages show, None where there is none.

    Those of the installed versions go before others, complete ones before quick ones, newer ones before older ones.
    """
    return {engine: _latest_of(engine) for engine in reproducible_engines()}


def comparisons(reproduction: Reproduction) -> list[Comparison]:
    """The stored comparisons."""
    return [_from_json(row) for row in reproduction.comparisons]


def is_outdated(reproduction: Reproduction) -> bool:
    """Whether an installed engine is another version than the one that was run."""
    if not reproduction.versions:
        return reproduction.engine_version != get_engine(reproduction.engine).version
    return bool(reproduction.versions != versions_of(reproduction.engine))


def _latest_of(engine: str) -> Reproduction | None:
    # Everything but the comparisons, which are most of it.
    candidates = list(Reproduction.objects.filter(engine=engine).defer("comparisons").order_by("-created", "-pk"))
    return min(candidates, key=lambda found: (is_outdated(found), found.quick), default=None)


def _with_ours(row: Comparison, stored: Comparison | None) -> Comparison:
    if stored is None:
        return row
    return replace(row, ours=stored.ours, ordering=stored.ordering, why=stored.why)


def to_json(row: Comparison) -> dict[str, object]:
    """A comparison as it is stored."""
    numbers = {name: getattr(row, name) for name in _NUMBERS}
    return asdict(row) | {name: value if math.isfinite(value) else None for name, value in numbers.items()}


def _from_json(row: Mapping[str, Any]) -> Comparison:
    names = {name: tuple(row.get(name, ())) for name in ("sources", "inputs")}  # JSON has no tuples
    missing = {name: math.nan for name in _NUMBERS if row[name] is None}
    return Comparison(**{**row, **missing, **names})

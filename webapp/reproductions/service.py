"""Make, store and read reproductions."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from engines.executor import executor_for
from engines.registry import get_engine
from engines.reproductions import Comparison, comparisons_of, reproducible_engines
from engines.runner.child import platform_facts
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
        quick=quick,
        comparisons=[_to_json(row) for row in rows],
        platform=platform_facts(),
        duration_s=time.monotonic() - begun,
    )


def latest() -> dict[str, Reproduction | None]:
    """The newest complete reproduction of every engine that has one, else the newest quick one; None where there is neither."""
    return {engine: _latest_of(engine) for engine in reproducible_engines()}


def comparisons(reproduction: Reproduction) -> list[Comparison]:
    """The stored comparisons."""
    return [_from_json(row) for row in reproduction.comparisons]


def is_outdated(reproduction: Reproduction) -> bool:
    """Whether the installed engine is another version than the one that was run."""
    return reproduction.engine_version != get_engine(reproduction.engine).version


def _latest_of(engine: str) -> Reproduction | None:
    return Reproduction.objects.filter(engine=engine).order_by("quick", "-created", "-pk").first()


def _to_json(row: Comparison) -> dict[str, object]:
    numbers = {name: getattr(row, name) for name in _NUMBERS}
    return asdict(row) | {name: value if math.isfinite(value) else None for name, value in numbers.items()}


def _from_json(row: Mapping[str, Any]) -> Comparison:
    missing = {name: math.nan for name in _NUMBERS if row[name] is None}
    return Comparison(**{**row, **missing})

"""Make, store and read reproductions."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any, Literal

from engines.registry import get_engine
from engines.reproduction.comparisons import Comparison, Key
from engines.reproduction.reproductions import comparisons_of, listed, shipped_of, versions_of
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
        processes: number of computing processes.

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
class ValueOrigin:
    """Where values of ours are from.

    Attributes:
        at: at the release of the software, or on this site.
        computed: when; of a release, the day.
        versions: name -> version of every engine that was run.
        quick: whether only the comparisons that matter most were made.
        duration_s: compute time here; None for release values.
        outdated: whether an installed engine is another version than the one that was run.
    """

    at: Literal["release", "site"]
    computed: date
    versions: Mapping[str, int]
    quick: bool
    duration_s: float | None
    outdated: bool

    @property
    def words(self) -> str:
        """The label of such values."""
        engines = ", ".join(f"{name} {version}" for name, version in self.versions.items())
        if not isinstance(self.computed, datetime):
            return f"computed at release with {engines} on {self.computed:%Y-%m-%d}"
        return f"computed here with {engines} on {self.computed:%Y-%m-%d %H:%M} UTC"


@dataclass(frozen=True)
class ReproductionSummary:
    """The summary of a method's reproduction.

    Attributes:
        engine: the method.
        rows: every comparison with its published value, in order; ours is there where it was computed.
        made: origin of the computed values.
    """

    engine: str
    rows: tuple[Comparison, ...]
    made: Mapping[Key, ValueOrigin]

    @property
    def computed(self) -> Collection[Key]:
        """Keys of those that were computed."""
        return self.made.keys()

    @property
    def origins(self) -> tuple[ValueOrigin, ...]:
        """Where values are from, those of this site first."""
        return tuple(
            sorted({id(made): made for made in self.made.values()}.values(), key=lambda made: made.at == "release")
        )

    @property
    def outdated(self) -> bool:
        """Whether an installed engine is another version than one that was run."""
        return any(made.outdated for made in self.origins)


def shown(engine: str) -> ReproductionSummary:
    """Return the published values as packaged; ours as last computed here, else as computed at release.

    Raises:
        UnknownEngineError: no engine of that name has a reproduction.
    """
    rows = listed(engine)
    ours: dict[Key, Comparison] = {}
    made: dict[Key, ValueOrigin] = {}
    for origin, found in _layers(engine, rows):
        ours |= {row.key: row for row in found}
        made |= dict.fromkeys((row.key for row in found), origin)
    shown_rows = tuple(_with_ours(row, ours.get(row.key)) for row in rows)
    return ReproductionSummary(engine, shown_rows, {row.key: made[row.key] for row in rows if row.key in made})


def _layers(engine: str, rows: Sequence[Comparison]) -> Iterator[tuple[ValueOrigin, Sequence[Comparison]]]:
    """Yield what there is of ours, each over those before it: of the release, then of this site unless it alone is out of date."""
    shipped, own = shipped_of(engine), newest(engine)
    outdated = shipped is not None and dict(shipped.engines) != versions_of(engine)
    if shipped:
        yield ValueOrigin("release", shipped.computed, shipped.engines, False, None, outdated), shipped.filled(rows)
    if own and not (shipped and is_outdated(own) and not outdated):
        versions = own.versions or {own.engine: own.engine_version}
        yield ValueOrigin("site", own.created, versions, own.quick, own.duration_s, is_outdated(own)), comparisons(own)


def comparisons(reproduction: Reproduction) -> list[Comparison]:
    """Return the stored comparisons."""
    return [_from_json(row) for row in reproduction.comparisons]


def is_outdated(reproduction: Reproduction) -> bool:
    """Return whether an installed engine is another version than the one that was run."""
    if not reproduction.versions:
        return reproduction.engine_version != get_engine(reproduction.engine).version
    return bool(reproduction.versions != versions_of(reproduction.engine))


def newest(engine: str) -> Reproduction | None:
    """Return the reproduction that pages show, of those computed here; None before the first one.

    Those of the installed versions go before others, complete ones before quick ones, newer ones before older ones.
    """
    # Everything but the comparisons, which are most of it.
    candidates = list(Reproduction.objects.filter(engine=engine).defer("comparisons").order_by("-created", "-pk"))
    return min(candidates, key=lambda found: (is_outdated(found), found.quick), default=None)


def _with_ours(row: Comparison, stored: Comparison | None) -> Comparison:
    if stored is None:
        return row
    return row.with_ours(stored.own)


def to_json(row: Comparison) -> dict[str, object]:
    """Return a comparison as it is stored."""
    numbers = {name: getattr(row, name) for name in _NUMBERS}
    told = {name: value for name, value in asdict(row).items() if name != "reason"} | {"why": row.why}
    return told | {name: value if math.isfinite(value) else None for name, value in numbers.items()}


def _from_json(row: Mapping[str, Any]) -> Comparison:
    names = {name: tuple(row.get(name, ())) for name in ("sources", "inputs")}  # JSON has no tuples
    missing = {name: math.nan for name in _NUMBERS if row[name] is None}
    told = {name: value for name, value in row.items() if name != "why"} | {"reason": row["why"]}
    if row.get("seeds"):
        told["seeds"] = tuple(row["seeds"])
    return Comparison(**{**told, **missing, **names})

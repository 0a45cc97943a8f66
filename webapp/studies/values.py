"""The best values of many runs, read once per process and step: a table of 1000 runs must not read every design each time.

Which designs count is told by `engines.contract.fronts.front`; baselines are kept apart by label.
The designs themselves are read, not `Run.metrics`: what an engine reports in those is its own choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.bounded_cache import BoundedCache
from engines.contract.designs import FACTS, Designs, table_from_bytes
from engines.contract.fronts.front import best_among
from engines.contract.quantities import Quantity
from webapp.runs.models import DesignChunk, Run

_KEPT_RUNS = 20_000
_CHUNKS_AT_ONCE = 16
_ACTIVE = (Run.Status.QUEUED, Run.Status.RUNNING)


class RunRow(NamedTuple):
    """The columns of a run that a table needs, in the order of `FIELDS`."""

    pk: int
    cell: Mapping[str, Any]
    status: str
    wish: str
    outcome: str
    fraction: float
    attempt: int
    step_number: int
    design_count: int

    @property
    def active(self) -> bool:
        """Whether it waits for a worker or is being worked on."""
        return self.status in _ACTIVE


FIELDS = RunRow._fields


@dataclass(frozen=True)
class RunValues:
    """Quantity -> best value of the search; label of a baseline -> quantity -> value. What is missing is not there."""

    best: Mapping[str, float] = field(default_factory=dict)
    baselines: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Known:
    """The values that were read of a run, and the state of the run at that time."""

    attempt: int
    step_number: int
    design_count: int
    ended: bool
    last_chunk: int
    values: RunValues


_known: BoundedCache[int, _Known] = BoundedCache(_KEPT_RUNS)


def tabulated(quantities: Iterable[Quantity]) -> tuple[Quantity, ...]:
    """Return the quantities of which one value is the best: objectives first, then other figures with a sense."""
    ranked = [q for q in quantities if q.sense != "none" and q.role in ("objective", "metric")]
    return tuple(sorted(ranked, key=lambda quantity: quantity.role != "objective"))


def values_of(runs: Sequence[RunRow], quantities: Sequence[Quantity]) -> dict[int, RunValues]:
    """Return the best values of every run, in two queries at most.

    None where nothing has changed since they were last asked for.
    """
    bases: dict[int, _Known | None] = {run.pk: _known.get(run.pk) for run in runs}
    stale = [run for run in runs if run.design_count and not _fresh(run, bases[run.pk])]
    if stale:
        starts = {run.pk: _start(run, bases[run.pk]) for run in stale}
        read = _read(starts, quantities)
        for run in stale:
            bases[run.pk] = _known.put(run.pk, _joined(run, starts[run.pk], read.get(run.pk, []), quantities))
    found = ((run, bases[run.pk]) for run in runs)
    return {run.pk: known.values if known and run.design_count else RunValues() for run, known in found}


def _fresh(run: RunRow, known: _Known | None) -> bool:
    state = (run.attempt, run.step_number, run.design_count, not run.active)
    return known is not None and state == (known.attempt, known.step_number, known.design_count, known.ended)


def _start(run: RunRow, known: _Known | None) -> _Known:
    """Return what newer chunks are added to. A new attempt drops designs, so it begins again; so does the end, to be sure."""
    if known is None or known.attempt != run.attempt or not run.active or run.design_count < known.design_count:
        return _Known(run.attempt, 0, 0, False, 0, RunValues())
    return known


def _read(starts: Mapping[int, _Known], quantities: Sequence[Quantity]) -> dict[int, list[tuple[int, RunValues]]]:
    chunks = DesignChunk.objects.filter(run_id__in=list(starts)).order_by("run_id", "number")
    wanted = [
        pk for pk, run_id, number in chunks.values_list("pk", "run_id", "number") if number > starts[run_id].last_chunk
    ]
    read: dict[int, list[tuple[int, RunValues]]] = {}
    rows = chunks.filter(pk__in=wanted).values_list("run_id", "number", "scalars")
    for run_id, number, data in rows.iterator(chunk_size=_CHUNKS_AT_ONCE):
        read.setdefault(run_id, []).append((number, chunk_values(bytes(data), quantities)))
    return read


def _joined(
    run: RunRow, start: _Known, parts: Sequence[tuple[int, RunValues]], quantities: Sequence[Quantity]
) -> _Known:
    values = start.values
    for _, part in parts:
        labels = {**dict.fromkeys(values.baselines), **dict.fromkeys(part.baselines)}
        values = RunValues(
            _better(quantities, values.best, part.best),
            {
                label: _better(quantities, values.baselines.get(label, {}), part.baselines.get(label, {}))
                for label in labels
            },
        )
    last = max((number for number, _ in parts), default=start.last_chunk)
    return _Known(run.attempt, run.step_number, run.design_count, not run.active, last, values)


def _better(
    quantities: Sequence[Quantity], first: Mapping[str, float], second: Mapping[str, float]
) -> dict[str, float]:
    found: dict[str, float] = {}
    for quantity in quantities:
        both = [side[quantity.name] for side in (first, second) if quantity.name in side]
        if both:
            found[quantity.name] = max(both) if quantity.sense == "maximise" else min(both)
    return found


def chunk_values(data: bytes, quantities: Sequence[Quantity]) -> RunValues:
    """Return the best values within one stored chunk (Arrow bytes of a `scalars_table`)."""
    shown = tabulated(quantities)
    names = [quantity.name for quantity in quantities if quantity in shown or quantity.role == "constraint"]
    designs = Designs.from_scalars([table_from_bytes(data, (*names, *FACTS))], names)
    baselines: dict[str, list[int]] = {}
    for row in np.flatnonzero(designs.of_origin("baseline")).tolist():
        baselines.setdefault(designs.label[row], []).append(row)
    return RunValues(
        _best_values(designs, shown, np.flatnonzero(designs.counted(quantities))),
        {label: _best_values(designs, shown, np.array(rows)) for label, rows in baselines.items()},
    )


def _best_values(designs: Designs, shown: Sequence[Quantity], rows: IntArray) -> dict[str, float]:
    best = {each.name: best_among(designs.columns[each.name], each.sense, rows) for each in shown}
    return {name: float(designs.columns[name][row]) for name, row in best.items() if row is not None}

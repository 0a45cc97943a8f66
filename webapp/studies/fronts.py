"""The non-dominated designs of many ended runs, read once per process: statistics over seeds need every front at once.

Which designs count is told by `engines.contract.fronts.front`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.bounded_cache import BoundedCache
from engines.contract.designs import FACTS, Designs, table_from_bytes
from engines.contract.fronts.front import front_among
from engines.contract.quantities import Quantity, objectives_of
from webapp.runs.models import DesignChunk
from webapp.studies.values import RunRow

_KEPT_BYTES = 24 * 2**20
_KEPT_RUNS = 20_000
_CHUNKS_AT_ONCE = 16
_State = tuple[int, int, int, int, tuple[str, ...]]


_kept: BoundedCache[_State, FloatArray] = BoundedCache(_KEPT_RUNS, _KEPT_BYTES, lambda front: front.nbytes)


def fronts_of(runs: Sequence[RunRow], quantities: Sequence[Quantity]) -> dict[int, FloatArray]:
    """Run -> its front over the engine's objectives, `k x m` in stored units; in one query at most.

    A run without designs, or without one that meets every constraint, has a front of shape `0 x m`.
    """
    names = tuple(quantity.name for quantity in objectives_of(quantities))
    found: dict[int, FloatArray] = {}
    unknown: dict[int, _State] = {}
    for run in runs:
        state = (run.pk, run.attempt, run.step_number, run.design_count, names)
        front = _kept.get(state) if run.design_count else np.empty((0, len(names)))
        if front is None:
            unknown[run.pk] = state
        else:
            found[run.pk] = front
    if unknown:
        read = _read(unknown, quantities)
        for number, state in unknown.items():
            found[number] = _kept.put(state, _joined(read.get(number, ()), quantities))
    return found


def _read(run_ids: Iterable[int], quantities: Sequence[Quantity]) -> dict[int, list[FloatArray]]:
    rows = DesignChunk.objects.filter(run_id__in=list(run_ids)).order_by("run_id", "number")
    read: dict[int, list[FloatArray]] = {}
    for run_id, data in rows.values_list("run_id", "scalars").iterator(chunk_size=_CHUNKS_AT_ONCE):
        read.setdefault(run_id, []).append(chunk_front(bytes(data), quantities))
    return read


def _joined(parts: Sequence[FloatArray], quantities: Sequence[Quantity]) -> FloatArray:
    objectives = objectives_of(quantities)
    if not parts:
        return np.empty((0, len(objectives)))
    together = np.concatenate(parts)
    columns = {quantity.name: column for quantity, column in zip(objectives, together.T, strict=True)}
    return together[front_among(columns, objectives, np.arange(len(together)))]


def chunk_front(data: bytes, quantities: Sequence[Quantity]) -> FloatArray:
    """Return the front of one stored chunk (Arrow bytes of a `scalars_table`), `k x m`."""
    names = [quantity.name for quantity in quantities if quantity.role in ("objective", "constraint")]
    designs = Designs.from_scalars([table_from_bytes(data, (*names, *FACTS))], names)
    return designs.matrix(quantity.name for quantity in objectives_of(quantities))[designs.front(quantities)]

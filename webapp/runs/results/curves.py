"""How a run came along, step by step; of a live run only the steps that are new are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray, IntArray
from webapp.runs.models import Run, StepRecord

_FIELDS = ("number", "evaluations", "design_count", "time", "fraction", "hypervolume", "metrics")
# Of a long run the store drops most of the old steps; what was read before is dropped with them from so many on.
MOST_KNOWN = 5_000


@dataclass(frozen=True)
class Convergence:
    """How a run came along, one entry per stored step (arrays of shape `s`).

    Attributes:
        step, evaluations, design_count: int64.
        time_s: seconds since the first step's report on the database's clock; waiting between attempts included.
        fraction: share of the work done.
        hypervolume: hypervolume of the searched designs; NaN while there is no reference point.
        metrics: name -> values; NaN where a step did not report it.
        reference: the reference point, one value per objective; empty while there is none.
    """

    step: IntArray
    evaluations: IntArray
    design_count: IntArray
    time_s: FloatArray
    fraction: FloatArray
    hypervolume: FloatArray
    metrics: Mapping[str, FloatArray]
    reference: tuple[float, ...]


def convergence(run: Run, known: Convergence | None = None) -> Convergence:
    """Return the stored steps as arrays.

    Args:
        run: the run.
        known: what an earlier call answered for it; only what came after is read, unless the run went back meanwhile.
    """
    reference = tuple(run.hypervolume_reference or ())
    steps = StepRecord.objects.filter(run=run).order_by("number")
    if known is not None and known.reference == reference and 0 < len(known.step) < MOST_KNOWN:
        # The last known step once more: it tells whether the run went back, and when the first one was.
        rows = list(steps.filter(number__gte=known.step[-1]).values_list(*_FIELDS))
        if rows and _is_last(rows[0], known):
            begun = rows[0][3].timestamp() - float(known.time_s[-1])
            return _joined(known, _arrays(rows[1:], begun, reference))
    rows = list(steps.values_list(*_FIELDS))
    return _arrays(rows, rows[0][3].timestamp() if rows else 0.0, reference)


def _is_last(row: Sequence[Any], known: Convergence) -> bool:
    value = np.nan if row[5] is None else row[5]
    same = np.array_equal([known.hypervolume[-1]], [value], equal_nan=True)
    return bool(same) and row[:3] == (known.step[-1], known.evaluations[-1], known.design_count[-1])


def _arrays(rows: Sequence[Sequence[Any]], begun: float, reference: tuple[float, ...]) -> Convergence:
    names = sorted({name for row in rows for name in row[6]})
    return Convergence(
        step=np.array([row[0] for row in rows], np.int64),
        evaluations=np.array([row[1] for row in rows], np.int64),
        design_count=np.array([row[2] for row in rows], np.int64),
        time_s=np.array([row[3].timestamp() for row in rows], np.float64) - begun,
        fraction=np.array([row[4] for row in rows], np.float64),
        hypervolume=_floats([row[5] for row in rows]),
        metrics={name: _floats([row[6].get(name) for row in rows]) for name in names},
        reference=reference,
    )


def _joined(known: Convergence, new: Convergence) -> Convergence:
    def both(name: str) -> npt.NDArray[Any]:
        return np.concatenate([getattr(known, name), getattr(new, name)])

    def of_metric(name: str) -> FloatArray:
        sides = (known, new)
        return np.concatenate([side.metrics.get(name, np.full(len(side.step), np.nan)) for side in sides])

    arrays = {name: both(name) for name in ("step", "evaluations", "design_count", "time_s", "fraction", "hypervolume")}
    names = sorted({*known.metrics, *new.metrics})
    return Convergence(**arrays, metrics={name: of_metric(name) for name in names}, reference=new.reference)


def _floats(values: Sequence[float | None]) -> FloatArray:
    return np.array([np.nan if value is None else value for value in values], np.float64)

"""Random mappings of a mix in the four classes of karatzas-2024 Figure 1: throughput high or low, power high or low."""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.quantities import SHARE
from engines.contract.results import Curve, Result, Series, Table, TableColumn
from engines.methods.mapformer.managers.manager import Task
from engines.simulation.steady_state import steady_state

MAPPINGS, BINS = 1000, 16
_CLASSES = (
    ("High throughput, low power", True, True),
    ("High throughput, high power", True, False),
    ("Low throughput, low power", False, True),
    ("Low throughput, high power", False, False),
)


def random_classes(task: Task) -> tuple[Result, ...]:
    """Return a picture and shares of `MAPPINGS` random mappings, whatever the power limit."""
    found = steady_state(task.board, task.space.drawn(task.random("figure 1"), MAPPINGS))
    throughput, power = found.mean_per_s[found.valid], found.power_w[found.valid]
    if not len(power):
        return ()
    classes = {title: in_class(throughput, power, high, low, BINS) for title, high, low in _CLASSES}
    picture = Curve(
        name="random-classes",
        title="Random mappings in four classes",
        x=power,
        x_title="Power",
        x_unit="W",
        series=tuple(
            Series(title, np.where(own, throughput, np.nan), "1/s", style="points")
            for title, own in classes.items()
            if own.any()
        ),
    )
    table = Table(
        name="random-classes-shares",
        title="Shares of the four classes",
        belongs_to="random-classes",
        table_columns=(
            TableColumn("Random mappings", tuple(classes)),
            TableColumn("Share", np.array([own.mean() for own in classes.values()]), SHARE),
            TableColumn(
                "Highest mean throughput", np.array([_most(throughput[own]) for own in classes.values()]), "1/s"
            ),
            TableColumn("Least power", np.array([-_most(-power[own]) for own in classes.values()]), "W"),
        ),
    )
    return picture, table


def in_class(throughput: FloatArray, power: FloatArray, high: bool, low: bool, bins: int) -> BoolArray:
    """Return a mask of the mappings with throughput in the upper half of the bins (`high`) and power in the lower one (`low`).

    Bins are equally wide between the extremes of what was drawn (karatzas-2024 Figure 1).
    """
    upper, lower = _bin(throughput, bins) >= bins // 2, _bin(power, bins) < bins // 2
    return np.asarray((upper == high) & (lower == low))


def _bin(values: FloatArray, bins: int) -> IntArray:
    low, high = values.min(), values.max()
    return np.asarray(np.minimum(((values - low) / max(high - low, 1e-300) * bins).astype(np.int64), bins - 1))


def _most(values: FloatArray) -> float:
    return float(values.max()) if len(values) else float("nan")

"""Designs of a run for the run page: columns, front, filters, best designs. No components, no requests.

Columns are read once per chunk and kept in a small cache in the process, so that a callback over ten thousand designs costs a
few array operations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.bounded_cache import BoundedCache
from engines.contract.designs import Designs
from engines.contract.fronts.front import COUNTED, best_among, feasible, front_among, knee_among
from engines.contract.fronts.non_dominated import rounded
from engines.contract.numeric.memory_size import held_bytes
from engines.contract.quantities import Quantity, objectives_of
from engines.running.inspection import with_hardware
from engines.search.indicators import distinct_count
from frontend.designs.growing_columns import GrowingColumns
from frontend.figures.statistics.histogram import binned

HISTOGRAM_BINS = 26
CACHED_BYTES = 128 * 1024**2
MOST_RUNS = 1_000
_FEWEST_POINTS = 3  # of a front with a knee
_BY_DESIGN = ("found_at_evaluation", "origin", "label", "feasible", "searched", "is_baseline")


@dataclass(frozen=True)
class Region:
    """A polygon over two columns, in stored units: what the reader drew around designs.

    Attributes:
        x, y: the columns.
        corners: at least three.
    """

    x: str
    y: str
    corners: tuple[tuple[float, float], ...]

    def holds(self, x: FloatArray, y: FloatArray) -> BoolArray:
        """Return a mask of the points inside the region (even-odd rule), shape `n`."""
        corners = np.array(self.corners)
        (left, low), (right, high) = corners.min(axis=0), corners.max(axis=0)
        inside = np.zeros(len(x), bool)
        near = np.flatnonzero((x >= left) & (x <= right) & (y >= low) & (y <= high))
        px, py = x[near], y[near]
        odd = np.zeros(len(near), bool)
        for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            if y0 != y1:
                odd ^= ((y0 > py) != (y1 > py)) & (px < x0 + (py - y0) * (x1 - x0) / (y1 - y0))
        inside[near] = odd
        return inside


@dataclass(frozen=True)
class Beside:
    """A column from another source, next to a column of the engine, whose unit it uses.

    Attributes:
        quantity: meaning of the column.
        of: name of the engine's column.
        values: shape `n`; NaN where there is none.
        usual: whether tables show it unless a person chose.
    """

    quantity: Quantity
    of: str
    values: FloatArray
    usual: bool = True


@dataclass(frozen=True)
class RunDesigns:
    """All designs of a run as columns that grow, with what pages ask of them; the position in a column is the design's number.

    Attributes:
        quantities: meaning of the columns.
        primary: name of the column by which "best" is told.
        columns: name -> float64 array of shape `n`.
        found_at_evaluation, origin, label: shape `n` each, as in `engines.contract.designs.Designs`.
        known_front: `front` of the first `known` designs, from which that of all follows; None where it is not known.
        room: index at which the next designs are appended.
        besides: name -> what stands next to the engine's columns; see `with_besides`.
        hardware: label of a baseline -> its hardware in words, where that is not the hardware of the run.
        certain: number of a design and a quantity -> the quantity with the certainty of that design; None where all have one.
        limited: whether the parameters of the run state a limit; hardware has some that nobody states.
    """

    quantities: tuple[Quantity, ...]
    primary: str
    columns: Mapping[str, FloatArray]
    found_at_evaluation: IntArray
    origin: npt.NDArray[np.str_]
    label: npt.NDArray[np.str_]
    known_front: IntArray | None = None
    known: int = 0
    room: GrowingColumns = field(default_factory=GrowingColumns, repr=False, compare=False)
    besides: Mapping[str, Beside] = field(default_factory=dict)
    hardware: Mapping[str, str] = field(default_factory=dict)
    certain: Callable[[int, Quantity], Quantity] | None = field(default=None, repr=False, compare=False)
    limited: bool = False

    def __len__(self) -> int:
        return len(self.origin)

    @staticmethod
    def empty(
        quantities: tuple[Quantity, ...],
        primary: str,
        certain: Callable[[int, Quantity], Quantity] | None = None,
        hardware: Mapping[str, str] | None = None,
        limited: bool = False,
    ) -> RunDesigns:
        """Return an empty set of designs for a run without any."""
        none: npt.NDArray[np.str_] = np.empty(0, np.str_)
        columns = {quantity.name: np.empty(0) for quantity in quantities}
        return RunDesigns(
            quantities, primary, columns, np.empty(0, np.int64), none, none,
            certain=certain, hardware=hardware or {}, limited=limited,
        )  # fmt: skip

    def first(self, count: int | None) -> RunDesigns:
        """Return the first `count` designs, as the page showed them before more came; all where there are no more, or for None."""
        if count is None or count >= len(self):
            return self
        known = self.known_front is not None and self.known <= count
        return RunDesigns(
            self.quantities,
            self.primary,
            {name: column[:count] for name, column in self.columns.items()},
            self.found_at_evaluation[:count],
            self.origin[:count],
            self.label[:count],
            self.known_front if known else None,
            self.known if known else 0,
            hardware=self.hardware,
            certain=self.certain,
            limited=self.limited,
        )

    def with_besides(self, besides: Sequence[Beside]) -> RunDesigns:
        """Return these designs with columns next to those of the engine: for a table; front and best designs are the same."""
        if not besides:
            return self
        quantities = [
            each
            for own in self.quantities
            for each in (own, *(beside.quantity for beside in besides if beside.of == own.name))
        ]
        columns = {**self.columns, **{each.quantity.name: each.values for each in besides}}
        named = {each.quantity.name: each for each in besides}
        found = replace(self, quantities=tuple(quantities), columns=columns, besides=named)
        found.__dict__.update({name: getattr(self, name) for name in ("feasible", "searched", "is_baseline", "front")})
        return found

    def unit_column(self, name: str) -> str:
        """Return the column whose values select the unit of column `name`: itself, or the engine's column next to it."""
        return self.besides[name].of if name in self.besides else name

    def quantity(self, name: str, number: int | None = None) -> Quantity:
        """Return the quantity of a column; a column the engine did not declare is shown under its own name.

        Args:
            name: name of the column.
            number: number of the design whose certainty it has; None for what holds for all designs.
        """
        found = next((q for q in self.quantities if q.name == name), Quantity(name, name))
        return found if number is None or self.certain is None else self.certain(number, found)

    def values_of(self, number: int) -> dict[str, float]:
        """Return column -> value of one design."""
        return {name: float(values[number]) for name, values in self.columns.items()}

    def extended(self, designs: Designs) -> RunDesigns:
        """Return these designs followed by `designs`, which must have the same metric columns."""
        columns = {name: designs.columns[name] for name in self.columns}
        found_at = designs.found_at_evaluation
        new = RunDesigns(
            self.quantities, self.primary, columns, found_at, _texts(designs.origin), _texts(designs.label)
        )
        room, joined = self.room.extended(self._by_design, new._by_design)
        front = self.__dict__.get("front")
        found = RunDesigns(
            self.quantities,
            self.primary,
            {name: joined[f".{name}"] for name in self.columns},
            joined["found_at_evaluation"],
            joined["origin"],
            joined["label"],
            self.known_front if front is None else front,
            self.known if front is None else len(self),
            room,
            hardware=self.hardware,
            certain=self.certain,
            limited=self.limited,
        )
        # Known without looking at every design again.
        found.__dict__.update({name: joined[name] for name in ("feasible", "searched", "is_baseline")})
        return found

    @property
    def _by_design(self) -> dict[str, npt.NDArray[Any]]:
        """Everything that has an entry per design; a dot before the names of columns."""
        return {
            **{f".{name}": column for name, column in self.columns.items()},
            **{name: getattr(self, name) for name in _BY_DESIGN},
        }

    @property
    def nbytes(self) -> int:
        """Return the approximate memory of the columns in bytes, including the capacity reserved for further designs."""
        return held_bytes(self)

    @cached_property
    def feasible(self) -> BoolArray:
        """Which designs break no constraint of the problem, shape `n`."""
        return feasible(self.columns, self.quantities, len(self))

    @cached_property
    def draw_order(self) -> npt.NDArray[np.uint32]:
        """A random number per design, seeded by its own number: a sample stays the same while designs are added. Shape `n`."""
        mixed = (np.arange(len(self), dtype=np.uint32) + np.uint32(1)) * np.uint32(2654435769)
        mixed ^= mixed >> np.uint32(15)
        mixed *= np.uint32(2246822519)
        return mixed ^ (mixed >> np.uint32(13))

    @cached_property
    def searched(self) -> BoolArray:
        """Which designs the search found, shape `n`: only these count for front and best (`engines.contract.fronts.front`)."""
        return np.logical_or.reduce([self.origin == origin for origin in COUNTED])

    @cached_property
    def is_baseline(self) -> BoolArray:
        """Which designs are baselines, shape `n`."""
        return self.origin == "baseline"

    @cached_property
    def objectives(self) -> tuple[Quantity, ...]:
        """The metrics that span the front, without those that are newer than the stored run."""
        objectives = objectives_of(self.quantities)
        return tuple(q for q in objectives if q in self.shown) if self.shown else objectives

    @cached_property
    def shown(self) -> tuple[Quantity, ...]:
        """Quantities with at least one finite value, in the engine's order."""
        return tuple(q for q in self.quantities if q.name in self.columns and np.isfinite(self.columns[q.name]).any())

    @cached_property
    def front(self) -> IntArray:
        """Numbers of the counted designs that no other one dominates over all objectives, in order of the first of these."""
        # Of designs whose front is known, nothing is asked again: a poll costs what is new.
        known = 0 if self.known_front is None else self.known
        found = known + np.flatnonzero(self.searched[known:] & self.feasible[known:])
        if self.known_front is not None:
            found = np.concatenate([self.known_front, found])
        front = self.front_among(self.objectives, found)
        return front[np.argsort(self.columns[self.objectives[0].name][front], kind="stable")] if len(front) else front

    def front_among(self, objectives: Sequence[Quantity], numbers: IntArray) -> IntArray:
        """Return the designs that no other of them dominates over the objectives, in their order."""
        return front_among(self.columns, objectives, numbers)

    @cached_property
    def front_points(self) -> int:
        """How many different points the designs of `front` stand at: designs with equal objectives are one point."""
        return self.points_among(np.ones(len(self.front), dtype=bool))

    @cached_property
    def front_since(self) -> int:
        """Evaluation at which the last point of the front was found, by the first design at each; 0 without a front."""
        if not len(self.front):
            return 0
        points = rounded(np.column_stack([self.columns[quantity.name][self.front] for quantity in self.objectives]))
        _, point = np.unique(points, axis=0, return_inverse=True)
        first = np.full(len(points), np.iinfo(np.int64).max)
        np.minimum.at(first, point.ravel(), self.found_at_evaluation[self.front])
        return int(first[: point.max() + 1].max())

    def points_among(self, of_front: BoolArray) -> int:
        """Return the number of distinct trade-offs among designs of `front`; `of_front` is a mask of its shape."""
        numbers, names = self.front[of_front], [quantity.name for quantity in self.objectives]
        if not len(numbers):
            return 0
        return distinct_count(np.column_stack([self.columns[name][numbers] for name in names]))

    @cached_property
    def dominated_by_baselines(self) -> Mapping[str, BoolArray]:
        """Baselines that dominate designs of the front over all objectives, but for those that break a constraint.

        Label -> which of `front`, shape of `front`.
        """
        costs = np.empty((len(self), len(self.objectives)))
        for at, quantity in enumerate(self.objectives):
            costs[:, at] = self.columns[quantity.name] * (-1.0 if quantity.sense == "maximise" else 1.0)
        costs, found = rounded(costs), {}
        for number in np.flatnonzero(self.is_baseline & self.feasible):
            no_worse = (costs[number] <= costs[self.front]).all(axis=1)
            beaten = no_worse & (costs[number] < costs[self.front]).any(axis=1)
            if beaten.any():
                found[self.label_of(int(number)) or f"design {number}"] = beaten
        return found

    def label_of(self, number: int) -> str:
        """Return the label of a design, of a baseline with its hardware where that is not the hardware of the run."""
        label = str(self.label[number])
        return with_hardware(label, self.hardware) if self.is_baseline[number] else label

    def best_baseline(self, name: str) -> int | None:
        """Return the number of the best baseline by a column among those that meet every constraint, None where there is none."""
        numbers = np.flatnonzero(self.is_baseline & self.feasible)
        return best_among(self.columns[name], self.quantity(name).sense, numbers)

    def best(self, name: str, among: BoolArray | None = None) -> int | None:
        """Return the number of the best searched design by a column; None where there is none, or no such column.

        Args:
            name: the column.
            among: mask of the considered designs, shape `n`; by default those that meet every constraint.
        """
        if name not in self.columns:
            return None
        if among is None:
            if name not in self._best:
                self._best[name] = best_among(self.columns[name], self.quantity(name).sense, self._counted)
            return self._best[name]
        return best_among(self.columns[name], self.quantity(name).sense, np.flatnonzero(self.searched & among))

    @cached_property
    def _best(self) -> dict[str, int | None]:
        """Column -> `best` of it, of those that were asked for."""
        return {}

    @cached_property
    def _counted(self) -> IntArray:
        """Numbers of the searched designs that meet every constraint."""
        return np.flatnonzero(self.searched & self.feasible)

    @cached_property
    def scales(self) -> tuple[LimitScale, ...]:
        """`limit_scales`, which takes a look at every design."""
        return limit_scales(self)

    @cached_property
    def knee(self) -> int | None:
        """Design of the front with the least sum of objectives, each scaled to 0..1 along the front.

        None for fewer than three points, and where a baseline dominates that design.
        """
        if self.front_points < _FEWEST_POINTS or len(self.objectives) < 2:
            return None
        knee = knee_among(self.columns, self.objectives, self.front)
        at = self.front == knee
        return None if any(dominated[at].any() for dominated in self.dominated_by_baselines.values()) else knee

    @cached_property
    def first_choice(self) -> int | None:
        """The design to look at where nobody picked one: the knee, or the best by `primary` within a stated limit.

        One that breaks a constraint if all do.
        """
        if self.knee is not None and not self.limited:
            return self.knee
        best = self.best(self.primary)
        return self.best(self.primary, np.ones(len(self), bool)) if best is None else best

    def remaining(self, limits: Mapping[str, float], region: Region | None = None) -> BoolArray:
        """Return a mask of the designs within all limits (`<=` if minimised, `>=` if maximised) and the region, shape `n`."""
        keep = np.ones(len(self), dtype=bool)
        if region is not None and region.x in self.columns and region.y in self.columns:
            keep = region.holds(self.columns[region.x], self.columns[region.y])
        for name, limit in limits.items():
            if name not in self.columns:
                continue
            column = self.columns[name]
            keep &= column >= limit if self.quantity(name).sense == "maximise" else column <= limit
        return keep


def _texts(texts: Any) -> npt.NDArray[np.str_]:
    """Return the texts as an array; most are one and the same word, which is kept once however many there are."""
    distinct = set(texts)
    if len(distinct) == 1:
        return np.broadcast_to(np.array(next(iter(distinct))), (len(texts),))
    return np.asarray(list(texts), dtype=np.str_)


# -- limits -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LimitScale:
    """The slider of one metric: its range over the searched designs, and their histogram."""

    quantity: Quantity
    low: float
    high: float
    counts: tuple[int, ...]

    @property
    def upper(self) -> bool:
        """Whether the limit is an upper one."""
        return self.quantity.sense != "maximise"

    @property
    def open_end(self) -> float:
        """Where the slider stands when it excludes nothing."""
        return self.high if self.upper else self.low


def limit_scales(designs: RunDesigns, most: int = 4) -> tuple[LimitScale, ...]:
    """Return the sliders for the quantities that vary: objectives first, at most `most`."""
    ordered = sorted(designs.shown, key=lambda q: (q.role != "objective", q.role != "constraint"))
    scales: list[LimitScale] = []
    for quantity in ordered:
        if len(scales) == most:
            break
        if quantity.role == "decision":
            continue
        values = designs.columns[quantity.name]
        values = values[np.isfinite(values) & designs.searched]
        counts, _ = binned(values, HISTOGRAM_BINS)
        if len(counts) <= 1:  # all are equal
            continue
        scales.append(LimitScale(quantity, float(values.min()), float(values.max()), tuple(int(c) for c in counts)))
    return tuple(scales)


# -- cache ------------------------------------------------------------------------------------------------------------


class DesignCache:
    """The designs of the runs looked at last, as many as fit into `capacity_bytes`, extended by new chunks only.

    A run that continues from a checkpoint drops chunks that came after it; `version` (the attempt) tells, and everything is
    read again.
    """

    def __init__(self, capacity_bytes: int = CACHED_BYTES) -> None:
        self._kept: BoundedCache[Any, tuple[Any, RunDesigns]] = BoundedCache(
            MOST_RUNS, capacity_bytes, lambda kept: kept[1].nbytes
        )

    def get(
        self,
        key: Any,
        version: Any,
        start: Callable[[], RunDesigns],
        read_after: Callable[[int], Designs],
        count: int | None = None,
        stored: Callable[[], int] | None = None,
    ) -> RunDesigns:
        """Return the designs of run `key`, with whatever `read_after(len(designs))` brings appended.

        Nothing is read where the cache has `count` designs already: as many as the run says it has, or more. Of more, `stored`
        says how many there are: an attempt that continues from a checkpoint drops those after it a moment after it has begun.
        """

        def revise(kept: tuple[Any, RunDesigns] | None) -> tuple[Any, RunDesigns]:
            designs = kept[1] if kept and kept[0] == version else start()
            if count is not None and len(designs) > count and stored is not None and len(designs) > stored():
                kept, designs = None, start()
            # A thread that waited may know of fewer than were read meanwhile.
            if kept is None or count is None or len(designs) < count:
                new = read_after(len(designs))
                if len(new):
                    designs = designs.extended(new)
            return version, designs

        # One reads what is new, the others wait for it: of many who look at a live run, all ask at once.
        return self._kept.revised(key, revise)[1]

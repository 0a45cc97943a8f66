"""Fits of costs by kind of operator to public measurements, and their errors on networks and devices that a fit has not seen.

The time of one inference is the sum over kinds of work (`engines.survey.measurements.work`) of amount times cost. A group is what
one source measured on one device with one runtime in one precision. Groups of one family of devices, bits and quantity share the
profile of costs; each has a scale, and costs of its own as far as its rows tell them:

1. Scales: medians of a two-way table of groups and networks.
2. Profile: non-negative least squares on relative errors, reweighted by the errors of the round before so that single networks weigh
   little, towards `START`. Every network weighs the same.
3. Costs of a group: the same, towards scale times profile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import nnls

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.survey.measurements.work import KINDS

# Costs towards which profiles are drawn, in ms per unit of `WORK_UNITS`: an accelerator of 10 T MAC/s in fp16, or 33 in int8, whose
# memory gives 55 GB/s; products whose operands change and depthwise layers reach less of the peak. Assumed.
_START = {
    "convolution": (0.1, 0.03), "pointwise convolution": (0.1, 0.03), "grouped convolution": (0.3, 0.1), "depthwise": (1.0, 1.0),
    "matrix product": (0.2, 0.06), "product of activations": (0.3, 0.3), "weights": (0.018, 0.018),
    "activations of convolutions": (0.002, 0.002), "activations of depthwise": (0.005, 0.005),
    "activation function": (0.003, 0.003), "smooth activation function": (0.02, 0.04), "separate normalisation": (0.02, 0.1),
    "softmax": (0.02, 0.02), "norm": (0.05, 0.05), "element-wise": (0.01, 0.01), "resize": (0.02, 0.02), "pooling": (0.01, 0.01),
    "layout": (0.003, 0.01), "beyond the buffer": (0.015, 0.015), "operators": (0.0005, 0.0005),
    "operators on one pixel": (0.003, 0.003), "inference": (0.2, 0.1),
}  # fmt: skip
START = {bits: np.array([_START[kind][bits == "int8"] for kind in KINDS]) for bits in ("fp16", "int8", "w8a16", "int16")}
PROFILE_TIE, GROUP_TIE = 0.3, 0.3  # how strongly costs are drawn to the start, and those of a group to the profile
_ROUNDS, _LEAST_ERROR, _SCALE_ROUNDS = 15, 0.05, 8
Group = tuple[str, ...]


@dataclass(frozen=True)
class Costs:
    """Costs by kind of every group, and what they are made of.

    Attributes:
        of_groups: ms per unit of work, shape `groups x kinds`.
        profile: the same for a scale of 1, shape `kinds`.
        scales: of the groups.
    """

    of_groups: FloatArray
    profile: FloatArray
    scales: FloatArray


class Pool:
    """The measurements of one family in one quantity and width, to be fitted together.

    Args:
        groups: of each row.
        networks: of each row; rows of one are left out together.
        work: shape `rows x kinds`.
        times_ms: measured.
        start: costs towards which the profile is drawn, shape `kinds`.
    """

    def __init__(
        self, groups: Sequence[Group], networks: Sequence[str], work: FloatArray, times_ms: FloatArray, start: FloatArray
    ) -> None:
        self.groups, self._group = _coded(groups)
        self.networks, self._network = _coded(networks)
        self.work, self.times_ms = work, times_ms
        self._start, self._started = start, work * start

    def of_group(self, group: Group) -> BoolArray:
        """Return which rows are of a group."""
        return np.asarray(self._group == self.groups.index(group))

    @property
    def row_networks(self) -> IntArray:
        """Place of each row's network in `networks`."""
        return self._network

    def fit(self, seen: BoolArray | None = None) -> Costs:
        """Return the costs by the rows that are seen; all by default. Groups without a row get the mean scale."""
        seen = np.ones(len(self.times_ms), dtype=bool) if seen is None else seen
        group, network, times = self._group[seen], self._network[seen], self.times_ms[seen]
        scales = self._scales(seen)
        weights = 1 / np.sqrt(np.bincount(network, minlength=len(self.networks))[network])
        table = self._started[seen] / times[:, None]
        profile = _towards_one(table * scales[group][:, None], PROFILE_TIE, weights)
        found = scales[:, None] * profile
        live = profile > 0
        for place in np.unique(group):
            own = group == place
            found[place, live] *= _towards_one(table[own][:, live] * found[place, live], GROUP_TIE)
        return Costs(found * self._start, profile * self._start, scales)

    def _scales(self, seen: BoolArray) -> FloatArray:
        """Return the scale of each group."""
        group, network, logs = self._group[seen], self._network[seen], np.log(self.times_ms[seen])
        found = _medians(logs - np.log(self._started[seen].sum(axis=1)), group, len(self.groups))
        for _ in range(_SCALE_ROUNDS):
            usual = _medians(logs - found[group], network, len(self.networks))
            found = _medians(logs - usual[network], group, len(self.groups), missing=float(found.mean()))
        return np.asarray(np.exp(found))

    @cached_property
    def _without(self) -> tuple[Costs, ...]:
        """Fits without each network."""
        return tuple(self.fit(self._network != place) for place in range(len(self.networks)))

    def left_out_ms(self) -> FloatArray:
        """Return each row as predicted by a fit without its network, shape `rows`."""
        return np.asarray(self.left_out_by_kind_ms().sum(axis=1))

    def left_out_by_kind_ms(self) -> FloatArray:
        """Return the same by kind of work, shape `rows x kinds`."""
        return np.array([
            self.work[row] * self._without[network].of_groups[group]
            for row, (network, group) in enumerate(zip(self._network, self._group, strict=True))
        ])  # fmt: skip

    def unknown_device_ms(self, scale: Callable[[Group, Mapping[Group, float]], float], device: Callable[[Group], str]) -> FloatArray:
        """Return each row as predicted without its network and without its device, shape `rows`.

        Args:
            scale: of a group, from those of the groups of other devices.
            device: of a group.
        """
        found = np.empty(len(self.times_ms))
        for row, (network, group) in enumerate(zip(self._network, self._group, strict=True)):
            costs, own = self._without[network], self.groups[group]
            others = {
                each: float(costs.scales[place]) for place, each in enumerate(self.groups) if device(each) != device(own)
            }
            found[row] = self.work[row] @ costs.profile * scale(own, others) if others else np.nan
        return found


def _coded(names: Sequence[Group] | Sequence[str]) -> tuple[list, IntArray]:
    distinct = sorted(set(names))
    places = {name: place for place, name in enumerate(distinct)}
    return distinct, np.array([places[name] for name in names], dtype=np.int64)


def _medians(values: FloatArray, places: IntArray, count: int, missing: float = 0.0) -> FloatArray:
    """Return the median of the values at each place, shape `count`."""
    found = np.full(count, missing)
    for place in np.unique(places):
        found[place] = np.median(values[places == place])
    return found


def _towards_one(table: FloatArray, tie: float, weights: FloatArray | None = None) -> FloatArray:
    """Return non-negative factors of the columns that bring row sums near 1, drawn to 1; shape `n x c` to `c`."""
    own = np.ones(len(table)) if weights is None else weights
    columns, now = table.shape[1], own
    found = np.ones(columns)
    for _ in range(_ROUNDS):
        rows = np.vstack([table * now[:, None], np.sqrt(tie) * np.eye(columns)])
        found, _ = nnls(rows, np.concatenate([now, np.full(columns, np.sqrt(tie))]))
        now = own / np.sqrt(np.maximum(np.abs(np.log(np.maximum(table @ found, 1e-3))), _LEAST_ERROR))
    return np.asarray(found)

"""Fits of costs by kind of operator to public measurements, and their errors on networks and devices that a fit has not seen.

The time of one inference is the sum over kinds of work (`engines.survey.measurements.work`) of amount times cost. A group is what
one source measured on one device with one runtime in one precision. Groups of one family of devices, bits and quantity share the
profile of costs; each has a scale, and costs of its own as far as its rows tell them:

1. Scales: medians of a two-way table of groups and networks.
2. Profile: non-negative least squares on relative errors, reweighted by the errors of the round before so that single networks
   weigh little, towards assumed costs, or those of the family in fp16. Every network weighs the same.
3. Costs of a group: the same, towards scale times profile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from scipy.optimize import nnls

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.survey.measurements.networks import variant_of
from engines.survey.measurements.work import KINDS

# Costs towards which profiles are drawn, in ms per unit of `WORK_UNITS`, in fp16 and int8: an accelerator of 10 or 33 T MAC/s whose
# memory gives 55 GB/s; products whose operands change and depthwise layers reach less of the peak. Assumed.
_START = {
    "convolution": (0.1, 0.03), "grouped convolution": (0.3, 0.1), "matrix product": (0.2, 0.06),
    "product of activations": (0.3, 0.3), "depthwise": (1.0, 1.0), "weights": (0.018, 0.018),
    "weights beyond the context": (0.018, 0.1),
    "activations of convolutions": (0.002, 0.002), "activations of depthwise": (0.005, 0.005),
    "activation function": (0.003, 0.003), "smooth activation function": (0.02, 0.04), "separate normalisation": (0.02, 0.1),
    "softmax": (0.02, 0.02), "norm": (0.05, 0.05), "element-wise": (0.01, 0.01), "resize": (0.02, 0.02), "pooling": (0.01, 0.01),
    "layout": (0.003, 0.01), "beyond the buffer": (0.015, 0.015), "operators": (0.0005, 0.0005),
    "operators on one pixel": (0.003, 0.003), "inference": (0.2, 0.1),
}  # fmt: skip
BITS = ("fp16", "int8", "w8a16")
# What a pool in fewer bits starts from: the profile in fp16 of its family, with convolutions and products twice as fast.
_NARROW = np.array([0.5 if kind in ("convolution", "grouped convolution", "matrix product") else 1.0 for kind in KINDS])
_LEAST_START = 0.02  # of the assumed costs, where the profile in fp16 has none
# How strongly costs are drawn: a profile to assumed costs, to the one in fp16, and the costs of a group to its profile.
PROFILE_TIE, NARROW_TIE, GROUP_TIE = 0.1, 1.0, 0.3
_NARROW_GROUP_TIE = 1.0  # of a group in fewer bits, which has half as many networks
_ROUNDS, _LEAST_ERROR, _SCALE_ROUNDS = 15, 0.05, 8
Group = tuple[str, str, str]
_Name = TypeVar("_Name", str, Group)


@dataclass(frozen=True)
class Costs:
    """Costs by kind of every group, and what they are made of.

    Attributes:
        of_groups: ms per unit of work, shape `groups x kinds`.
        profile: the same for a scale of 1, shape `kinds`.
        scales: scales of the groups.
    """

    of_groups: FloatArray
    profile: FloatArray
    scales: FloatArray


class Pool:
    """The measurements of one family in one quantity and width, to be fitted together.

    Args:
        groups: groups of each row.
        networks: networks of each row; rows of one are left out together, with those of its variants.
        work: shape `rows x kinds`.
        times_ms: measured.
        bits: whose assumed costs the profile is drawn to.
        parent: a pool in fp16 of the same family, whose profile then takes the place of these.
    """

    def __init__(
        self,
        groups: Sequence[Group],
        networks: Sequence[str],
        work: FloatArray,
        times_ms: FloatArray,
        bits: str,
        parent: Pool | None = None,
    ) -> None:
        self.groups, self._group = _coded(groups)
        self.networks, self._network = _coded(networks)
        self.work, self.times_ms = work, times_ms
        self._bits, self._parent = bits, parent
        self._profiles: dict[str, FloatArray] = {}

    def of_group(self, group: Group) -> BoolArray:
        """Return a mask of the rows of a group."""
        return np.asarray(self._group == self.groups.index(group))

    def labels(self) -> tuple[list[Group], list[str]]:
        """Return group and network of each row."""
        return [self.groups[each] for each in self._group], [self.networks[each] for each in self._network]

    @property
    def row_networks(self) -> IntArray:
        """Place of each row's network in `networks`."""
        return self._network

    def fit(self, without: str = "") -> Costs:
        """Return the costs by all rows but those of a network and its variants; neither do those in the parent count.

        Groups without a row get the mean scale.
        """
        others = np.array([variant_of(name) != variant_of(without) for name in self.networks])
        seen = others[self._network]
        start = self._start(without)
        started = self.work[seen] * start
        group, network, times = self._group[seen], self._network[seen], self.times_ms[seen]
        scales = self._scales(group, network, np.log(times), np.log(started.sum(axis=1)))
        weights = 1 / np.sqrt(np.bincount(network, minlength=len(self.networks))[network])
        table = started / times[:, None]
        profile = _towards_one(table * scales[group][:, None], NARROW_TIE if self._parent else PROFILE_TIE, weights)
        found = scales[:, None] * profile
        live, tie = profile > 0, _NARROW_GROUP_TIE if self._parent else GROUP_TIE
        for place in np.unique(group):
            own = group == place
            found[place, live] *= _towards_one(table[own][:, live] * found[place, live], tie)
        return Costs(found * start, profile * start, scales)

    def _start(self, without: str) -> FloatArray:
        own = np.array([_START[kind][self._bits == "int8"] for kind in KINDS])
        if self._parent is None:
            return own
        return np.asarray(np.maximum(self._parent.profile(without) * _NARROW, _LEAST_START * own))

    def profile(self, without: str) -> FloatArray:
        """Return the profile of the rows of all networks but one."""
        if without not in self._profiles:
            self._profiles[without] = self.fit(without).profile
        return self._profiles[without]

    def _scales(self, group: IntArray, network: IntArray, logs: FloatArray, expected: FloatArray) -> FloatArray:
        """Return the scale of each group, from the logarithms of times and of those that the start gives."""
        found = _medians(logs - expected, group, len(self.groups))
        for _ in range(_SCALE_ROUNDS):
            usual = _medians(logs - found[group], network, len(self.networks))
            found = _medians(logs - usual[network], group, len(self.groups), missing=float(found.mean()))
        return np.asarray(np.exp(found))

    @cached_property
    def _without(self) -> tuple[Costs, ...]:
        """Fits without each network; those of variants are the same."""
        fits = {name: self.fit(name) for name in sorted({variant_of(each) for each in self.networks})}
        return tuple(fits[variant_of(name)] for name in self.networks)

    def left_out_ms(self) -> FloatArray:
        """Return each row as predicted by a fit without its network, shape `rows`."""
        return np.asarray(self.left_out_by_kind_ms().sum(axis=1))

    def left_out_by_kind_ms(self) -> FloatArray:
        """Return the same by kind of work, shape `rows x kinds`."""
        return np.array([
            self.work[row] * self._without[network].of_groups[group]
            for row, (network, group) in enumerate(zip(self._network, self._group, strict=True))
        ])  # fmt: skip

    def unknown_device_ms(
        self, scale: Callable[[Group, Mapping[Group, float]], float], device: Callable[[Group], str]
    ) -> FloatArray:
        """Return each row as predicted without its network and without its device, shape `rows`.

        Args:
            scale: scale of a group, from those of the groups of other devices.
            device: device of a group.
        """
        found = np.empty(len(self.times_ms))
        for row, (network, group) in enumerate(zip(self._network, self._group, strict=True)):
            costs, own = self._without[network], self.groups[group]
            others = {
                each: float(costs.scales[place])
                for place, each in enumerate(self.groups)
                if device(each) != device(own)
            }
            found[row] = self.work[row] @ costs.profile * scale(own, others) if others else np.nan
        return found


def _coded(names: Sequence[_Name]) -> tuple[list[_Name], IntArray]:
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

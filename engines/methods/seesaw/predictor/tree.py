"""The predictor: a regression tree over cheap sensors whose start node can be moved (goyal-2023 Algorithm 2 and Figure 3.2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray, IntArray
from engines.methods.seesaw.predictor.task import FrameArray, Task, TaskTrack

MOST_TRAINING_ROWS = 60_000
LEAF = 255  # no feature


@dataclass(frozen=True, eq=False)
class RateTree:
    """Nodes in preorder: the left child of a node stands behind it. `m` nodes.

    Attributes:
        sensors: names of the signals that it reads.
        feature: index of the sensor, `LEAF` for a leaf, m.
        threshold: single precision; a signal up to and with it goes left, m.
        right: index of the right child, 0 for a leaf, m.
        rate: index of the rate of a leaf, and below an inner node the least one of its leaves, m.
        start_nodes: by level of feedback, the node that the walk starts at.
        least_rates: by level of feedback, index of the least rate.
        mean_rate_hz: what the regression says at each node, before it became one of the rates, m.
        rows: training rows at each node, m.
    """

    sensors: tuple[str, ...]
    feature: npt.NDArray[np.uint8]
    threshold: npt.NDArray[np.float32]
    right: npt.NDArray[np.uint8]
    rate: npt.NDArray[np.uint8]
    start_nodes: npt.NDArray[np.uint8]
    least_rates: npt.NDArray[np.uint8]
    mean_rate_hz: FloatArray
    rows: IntArray

    def __len__(self) -> int:
        return int(self.feature.size)

    @property
    def depth(self) -> int:
        """Comparisons on the longest way."""
        return max(self._depths())

    @property
    def levels(self) -> int:
        """How often feedback can double the least rate, and once more for none."""
        return int(self.start_nodes.size)

    def mean_depth(self) -> float:
        """Return the comparisons per decision, on average over the training data."""
        leaves = self.feature == LEAF
        return float(np.average(np.asarray(self._depths())[leaves], weights=self.rows[leaves]))

    def decide(self, signals: FrameArray, levels: IntArray) -> IntArray:
        """Return the index of the rate for every row of `signals` (`D x sensors`) at its level of feedback, shape `D`."""
        node = self.start_nodes[levels].astype(np.int64)
        rows = np.arange(node.size)
        while True:
            feature = self.feature[node]
            inner = feature != LEAF
            if not inner.any():
                break
            value = signals[rows, np.where(inner, feature, 0)]
            left = value <= self.threshold[node]
            node = np.where(inner, np.where(left, node + 1, self.right[node]), node)
        return np.maximum(self.rate[node], self.least_rates[levels]).astype(np.int64)

    def _depths(self) -> list[int]:
        depths = [0] * len(self)
        for node in range(len(self)):
            if self.feature[node] != LEAF:
                depths[node + 1] = depths[int(self.right[node])] = depths[node] + 1
        return depths


def optimal_rates(errors: FloatArray, tolerance: float) -> IntArray:
    """Return the index of the lowest rate whose error is below the tolerance (Algorithm 2, lines 5 and 6), n.

    The highest where none is.

    The text says both the largest error below the tolerance and the lowest rate. On a straight way all errors are noise, and the
    largest of them would name a rate by chance.
    """
    below = errors < tolerance
    return np.asarray(np.where(below.any(axis=1), below.argmax(axis=1), errors.shape[1] - 1), np.int64)


def training_data(tracks: tuple[TaskTrack, ...], columns: list[int], tolerance: float) -> tuple[FrameArray, IntArray]:
    """Return the signals and best rates of all steps of the tracks (Algorithm 2), thinned evenly to `MOST_TRAINING_ROWS`.

    Shapes `rows x columns` and `rows`.
    """
    signals = np.concatenate([track.signals[:, columns] for track in tracks])
    rates = np.concatenate([optimal_rates(track.errors, tolerance) for track in tracks])
    every = -(-rates.size // MOST_TRAINING_ROWS)
    return signals[::every], rates[::every]


def train(task: Task, sensors: tuple[str, ...], tolerance: float, leaves: int) -> RateTree:
    """Return the predictor for a tolerance: a CART regression tree with at most `leaves` leaves."""
    signals, rates = training_data(task.train, task.picked(sensors), tolerance)
    return tree_of(fit(signals, task.rates_hz[rates], leaves), sensors, task.rates_hz)


def fit(signals: FrameArray, rates_hz: FloatArray, leaves: int) -> object:
    """Return a fitted `sklearn.tree.DecisionTreeRegressor`, the same for the same data.

    `signals` is `rows x sensors`, rates in Hz.
    """
    from sklearn.tree import DecisionTreeRegressor  # a second to import

    return DecisionTreeRegressor(max_leaf_nodes=leaves, min_samples_leaf=5, random_state=0).fit(signals, rates_hz)


def tree_of(model: object, sensors: tuple[str, ...], rates_hz: FloatArray) -> RateTree:
    """Return a fitted regression tree as plain arrays in preorder; `rates_hz`, shape `k`, ascends."""
    fitted = model.tree_  # type: ignore[attr-defined]
    order: list[int] = []
    right: list[int] = []

    def visit(node: int) -> None:  # at most 255 leaves, so the depth is bounded
        position = len(order)
        order.append(node)
        right.append(0)
        if fitted.children_left[node] >= 0:
            visit(int(fitted.children_left[node]))
            right[position] = len(order)
            visit(int(fitted.children_right[node]))

    visit(0)
    leaf = fitted.children_left[order] < 0
    mean = fitted.value[order, 0, 0].astype(np.float64)
    rate = np.abs(rates_hz[None, ::-1] - mean[:, None]).argmin(axis=1)  # of two as near the higher one
    rate = rates_hz.size - 1 - rate
    for node in reversed(range(len(order))):
        if not leaf[node]:
            rate[node] = min(rate[node + 1], rate[right[node]])
    rows = fitted.n_node_samples[order].astype(np.int64)
    least, starts = _ladder(rate, rows, leaf, rates_hz)
    return RateTree(
        sensors=sensors,
        feature=np.where(leaf, LEAF, fitted.feature[order]).astype(np.uint8),
        threshold=_single_below(np.where(leaf, 0.0, fitted.threshold[order])),
        right=np.asarray(right, np.uint8),
        rate=rate.astype(np.uint8),
        start_nodes=starts,
        least_rates=least,
        mean_rate_hz=mean,
        rows=rows,
    )


def _ladder(
    rate: IntArray, rows: IntArray, leaf: npt.NDArray[np.bool_], rates_hz: FloatArray
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Return the least rate and start node of every level of feedback: the least rate doubles from one to the next.

    Shape `levels` each.

    The start node is the one with most training rows all of whose leaves have at least that rate. Where the tree knows no such
    rates, it is the leaf with the highest one, and the least rate counts.
    """
    least = [0]
    while least[-1] < rates_hz.size - 1:
        doubled = 2.0 * rates_hz[least[-1]]
        least.append(int(min(np.searchsorted(rates_hz, doubled * (1 - 1e-9)), rates_hz.size - 1)))
    starts = []
    for index in least:
        able = rate >= index
        starts.append(int(np.where(able, rows, -1).argmax()) if able.any() else int(np.where(leaf, rate, -1).argmax()))
    starts[0] = 0
    return np.asarray(least, np.uint8), np.asarray(starts, np.uint8)


def _single_below(threshold: FloatArray) -> npt.NDArray[np.float32]:
    """Return the largest single-precision number up to each threshold: single-precision signals then compare alike with both.

    Of the same shape.
    """
    single = threshold.astype(np.float32)
    above = single.astype(np.float64) > threshold
    return np.where(above, np.nextafter(single, np.float32(-np.inf)), single).astype(np.float32)

"""The system over time: learning, pruning, inference, and back where the user has changed (goyal-2023 figures 4.2 to 4.19)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.methods.myml.costs import Cost
from engines.methods.myml.params import MymlParams
from engines.methods.myml.tracker import Tracker, user_classes

LEARNING, PRUNING, INFERENCE = 0, 1, 2
PHASES = ("Learning", "Pruning", "Inference")
_FEWEST_CLASSES = 2


@dataclass(frozen=True)
class Rules:
    """The rules of the adaptive system.

    Attributes:
        window: images of the learning phase.
        share: share of them that a class must exceed, from 0 to 1.
        tracker_window: images that the tracker looks back at.
        divergence: share of them outside above which the original comes back.
        interval_s: between two images, at least.
    """

    window: int
    share: float
    tracker_window: int
    divergence: float
    interval_s: float


def rules_of(params: MymlParams, divergence_percent: float | None = None) -> Rules:
    """Return the rules of the parameters, with another divergence where one is given."""
    asked = params.divergence_percent if divergence_percent is None else divergence_percent
    return Rules(
        params.learning_window, 0.01 * params.learning_share_percent, params.tracker_window, 0.01 * asked,
        params.image_interval_s,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class UserModel:
    """A pruned network as the system sees it.

    Attributes:
        answers: label for each image of the pool, shape `n`.
        outside: whether the tracker takes it for none of the user's, shape `n`.
        image: cost of an image.
        pruning: cost of an image that it was pruned with.
        pruning_images: number of these images.
    """

    answers: IntArray
    outside: BoolArray
    image: Cost
    pruning: Cost
    pruning_images: int


@dataclass(frozen=True, eq=False)
class History:
    """The history of the system, per image.

    Attributes:
        phase: phase of `PHASES`.
        time_s: at its begin.
        right: whether the answer was.
        energy_j: energy of inference and pruning.
        outside: share in the tracker's window; NaN in other phases.
        returns: images at which the original came back.
    """

    phase: IntArray
    time_s: FloatArray
    right: BoolArray
    energy_j: FloatArray
    outside: FloatArray
    returns: tuple[int, ...]


def lived(
    labels: IntArray,
    rows: IntArray,
    original: IntArray,
    original_image: Cost,
    model_for: Callable[[tuple[int, ...]], UserModel],
    rules: Rules,
) -> History:
    """Return the whole stream.

    Args:
        labels: classes of the user's images, shape `n`.
        rows: their places in the pool, shape `n`.
        original: answers of the original for the pool.
        original_image: its cost of an image.
        model_for: the network for classes that were learnt.
        rules: windows and thresholds.
    """
    count, classes = len(labels), int(original.max()) + 1
    phase, right = np.zeros(count, np.int64), np.zeros(count, bool)
    seconds, joules, outside = np.zeros(count), np.zeros(count), np.full(count, np.nan)
    now, learnt, returns = LEARNING, list[int](), list[int]()
    model, tracker, left = None, Tracker(rules.tracker_window, rules.divergence), 0
    known: tuple[int, ...] = ()
    for number, (label, row) in enumerate(zip(labels.tolist(), rows.tolist(), strict=True)):
        phase[number], cost, answer = now, original_image, int(original[row])
        if now == INFERENCE:
            assert model is not None
            cost, answer = model.image, int(model.answers[row])
            diverged = tracker.see(bool(model.outside[row]))
            outside[number] = tracker.share
            if diverged:
                now, learnt = LEARNING, []
                returns.append(number)
        elif now == LEARNING:
            learnt.append(answer)
            if len(learnt) == rules.window:
                known = user_classes(np.array(learnt), rules.share, classes)
                learnt = []
                if len(known) >= _FEWEST_CLASSES:
                    model = model_for(known)
                    now, left = PRUNING, model.pruning_images
        elif answer in known:
            assert model is not None
            cost, left = cost + model.pruning, left - 1
            if left <= 0:
                now, tracker = INFERENCE, Tracker(rules.tracker_window, rules.divergence)
        right[number], joules[number] = answer == label, cost.joules
        seconds[number] = max(rules.interval_s, cost.seconds)
    begins = np.concatenate([[0.0], np.cumsum(seconds)[:-1]])
    return History(phase, begins, right, joules, outside, tuple(returns))

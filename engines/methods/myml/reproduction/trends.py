"""Statements of the text on networks pruned for a user, in networks of the four blocks on digits.

"Within 1 %" is the smallest network of one rate for all groups whose accuracy is at most a point below the original's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import nan

import numpy as np

from engines.data.training_data import require_torch
from engines.methods.myml.reproduction.tables import PAPER
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import Case, OutcomeReader
from engines.reproduction.trends import TrainedValue, Trend, gain, mean, ratio, trend_rows

SEEDS = (0, 1)
_DATA = (
    "Computed: the bundled digits (8 x 8 pixels, 10 classes, 5 of them the user's). The networks have four blocks "
    "of two convolutions. The value is the mean of two seeds, each with classes, weights and images of its own."
)
_NAMES = (
    "user", "agnostic", "symmetric", "more", "lost", "blocks_lost", "divided", "undivided", "bottom_up_s", "at_once_s", "returns",
)  # fmt: skip


@dataclass(frozen=True)
class PrunedOnDigits(Case[Mapping[str, float]]):
    """The networks of one seed."""

    seed: int

    def run(self) -> Mapping[str, float]:
        """Run `digits.pruned_on_digits`."""
        require_torch()
        from engines.methods.myml.reproduction.digits import pruned_on_digits

        return pruned_on_digits(self.seed)

    def blank(self) -> Mapping[str, float]:
        """Return the published rows with NaN as computed values."""
        return dict.fromkeys(_NAMES, nan)


_SIZES = tuple(f"{network}.cpu.size_reduction_vs_agnostic" for network in ("inception", "resnet50"))
_SAID = (
    TrainedValue(
        "Size within 1 %: pruned for all classes over pruned for the user",
        PAPER.derived(float(np.mean([PAPER.value(name) for name in _SIZES])), "x", *_SIZES),
        "the user's is smaller, by the same factor on Inception-V3 and on ResNet-50 with ImageNet.",
        ratio("agnostic", "user"), 1.0,
    ),
    Trend(
        "Size within 1 %: symmetric over asymmetric", "x", "Section 4.7.4",
        "asymmetric pruning is more flexible and therefore reduces the size more.",
        ratio("symmetric", "user"), "above", 1, 1.0,
    ),
    Trend(
        "Size within 1 %: eight classes over five", "x", "Section 4.7.4 / Fig 4.23",
        "the size grows with the number of the user's classes.",
        ratio("more", "user"), "above", 1, 1.0,
    ),
    TrainedValue(
        "Pruned as published for the CPU: accuracy lost on the user's classes", PAPER.printed("accuracy_margin"),
        "within a margin of the original. Rates but that of the first group are assumed.", mean("lost"), 3.0, test="at most",
    ),
    TrainedValue(
        "Computed in blocks, nothing pruned or trained: accuracy lost", PAPER.printed("inception.bfp16_accuracy_drop"),
        "of Inception-V3 with ImageNet.", mean("blocks_lost"), 1.0,
    ),
    Trend(
        "Symmetric in blocks: accuracy gained by a rate that is not divided for the last groups", "%", "Section 4.7.4",
        "symmetric pruning needs higher learning rates there, to make up for the errors of the format.",
        gain("undivided", "divided"), "above", 0, 30.0,
    ),
    Trend(
        "Time of pruning: bottom-up over all groups at once", "x", "Section 4.3.2",
        "fewer updates, and no errors passed on through layers that stay. Computed by the cost model.",
        ratio("bottom_up_s", "at_once_s"), "below", 1, 0.05,
    ),
    Trend(
        "Returns of the original after the user has changed, with the published thresholds", "", "Section 4.7.3 / Fig 4.19",
        "the tracker notices the new classes, and the system learns again.",
        mean("returns"), "above", 0, 3.0,
    ),
)  # fmt: skip


def trends(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield a row for each trend of the text that needs no published network."""
    return trend_rows(PAPER, _DATA, _SAID, [look(PrunedOnDigits(seed)) for seed in SEEDS])

"""Statements of the text on searches, exits and binary networks, in networks trained here on generated beats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.eexnas.params import THRESHOLDS
from engines.methods.eexnas.reproduction.tables import PUBLICATION
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import Case, OutcomeReader
from engines.reproduction.rows import PublishedRow
from engines.reproduction.trends import TrainedValue, Trend, gain, ratio, trend_rows

SEEDS = (0, 1)
_NETWORKS = 20
_PARAMS = {"networks": _NETWORKS, "epochs": 10, "windows": 400, "samples": 128}
_LOW, _HIGH = THRESHOLDS.index(0.7), THRESHOLDS.index(0.99)
_DATA = (
    f"Computed: generated beats, not real ones, {_NETWORKS} networks of each search, 10 epochs each, mean of two seeds. PTB "
    f"and w-HAR "
    "do not come with the product."
)
_COLUMNS = (
    "accuracy_percent", "energy_j", "backbone_accuracy_percent", "backbone_energy_j", "test_accuracy_percent",
    "backbone_test_accuracy_percent", "ece_before_percent", "ece_percent",
)  # fmt: skip
Columns = Mapping[str, FloatArray]  # networks x thresholds


@dataclass(frozen=True)
class SearchOutcome(Case[Columns]):
    """One search on generated beats: columns of its networks at every threshold, `networks x thresholds` each."""

    seed: int
    search: str = "random"
    arithmetic: str = "float"

    def run(self) -> Columns:
        """Return the columns of all networks that it trained."""
        from engines.running.inspection import designs_of_run

        params = {**_PARAMS, "search": self.search, "arithmetic": self.arithmetic}
        given = {"hardware": get_builtin("hardware", "efm32-giant-gecko")}
        problem = make_problem("eexnas", given, params, seed=self.seed)
        columns = designs_of_run(problem).columns
        return {name: columns[name].reshape(-1, len(THRESHOLDS)) for name in _COLUMNS}

    def blank(self) -> Columns:
        """Return the published rows with NaN as computed values."""
        return {name: np.full((_NETWORKS, len(THRESHOLDS)), np.nan) for name in _COLUMNS}


def _later_exit() -> PublishedRow:
    """Return the energy of models a and b at threshold 0.99 over that at 0.7, geometric mean (Table B.2)."""
    names = [f"tableB.2.model_{model}.th_{threshold}.energy" for threshold in ("0.99", "0.7") for model in "ab"]
    high, low = np.array([float(PUBLICATION.value(name)) for name in names]).reshape(2, -1)
    return PUBLICATION.derived(float(np.exp(np.mean(np.log(high / low)))), "x", *names)


def _gained() -> PublishedRow:
    """Return the accuracy of models a and b with the exit at threshold 0.99 less that without, mean (Table B.1)."""
    names = [f"tableB.1.model_{model}.{place}.accuracy" for place in ("th_0.99", "baseline") for model in "ab"]
    with_exit, without = np.array([float(PUBLICATION.value(name)) for name in names]).reshape(2, -1)
    return PUBLICATION.derived(round(float((with_exit - without).mean()), 10), "%", *names)


_SAID = (
    Trend(
        "Networks at least as good as the median at random in all objectives: Thompson sampling less random search", "%",
        "Section B.6.1 / Fig B.4",
        "the normalised search finds more networks that meet several criteria than random search does.",
        gain("thompson", "random"), "above", 0, 40.0,
    ),
    TrainedValue(
        "Accuracy of 32-bit networks less that of binary ones",
        PUBLICATION.difference("tableB.1.CNN.accuracy", "tableB.1.BCNN.accuracy"),
        "the CNN of other work is more accurate than the binary one.", gain("accuracy", "binary_accuracy"), 15.0,
    ),
    TrainedValue(
        "Energy at threshold 0.99 over that at 0.7", _later_exit(),
        "the surer the exit has to be, the more windows continue.", ratio("energy_high", "energy_low"), 0.5, kind="repeated",
    ),
    TrainedValue(
        "Accuracy with the exit at threshold 0.99 less that without, all networks", _gained(),
        "calibrated networks with an exit can be more accurate than without.", gain("high", "without"), 5.0, kind="repeated",
    ),
    Trend(
        "Expected calibration error with the fitted temperature less that without", "%", "Section B.6.3",
        "a temperature makes the confidence of the exit equal to its accuracy.",
        gain("ece", "ece_before"), "below", 0, 5.0,
    ),
)  # fmt: skip


def trends(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield a row for each trend that the text states."""
    runs = [
        _values(
            look(SearchOutcome(seed)),
            look(SearchOutcome(seed, "thompson")),
            look(SearchOutcome(seed, arithmetic="binary")),
        )
        for seed in SEEDS
    ]
    return trend_rows(PUBLICATION, _DATA, _SAID, runs)


def _values(drawn: Columns, thompson: Columns, binary: Columns) -> Mapping[str, float]:
    ends = np.median(_goodness(drawn), axis=0)
    return {
        "thompson": 100 * float((_goodness(thompson) >= ends).all(axis=1).mean()),
        "random": 100 * float((_goodness(drawn) >= ends).all(axis=1).mean()),
        "accuracy": float(drawn["backbone_test_accuracy_percent"][:, 0].mean()),
        "binary_accuracy": float(binary["backbone_test_accuracy_percent"][:, 0].mean()),
        "energy_low": float(drawn["energy_j"][:, _LOW].mean()),
        "energy_high": float(drawn["energy_j"][:, _HIGH].mean()),
        "high": float(drawn["test_accuracy_percent"][:, _HIGH].mean()),
        "without": float(drawn["backbone_test_accuracy_percent"][:, _HIGH].mean()),
        "ece": float(drawn["ece_percent"][:, 0].mean()),
        "ece_before": float(drawn["ece_before_percent"][:, 0].mean()),
    }


def _goodness(columns: Columns) -> FloatArray:
    """Return the four objectives at the threshold that is searched with, larger is better, `networks x 4`."""
    signs = {"accuracy_percent": 1, "energy_j": -1, "backbone_accuracy_percent": 1, "backbone_energy_j": -1}
    return np.stack([sign * columns[name][:, _LOW] for name, sign in signs.items()], axis=1)

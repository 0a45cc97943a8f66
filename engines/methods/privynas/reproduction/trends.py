"""Statements of the text on noise, cuts and searches, in small supernets trained here on digits.

A search tells networks of three cuts; what is said of a cut is their mean, what is said of a search its most accurate design on
images to choose by, measured on test images.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import nan

import numpy as np

from engines.contract.arrays import FloatArray
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.privynas.reproduction.tables import DEVICES, PUBLICATION, VARIANTS
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import Case, OutcomeReader
from engines.reproduction.rows import PublishedRow
from engines.reproduction.trends import TrainedValue, Trend, gain, ratio, trend_rows

SEEDS = (0, 1)
_TRAINING = {
    "warm_up_epochs": 5,
    "epochs": 7,
    "server_epochs": 2,
    "designs": 6,
    "positions": "1 3 6",
    "epsilons": "2.8",
    "epsilon_weight": 0.0,
}
_DATA = (
    "Computed: the bundled digits, with small supernets of 6 blocks cut after 1, 3 or 6 at epsilon 2.8. The value "
    "is the mean of two seeds with 12 epochs. The publication has VGG, MobileNetV2 and ProxylessNAS on CIFAR-10, "
    "which is not here."
)
_NAMES = (
    "bound_first", "bound_last", "first_before", "last_before", "first_after", "last_after", "before", "after", "total", "gap",
    "latency_s",
)  # fmt: skip


@dataclass(frozen=True)
class SearchOutcome(Case[Mapping[str, float]]):
    """One search on digits: bounds, noisy accuracies by cut in per cent, what its best design reaches, latency of its likeliest."""

    seed: int
    search: str = "conventional"
    width: float = 1.0
    latency_weight: float = 0.0

    def run(self) -> Mapping[str, float]:
        """Return the metrics of all designs."""
        from engines.running.inspection import designs_of_run

        given = {name: get_builtin("hardware", slug) for name, slug in DEVICES.items()}
        own = {"search": self.search, "width": self.width, "latency_weight": self.latency_weight}
        problem = make_problem("privynas", given, {**_TRAINING, **own}, seed=self.seed)
        return _found(designs_of_run(problem).columns)

    def blank(self) -> Mapping[str, float]:
        """Return the published rows with NaN as computed values."""
        return dict.fromkeys(_NAMES, nan)


def _found(columns: Mapping[str, FloatArray]) -> Mapping[str, float]:
    cuts = columns["position"]
    first, last = cuts == cuts.min(), cuts == cuts.max()
    before, after = columns["untrained_noisy_percent"], columns["noisy_test_percent"]
    best = int(columns["accuracy_percent"].argmax())
    return {
        "bound_first": float(columns["bound"][first].mean()),
        "bound_last": float(columns["bound"][last].mean()),
        "first_before": float(before[first].mean()),
        "last_before": float(before[last].mean()),
        "first_after": float(after[first].mean()),
        "last_after": float(after[last].mean()),
        "before": float(before.mean()),
        "after": float(after.mean()),
        "total": float(columns["test_accuracy_percent"][best]),
        "gap": float(columns["clean_test_percent"][best] - after[best]),
        "latency_s": float(
            columns["latency_s"][0]
        ),  # designs begin with the most probable network of the most probable cut
    }


_CUTS = ("MP_C", "Conv_D2", "Conv_D3")  # of Table A.2, from the first on


def _table_a2(value: Callable[[FloatArray], float], *columns: str) -> PublishedRow:
    """Return a row that follows from columns of Table A.2; `value` takes them in per cent, `columns x cuts`."""
    names = [f"tableA.2.{network}.{cut}.{part}" for network, part in map(str.split, columns) for cut in _CUTS]
    printed = np.array([float(PUBLICATION.value(name)) for name in names]).reshape(-1, len(_CUTS))
    return PUBLICATION.derived(round(value(printed), 10), "%", *names)


def _table_a3(part: str) -> PublishedRow:
    """Return the lead of the privacy-aware network over the retrained one of the conventional search."""
    return PUBLICATION.difference(f"tableA.3.PrivacyAware_wl0.{part}", f"tableA.3.ProxylessNAS_ret_wl0.{part}")


def _later_bound() -> PublishedRow:
    """Return the bound behind the later layer of Table A.1 over that behind the earlier one, geometric mean of the VGGs."""
    names = [f"tableA.1.{layer}.bound.{variant}" for layer in ("Conv_E1", "MP_C") for variant in VARIANTS]
    later, earlier = np.array([float(PUBLICATION.value(name)) for name in names]).reshape(2, -1)
    return PUBLICATION.derived(float(np.exp(np.mean(np.log(later / earlier)))), "x", *names)


def _gaps() -> PublishedRow:
    """Return the row of the gap between clean and noisy accuracy, privacy-aware minus retrained conventional network."""
    aware, conventional = (
        [f"tableA.3.{network}.{part}_test" for part in ("clean", "noisy")]
        for network in ("PrivacyAware_wl0", "ProxylessNAS_ret_wl0")
    )
    gaps = [PUBLICATION.value(clean) - PUBLICATION.value(noisy) for clean, noisy in (aware, conventional)]
    return PUBLICATION.derived(round(gaps[0] - gaps[1], 10), "%", *aware, *conventional)


_SAID = (
    TrainedValue(
        "Bound B: last cut over first cut", _later_bound(),
        "bounds of the VGGs differ by layer, and are smaller behind a later one.", ratio("bound_last", "bound_first"), 0.5,
    ),
    TrainedValue(
        "Noisy accuracy, server's side unchanged: last cut less first",
        _table_a2(lambda table: table[0, -1] - table[0, 0], "VGG16 eval_acc"),
        "deeper cuts of VGG16 keep more of the accuracy under the same budget.", gain("last_before", "first_before"), 20.0,
    ),
    TrainedValue(
        "Noisy accuracy, server's side trained on noise: last cut less first",
        _table_a2(lambda table: table[0, -1] - table[0, 0], "VGG16 retrained_acc"),
        "deeper layers of VGG16 recover better.", gain("last_after", "first_after"), 20.0,
    ),
    TrainedValue(
        "Noisy accuracy gained by training the server's side on noise, all cuts",
        _table_a2(lambda table: (table[0] - table[1]).mean(), "VGG16 retrained_acc", "VGG16 eval_acc"),
        "cuts of VGG16 that lost utility reach acceptable accuracies.", gain("after", "before"), 20.0,
    ),
    TrainedValue(
        "Noisy accuracy, server's side unchanged: whole width less half",
        _table_a2(lambda table: (table[0] - table[1]).mean(), "VGG16 eval_acc", "VGG16_half_width_BD eval_acc"),
        "VGG16 tolerates the budget better than with half the width in two blocks. The computed one has half the width everywhere.",
        gain("before", "half_before"), 20.0,
    ),
    TrainedValue(
        "Total accuracy at the best cut: privacy-aware less conventional search", _table_a3("total_test"),
        "the privacy-aware search is ahead of the conventional one whose server's side was trained on noise.",
        gain("aware_total", "total"), 10.0,
    ),
    TrainedValue(
        "Noisy accuracy, server's side unchanged: privacy-aware less conventional search",
        PUBLICATION.difference("tableA.3.PrivacyAware_wl0.noisy_test", "tableA.3.ProxylessNAS_wl0.noisy_test"),
        "joint training makes networks that tolerate noise.", gain("aware_before", "before"), 20.0,
    ),
    TrainedValue(
        "Clean less noisy accuracy at the best cut: privacy-aware less conventional search", _gaps(),
        "the gap of the privacy-aware network is the smallest.", gain("aware_gap", "gap"), 10.0,
    ),
    Trend(
        "Edge latency of a search with exponent 0.05 over one without", "x", "Section A.7.3 / Fig A.8",
        "with latency in the reward the network found is done sooner on the device.",
        ratio("aimed_latency_s", "aware_latency_s"), "below", 1, 0.5,
    ),
)  # fmt: skip


def trends(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield a row for each trend that the text states; Propositions 3 and 5 state no winner."""
    runs = []
    for seed in SEEDS:
        aware, aimed = (look(SearchOutcome(seed, "privacy-aware", latency_weight=each)) for each in (0.0, 0.05))
        half, conventional = look(SearchOutcome(seed, width=0.5)), look(SearchOutcome(seed))
        others = {"half_before": half["before"], "aimed_latency_s": aimed["latency_s"]}
        runs.append({**conventional, **{f"aware_{name}": value for name, value in aware.items()}, **others})
    return trend_rows(PUBLICATION, _DATA, _SAID, runs)

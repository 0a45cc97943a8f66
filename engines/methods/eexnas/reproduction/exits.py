"""Effects of an exit (Tables B.1 to B.4), in networks trained here on generated beats and motions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import nan

import numpy as np

from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.eexnas.reproduction.tables import PUBLICATION
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import Case, OutcomeReader
from engines.reproduction.rows import PublishedRow

_NETWORKS, _EPOCHS, _WINDOWS, _SAMPLES = 8, 15, 400, 128
_MODELS = {
    "a": ("beats", "B.1", "B.2", (0.7, 0.99)),
    "b": ("beats", "B.1", "B.2", (0.7, 0.99)),
    "c": ("motions", "B.3", "B.4", (0.9, 0.99)),
}
# How far another processor may be off: as far as other seeds of the same trainings are (0 to 3, rounded up), for a last digit of a
# sum decides where a training ends and which network is the most accurate, as a seed does.
_ELSEWHERE = {"energy": 0.3, "accuracy": 10.0, "temperature": 0.3, "ece": 5.0}
_WHY = (
    "Published: models a and b on beats of PTB, c on motions of w-HAR, measured. Computed: the most accurate of "
    "eight random networks, trained on generated signals, with assumed cycles. The data decide how many windows are "
    "easy. Trainings end elsewhere on another processor, as they do with another seed: energies within 0.3 x, "
    "accuracies within 10 %."
)


@dataclass(frozen=True)
class TrainedExits(Case[Mapping[str, float]]):
    """The most accurate of some networks at random on generated signals: energy and accuracy by threshold, temperature, ECE."""

    generated: str

    def run(self) -> Mapping[str, float]:
        """Return energy and accuracy by exit: thresholds from validation windows, accuracies of test windows."""
        from engines.running.inspection import designs_of_run

        params = {
            "generated": self.generated, "search": "random", "networks": _NETWORKS, "epochs": _EPOCHS, "windows": _WINDOWS,
            "samples": _SAMPLES,
        }  # fmt: skip
        problem = make_problem("eexnas", {"hardware": get_builtin("hardware", "efm32-giant-gecko")}, params)
        columns = designs_of_run(problem).columns
        best = columns["backbone_accuracy_percent"].argmax()
        rows = np.flatnonzero(columns["backbone_energy_j"] == columns["backbone_energy_j"][best])
        found = {"temperature": float(columns["temperature"][best]), "ece": float(columns["ece_percent"][best])}
        for row in rows:
            threshold = f"{columns['threshold'][row]:g}"
            found[f"energy.{threshold}"] = float(columns["energy_j"][row] / columns["backbone_energy_j"][row])
            gained = columns["test_accuracy_percent"][row] - columns["backbone_test_accuracy_percent"][row]
            found[f"accuracy.{threshold}"] = float(gained)
        return found

    def blank(self) -> Mapping[str, float]:
        """Return the published rows with NaN as computed values."""
        names = [f"{name}.{threshold}" for name in ("energy", "accuracy") for threshold in ("0.7", "0.9", "0.99")]
        return dict.fromkeys([*names, "temperature", "ece"], nan)


def exits(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the energy and accuracy with the exit next to those without, temperature and calibration."""
    energies = PUBLICATION.rows("Energy with the exit over that without (Tables B.2 and B.4)", why=_WHY)
    accuracies = PUBLICATION.rows("Accuracy with the exit less that without (Tables B.1 and B.3)", why=_WHY)
    for model, (generated, right, spent, thresholds) in _MODELS.items():
        ours = look(TrainedExits(generated))
        for threshold in thresholds:
            title, place = f"Model {model}, threshold {threshold:g}", f"th_{threshold:g}"
            energy = ours[f"energy.{threshold:g}"]
            ratio = _ratio(f"table{spent}.model_{model}", place)
            off = _ELSEWHERE["energy"]
            yield energies(f"{title}: energy", ratio, energy, same_side=energy < 1, elsewhere=off)
            difference, gained = _difference(f"table{right}.model_{model}", place), ours[f"accuracy.{threshold:g}"]
            yield accuracies(f"{title}: accuracy gained", difference, gained, elsewhere=_ELSEWHERE["accuracy"])
    rows, ours = PUBLICATION.rows("Calibration of model c (section B.6.3)", why=_WHY), look(TrainedExits("motions"))
    yield rows(
        "Temperature of the exit", "model_c.temperature", ours["temperature"], elsewhere=_ELSEWHERE["temperature"]
    )
    yield rows("Expected calibration error", "model_c.ece", ours["ece"], elsewhere=_ELSEWHERE["ece"])


def _ratio(model: str, place: str) -> PublishedRow:
    names = (f"{model}.{place}.energy", f"{model}.baseline.energy")
    return PUBLICATION.derived(PUBLICATION.value(names[0]) / PUBLICATION.value(names[1]), "x", *names)


def _difference(model: str, place: str) -> PublishedRow:
    names = (f"{model}.{place}.accuracy", f"{model}.baseline.accuracy")
    return PUBLICATION.derived(PUBLICATION.value(names[0]) - PUBLICATION.value(names[1]), "%", *names)

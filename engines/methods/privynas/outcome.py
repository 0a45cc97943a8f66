"""The report of a run: curves of its training, its best design, notes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.designs import Designs
from engines.contract.integer_format import counted, many
from engines.contract.results import Curve, Note, Result, Series
from engines.cost.memory_capacity import unknown_memory_notes
from engines.data.data_set import DataSet
from engines.learning.course import Course
from engines.learning.curves import loss_curve
from engines.methods.privynas.instance import PrivynasInstance
from engines.methods.privynas.quantities import QUANTITIES


def best_words(designs: Designs) -> str:
    """Return the most accurate design within the limits in words."""
    row = int(np.argmax(np.where(designs.feasible(QUANTITIES), designs.columns["accuracy_percent"], -1.0)))
    columns = {name: float(values[row]) for name, values in designs.columns.items()}
    words = f"{many(len(designs), 'design')}; at epsilon {columns['epsilon']:g} after block {columns['position']:.0f} "
    accuracies = f"{columns['accuracy_percent']:.4g} % right in all, {columns['noisy_test_percent']:.4g} %"
    return f"{words}{accuracies} of noisy test images"


def curves(instance: PrivynasInstance, course: Course) -> tuple[Result, ...]:
    """Return loss, reward and probabilities by epoch; nothing within the first."""
    if not course.epoch:
        return ()
    warm_up = instance.params.warm_up_epochs
    phases = {"Clean": (0, warm_up), "Clean and noisy": (warm_up, course.learner.epochs)}
    epochs, held = np.arange(1, course.epoch + 1, dtype=np.float64), course.measured
    reward = np.where(epochs > warm_up, held["reward"], np.nan)
    cuts = [(f"After block {each}", held[f"cut {each}"]) for each in instance.positions]
    budgets = [(f"Epsilon {each:g}", held[f"epsilon {each:g}"]) for each in instance.epsilons]

    def curve(name: str, title: str, titled: Sequence[tuple[str, Sequence[float]]]) -> Curve:
        series = tuple(Series(each, np.array(values, dtype=np.float64), "") for each, values in titled)
        return Curve(name, title, epochs, "Epoch", "", series, role="progress")

    return (
        loss_curve(course.losses, phases),
        curve("reward", "Mean reward of sampled networks", [("Reward", reward.tolist())]),
        curve("cuts", "Probability of each cut", cuts),
        curve("budgets", "Probability of each budget", budgets),
    )


def notes(instance: PrivynasInstance, data: DataSet) -> tuple[Note, ...]:
    """Return the notes on training data, scope of epsilon, and unknown device memory."""
    return (_data_note(instance, data), _budget_note(), *unknown_memory_notes(instance.covered.soc))


def _data_note(instance: PrivynasInstance, data: DataSet) -> Note:
    text = f"Accuracies are of {instance.data.title}: {many(len(data.validation), 'image')} to choose by, "
    text += (
        f"{counted(len(data.test))} to report on, one training of each network and fresh noise once for every image."
    )
    return Note("data", "Training data", text)


def _budget_note() -> Note:
    text = "Epsilon is the publication's: with noise of scale 2 B / epsilon every element that is sent is epsilon-private by "
    text += "itself. All elements together are private with elements x epsilon, which is far weaker."
    return Note("budget", "Scope of epsilon", text, "warning")

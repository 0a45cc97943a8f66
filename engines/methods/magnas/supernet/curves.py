"""Loss and accuracy over epochs, as live results and as arrays of a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engines.contract.results import Curve, Series

_TITLES = ("Largest subnet", "Smallest subnet", "Random subnets")
_MOST_POINTS = 2000


class Curves:
    """The curves of a training, one entry per report."""

    def __init__(self) -> None:
        self._epochs: list[float] = []
        self._losses: list[Sequence[float]] = []
        self._accuracies: list[Sequence[float]] = []

    @classmethod
    def of(cls, state: Mapping[str, Any]) -> Curves:
        """Restore the curves from the arrays of a checkpoint."""
        curves = cls()
        curves._epochs = state["epochs"].tolist()
        curves._losses, curves._accuracies = state["losses"].tolist(), state["accuracies"].tolist()
        return curves

    def arrays(self) -> dict[str, Any]:
        """Return the arrays for a checkpoint."""
        count = len(self._epochs)
        return {
            "epochs": np.array(self._epochs),
            "losses": np.array(self._losses).reshape(count, len(_TITLES)),
            "accuracies": np.array(self._accuracies).reshape(count, len(_TITLES)),
        }

    def add(self, epoch: float, losses: Sequence[float], accuracies: Sequence[float]) -> None:
        """Add one report; very long trainings keep every second of the older ones."""
        if len(self._epochs) >= _MOST_POINTS:
            self._epochs, self._losses = self._epochs[1::2], self._losses[1::2]
            self._accuracies = self._accuracies[1::2]
        self._epochs.append(epoch)
        self._losses.append(losses)
        self._accuracies.append(accuracies)

    def words(self) -> str:
        """Return the newest loss and accuracy in words."""
        if not self._epochs:
            return ""
        return f": loss {self._losses[-1][0]:.3f}, largest subnet {self._accuracies[-1][0]:.1f} % on validation"

    def results(self, data_title: str) -> tuple[Curve, Curve]:
        """Return the curves of loss and accuracy."""
        held = self.arrays()
        return (
            self._curve("loss", "Training loss", held["losses"], ""),
            self._curve(
                "accuracy-over-epochs", f"Accuracy on validation images of {data_title}", held["accuracies"], "%"
            ),
        )

    def _curve(self, name: str, title: str, values: Any, unit: str) -> Curve:
        series = tuple(
            Series(words, values[:, place].copy(), unit)
            for place, words in enumerate(_TITLES)
            if not np.isnan(values[:, place]).all()
        )
        return Curve(name, title, np.array(self._epochs), "Epochs", "", series, role="progress")

"""Scores of measured outputs at each threshold: accuracy, energy, calibration. Without torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.designs import Designs
from engines.methods.eexnas.architecture import SizedNetwork
from engines.methods.eexnas.costs import cost_of
from engines.methods.eexnas.instance import EexnasInstance
from engines.search.ends.confidence import calibration_error, confidence, fitted_temperature


@dataclass(frozen=True, eq=False)
class HeldOutOutputs:
    """Outputs of both ends for held-out windows, shape `n x 2 x classes`, and their labels, shape `n`."""

    outputs: FloatArray
    labels: IntArray

    @cached_property
    def right(self) -> BoolArray:
        """Shape `n x 2`."""
        return np.asarray(self.outputs.argmax(axis=2) == self.labels[:, None])

    def sure(self, temperature: float) -> FloatArray:
        """Return the largest probability of the exit, shape `n`."""
        return confidence(self.outputs[:, :1], "largest_probability", temperature)[:, 0]

    def answered(self, threshold: float, temperature: float) -> tuple[float, float]:
        """Return the share that is right, and share that leaves early."""
        early = self.sure(temperature) >= threshold
        return float(np.where(early, self.right[:, 0], self.right[:, 1]).mean()), float(early.mean())


@dataclass(frozen=True, eq=False)
class NetworkOutputs:
    """A trained network: what it answered on windows to choose by and on those to report on."""

    laid: SizedNetwork
    validation: HeldOutOutputs
    test: HeldOutOutputs

    @cached_property
    def temperature(self) -> float:
        """Return the temperature of the exit."""
        return fitted_temperature(self.validation.outputs[:, 0], self.validation.labels)

    def calibration_percent(self, end: int, temperature: float) -> float:
        """Return the expected calibration error of an end on the test windows."""
        return 100 * calibration_error(self.test.outputs[:, end], self.test.labels, temperature)

    def columns(self, instance: EexnasInstance, thresholds: Sequence[float]) -> dict[str, FloatArray]:
        """Return the columns of the designs, one per threshold, shape `len(thresholds)` each."""
        device, cost = instance.device, cost_of(self.laid, instance.device)
        found = [self.validation.answered(each, self.temperature) for each in thresholds]
        tested = [self.test.answered(each, self.temperature)[0] for each in thresholds]
        right, leaving = np.array(found).reshape(-1, 2).T
        seconds = np.array([cost.mean_s(share) for share in leaving])
        same = {
            "backbone_accuracy_percent": 100 * float(self.validation.right[:, 1].mean()),
            "backbone_energy_j": device.power_w * cost.alone_s,
            "ram_bytes": device.ram(self.laid),
            "flash_bytes": float(self.laid.weight_bytes),
            "backbone_test_accuracy_percent": 100 * float(self.test.right[:, 1].mean()),
            "temperature": self.temperature,
            "ece_before_percent": self.calibration_percent(0, 1.0),
            "ece_percent": self.calibration_percent(0, self.temperature),
            "binary": float(self.laid.architecture.binary),
            "blocks": float(len(self.laid.architecture.blocks)),
        }
        return {
            "accuracy_percent": 100 * right, "energy_j": device.power_w * seconds, "latency_s": seconds,
            "left_early_fraction": leaving, "test_accuracy_percent": 100 * np.array(tested), "threshold": np.array(thresholds),
            **{name: np.full(len(thresholds), value) for name, value in same.items()},
        }  # fmt: skip

    def designs(self, instance: EexnasInstance, thresholds: Sequence[float]) -> Designs:
        """Return the designs, one for each threshold."""
        own = self.laid.architecture.decision
        return Designs(self.columns(instance, thresholds), [{**own, "threshold": each} for each in thresholds])


@dataclass(frozen=True)
class Normal:
    """Objectives from 0 to 1, more being better (eq. B.2; costs as 1 - F_norm).

    Energies lie between those of the smallest and the largest network of the space, accuracies between guessing and all right.
    """

    instance: EexnasInstance

    @cached_property
    def weights(self) -> FloatArray:
        """Return the weights of `values`, which sum to 1: accuracies count `accuracy_weight` times as much."""
        raw = np.array([self.instance.params.accuracy_weight] * 2 + [1.0] * 2)
        return np.asarray(raw / raw.sum())

    def values(self, judged: NetworkOutputs) -> FloatArray:
        """Return the accuracy without and with the exit, energy likewise, shape `4`."""
        instance = self.instance
        columns = judged.columns(instance, (instance.params.search_threshold,))
        guessing = 1 / instance.space.classes
        accuracies = [
            (0.01 * columns[name][0] - guessing) / (1 - guessing)
            for name in ("backbone_accuracy_percent", "accuracy_percent")
        ]
        energies = [
            1 - (columns[name][0] - low) / (high - low)
            for name, (low, high) in zip(("backbone_energy_j", "energy_j"), self._energies, strict=True)
        ]
        found: FloatArray = np.clip(np.array(accuracies + energies), 0.0, 1.0)
        return found

    def score(self, values: FloatArray) -> FloatArray:
        """Return the weighted sum of eq. B.1, of values `n x 4`, shape `n`."""
        summed: FloatArray = (np.atleast_2d(values) * self.weights).sum(axis=1)
        return summed

    @cached_property
    def _energies(self) -> tuple[tuple[float, float], tuple[float, float]]:
        device, space = self.instance.device, self.instance.space
        low, high = cost_of(space.smallest, device), cost_of(space.largest, device)
        power = device.power_w
        return (power * low.alone_s, power * high.alone_s), (power * low.early_s, power * high.late_s)

"""Predictions of a trained estimator for mappings that it never learnt from, compared with the simulator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from safetensors.numpy import load, save

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.quantities import SHARE, Quantity
from engines.contract.results import Curve, Matrix, Result, Series, Table, TableColumn
from engines.methods.mapformer.estimator.classes import (
    HEADS,
    calibration_error,
    class_names,
    confusion,
    exact_share,
    near_share,
    reliability,
)

QUANTITIES = (
    Quantity(
        "throughput_near_fraction", "Throughput within one class", SHARE, "maximise", "objective",
        "Share of the mappings of held-out mixes whose class of throughput is predicted with at most one class of error.",
    ),
    Quantity(
        "power_near_fraction", "Power within one class", SHARE, "maximise", "objective", "The same share for power."
    ),
    Quantity(
        "throughput_exact_fraction", "Throughput, exact class", SHARE, "maximise", "metric",
        "Share of the mappings of held-out mixes whose class of throughput is predicted exactly.",
    ),
    Quantity("power_exact_fraction", "Power, exact class", SHARE, "maximise", "metric", "The same share for power."),
    Quantity(
        "unseen_throughput_fraction", "Throughput within one class, networks never seen", SHARE, "maximise", "metric",
        "On mixes made of networks that training never saw.",
    ),
    Quantity(
        "unseen_power_fraction", "Power within one class, networks never seen", SHARE, "maximise", "metric",
        "On mixes made of networks that training never saw.",
    ),
    Quantity(
        "throughput_gap_fraction", "Calibration error of throughput", SHARE, "minimise", "metric",
        "Expected calibration error: mean difference between confidence and accuracy.",
    ),
    Quantity("power_gap_fraction", "Calibration error of power", SHARE, "minimise", "metric", "The same share for power."),
    Quantity("weight_count", "Weights", "", "minimise", "metric", "Learnt numbers of the transformer."),
)  # fmt: skip
_SETS = ("held_out", "unseen")
_TITLES = {"held_out": "Held-out mixes", "unseen": "Networks never seen"}
_NOTHING = np.zeros(0)


@dataclass(frozen=True, eq=False)
class HeldOutAnswers:
    """Probabilities and true classes, by set of mappings and head; a set may have none.

    Attributes:
        probabilities: (set, head) -> shape `b x classes`.
        true: (set, head) -> shape `b`.
        edges: head -> ends of its classes.
        weight_count: weight count of the transformer.
    """

    probabilities: Mapping[tuple[str, str], FloatArray]
    true: Mapping[tuple[str, str], IntArray]
    edges: Mapping[str, FloatArray]
    weight_count: int

    def to_bytes(self) -> bytes:
        """Return the answers as a working file."""
        arrays: dict[str, Any] = {f"probabilities.{'.'.join(key)}": each for key, each in self.probabilities.items()}
        arrays |= {f"true.{'.'.join(key)}": each for key, each in self.true.items()}
        arrays |= {f"edges.{head}": each for head, each in self.edges.items()}
        return save({**arrays, "weights": np.array([self.weight_count])})

    @staticmethod
    def of_bytes(data: bytes) -> HeldOutAnswers:
        """Return the state that a checkpoint stored."""
        found: dict[str, dict[Any, Any]] = {"probabilities": {}, "true": {}, "edges": {}}
        arrays = load(data)
        for name, values in arrays.items():
            kind, *key = name.split(".")
            if kind in found:
                found[kind][key[0] if kind == "edges" else tuple(key)] = values
        return HeldOutAnswers(found["probabilities"], found["true"], found["edges"], int(arrays["weights"][0]))

    def told(self, place: str, head: str) -> IntArray:
        """Return the most likely class of each answer."""
        return np.asarray(self.probabilities[place, head].argmax(axis=1))

    @property
    def sets(self) -> tuple[str, ...]:
        """Return the names of the sets."""
        return tuple(name for name in _SETS if (name, HEADS[0]) in self.true)

    def shares(self, place: str) -> dict[str, float]:
        """Return the exact and near shares of a set for both heads, as the document stores them."""
        found: dict[str, float] = {}
        for head in HEADS:
            told, true = self.told(place, head), self.true[place, head]
            found |= {f"{head}_exact": exact_share(told, true), f"{head}_near": near_share(told, true)}
        return found

    def columns(self) -> dict[str, FloatArray]:
        """Return the columns of the estimator, the one design, shape `1` each."""
        held = self.shares("held_out")
        unseen = self.shares("unseen") if "unseen" in self.sets else {}
        gaps = {
            head: calibration_error(self.probabilities["held_out", head], self.true["held_out", head]) for head in HEADS
        }
        columns = {f"{name}_fraction": value for name, value in held.items()}
        columns |= {f"unseen_{head}_fraction": unseen.get(f"{head}_near", np.nan) for head in HEADS}
        columns |= {f"{head}_gap_fraction": gap for head, gap in gaps.items()}
        columns["weight_count"] = float(self.weight_count)
        return {name: np.array([value]) for name, value in columns.items()}

    def results(self) -> tuple[Result, ...]:
        """Return the table of shares, confusion of both heads, and how sure and how right it is."""
        return (self._table(), *(self._confusion(head) for head in HEADS), self._calibration())

    def _table(self) -> Table:
        rows = [(place, head) for place in self.sets for head in HEADS]
        shares = [self.shares(place) for place, _ in rows]
        gaps = [calibration_error(self.probabilities[row], self.true[row]) for row in rows]
        return Table(
            "accuracy", "Predicted classes",
            (
                TableColumn("Mappings", tuple(_TITLES[place] for place, _ in rows)),
                TableColumn("Of", tuple(head.capitalize() for _, head in rows)),
                TableColumn("How many", np.array([float(len(self.true[row])) for row in rows])),
                TableColumn("Exact class", _column(shares, rows, "exact"), SHARE),
                TableColumn("Within one class", _column(shares, rows, "near"), SHARE),
                TableColumn("Calibration error", np.array(gaps), SHARE),
            ),
        )  # fmt: skip

    def _confusion(self, head: str) -> Matrix:
        names = class_names(self.edges[head], "1/s" if head == "throughput" else "W")
        values = confusion(self.told("held_out", head), self.true["held_out", head], len(names))
        return Matrix(
            f"confusion-{head}", f"Simulated class of {head} (rows) and predicted class (columns), held-out mixes",
            names, names, values, "", "Mappings",
        )  # fmt: skip

    def _calibration(self) -> Curve:
        found = {head: reliability(self.probabilities["held_out", head], self.true["held_out", head]) for head in HEADS}
        middle = (np.arange(10) + 0.5) / 10
        series = [Series(head.capitalize(), right, SHARE) for head, (_, right, _) in found.items()]
        return Curve(
            "calibration", "Accuracy of the predicted class by its probability", middle, "How sure", SHARE,
            (*series, Series("Perfect calibration", middle, SHARE)),
        )  # fmt: skip


def _column(shares: list[dict[str, float]], rows: list[tuple[str, str]], kind: str) -> FloatArray:
    return np.array([found[f"{head}_{kind}"] for found, (_, head) in zip(shares, rows, strict=True)])

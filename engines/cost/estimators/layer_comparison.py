"""The same layers under several cost models: ratios by kind of layer, and the largest disagreements with their reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from engines.contract.arrays import FloatArray
from engines.cost.estimators.protocol import PARTIAL_SUMS, ArrayUnit, ComputeUnit, CostEstimator, LayerEstimates
from engines.workloads.network import Layer, Network

MOST_DISAGREEMENTS = 10
_ALIKE = 1.01  # ratio below which a figure is no reason
_FIGURES = ("cycles", "buffer_bytes")
_OUTPUT_STATIONARY = ("ykp_os", "yxp_os")
_Row = tuple[Network, Layer, ComputeUnit]
Costs = Sequence[LayerEstimates]


@dataclass(frozen=True)
class Disagreement:
    """A layer on a unit whose costs differ between two models.

    Attributes:
        row: number of the row.
        ratio: energy-delay product under the other model divided by that under the first.
        reason: sentence with the reason.
    """

    row: int
    ratio: float
    reason: str


@dataclass(frozen=True)
class LayerComparison:
    """The costs of `n` layers on compute units under several models; all arrays have shape `n`.

    Attributes:
        networks, layers, units: networks, layers and units of each row; a network by its short title, a unit by its name.
        kinds: kinds of each row ("conv").
        latency_s, energy_j: model -> costs of one sample.
        disagreements: model other than the first -> its rows that differ most from the first.
        notes: model -> sentences.
    """

    networks: tuple[str, ...]
    layers: tuple[str, ...]
    units: tuple[str, ...]
    kinds: tuple[str, ...]
    latency_s: Mapping[str, FloatArray]
    energy_j: Mapping[str, FloatArray]
    disagreements: dict[str, tuple[Disagreement, ...]]
    notes: Mapping[str, tuple[str, ...]]

    def edp_ratios(self, model: str) -> FloatArray:
        """Return the energy-delay products under `model` divided by those under the first model, shape `n`."""
        first = next(iter(self.latency_s))
        return _ratio(self.latency_s[model] * self.energy_j[model], self.latency_s[first] * self.energy_j[first])

    def by_kind(self, model: str) -> dict[tuple[str, str], float]:
        """Return (kind of layer, unit) -> median of `edp_ratios`."""
        ratios = self.edp_ratios(model).tolist()
        groups: dict[tuple[str, str], list[float]] = {}
        for kind, unit, ratio in zip(self.kinds, self.units, ratios, strict=True):
            groups.setdefault((kind, unit), []).append(ratio)
        return {key: median(values) for key, values in sorted(groups.items())}


def compare_layers(
    pairs: Sequence[tuple[Network, ComputeUnit]], estimators: Mapping[str, CostEstimator]
) -> LayerComparison:
    """Return the costs of layers of networks on units under all `estimators`; the first one is the reference of the others.

    Raises:
        ProblemError: a model does not support a unit, or lacks a layer.
    """
    costs = {name: [each.estimate(*pair) for pair in pairs] for name, each in estimators.items()}
    rows = [(network, layer, unit) for network, unit in pairs for layer in network.layers]
    first, *others = estimators
    found = LayerComparison(
        tuple(network.short_title for network, _, _ in rows),
        tuple(layer.name for _, layer, _ in rows),
        tuple(unit.name for _, _, unit in rows),
        tuple("depthwise" if layer.depthwise else layer.kind for _, layer, _ in rows),
        {name: np.concatenate([part.latency_s for part in parts]) for name, parts in costs.items()},
        {name: np.concatenate([part.energy_j for part in parts]) for name, parts in costs.items()},
        {},
        {name: tuple(dict.fromkeys(note for part in parts for note in part.notes)) for name, parts in costs.items()},
    )
    for name in others:
        found.disagreements[name] = _largest(found.edp_ratios(name), rows, costs[first], costs[name], (
            estimators[first], estimators[name]
        ))  # fmt: skip
    return found


def _largest(
    ratios: FloatArray, rows: Sequence[_Row], one: Costs, other: Costs, models: tuple[CostEstimator, CostEstimator]
) -> tuple[Disagreement, ...]:
    """Return the rows with the largest ratios; of equal ones of a network and a unit the first."""
    figures = [[np.concatenate([getattr(part, name) for part in parts]) for name in _FIGURES] for parts in (one, other)]
    found: dict[tuple[str, str, float], Disagreement] = {}
    for row in np.argsort(-np.abs(np.log(ratios)), kind="stable").tolist():
        ratio, (network, layer, unit) = float(ratios[row]), rows[row]
        if max(ratio, 1 / ratio) < _ALIKE or len(found) == MOST_DISAGREEMENTS:
            break
        key = (network.slug, unit.name, ratio)
        if key not in found:
            counted = [[float(column[row]) for column in columns] for columns in figures]
            found[key] = Disagreement(row, ratio, _reason(layer, unit, counted, models))
    return tuple(found.values())


def _reason(
    layer: Layer, unit: ComputeUnit, figures: list[list[float]], models: tuple[CostEstimator, CostEstimator]
) -> str:
    """Return a sentence on the values and assumptions in which two models differ."""
    (cycles, moved), (other_cycles, other_moved) = figures
    words = []
    if moved and other_moved and not 1 / _ALIKE < moved / other_moved < _ALIKE:
        more = models[0].name if moved > other_moved else models[1].name
        ratio = max(moved / other_moved, other_moved / moved)
        words.append(f"{ratio:.3g} × the bytes of the shared buffer under {more}")
    if isinstance(unit, ArrayUnit) and not 1 / _ALIKE < cycles / other_cycles < _ALIKE:
        elements = float(np.max(unit.figures.processing_elements))
        use, other_use = (100 * min(layer.macs / (each * elements), 1.0) for each in (cycles, other_cycles))
        words.append(f"{use:.2g} % and {other_use:.2g} % of the array in use")
    one, other = (model.assumptions for model in models)
    stationary = isinstance(unit, ArrayUnit) and unit.mapping.startswith(_OUTPUT_STATIONARY) and not layer.depthwise
    words += [
        f"{subject} {assumed}, or {other[subject]}"
        for subject, assumed in one.items()
        if other.get(subject, assumed) != assumed and (subject != PARTIAL_SUMS or stationary)
    ]
    return "; ".join(words) or "the same cycles and bytes, another energy"


def _ratio(one: FloatArray, other: FloatArray) -> FloatArray:
    """Return one over other, 1 where both are 0; shape of the arguments."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(one == other, 1.0, one / other)

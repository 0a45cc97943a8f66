"""Designs of the search: networks with what was measured of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.designs import Designs
from engines.contract.errors import DecisionError
from engines.contract.numeric.ordered_sums import product_in_order
from engines.methods.sbrs.ranking import Requirements, ranks
from engines.methods.sbrs.search.genotype import Genome, Genotype
from engines.methods.sbrs.search.quantities import QUANTITIES

OBJECTIVE_NAMES = ("accuracy_percent", "throughput_fps", "memory_bytes", "energy_j")
FINAL = "trained to the end"
AS_GIVEN = "accuracy as the decision gives it"


@dataclass(frozen=True)
class NetworkRecord:
    """A network as it was trained and measured; what a design's decision holds.

    Attributes:
        accuracy_percent: None before a network of one's own is trained.
        weights: key in the run's files; "" where they were not kept.
        test_accuracy_percent: None before a network is trained to the end.
        label: label of the design.
    """

    genome: Genome
    accuracy_percent: float | None
    epochs: float
    weights: str = ""
    test_accuracy_percent: float | None = None
    label: str = ""

    def decision(self) -> dict[str, Any]:
        """Return the network as JSON."""
        return {
            "clusters": [[list(layer) for layer in cluster] for cluster in self.genome],
            "accuracy_percent": self.accuracy_percent,
            "epochs": self.epochs,
            "weights": self.weights,
            "test_accuracy_percent": self.test_accuracy_percent,
        }


def read_decision(genotype: Genotype, decision: Mapping[str, Any]) -> NetworkRecord:
    """Return the network of a decision, with what it states of it.

    Raises:
        DecisionError: not a network of the space, or figures that are none.
    """
    try:
        genome = genotype.check(decision.get("clusters"))
    except ValueError as error:
        raise DecisionError(
            "decision.clusters", decision.get("clusters"), "one entry per cluster", reason=f"{error}."
        ) from error
    accuracy = decision.get("accuracy_percent")
    if accuracy is None:
        return NetworkRecord(genome, None, 0.0)
    for name in ("accuracy_percent", "epochs", "test_accuracy_percent"):
        value = decision.get(name, 0.0)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise DecisionError(f"decision.{name}", value, "a number")
    epochs, weights = decision.get("epochs", 0.0), str(decision.get("weights", ""))
    return NetworkRecord(genome, accuracy, epochs, weights, decision.get("test_accuracy_percent"), AS_GIVEN)


def costs_of(designs: Designs) -> FloatArray:
    """Return the four objectives, all minimised, shape `n x 4`; networks that violate a limit stand behind all others."""
    values = designs.matrix(OBJECTIVE_NAMES) * np.array([-1.0, -1.0, 1.0, 1.0])
    broken = np.maximum(-designs.columns["limit_slack"], 0.0)
    return np.asarray(np.where(broken[:, None] > 0, np.abs(values).max(initial=1.0) * (2.0 + broken[:, None]), values))


def finalists(designs: Designs, requirements: Sequence[Requirements], count: int) -> list[int]:
    """Return numbers of the designs to train to the end: best ranked for each requirement set in turn, every network once.

    Args:
        designs: designs of the search so far.
        requirements: the sets.
        count: largest number of results.
    """
    front = designs.front(QUANTITIES)
    if not front.size:
        return []
    own = ranks(designs.matrix(OBJECTIVE_NAMES)[front])
    orders = [np.argsort(product_in_order(own, each.weights), kind="stable") for each in requirements]
    found: dict[str, int] = {}
    for place in range(len(front)):
        for order in orders:
            number = int(front[order[place]])
            found.setdefault(repr(designs.decisions[number]["clusters"]), number)
            if len(found) == count:
                return list(found.values())
    return list(found.values())

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engines.methods.magnas.reproduction.common import NETWORKS
from engines.methods.magnas.reproduction.runs import Case, MappingScores, Outcome, Scores


class Known:
    """Runs and scores made by hand; any other run is refused."""

    def __init__(
        self, known: Mapping[Case, Outcome], scored: Callable[[str, Mapping[str, Any]], tuple[float, float]]
    ) -> None:
        self._known, self._scored = known, scored

    def __call__(self, case: Any) -> Any:
        if isinstance(case, MappingScores):
            return self.scores(case.network, [{"units": list(units)} for units in case.mappings])
        return self._known[case]

    def scores(self, network: str, decisions: Sequence[Mapping[str, Any]]) -> Scores:
        latency, energy = np.array([self._scored(network, each) for each in decisions]).T
        return Scores(latency, energy)


def no_scores(network: str, decision: Mapping[str, Any]) -> tuple[float, float]:
    raise AssertionError(f"{network} {decision}")


def known(**by_name: Outcome) -> Known:
    """Runs without parameters, by the name of the network."""
    return Known({Case(NETWORKS[name]): found for name, found in by_name.items()}, no_scores)


def front(
    points: Sequence[tuple[float, float]], gpu: tuple[float, float], dla: tuple[float, float] = (9.0, 9.0)
) -> Outcome:
    """Mappings of (latency, energy); the first alone on the GPU, each with a decision that tells its place."""
    latency, energy = np.array(points).T
    decisions = tuple({"units": [f"mapping {place}"]} for place in range(len(points)))
    share = np.arange(len(points)) / 10
    return Outcome(latency, energy, share, decisions, gpu, dla, float("nan"))

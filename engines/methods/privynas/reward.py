"""The reward of the search."""

from __future__ import annotations


def reward(
    accuracy: float, latency_s: float, epsilon: float, targets: tuple[float, float], exponents: tuple[float, float]
) -> float:
    """Eq. A.6: accuracy (of 1) x (target / latency)^w x (target / epsilon)^w."""
    return float(accuracy * (targets[0] / latency_s) ** exponents[0] * (targets[1] / epsilon) ** exponents[1])

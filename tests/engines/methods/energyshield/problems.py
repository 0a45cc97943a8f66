"""Small drives, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.engine import Document, Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.testing.conformance import TinyProblem

SMALL = {"episodes": 4, "road_m": 30.0, "obstacle_count": 1, "spread_m": 0.5, "noise_m": 0.1, "margins_m": "0.5",
         "round_trip_ms": 0.0}  # fmt: skip


def shield_problem(
    params: Mapping[str, Any] | None = None, documents: Mapping[str, Document] | None = None, seed: int = 0
) -> Problem:
    """One obstacle on 30 m of road, four episodes, every policy."""
    given = {"radio": get_builtin("hardware", "wifi-smartphone"), **(documents or {})}
    return make_problem("energyshield", given, {**SMALL, **(params or {})}, seed=seed)


def tiny() -> TinyProblem:
    """A search over shields and caps; nothing takes 1 nJ."""
    params = {
        "margins_m": "0.3 0.5 1", "most_windows": "2 3 10", "evaluations": 12, "population": 4, "episodes": 2, "episode_s": 1.6,
    }  # fmt: skip
    return TinyProblem(
        shield_problem(params, seed=3), shield_problem({**params, "episode_s": 0.4, "energy_limit_j": 1e-9})
    )

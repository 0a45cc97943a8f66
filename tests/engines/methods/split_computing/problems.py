"""Cars that offload, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.engine import Document, Problem
from engines.documents.builtin import get_builtin
from engines.documents.families import family_of
from engines.documents.problems import make_problem
from engines.testing.conformance import TinyProblem


def control_problem(
    params: Mapping[str, Any] | None = None, seed: int = 0, inputs: Mapping[str, Mapping[str, Any]] | None = None
) -> Problem[Any]:
    """The published car without the double DQN, on few windows, by default."""
    documents = {name: Document(family_of(content).kind, name, 1, content) for name, content in (inputs or {}).items()}
    documents["radio"] = get_builtin("hardware", "wifi-smartphone")
    return make_problem(
        "split-computing", documents, {"dqn": False, "windows": 2000, "round_trip_ms": 0.0, **(params or {})}, seed=seed
    )


def tiny() -> TinyProblem:
    """A short training on few windows; no window takes 1 mJ."""
    params = {"dqn": True, "dqn_updates": 12, "hidden": 4, "windows": 200, "energy_limit_j": 0.6}
    return TinyProblem(control_problem(params, seed=3), control_problem({**params, "energy_limit_j": 1e-3}))

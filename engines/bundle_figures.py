"""Compares figures of a bundle's designs with what the engine computes from their decisions; runs in the limited child."""

from __future__ import annotations

import numpy as np

from engines.context import LocalContext
from engines.contract import Problem
from engines.designs import Designs
from engines.errors import EngineError, ProblemError
from engines.inspection import run_quantities
from engines.registry import get_engine

COMPARED_DESIGNS = 16
_RELATIVE_ERROR = 1e-6  # engines promise equal values on one platform only


def spread(count: int, picks: int = COMPARED_DESIGNS) -> list[int]:
    """At most `picks` of the numbers 0..count-1, from the first to the last."""
    return sorted({int(index) for index in np.linspace(0, count - 1, min(picks, count))}) if count else []


def check_figures(problem: Problem, designs: Designs, engine_path: str | None = None) -> int:
    """How many designs were computed again, with the same objectives and constraints.

    Those of an engine that trains (its plan says "pinned") are not: they need the weights, which a bundle leaves out.

    Raises:
        ProblemError: names a figure that the engine does not give.
    """
    engine = get_engine(problem.engine, engine_path)
    if not len(designs) or engine.plan(problem).determinism != "exact":
        return 0
    try:
        again = engine.evaluate(problem, designs.decisions, LocalContext(problem))
    except (EngineError, ValueError, KeyError, TypeError) as error:
        raise ProblemError("bundle.designs", str(error)[:200], f"decisions of {problem.engine}") from error
    for quantity in run_quantities(engine, problem.canonical()["params"]):
        if quantity.role not in ("objective", "constraint"):
            continue
        told, computed = designs.columns[quantity.name], again.columns[quantity.name]
        differs = np.flatnonzero(~np.isclose(told, computed, rtol=_RELATIVE_ERROR, atol=0.0, equal_nan=True))
        if len(differs):
            first = differs[0]
            accepted = f"{computed[first]:.9g}, which {problem.engine} computes from the design's decision"
            raise ProblemError(f"bundle.designs.{quantity.name}", f"{told[first]:.9g}", accepted)
    return len(designs)

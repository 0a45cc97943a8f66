from __future__ import annotations

from typing import Any

import numpy as np

from engines.contract.engine import Document
from engines.contract.results import Result
from engines.running.inspection import explain
from tests.engines.methods.seesaw.problems import seesaw_problem

DECISION = {"tolerance_percent": 5.0, "sensors": ["turn"], "leaves": 9, "feedback": True}


def explained(decision: dict[str, Any] | None = None, **said: Any) -> dict[str, Result]:
    """Results of a design by name."""
    problem = seesaw_problem(**said)
    return {each.name: each for each in explain(problem, decision or DECISION)}


def winding(turn_rad: float) -> Document:
    """Four tracks of a steady walk that turns by so much a second in one minute of two."""
    seconds = np.arange(240.0)
    heading = np.cumsum(np.where(seconds // 60 % 2, turn_rad, 0.0))
    columns = {"x": np.cumsum(np.cos(heading)).tolist(), "y": np.cumsum(np.sin(heading)).tolist()}
    tracks = [{"title": f"walk {n}", "times_s": seconds.tolist(), "columns": columns} for n in range(4)]
    content = {
        "schema": "recording/1",
        "slug": "walk",
        "title": "Walk",
        "source": "made up",
        "units": {"x": "m", "y": "m"},
    }
    return Document("data", "walk", 1, {**content, "tracks": tracks})

"""Small problems of the engine seesaw."""

from __future__ import annotations

from typing import Any

from engines.contract.engine import Document, Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.testing.conformance import TinyProblem

_FEW = {"largest_tolerance_percent": 8, "tolerances": 3, "most_sensors": 1, "folds": 3, "devices": 5}


def recording(
    kind: str = "routes", tracks: int = 8, duration_s: float = 120, step_s: float = 1.0, **more: Any
) -> Document:
    """A synthetic recording of a few short tracks."""
    generator = {"kind": kind, "tracks": tracks, "duration_s": duration_s, "step_s": step_s, "seed": 5}
    said = {"measures": "pixel_motion"} if kind == "videos" else {}
    content = {
        "schema": "recording/1",
        "slug": "few",
        "title": "Few",
        "source": "made up",
        "generator": generator,
        **said,
        **more,
    }
    return Document("data", "few", 1, content)


def seesaw_problem(
    params: dict[str, Any] | None = None, data: Document | None = None, node: str = "fitness-tracker"
) -> Problem:
    """A problem that runs in about a second."""
    inputs = {"hardware": get_builtin("hardware", node), "data": data or recording()}
    return make_problem("seesaw", inputs, _FEW | (params or {}), seed=3)


def tiny_seesaw() -> TinyProblem:
    """For the conformance suite."""
    impossible = seesaw_problem({"largest_cross_validation_percent": 0.01})
    return TinyProblem(seesaw_problem(), impossible=impossible)

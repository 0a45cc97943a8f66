"""The nested decision of a design: the package, and the schedule as SCAR stores it.

It reads `{"package": {"dataflows": [...], "processing_elements": [...], ...}, "goal": "edp", "windows": [...]}`; `windows` is what
a decision of the engine scar holds, so that the schedule can be scored there on the exported package.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.chiplets.problem.decision import PackageSchedule
from engines.chiplets.problem.decision import decode as decode_schedule
from engines.chiplets.problem.decision import encode as encode_schedule
from engines.contract.errors import DecisionError
from engines.methods.package_search.packages.candidate import Candidate, decode_candidate, encode_candidate
from engines.methods.package_search.params import GOALS


def encode(candidate: Candidate, goal: str, schedule: PackageSchedule) -> dict[str, Any]:
    """Return the decision as JSON values."""
    return {
        "package": encode_candidate(candidate),
        "goal": goal,
        "windows": encode_schedule(schedule)["windows"],
    }


def decode(decision: Mapping[str, Any], chiplets: int) -> tuple[Candidate, str, PackageSchedule]:
    """Return package, goal ("" where none is named) and schedule; only the form of the schedule is looked at.

    Raises:
        DecisionError: something is missing or of the wrong kind.
    """
    if not isinstance(decision, Mapping):
        raise DecisionError("decision", decision, 'a mapping with "package" and "windows"')
    goal = decision.get("goal", "")
    if goal != "" and goal not in GOALS:
        raise DecisionError("decision.goal", goal, f"one of {', '.join(GOALS)}, or left out")
    candidate = decode_candidate(decision.get("package"), chiplets)
    return candidate, goal, decode_schedule({"windows": decision.get("windows")})

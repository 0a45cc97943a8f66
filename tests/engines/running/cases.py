from __future__ import annotations

from typing import Any

from engines.contract.engine import Resume, Step
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.testing.conformance import TinyProblem


class Ticking:
    """A clock that every look moves on by a second."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        self.now_s += 1.0
        return self.now_s


def limited(tiny: TinyProblem, limit_s: float, resume: Resume | None = None) -> tuple[list[Step], Any]:
    driven = drive(tiny.engine, tiny.problem, LocalContext(tiny.problem), resume, limit_s, Ticking())
    return list(driven), driven

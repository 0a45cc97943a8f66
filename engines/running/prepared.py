"""Problems made ready, each once: forms, plans, runs, evaluations and explanations ask for the same ones again and again."""

from __future__ import annotations

from typing import Any

from engines.contract.engine import Engine, P, Problem, S
from engines.contract.recent import Recent

_MOST = 4  # of tens of megabytes each, with searched clocks
_prepared: Recent[tuple[type, str], Any] = Recent(_MOST)


def ready_of(engine: Engine[P, S], problem: Problem[P]) -> S:
    """`engine.prepare(problem)`, kept for the problems that were asked for last.

    Raises:
        ProblemError: the engine refuses the problem.
    """
    ready: S = _prepared.made((type(engine), problem.hash()), lambda: engine.prepare(problem))
    return ready

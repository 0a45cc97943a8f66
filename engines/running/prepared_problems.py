"""Problems made ready, each once: forms, plans, runs, evaluations and explanations ask for the same ones again and again."""

from __future__ import annotations

from typing import Any

from engines.contract.bounded_cache import BoundedCache
from engines.contract.engine import Engine, P, Problem, S
from engines.contract.numeric.memory_size import held_bytes

_MOST = 4  # of tens of megabytes each, with searched clocks
_MOST_BYTES = 100_000_000
_prepared: BoundedCache[tuple[Any, ...], Any] = BoundedCache(_MOST, _MOST_BYTES, held_bytes)
ContentKey = tuple[str, tuple[tuple[str, str], ...]]


def ready_of(engine: Engine[P, S], problem: Problem[P]) -> S:
    """Return `engine.prepare(problem)`, kept for the problems that were asked for last.

    Raises:
        ProblemError: the engine refuses the problem.
    """
    prepared: S = _prepared.made((type(engine), *content_key(problem)), lambda: engine.prepare(problem))
    return prepared


def content_key(problem: Problem[Any]) -> ContentKey:
    """Return a key that distinguishes problems, including the order of keys, which engines follow and the hash ignores."""
    return problem.hash(), tuple(sorted((slot, document.ordered_hash) for slot, document in problem.inputs.items()))

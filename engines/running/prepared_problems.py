"""Problems made ready, each once: forms, plans, runs, evaluations and explanations ask for the same ones again and again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engines.contract.bounded_cache import BoundedCache
from engines.contract.engine import Engine, P, Plan, Problem, S
from engines.contract.limits import limit_checks
from engines.contract.numeric.memory_size import held_bytes
from engines.contract.plan import warnings_of

_MOST = 4  # of tens of megabytes each, with searched clocks
_MOST_BYTES = 100_000_000
_prepared: BoundedCache[tuple[type, str, tuple[tuple[str, str], ...]], Any] = BoundedCache(
    _MOST, _MOST_BYTES, held_bytes
)


def ready_of(engine: Engine[P, S], problem: Problem[P]) -> S:
    """`engine.prepare(problem)`, kept for the problems that were asked for last.

    Raises:
        ProblemError: the engine refuses the problem.
    """
    # Engines follow the order of keys, of which the hash of a problem says nothing.
    order = tuple(sorted((slot, document.ordered_hash) for slot, document in problem.inputs.items()))
    ready: S = _prepared.made((type(engine), problem.hash(), order), lambda: engine.prepare(problem))
    return ready


def plan_of(engine: Engine[P, S], problem: Problem[P]) -> Plan:
    """What running `problem` takes, its bounds and the limits that they rule out among it.

    Raises:
        ProblemError: the engine refuses the problem.
    """
    from engines.running.weight_bits import weight_bits_remarks  # with cost models: an idle child loads none

    ready = ready_of(engine, problem)
    plan = engine.plan(problem, ready)
    bounds = (*plan.bounds, *engine.bounds(problem, ready))
    beyond = limit_checks(engine.limit_values(problem, ready), bounds)
    notes = (*plan.notes, *warnings_of(weight_bits_remarks(problem)))
    return replace(plan, bounds=bounds, checks=(*plan.checks, *beyond), notes=notes)

"""Where problems are loaded, checked and planned: here where that is known to be quick, else in the limited child.

What a problem costs is decided by its documents: with those that come with the product, no parameter at either end of its range
makes a plan take longer than half a second. Those are known; documents of people are weighed before anything of them is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Any

from engines.contract.bounded_cache import BoundedCache
from engines.contract.designs import canonical_json
from engines.contract.engine import Document, Engine, Plan, Problem
from engines.documents.builtin import builtin_documents
from engines.documents.problems import make_problem, unloaded_problem
from engines.registry import get_engine
from engines.running import inspection
from engines.running.prepared_problems import content_key, ready_of
from engines.running.runner.limited_questions import plan_in_child
from engines.workloads.loader import operation_count
from hardware.family import DocumentKind

# A network written out costs 0.1 ms per operation to load and up to 0.4 ms to plan with; one that comes with the product is known.
MOST_WRITTEN_OPERATIONS = 600
MOST_NAMED_OPERATIONS = 2500
MOST_BYTES = 100_000

_quick_hashes: BoundedCache[str, bool] = BoundedCache(4096)
_plans: BoundedCache[Hashable, Plan] = BoundedCache(4096)


def is_quick(documents: Mapping[str, Document]) -> bool:
    """Return whether loading, checking and planning with these documents takes a few tenths of a second at most."""
    return all(_is_quick(document) for document in documents.values())


def is_quick_pinned(kind: DocumentKind, slug: str, content_hash: str, content: Callable[[], Mapping[str, Any]]) -> bool:
    """Return the same of a document that a run pinned; its content is asked for once per process."""

    def look() -> bool:
        builtin = builtin_documents(kind).get(slug)
        same = builtin is not None and builtin.content_hash() == content_hash
        return same or _is_quick(Document(kind, slug, 1, content()))

    return _quick_hashes.made(content_hash, look)


def _is_quick(document: Document) -> bool:
    known = builtin_documents(document.kind).get(document.slug)
    if known is not None and known.content is document.content:
        return True
    if document.kind == "data":  # recordings are read, or drawn, to plan with them
        return False
    if document.kind == "workload":
        written, named = _operations(document.content)
        return written <= MOST_WRITTEN_OPERATIONS and named <= MOST_NAMED_OPERATIONS
    return len(canonical_json(document.content)) <= MOST_BYTES


def _operations(content: Mapping[str, Any]) -> tuple[int, int]:
    """Return the number of operations in a workload, and in the networks that it references."""
    models = content.get("models")
    if not isinstance(models, list):
        return operation_count(content), 0
    networks = [model.get("network") for model in models if isinstance(model, Mapping)]
    written = sum(operation_count(network) for network in networks if not isinstance(network, str))
    return written, sum(operation_count(network) for network in networks if isinstance(network, str))


def checked_problem(engine: Engine, inputs: Mapping[str, Document], params: Mapping[str, Any], seed: int) -> Problem:
    """Return the problem, checked by its engine.

    What people's large documents say is loaded in the child only (`values` stays empty).

    Raises:
        ProblemError: with the field that is wrong.
        BusyError, UnansweredError: the child could not answer.
    """
    if is_quick(inputs):
        problem = make_problem(engine.name, inputs, params, seed)
        ready_of(engine, problem)
        return problem
    problem = unloaded_problem(engine.name, inputs, params, seed)
    plan_of(problem)  # the child checks before it plans
    return problem


def check(problem: Problem) -> None:
    """Check by `Engine.prepare` a problem of `checked_problem` with other parameters; raise as `checked_problem` does."""
    if is_loaded(problem):
        ready_of(get_engine(problem.engine), problem)
    else:
        plan_of(problem)


def plan_of(problem: Problem) -> Plan:
    """Return the planned effort of a problem. The plan is cached, as forms request it after every change.

    Raises:
        ProblemError, BusyError, UnansweredError: as `checked_problem`.
    """
    seedless = replace(problem, seed=0)  # a seed changes no estimate
    key = problem.version, is_loaded(problem), content_key(seedless)
    return _plans.made(key, lambda: inspection.plan(problem) if is_loaded(problem) else plan_in_child(problem))


def is_loaded(problem: Problem) -> bool:
    """Return whether the documents of the problem are already loaded in this process."""
    return set(problem.values) == set(problem.inputs)

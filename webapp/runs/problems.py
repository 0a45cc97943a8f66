"""From a stored run back to the problem that it pinned. Nothing but the run's own rows is read."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

from engines.contract import Document, DocumentKind, Problem
from engines.problems import make_problem, require_version
from webapp.runs.models import Run


def problem_of(run: Run) -> Problem:
    """The problem of a run; parsed once per process and problem.

    Raises:
        ProblemError: the installed engine has another version than the run's, or refuses what an earlier one accepted.
    """
    return _problem(_Pinned(run))


class _Pinned:
    """A run as a cache key: equal problems are parsed once, whichever run they belong to."""

    def __init__(self, run: Run) -> None:
        self.run = run
        documents = tuple((i.slot, i.slug, i.version) for i in run.inputs.all().defer("content").order_by("slot"))
        self.key = (run.problem_hash, run.engine_version, documents)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Pinned) and self.key == other.key


@lru_cache(maxsize=64)
def _problem(pinned: _Pinned) -> Problem:
    run = pinned.run
    inputs = {item.slot: _document(item) for item in run.inputs.all()}
    problem = make_problem(run.engine, inputs, run.params, run.seed)
    require_version(problem, run.engine_version)
    return problem


def _document(item: Any) -> Document:
    return Document(cast(DocumentKind, item.kind), item.slug, item.version, item.content)

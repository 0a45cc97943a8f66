"""From a stored run back to the problem that it pinned. Nothing but the run's own rows is read."""

from __future__ import annotations

from typing import Any, cast

from engines.contract.bounded_cache import BoundedCache
from engines.contract.engine import Document, Problem
from engines.documents.problems import kept_problem
from hardware.family import DocumentKind
from webapp.runs.inputs.planning import is_quick_pinned
from webapp.runs.models import Run, RunInput

ProblemKey = tuple[str, int, tuple[tuple[str, str, int], ...], int | None]
_problems: BoundedCache[ProblemKey, Problem] = BoundedCache(64)


def problem_of(run: Run) -> Problem:
    """Return the problem of a run; parsed once per process and problem.

    Raises:
        ProblemError: the installed engine has another version than the run's, or refuses what an earlier one accepted.
    """
    return _problems.made(problem_key(run), lambda: read_problem(run))


def read_problem(run: Run) -> Problem:
    """Read a problem like `problem_of`, of this run's own documents: a run with the same hash may order keys differently.

    Raises:
        ProblemError: as `problem_of`.
    """
    return _read(run, load=True)


def pinned_problem(run: Run) -> Problem:
    """Return the problem of a run for what asks much of it: not loaded (`values` is empty) where that is better left to the child.

    A run that was imported counts as such, since only some of its decisions were compared; one that comes with the site does not.

    Raises:
        ProblemError: as `problem_of`.
    """
    items = run.listed_inputs
    if (not run.imported or run.imported.get("packaged")) and all(_is_quick(item) for item in items):
        return problem_of(run)
    return _read(run, load=False)


def documents_of(run: Run) -> dict[str, Document]:
    """Return slot -> the pinned document."""
    return {item.slot: _document(item) for item in run.inputs.all()}


def _read(run: Run, load: bool) -> Problem:
    return kept_problem(run.engine, documents_of(run), run.params, run.seed, run.engine_version, load=load)


def _is_quick(item: RunInput) -> bool:
    return is_quick_pinned(cast(DocumentKind, item.kind), item.slug, item.content_hash, lambda: item.content)


def problem_key(run: Run) -> ProblemKey:
    """Equal for equal problems, whichever run they belong to.

    One that was imported has its own: its documents may list the same keys in another order, which engines follow.
    """
    documents = tuple((i.slot, i.slug, i.version) for i in run.listed_inputs)
    return run.problem_hash, run.engine_version, documents, run.pk if run.imported else None


def _document(item: Any) -> Document:
    return Document(cast(DocumentKind, item.kind), item.slug, item.version, item.content)

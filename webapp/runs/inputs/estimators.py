"""Source of a run's metrics: asked here where its documents are known to be quick to load, else in the limited child."""

from __future__ import annotations

from engines.contract.bounded_cache import BoundedCache
from engines.running import inspection
from engines.running.inspection import Estimator
from engines.running.runner.limited_questions import estimator_in_child
from webapp.runs.inputs.planning import is_loaded
from webapp.runs.inputs.problems import ProblemKey, pinned_problem, problem_key
from webapp.runs.models import Run

_of_children: BoundedCache[ProblemKey, Estimator] = BoundedCache(256)


def estimator_of(run: Run) -> Estimator:
    """Return the cost model and certainty of a run's metrics; the child process is asked once per problem.

    Raises:
        ProblemError: the installed engine has another version than the run's, or refuses what an earlier one accepted.
        EngineError: the engine is not installed any more.
        BusyError, UnansweredError: the child could not answer.
    """
    key = problem_key(run)
    known = _of_children.get(key)
    if known is not None:
        return known
    problem = pinned_problem(run)
    if is_loaded(problem):
        return inspection.estimator(problem)
    return _of_children.made(key, lambda: estimator_in_child(problem))

"""User-made designs: decisions of users, evaluated like those of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings

from engines.contract.designs import Designs
from engines.contract.quantities import Quantity
from engines.running.inspection import broken_limits
from engines.running.runner.evaluation import EVALUATION_LIMITS, evaluate_in_child
from webapp.runs.inputs.problems import pinned_problem
from webapp.runs.models import Run
from webapp.runs.results import readers


@dataclass(frozen=True)
class DecisionScores:
    """Decisions and their numbers; nothing of it is stored.

    Attributes:
        designs: one per decision, in their order.
        quantities: quantities of the run, with the roles that its parameters give them.
        broken: violated constraints of each design.
    """

    designs: Designs
    quantities: tuple[Quantity, ...]
    broken: list[tuple[Quantity, ...]]


def score_decisions(run: Run, decisions: Sequence[Mapping[str, Any]]) -> DecisionScores:
    """Score decisions by the pinned problem of a run, in a limited process.

    Raises:
        ProblemError: too many decisions, or the installed engine has another version than the run's.
        DecisionError: a decision does not describe a design of the problem; `field` begins with its number.
        EvaluationError: the process took more than its limits, or failed.
    """
    limits = replace(EVALUATION_LIMITS, memory_mb=memory_of(run))
    designs = evaluate_in_child(pinned_problem(run), decisions, limits)
    quantities = readers.quantities_of(run)
    return DecisionScores(designs, quantities, broken_limits(quantities, designs))


def memory_of(run: Run) -> float:
    """Return the megabytes that a process which scores designs of the run may take.

    As the run's own: an engine whose plan says that it needs more gets it, up to what the administrator allows.
    """
    needed_mb = max(EVALUATION_LIMITS.memory_mb, float(run.plan.get("memory_mb") or 0.0))
    return min(needed_mb, float(settings.PARETOSCOPE_RUN_MEMORY_MAX_MB))

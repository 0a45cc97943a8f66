"""The best schedule of a scenario on a package by one goal."""

from __future__ import annotations

from dataclasses import dataclass

from engines.chiplets.costs.scoring import Scorer
from engines.chiplets.joint.search import search_jointly
from engines.chiplets.problem.decision import PackageSchedule
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.windows.exact import search_window_exactly
from engines.chiplets.windows.greedy import search_greedily
from engines.chiplets.windows.reconfig import LayerRange


@dataclass(frozen=True)
class ProvenSchedule:
    """A schedule, and how far it is proven.

    Attributes:
        states: partial mappings that the search looked at.
        windows, proven: time windows, and how many of them are proven optimal from where the one before ends; of a joint
            search 1, and whether the whole schedule is.
    """

    schedule: PackageSchedule
    states: int
    windows: int
    proven: int


def best_schedule(
    scorer: Scorer, windows: tuple[tuple[LayerRange, ...], ...], goal: Goal, *, joint: bool, joint_states: int
) -> ProvenSchedule:
    """Return the best schedule with these time windows by `goal`.

    Args:
        scorer: scorer of the scenario on the package.
        windows: layers of each model per time window.
        goal: objective to minimise.
        joint: whether all time windows are searched together, after one by one.
        joint_states: after which the joint search ends without a proof.

    Raises:
        DeadEndError: models end where too few can start again, whatever was tried.
    """
    found = search_greedily(scorer.tables, windows, goal, search=search_window_exactly)
    proofs = [options.proof for options in found.windows if options.proof is not None]
    states = sum(proof.states for proof in proofs)
    if not joint:
        return ProvenSchedule(found.schedule, states, len(windows), sum(proof.proven for proof in proofs))
    known = goal.one(*scorer.score(found.schedule)[:2])
    jointly = search_jointly(scorer.tables, windows, goal, known, joint_states)
    return ProvenSchedule(jointly.schedule or found.schedule, states + jointly.states, 1, int(jointly.proven))

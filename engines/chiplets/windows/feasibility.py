"""Whether the windows of a problem can be run at all, and what would mend it."""

from __future__ import annotations

from collections.abc import Sequence

from engines.chiplets.problem.constraints import require_room
from engines.chiplets.problem.starts import start_chiplets
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.windows.options import DeadEndError
from engines.chiplets.windows.reconfig import Cut, LayerRange, candidate_cuts
from engines.contract.engine import Infeasibility
from engines.contract.errors import ProblemError
from engines.contract.limits import beyond


def possible_cuts(tables: ScenarioTables) -> tuple[tuple[Cut, ...], Infeasibility | None]:
    """Return the numbers of boundaries with which all models may fit; if none, why the last one cannot.

    Raises:
        ProblemError: `model_chiplets` forbids all of them.
    """
    possible, infeasible, refused = [], None, None
    for cut in candidate_cuts(tables):
        found = find_infeasibility(tables, cut.windows)
        if found is not None:
            infeasible = found
            continue
        try:
            require_possible_constraints(tables, cut.windows)
        except ProblemError as error:
            refused = error
            continue
        possible.append(cut)
    if not possible and refused is not None:
        raise refused
    return tuple(possible), None if possible else infeasible


def require_possible_constraints(tables: ScenarioTables, windows: Sequence[Sequence[LayerRange]]) -> None:
    """Refuse `model_chiplets` under which the models of a window certainly cannot have chiplets, or starts, of their own.

    Raises:
        ProblemError: names the models, the window and what would mend it.
    """
    titles = [model.title for model in tables.models]
    starts = frozenset(start_chiplets(tables))
    ends: frozenset[int] = frozenset()
    for number, ranges in enumerate(windows, 1):
        models = [r.model for r in ranges]
        require_room(tables.allowed, titles, models, number, starts | ends)
        # A model may end at any chiplet that it may use.
        ends = frozenset().union(*(tables.allowed[model] for model in models))


def dead_end(tables: ScenarioTables, found: DeadEndError) -> Infeasibility:
    """Return the result where no sequence of mappings was found in which all models of every window can start."""
    remedies = [("models that may start at any chiplet (free)", "params.root_rule")]
    if tables.params.model_chiplets:
        remedies.append(("fewer constraints on where models may run", "params.model_chiplets"))
    remedies.append(("other windows, if some models then run at other times", "params.n_splits"))
    words = "chiplets on which the models of a window can start, in the mappings that were found"
    return beyond(words, found.models, found.models - 1, "chiplets", remedies)


def find_infeasibility(tables: ScenarioTables, windows: Sequence[Sequence[LayerRange]]) -> Infeasibility | None:
    """Return the first window with more models than chiplets, or than chiplets where a model may start; None if all fit.

    Later windows may also start where models ended before, so that a lack of starts there is only certain if even all those
    ends do not suffice.
    """
    starts = len(start_chiplets(tables))
    earlier = 0
    for number, ranges in enumerate(windows, 1):
        models = len(ranges)
        if models > tables.chiplets:
            return _too_few(models, tables.chiplets, f"chiplets in window {number}", tables)
        if models > starts + earlier:
            return _too_few(models, starts + earlier, f"start chiplets in window {number}", tables)
        earlier = models
    return None


def _too_few(demand: int, bound: int, limit: str, tables: ScenarioTables) -> Infeasibility:
    remedies = [
        (f"a package with at least {demand} chiplets", "inputs.hardware"),
        (f"a workload with at most {bound} models", "inputs.workload"),
    ]
    if limit.startswith("start"):
        remedies[0] = (f"a package with at least {demand} chiplets at the memory sides", "inputs.hardware")
        if demand <= tables.chiplets:
            remedies.append(("models that may start at any chiplet (free)", "params.root_rule"))
    elif tables.params.n_splits < 8:
        remedies.append(
            ("more window boundaries, if some models then have no layers in this window", "params.n_splits")
        )
    return beyond(limit, demand, bound, "chiplets", remedies)

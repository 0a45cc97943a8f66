"""Whether the windows of a problem can be run at all, and what would mend it."""

from __future__ import annotations

from collections.abc import Sequence

from engines.contract import Infeasibility
from engines.methods.scar.greedy import interface_chiplets
from engines.methods.scar.reconfig import LayerRange
from engines.methods.scar.tables import ScenarioTables


def find_infeasibility(tables: ScenarioTables, windows: Sequence[Sequence[LayerRange]]) -> Infeasibility | None:
    """The first window with more models than chiplets, or than chiplets where a model may start; None if all fit.

    Later windows may also start where models ended before, so that a lack of starts there is only certain if even all those
    ends do not suffice.
    """
    published = tables.params.root_rule == "published"
    starts = len(interface_chiplets(tables)) if published else tables.chiplets
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
    return Infeasibility(
        limit=limit,
        demand=float(demand),
        bound=float(bound),
        unit="chiplets",
        gap=float(demand - bound),
        remedies=tuple(remedies),
    )

"""Where a schedule is outside of the stated model, so that it may be better than what is proven for that model."""

from __future__ import annotations

from engines.chiplets.problem.decision import PackageSchedule
from engines.chiplets.problem.objectives import goal_of
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.windows.provision import provisioned_nodes
from engines.chiplets.windows.reconfig import LayerRange, candidate_cuts


def departures(tables: ScenarioTables, schedule: PackageSchedule) -> tuple[str, ...]:
    """Return the departures in words; none for baselines, which run on other packages.

    Proofs hold for schedules with the windows that the chosen packing makes and with at most N_i chiplets per model (eq 4.2,
    shared by the objective of the run; the bounds of the published search let models have any number); `validate` refuses
    everything else that the stated model does not allow.
    """
    if schedule.layout is not None:
        return ()
    windows = tuple(
        tuple(LayerRange(p.model, p.first_layer, p.end_layer) for p in sorted(window, key=lambda p: p.model))
        for window in schedule.windows
    )
    found = []
    if all(cut.windows != windows for cut in candidate_cuts(tables)):
        found.append(f"its windows are not those of the {tables.params.packing} packing with the chosen boundaries")
    if tables.params.search == "greedy":
        return tuple(found)
    goal = goal_of(tables.params)
    for number, (window, ranges) in enumerate(zip(schedule.windows, windows, strict=True), 1):
        used = {placement.model: len(placement.path) for placement in window}
        for layers, most in zip(ranges, provisioned_nodes(tables, ranges, goal), strict=True):
            if used[layers.model] > most:
                title = tables.models[layers.model].title
                found.append(
                    f"{title} has {used[layers.model]} chiplets in window {number}, equation 4.2 gives it {most}"
                )
    return tuple(found)

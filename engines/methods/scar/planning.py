"""The plan of a run and whether the problem fits, before anything is searched."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.chiplets.deadlines import deadline_checks
from engines.chiplets.problem.bounds import lower_bounds
from engines.chiplets.problem.starts import interface_chiplets
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.windows.feasibility import find_infeasibility
from engines.chiplets.windows.growth import window_growth
from engines.chiplets.windows.reconfig import Cut, candidate_cuts
from engines.contract.engine import Bound, Plan, PlanCheck
from engines.contract.estimates import around

# Processor time of whole runs of scenario 4: 2.1 s on 9 chiplets, 2.8 s on 10, 8.4 s on 12 (up to which all paths are searched),
# 2.2 s on 16 and 8.9 s on 36; 14 s with any number of chiplets per model. How many models share nine chiplets hardly matters
# (`process_time` of one default run each on Simba 3x3 Het-Sides): 0.34 to 0.43 s per time window with two models, 0.26 to 0.50 s with
# three, 0.23 s with four, 0.30 to 0.46 s with five. A window whose proof is hard (vr-gaming on Het-Cross: 13 s) is not foreseen.
_SECONDS_PER_EVALUATION = 240e-6
_SECONDS_PER_WINDOW = 0.36  # on nine chiplets; mean of ten scenarios, measured as above
_SECONDS_PER_WINDOW_OF_OTHER_CUTS = 0.05
_SECONDS_PER_CONTENDED_WINDOW = 0.6
_SECONDS_PER_WINDOW_OF_FREE_NODES = 2.5


def make_plan(tables: ScenarioTables, evaluations: int) -> Plan:
    """Return the plan of so many evaluations; milliseconds."""
    cuts = candidate_cuts(tables)
    fitting = [cut for cut in cuts if find_infeasibility(tables, cut.windows) is None]
    bounds = lower_bounds(tables)
    seconds = evaluations * _SECONDS_PER_EVALUATION + _search_s(tables, fitting or cuts)
    return Plan(
        evaluations=evaluations,
        memory_mb=150.0 + evaluations * 0.002,
        time_s=around(seconds),
        determinism="exact",
        checks=(
            *_checks(tables),
            PlanCheck(bool(fitting), _fit_text(tables, fitting or cuts)),
            *deadline_checks(tables),
        ),
        bounds=(
            Bound("latency_s", "Latency on this package", bounds.latency_s, "s"),
            Bound("energy_j", "Energy on this package", bounds.energy_j, "J"),
        ),
        notes=_notes(tables),
    )


def _search_s(tables: ScenarioTables, cuts: Sequence[Cut]) -> float:
    """Return all passes over the windows of one cut, the chosen search and the joint one over those of the others."""
    counts = [len(cut.windows) for cut in cuts]
    per_window = _SECONDS_PER_WINDOW
    if tables.params.contention != "none":
        per_window += _SECONDS_PER_CONTENDED_WINDOW
    if tables.params.node_rule == "free":
        per_window += _SECONDS_PER_WINDOW_OF_FREE_NODES
    others = (sum(counts) - max(counts)) * _SECONDS_PER_WINDOW_OF_OTHER_CUTS
    return (max(counts) * per_window + others) * window_growth(tables.chiplets)


def _fit_text(tables: ScenarioTables, cuts: Sequence[Cut]) -> str:
    counts = sorted({len(cut.windows) for cut in cuts})
    windows = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    most = max(len(ranges) for cut in cuts for ranges in cut.windows)
    return f"{windows} time {_word(counts[-1], 'window')}, at most {most} {_word(most, 'model')} in one, {tables.chiplets} chiplets"


def _word(count: int, noun: str) -> str:
    return noun if count == 1 else f"{noun}s"


def _size(size_bytes: float) -> str:
    return f"{size_bytes / 1e6:.1f} MB" if size_bytes >= 1e6 else f"{size_bytes / 1e3:.1f} kB"


def _checks(tables: ScenarioTables) -> tuple[PlanCheck, ...]:
    package = tables.package_model.package
    models, chiplets = len(tables.models), tables.chiplets
    layer, buffer = max(_largest_layer_bytes(tables)), min(chiplet.buffer_bytes for chiplet in package.chiplets)
    starts = len(interface_chiplets(tables))
    return (
        PlanCheck(models <= chiplets, f"{models} {_word(models, 'model')} on {chiplets} chiplets, one each at least"),
        PlanCheck(layer <= buffer, f"Largest layer {_size(layer)}, buffer {_size(buffer)}"),
        PlanCheck(
            params_allow_start(tables, starts), f"{starts} chiplets reach off-chip memory, models may start there"
        ),
    )


def params_allow_start(tables: ScenarioTables, starts: int) -> bool:
    """Return whether all models could start at once."""
    return tables.params.root_rule == "free" or len(tables.models) <= starts


def _largest_layer_bytes(tables: ScenarioTables) -> list[float]:
    """Return the weights and activations of one sample of the largest layer of each model."""
    return [float((np.diff(m.weight_bytes) + m.layer_activation_bytes).max()) for m in tables.models]


def _notes(tables: ScenarioTables) -> tuple[str, ...]:
    notes = []
    if tables.params.latency_reading != "fill_drain" and tables.params.mini_batch != 1:
        notes.append("The mini-batch only matters for the fill and drain reading of latency.")
    too_large = [model.title for model in tables.models if tables.params.mini_batch > model.batch]
    if too_large and tables.params.latency_reading == "fill_drain":
        notes.append(
            f"The mini-batch is larger than the batch of {', '.join(too_large)}; the whole batch moves at once."
        )
    if min(c.buffer_bytes for c in tables.package_model.package.chiplets) < max(_largest_layer_bytes(tables)):
        notes.append("A single layer exceeds a chiplet's buffer; the method assumes that it fits.")
    return tuple(notes)

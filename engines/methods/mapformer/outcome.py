"""The report of a run at its end: mappings side by side, the bound, what the numbers rest on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engines.contract.designs import Designs
from engines.contract.engine import Infeasibility
from engines.contract.limits import Allowed, nearest
from engines.contract.results import Note
from engines.methods.mapformer.estimator.document import TrainedEstimator
from engines.methods.mapformer.params import MapFormerParams
from engines.methods.mapformer.problem.instance import MixInstance
from engines.methods.mapformer.quantities import MODES_W, POWER, QUANTITIES
from engines.workloads.assumed_chain import assumed_chains, chain_notes, scoped
from engines.workloads.network import Network

_CHAIN_HANDS_LESS = "A cut through a branch or a shortcut transfers more than stated here."


def bound_note(instance: MixInstance, designs: Designs, exact: bool) -> Note:
    """Return a note with the upper bound of the throughput next to the best mapping found."""
    rows = np.flatnonzero(designs.counted(QUANTITIES))
    bound, best = instance.bound.mean_per_s, float(designs.columns["throughput_per_s"][rows].max())
    limit = "" if np.isinf(instance.power_limit_w) else f" within {instance.power_limit_w:g} W"
    text = f"No mapping with at most {instance.space.segments} segments per network has a mean throughput above "
    text += f"{bound:.4g} inferences per second{limit}, at any clocks, by linear programming. Found: {best:.4g}, "
    text += f"{100 * best / bound:.3g} % of it."
    if exact:
        text += " Every mapping was simulated: no mapping of this problem is better."
    return scoped(Note("bound", "Bound of the stated model", text, role="proof"), *_networks(instance))


def _networks(instance: MixInstance) -> tuple[Network, ...]:
    return tuple(model.network for model in instance.scenario.models)


def model_notes(instance: MixInstance, chosen: bool) -> tuple[Note, ...]:
    """Return the notes on costs; `chosen` says whether the device, not the user, selected the calibration."""
    text = (
        "The board is simulated, not measured. Layer times come from the cost model, power from clocks and "
        "load by the device's "
    )
    text += "document. Networks on one unit share its time equally, by priority where the scenario has one; of networks on several "
    text += (
        "units that holds for the unit that each needs longest. A transfer takes 0.1 ms plus the time to write "
        "and read its bytes. The "
    )
    text += "memory runs at its highest clock. Launches assume the highest clock of the CPU, also where it is off."
    notes = [*instance.covered.notes(chosen=chosen), Note("board", "Board", text)]
    notes += chain_notes(assumed_chains(*_networks(instance)), _CHAIN_HANDS_LESS)
    unused = [
        name
        for name, stated in (
            ("probabilities", any(each.probability != 1 for each in instance.scenario.models)),
            ("dependencies", any(each.depends_on for each in instance.scenario.models)),
        )
        if stated
    ]
    if unused:
        words = f"This engine does not use the {' and '.join(unused)} of the scenario."
        notes.append(Note("unused", "Scenario", words, "warning"))
    return tuple(notes)


def told_notes(instance: MixInstance, told_by: TrainedEstimator | None) -> tuple[Note, ...]:
    """Return notes on properties of the scenario that the estimator ignores; empty without an estimator."""
    board = instance.board
    if told_by is None or (np.isinf(board.most_per_s).all() and len(set(board.weights.tolist())) == 1):
        return ()
    text = "The estimator was trained on mixes without rates and priorities, so its error is larger for this scenario."
    return (Note("estimator-scenario", "Estimator", text, "warning"),)


def unmet_limits(allowed: Allowed, designs: Designs, params: MapFormerParams) -> Infeasibility:
    """Return that no mapping meets the limits: the nearest one, and the mode that suffices where power alone is limited."""
    found = nearest(allowed, designs)
    remedies = list(found.remedies)
    if params.manager != "ours":
        remedies.append(("Choose the manager that searches on the simulator.", "params.manager"))
    mode = next((mode for mode in MODES_W if mode >= found.demand), None)
    if mode is not None and set(allowed) == {POWER}:
        remedies.insert(0, (f"The mode of {mode:g} W would do.", f"params.{POWER.param}"))
    return replace(found, remedies=tuple(remedies))

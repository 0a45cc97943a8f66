"""The report of a run at its end: baselines what reuse costs, how good the front is for certain."""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.designs import Designs
from engines.contract.integer_format import counted
from engines.contract.quantities import Sense
from engines.contract.results import Note, Table, TableColumn
from engines.methods.map_and_conquer.problem.instance import CutInstance
from engines.methods.map_and_conquer.quantities import QUANTITIES
from engines.methods.map_and_conquer.search.bounds import Bounds
from engines.search.indicators import hypervolume
from engines.workloads.assumed_chain import assumed_chains, chain_notes

_BINS = 10
_UNSEEN_BRANCHES = (
    "Stages transfer the result of every layer to the next layer only; branches and shortcuts are ignored."
)
_BEYOND, _LEAST_LOSS = 1.1, 1e-6
_SPACE: tuple[Sense, Sense, Sense] = ("minimise", "minimise", "minimise")


def cost_of_reuse(designs: Designs) -> Table:
    """Return by how much is reused: the best that was found of each objective."""
    rows = np.flatnonzero(designs.counted(QUANTITIES))
    share = designs.columns["reuse_percent"][rows] / 100
    bins = np.minimum((share * _BINS).astype(np.int64), _BINS - 1)
    used = np.unique(bins)

    def extreme(name: str, pick: str) -> FloatArray:
        values = designs.columns[name][rows]
        return np.array([getattr(values[bins == number], pick)() for number in used], dtype=np.float64)

    return Table(
        name="reuse-cost",
        title="Cost and benefit of reused features",
        table_columns=(
            TableColumn("Reused", tuple(f"{10 * number} to {10 * number + 10} %" for number in used.tolist())),
            TableColumn("Designs reported", np.array([(bins == number).sum() for number in used], dtype=np.float64)),
            TableColumn("Highest accuracy", extreme("accuracy_percent", "max"), "%"),
            TableColumn("Least latency", extreme("latency_s", "min"), "s"),
            TableColumn("Least energy", extreme("energy_j", "min"), "J"),
            TableColumn("Least P", extreme("performance_js", "min"), "J·s"),
        ),
    )


def bounds_note(bounds: Bounds, designs: Designs) -> Note:
    """Return a note with the lower bounds of all designs next to the least values found."""
    rows = np.flatnonzero(designs.counted(QUANTITIES))
    text = f"No configuration of this model takes less than {1e3 * bounds.least_latency_s:.4g} ms "
    text += f"or needs less than {1e3 * bounds.least_energy_j:.4g} mJ on average, whatever its accuracy. "
    if len(rows):
        latency_s, energy_j = (float(designs.columns[name][rows].min()) for name in ("latency_s", "energy_j"))
        text += f"Found: {1e3 * latency_s:.4g} ms ({_above(latency_s, bounds.least_latency_s)} the bound) and "
        text += f"{1e3 * energy_j:.4g} mJ ({_above(energy_j, bounds.least_energy_j)})."
    return Note("bounds", "Bounds of the stated model", text, role="proof")


def gap_note(bounds: Bounds, base_percent: float, designs: Designs) -> Note:
    """Return the note on the gap of the front's hypervolume to that of a bound.

    The bound has a point for each mapping at each clock setting: its least mean latency, its least mean energy, and the accuracy of
    the whole network, as if one configuration had all three. The corner is a tenth beyond the worst of the front.
    """
    rows = designs.front(QUANTITIES)
    columns = (designs.columns[name][rows] for name in ("latency_s", "energy_j"))
    found = np.column_stack([*columns, base_percent - designs.columns["accuracy_percent"][rows]])
    beyond = np.column_stack([bounds.latency_s.ravel(), bounds.energy_j.ravel(), np.zeros(bounds.latency_s.size)])
    corner = _BEYOND * found.max(axis=0) + (0.0, 0.0, _LEAST_LOSS)
    share = hypervolume(found, _SPACE, corner) / hypervolume(beyond[(beyond < corner).all(axis=1)], _SPACE, corner)
    text = (
        f"Gap to a bound: {100 * (1 - share):.1f} % of its volume in mean latency, mean energy and "
        "accuracy. No design of this model can pass the bound. It combines the least latency, the least "
        "energy and the whole network's accuracy. The gap may come from the bound or from the search."
    )
    return Note("gap", "Bound and gap", text, role="proof")


def exactness_note(looked_at: int, thinned: int) -> Note:
    """Return whether the search layer by layer is exact."""
    looked = f"{counted(looked_at)} partial designs were evaluated"
    if not thinned:
        return Note("exactness", "Exact", f"No configuration of this model beats the front: {looked}.", role="proof")
    text = f"{looked}; {counted(thinned)} that might have become better were left out. More partial configurations make it exact."
    return Note("exactness", "Not exact", text, "warning", role="proof")


def tree_results(instance: CutInstance) -> tuple[Table, ...]:
    """Return the errors of boosted trees as results, if they replace the cost model; otherwise nothing."""
    if not instance.boosted:
        return ()
    return (instance.trees.table(instance.costs_at(instance.highest_clocks), instance.highest),)


def model_notes(instance: CutInstance, chosen: bool) -> tuple[Note, ...]:
    """Return the notes on costs; `chosen` says whether the device, not the user, selected the calibration."""
    costs = instance.pricing.measured.notes(chosen=chosen)
    return (*costs, _accuracy_note(instance), _chain_note(instance))


def _accuracy_note(instance: CutInstance) -> Note:
    accuracy, measured = instance.accuracy, instance.measured
    ideal = "Which stages an input needs is known beforehand (ideal mapping)."
    if measured is not None:
        text = f"Accuracies follow {measured.stages} stages of {measured.network} that were trained and measured on "
        text += (
            f"{measured.data}, by the nearest curve over the seen share that never falls. The seen share of a stage is "
        )
        text += f"still assumed: importance falls in a straight line over the channels. {ideal}"
        return Note("accuracy", "Accuracy", text)
    text = f"Accuracies are assumed, not measured: {accuracy.base_percent:g} % of the whole network, less "
    text += f"{accuracy.loss_points:g} points times (1 - m)^1.5 for a stage that sees a share m of what matters. "
    text += f"Stages that see little are worse than that in what was measured. {ideal}"
    return Note("accuracy", "Accuracy", text, "warning")


def _chain_note(instance: CutInstance) -> Note:
    if assumed := chain_notes(assumed_chains(instance.workload.network), _UNSEEN_BRANCHES):
        return assumed[0]
    text = "The network is taken as the chain of its layers. Every stage has its own exit, a copy of the last layer. "
    text += "Results that skip layers are added up within a stage and never transferred separately."
    return Note("chain", "Layers", text)


def _above(found: float, bound: float) -> str:
    return f"{100 * (found / bound - 1):.3g} % above"

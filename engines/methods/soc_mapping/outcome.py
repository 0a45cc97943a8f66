"""Results of a whole run: designs compared with single units, convergence, and notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.designs import Designs
from engines.contract.fronts.non_dominated import TOLERANCE, non_dominated
from engines.contract.integer_format import counted, many
from engines.contract.quantities import Quantity, Sense
from engines.contract.results import Curve, Note, Series, Table, TableColumn
from engines.cost.calibration.public_comparison import public_notes
from engines.cost.calibration.words import calibration_words, costs_notes
from engines.cost.memory_capacity import memory_demand, memory_notes
from engines.cost.soc.operations import KINDS_TOGETHER
from engines.mapping.designs.decision import GOVERNOR, checked, encoded_clocks
from engines.mapping.designs.scoring import evaluated
from engines.mapping.explain.clocks import clock_title
from engines.mapping.problem.instance import Instance, standalone
from engines.methods.soc_mapping.params import SocMappingParams
from engines.search.indicators import distinct_count, hypervolume, reference_point
from engines.search.progress import progress_curve
from engines.workloads.assumed_chain import assumed_chains, chain_notes
from engines.workloads.network import Scenario
from hardware.soc.summary import unit_title

SENSES: tuple[Sense, Sense] = ("minimise", "minimise")
_CHAIN_HANDS_LESS = (
    "Transfers of results that skip blocks are not counted, so unit transitions can cost more than stated here."
)


class Reference:
    """The exact front that heuristics are measured by.

    Args:
        instance: the problem.
        points: latency and energy of the exact front, shape `k x 2`.
        error_s: by how much it may be off.
    """

    def __init__(self, instance: Instance, points: FloatArray, error_s: float) -> None:
        alone = standalone(instance.costs, instance.reference)[1]
        single = np.column_stack([alone.latency_s, alone.energy_j])
        self._corner = reference_point(np.concatenate([points, single]), SENSES)
        self._whole = hypervolume(points, SENSES, self._corner)
        self.error_s, self.mappings = error_s, distinct_count(points[non_dominated(points, SENSES)])

    def share_percent(self, front: FloatArray) -> float:
        """Return the hypervolume of a front as a percentage of the exact one's."""
        return 100 * hypervolume(front, SENSES, self._corner) / self._whole


def convergence(evaluations: Sequence[float], shares: Sequence[float]) -> Curve:
    """Return the share of the exact hypervolume over evaluations."""
    return progress_curve(
        "exact-share",
        "Share of the exact front's hypervolume",
        evaluations,
        "Mappings evaluated",
        Series("This search", np.array(shares, dtype=np.float64), "%"),
        Series("Exact front", np.full(len(shares), 100.0), "%", style="dash"),
    )


def comparison(designs: Designs, quantities: Sequence[Quantity]) -> Table:
    """Return the baselines, and of the front the fastest and those of least energy, average power and EDP."""
    columns, counted_rows = designs.columns, np.flatnonzero(designs.counted(quantities))
    rows = np.flatnonzero(designs.of_origin("baseline")).tolist()
    titles = [designs.label[row] for row in rows]
    if len(counted_rows):
        titles += ["Fastest", "Least energy", "Least power", "Least EDP"]
        rows += [int(counted_rows[columns[name][counted_rows].argmin()]) for name in _LEAST]
    latency_s, energy_j, power_w, edp_js = (columns[name][rows] for name in _LEAST)
    return Table(
        name="comparison",
        title="Mappings compared with single units",
        table_columns=(
            TableColumn("Mapping", tuple(titles)),
            TableColumn("Latency", latency_s, "s"),
            TableColumn("Energy", energy_j, "J"),
            TableColumn("Average power", power_w, "W"),
            TableColumn("EDP", edp_js, "J·s"),
            TableColumn("EDP over the least", edp_js / edp_js[-1:]),
        ),
    )


_LEAST = {"latency_s": "latency", "energy_j": "energy", "power_w": "average power", "edp_js": "EDP"}


def clocks_compared(instance: Instance, decision: Mapping[str, Any], metric: str) -> Table:
    """Return the mapping of least `metric` at its own clocks, the highest and the lowest, and those of the default governors."""
    lowest = int(np.argmin(sum(clock / clock.max() for clock in instance.settings.frequencies_hz.values())))
    at = {
        "Searched": decision["clocks_mhz"],
        "Highest": encoded_clocks(instance, instance.reference),
        "Lowest": encoded_clocks(instance, lowest),
        "Default governor": GOVERNOR,
    }
    decisions = [checked(instance, {"units": decision["units"], "clocks_mhz": clocks}) for clocks in at.values()]
    columns = evaluated(instance, decisions)
    return Table(
        name="clocks-compared",
        title=f"The mapping of least {_LEAST[metric]} at other clocks",
        table_columns=(
            TableColumn("Clocks", tuple(at)),
            TableColumn("Latency", columns["latency_s"], "s"),
            TableColumn("Energy", columns["energy_j"], "J"),
            TableColumn("Average power", columns["power_w"], "W"),
            *(
                TableColumn(clock_title(name), np.array([1e6 * each["clocks_mhz"][name] for each in decisions]), "Hz")
                for name in instance.settings.frequencies_hz
            ),
        ),
    )


def heuristic_note(params: SocMappingParams, reference: Reference, share: float) -> Note:
    """Return the note on the progress of the search against the exact front."""
    names = {"nsga2_published": "NSGA-II as published", "nsga2": "Tuned NSGA-II", "random": "Random search"}
    text = f"{names[params.method]} reaches {share:.1f} % of the hypervolume of the exact front"
    text += f", which has {many(reference.mappings, 'mapping')}."
    if reference.error_s:
        text += f" The exact front was thinned; its latency error is at most {reference.error_s * 1e3:.3g} ms."
    return Note("exactness", "Comparison with the exact front", text, role="proof")


def exact_note(searched: int, settings: int, labels: int, error_s: float, left_out: int = 0) -> Note:
    """Return the note on the proof; the search ignored `left_out` results that later blocks read."""
    looked = f"{counted(labels)} partial mappings were evaluated"
    if settings > 1:
        looked += f", at {counted(searched)} of {counted(settings)} clock settings; bounds rule out the others"
    if left_out:
        text = f"The search ignores {left_out} transfers of branches: {looked}."
        return Note("exactness", "Search", text, role="proof")
    if not error_s:
        return Note(
            "exactness",
            "Exact",
            f"No mapping is better than the front by more than {TOLERANCE:g} of a value: {looked}.",
            role="proof",
        )
    text = (
        f"The front was thinned: {looked}. For any other mapping, a design here needs less energy and takes "
        f"at most {error_s * 1e3:.3g} ms more. More partial mappings (labels) make it exact."
    )
    return Note("exactness", "Nearly exact", text, "warning", role="proof")


def costs_words(instance: Instance) -> str:
    """Return the source and precision of the costs in words."""
    calibration = instance.model.calibration
    if calibration is None:
        return f"dataflow cost model, {instance.model.precision}, no measurement{instance.model.estimator_words}"
    return calibration_words(calibration, instance.soc, instance.datasheet_units)


def model_notes(instance: Instance, scenario: Scenario, chosen: bool) -> list[Note]:
    """Return the notes on costs and workload that a reader of the results needs."""
    calibration = instance.model.calibration
    memory = memory_notes(
        instance.soc, memory_demand([instance.workload], stated=instance.model.counts_stated_bits), instance.model.bits
    )
    if calibration is None:
        return [_dataflow_note(instance), *memory, *_workload_notes(instance, scenario)]
    costs = costs_notes(
        calibration, instance.soc, chosen=chosen, assumed=instance.assumed, datasheet_units=instance.datasheet_units
    )
    return [*costs, *_fusion_notes(instance), *memory, *_public_notes(instance), *_workload_notes(instance, scenario)]


def _fusion_notes(instance: Instance) -> list[Note]:
    """Return the notes on the number of launches after operator fusion."""
    if instance.fusion == "none":
        return []
    operations = instance.operations
    groups, launches = sum(KINDS_TOGETHER in kind for kind in operations.kinds), int(operations.runs.sum())
    text = f"{many(groups, 'group')} of operators count as one launch each: {launches} operators are launched. "
    text += "The calibration was fitted to single operators, so the error of fused ones is unknown."
    none = "No operators are fused: the network has no groups of this kind, or does not say what its operators read."
    return [Note("fusion", "Operator fusion", text if groups else none, "warning")]


def _public_notes(instance: Instance) -> list[Note]:
    """Return the public measurements of this network on this device, beside the estimates of its units alone."""
    alone = standalone(instance.costs, instance.reference)[1].latency_s.tolist()
    known = {unit: latency for unit, latency in zip(instance.units, alone, strict=True) if np.isfinite(latency)}
    workload = instance.workload
    return public_notes(instance.soc, workload.network.slug, workload.batch, known, instance.model.precision)


def _dataflow_note(instance: Instance) -> Note:
    arrays = ", ".join(
        f"{unit_title(name)} {unit.dataflow.mapping}" for name, unit in instance.soc.units.items() if unit.dataflow
    )
    text = f"Costs: dataflow cost model ({arrays}){instance.model.estimator_words}, predicted; "
    text += "no measurements of built accelerators are published. "
    text += f"An element is a byte ({instance.model.precision}); operations that multiply nothing cost nothing."
    return Note("dataflow", "Costs", text)


def _workload_notes(instance: Instance, scenario: Scenario) -> list[Note]:
    notes = [_order_note(instance)]
    if len(scenario.models) > 1:
        left = f"The scenario's first model, {instance.workload.network.title}, is mapped."
        notes.append(Note("first-model", "Workload", left, "warning"))
    return notes


def _order_note(instance: Instance) -> Note:
    if assumed := chain_notes(assumed_chains(instance.workload.network), _CHAIN_HANDS_LESS):
        return assumed[0]
    text = "Blocks run one after the other. "
    skips = 0 if instance.costs.skips is None else len(instance.costs.skips.producer)
    text += "A result that later blocks read on another unit is transferred once to each such unit"
    return Note("chain", "Branches", f"{text}; {skips} results skip blocks.")


def left_out_note(left_out: int, share: float | None) -> Note:
    """Return the note that too many results wait at the same time for all of them to take part in the search.

    Args:
        left_out: results whose hand-over the search did not see; what it found is scored with them.
        share: share of the hypervolume of a front that no mapping beats; None where that was not computed.
    """
    text = f"The network has {left_out} more pending results at the same time than the exact search distinguishes. "
    text += "Every metric includes their transfers, but the search ignores them. "
    if share is not None:
        text += f"No mapping beats a front whose hypervolume this one reaches to {share:.2f} %."
    return Note("branches", "Comparison with the bound", text, "warning")

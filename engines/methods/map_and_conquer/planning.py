"""The plan of a run, before anything is searched."""

from __future__ import annotations

from engines.contract.engine import Bound, Plan, PlanCheck
from engines.contract.estimates import around
from engines.contract.integer_format import counted
from engines.data.training_data import training_seconds
from engines.methods.map_and_conquer.params import MapAndConquerParams
from engines.methods.map_and_conquer.problem.instance import CutInstance
from engines.methods.map_and_conquer.problem.real_network import RealNetwork
from engines.methods.map_and_conquer.search.bounds import bounds_of
from engines.methods.map_and_conquer.search.genome import Genome
from engines.methods.map_and_conquer.staged.training import BATCH
from hardware.soc.summary import unit_title

# Processor time on one core: VGG19 on two units at 81 settings 0.1 s of costs and 12,000 configurations in 0.8 s; Visformer-S (50
# layers) 0.25 s and 1.2 s. Layer by layer with 50 kept 22 s and 75 s.
_SECONDS_PER_COST = 6e-7
_SECONDS_PER_SCORED_LAYER = 2e-6
_SECONDS_PER_PARTIAL = 1.3e-5
_SECONDS_PER_TREE_ENTRY = 4e-6
_TRAINING_S = 6.0
_START_S = 0.5
_TORCH_MB = 3000.0
_BYTES_PER_ENTRY = 64


def make_plan(instance: CutInstance, params: MapAndConquerParams, evaluations: int) -> Plan:
    """Return the plan of so many configurations."""
    layers, settings = instance.network.layers, len(instance.settings)
    entries = (layers + 1) * len(instance.units) * settings * (instance.steps + 1) ** 2
    seconds = _START_S + entries * _SECONDS_PER_COST + _search_s(instance, params)
    if params.estimates == "boosted":
        seconds += _TRAINING_S + entries * _SECONDS_PER_TREE_ENTRY
    if instance.real is not None:
        seconds += _training_s(instance, instance.real, params)
    base_mb = (_TORCH_MB if instance.real else 250.0) + (300.0 if instance.boosted else 0.0)
    return Plan(
        evaluations=evaluations,
        memory_mb=base_mb + entries * _BYTES_PER_ENTRY / 1e6,
        time_s=around(seconds),
        needs=frozenset({"torch"} if instance.real else ()),
        determinism="pinned" if instance.real else "exact",
        checks=_checks(instance),
    )


def _search_s(instance: CutInstance, params: MapAndConquerParams) -> float:
    layers = instance.network.layers
    if params.method != "layers":
        return params.evaluations * layers * _SECONDS_PER_SCORED_LAYER
    genome = Genome(instance.mappings, len(instance.settings), layers, instance.steps)
    each = params.labels * len(genome.cuts) * len(genome.reuses)
    return len(genome.mappings) * genome.settings * layers * each * _SECONDS_PER_PARTIAL


def _training_s(instance: CutInstance, real: RealNetwork, params: MapAndConquerParams) -> float:
    """Return the training time of the whole network and of every configuration that is built."""
    examples = real.data.examples["train"]
    macs = float(instance.network.operations.macs.sum())
    epochs = params.epochs + 1 + params.finalists * params.fine_tuning_epochs * instance.stages
    return training_seconds(epochs, examples, macs, BATCH)


def known_bounds(instance: CutInstance) -> tuple[Bound, ...]:
    """Return bounds: nothing is slower at the highest clocks; energy may be less at lower ones, so fixed clocks bound it."""
    genome = Genome(instance.mappings, 1, instance.network.layers, instance.steps)
    accuracy = Bound("accuracy_percent", "Accuracy of the whole network", instance.accuracy.base_percent, "%")
    if instance.boosted:  # trees are trained on first use
        return (accuracy,)
    found = bounds_of(genome, instance.highest, instance.accuracy.base_percent)
    known = [Bound("latency_s", "Latency of any configuration", found.least_latency_s, "s"), accuracy]
    if len(instance.settings) == 1:
        known.append(Bound("energy_j", "Energy of any configuration", found.least_energy_j, "J"))
    return tuple(known)


def _checks(instance: CutInstance) -> tuple[PlanCheck, ...]:
    able = ", ".join(unit_title(instance.units[number]) for number in instance.highest.able)
    return (
        PlanCheck(True, f"{instance.network.layers} layers cut into {instance.stages} stages, and an exit for each"),
        PlanCheck(True, f"Units that can run every layer: {able}"),
        PlanCheck(True, f"{counted(len(instance.settings))} clock settings"),
        PlanCheck(True, f"Costs: {instance.pricing.measured.words()}"),
    )

"""The engine mapformer: several networks at once on one board, mapped by one of several managers."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np

from engines.contract.designs import Decision, Designs
from engines.contract.engine import (
    Bound,
    Context,
    Edits,
    Infeasibility,
    InputKind,
    MetricBreakdown,
    Plan,
    Problem,
    Recorder,
    Step,
    require,
)
from engines.contract.integer_format import many
from engines.contract.limits import Allowed
from engines.contract.numeric.random_streams import random_stream
from engines.contract.questions import MAPPING
from engines.contract.results import Breakdown, Note, Result, Schedule, Table
from engines.documents.input_kinds import calibration_slot, slot, soc_slot, workload_slot
from engines.methods.mapformer.changes import changes_of
from engines.methods.mapformer.estimator.document import ESTIMATOR_WEIGHTS
from engines.methods.mapformer.estimator.fitting import estimator_of
from engines.methods.mapformer.explain import explain_mapping
from engines.methods.mapformer.managers.reference import WholeGpuManager
from engines.methods.mapformer.omniboost.shipped_networks import OMNIBOOST, shipped_for
from engines.methods.mapformer.outcome import model_notes, told_notes, unmet_limits
from engines.methods.mapformer.params import MapFormerParams
from engines.methods.mapformer.planning import evaluations_of, known_bounds, make_plan
from engines.methods.mapformer.presets import PRESETS
from engines.methods.mapformer.problem.decision import columns_of, decoded, encoded
from engines.methods.mapformer.problem.edits import mix_edits
from engines.methods.mapformer.problem.instance import instance_of
from engines.methods.mapformer.quantities import DECISION_COLUMNS, LIMITS, QUANTITIES
from engines.methods.mapformer.run import Run, task_of
from engines.running.calibrated_engine import CalibratedEngine, CalibratedProblem
from engines.search.strategies import Beginning, Columns, Own, Search
from engines.simulation.board import Mappings

_RIVALS = ("mosaic", "odmdef", "genetic", *OMNIBOOST)
_NEEDS = {"gpu": {"gpu"}, **{name: {"cpu", "gpu"} for name in _RIVALS}}


class PreparedMix(CalibratedProblem[MapFormerParams, Mappings, Context]):
    """Networks on a board, and the manager that maps them. A design is one mapping."""

    share = (0.01, 0.98)

    def __init__(self, problem: Problem[MapFormerParams]) -> None:
        """Refuse mixes that are too large, operations that no unit runs, clocks that do not exist, devices without power."""
        self.problem, self.instance = problem, instance_of(problem)
        instance = self.instance
        self.covered = instance.covered
        kinds = {unit.kind for name, unit in instance.soc.units.items()}
        wanted = _NEEDS.get(problem.params.manager, set())
        accepted = "ours or random" if not wanted <= kinds else ""
        reason = "The other managers need compute units that this device lacks."
        require(wanted <= kinds, "params.manager", problem.params.manager, accepted, reason=reason)
        if problem.params.manager in OMNIBOOST:
            accepted = "a manager other than OmniBoost"
            require(
                shipped_for(instance.soc.slug) is not None,
                "params.manager",
                problem.params.manager,
                accepted,
                reason=f"No network of OmniBoost is built in for {instance.soc.slug}.",
            )
        self.told_by = estimator_of(problem, instance)
        if problem.params.changes.strip():
            changes_of(problem.params.changes, instance.names, instance.power_limit_w)
            told = problem.params.manager == "mapformer"
            ways = ["Choose another manager."]
            accepted = "empty for the manager MapFormer"
            require(not told, "params.changes", problem.params.changes, accepted, remedies=ways)

    def decode(self, decision: Decision) -> Mappings:
        """Return segments and clocks of a decision."""
        return decoded(self.instance, decision)

    def encode(self, design: Mappings) -> dict[str, Any]:
        """Return segments and clocks by name."""
        return encoded(self.instance, design)

    def strategy(self) -> Own[Mappings]:
        """Return the rounds of the manager."""
        board, names = self.instance.board, self.instance.names
        words = f"{many(len(names), 'network')} with {many(board.layers.sum(), 'layer')} together"
        return Own(evaluations_of(self.instance, self.problem.params), words, "", self._rounds)

    def _rounds(self, search: Search[Mappings]) -> Iterator[Step]:
        context = search.record.context
        task = task_of(self.problem, self.instance, context.random, context.files)
        return Run(task, self.problem, self.instance, search).steps()

    def begin(self, record: Recorder) -> Generator[Step, None, Beginning[Context]]:
        """Begin with the first round."""
        yield from ()
        return Beginning(record.context, {"round": 0})

    def plan(self, evaluations: int) -> Plan:
        """Return time, clocks, estimator and costs."""
        return make_plan(self.instance, self.problem.params, self.told_by, evaluations)

    def facts(self) -> tuple[Result, ...]:
        """Return what a reader of the numbers must know."""
        notes = model_notes(self.instance, "calibration" not in self.problem.inputs)
        return (*notes, *told_notes(self.instance, self.told_by))

    def bounds(self) -> tuple[Bound, ...]:
        """Return the power that any mapping needs."""
        return known_bounds(self.instance)

    def baselines(self) -> dict[str, Mappings]:
        """Return everything on the GPU, at the highest clock that meets the limit, else at the lowest."""
        task = task_of(self.problem, self.instance, partial(random_stream, self.problem.seed))
        tried = WholeGpuManager(task).round(0, {}) if task.units_of("gpu") else None
        if tried is None or not tried.steady.valid.all():
            return {}
        fits = np.flatnonzero(tried.steady.power_w <= task.power_limit_w)
        return {"Everything on the GPU": tried.mappings.take(fits[:1] if len(fits) else np.array([-1]))}

    def unmet(self, allowed: Allowed, designs: Designs) -> Infeasibility:
        """Return the limit that no mapping meets, with the mode of power that would do."""
        return unmet_limits(allowed, designs, self.problem.params)

    def evaluate(self, designs: Sequence[Mappings], context: Context) -> Columns:
        """Simulate mappings."""
        return columns_of(self.instance, Mappings.joined(*designs))

    def edits(self, decision: Decision) -> Edits:
        """Return the segments of networks on units, cuts between them, and clocks."""
        return mix_edits(self.instance, decision)

    def explain(self, design: Mappings, context: Context) -> tuple[Result, ...]:
        """Return the lanes of units, networks, segments, clocks, power."""
        return explain_mapping(self.instance, design)


class MapFormerEngine(CalibratedEngine[MapFormerParams, PreparedMix]):
    """Managers under one simulator and one power limit, with a bound on what is possible."""

    name = "mapformer"
    title = "Many networks on one board"
    summary = "Maps up to ten networks at once to the compute units of a board, with clocks, within a power limit."
    source = "karatzas-2024 (MapFormer, ICCAD 2024); search and bound of our own"
    question = MAPPING
    version = 6
    tags = ("mapping", "soc", "dvfs", "multi-network")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": soc_slot("A device with power of every unit and of its memory.", "jetson-agx-xavier"),
        "workload": workload_slot(
            "Mix of networks",
            "1 to 10 networks that run at once; rates and priorities count.",
            preferred="ten-image-networks",
        ),
        "calibration": calibration_slot("the built-in one of the device that covers most of the networks"),
        "weights": slot(
            ESTIMATOR_WEIGHTS,
            "Estimator that MapFormer uses for mappings. Empty: the built-in one for the device.",
            title="Estimator",
            required=False,
        ),
    }
    Params = MapFormerParams
    prepares = PreparedMix
    other_costs = "; board simulated in steady state"
    surest = "predicted"
    quantities = QUANTITIES
    limits = LIMITS
    progress_metrics = ("throughput_per_s", "power_w", "inferences_per_j", "fairness_fraction", "bound_fraction")
    result_types = (Schedule, Breakdown, Table, Note)
    breakdowns = (
        MetricBreakdown("power_w", "power", "by unit", "bars"),
        MetricBreakdown("power_w", "power", "by part", "parts"),
    )
    decision_columns = DECISION_COLUMNS
    presets = PRESETS

    def primary_metric(self, problem: Problem[MapFormerParams]) -> str:
        """Return the mean throughput, within the power limit."""
        return "throughput_per_s"

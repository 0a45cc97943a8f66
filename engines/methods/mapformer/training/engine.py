"""The engine train-estimator: learns classes of throughput and power from simulated mixes, and hands out the weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal

from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.engine import Context, Engine, InputKind, Plan, PlanCheck, Problem, Recorder, Step, require
from engines.contract.errors import DecisionError
from engines.contract.estimates import around
from engines.contract.integer_format import counted
from engines.contract.questions import TRAINING
from engines.contract.results import Curve, Matrix, Result, Table
from engines.data.training_data import require_torch
from engines.documents.input_kinds import calibration_slot, soc_slot, workload_slot
from engines.methods.mapformer.estimator.pool import POOL_SIZE
from engines.methods.mapformer.training.params import TrainEstimatorParams
from engines.methods.mapformer.training.planning import seconds_of
from engines.methods.mapformer.training.quantities import QUANTITIES
from engines.workloads.network import Scenario
from hardware.soc.model import Soc

_MEMORY_MB = 8000.0  # torch alone takes 4 GB of addresses
_DECISION = {"estimator": "trained"}


class TrainEstimatorEngine(Engine[TrainEstimatorParams, int]):
    """What `prepare` gives is the number of networks that mixes are drawn from."""

    name = "train-estimator"
    title = "Estimator training"
    summary = "Trains a transformer that tells throughput and power of many networks on one board, in classes."
    source = "karatzas-2024 (MapFormer, ICCAD 2024), sections 4.2 and 5.1"
    question = TRAINING
    version = 1
    tags = ("training", "soc", "dvfs", "multi-network")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": soc_slot("A device with power of every unit and of its memory.", "jetson-agx-xavier"),
        "workload": workload_slot(
            "Networks to draw from",
            "Mixes are drawn from these. Empty: the 80 networks of torchvision, as published.",
            required=False,
        ),
        "calibration": calibration_slot("the built-in one of the device that covers most of the networks"),
    }
    Params = TrainEstimatorParams
    quantities = QUANTITIES
    progress_metrics = ("throughput_near_fraction", "power_near_fraction")
    result_types = (Matrix, Table, Curve)

    def prepare(self, problem: Problem[TrainEstimatorParams]) -> int:
        """Refuse a device without clocks and power, and too few networks."""
        soc, given, params = problem.value("hardware", Soc), problem.optional("workload", Scenario), problem.params
        accepted = (
            "a device whose units a calibration or a data sheet covers: the board is simulated by clocks and load"
        )
        require(not soc.by_dataflow, "inputs.hardware", soc.slug, accepted)
        accepted = "a device whose document has the power of every unit and of its memory (units.*.power, memory.power)"
        known = soc.memory is not None and soc.memory.power is not None
        require(known, "inputs.hardware", f"{soc.slug} without memory.power", accepted)
        count = POOL_SIZE if given is None else len(given.models)
        require(
            params.unseen_networks < count, "params.unseen_networks", params.unseen_networks,
            f"fewer than the {count} networks that mixes are drawn from",
        )  # fmt: skip
        require(params.width % 8 == 0, "params.width", params.width, "a multiple of 8, the number of heads")
        return count

    def plan(self, problem: Problem[TrainEstimatorParams], networks: int) -> Plan:
        """Mixes, and time."""
        params = problem.params
        learnt = networks - params.unseen_networks
        checks = (
            PlanCheck(
                True,
                f"{counted(params.mixes * params.mappings)} mappings of {counted(params.mixes)} mixes to learn from",
            ),
            PlanCheck(True, f"Mixes of {learnt} networks; {params.unseen_networks} are kept to be measured by"),
        )
        return Plan(
            evaluations=1, memory_mb=_MEMORY_MB, time_s=around(seconds_of(params)), needs=frozenset({"torch"}),
            determinism="pinned", checks=checks,
        )  # fmt: skip

    def estimator(
        self, problem: Problem[TrainEstimatorParams]
    ) -> tuple[str, Literal["fitted", "predicted", "measured"]]:
        """Shares are measured against the simulator."""
        return "classes told, against the simulated board", "measured"

    def model(self, problem: Problem[TrainEstimatorParams]) -> str:
        """The board that it is trained for."""
        return f"estimator for {problem.value('hardware', Soc).slug}"

    def primary_metric(self, problem: Problem[TrainEstimatorParams]) -> str:
        """The harder of both heads."""
        return "throughput_near_fraction"

    def run(self, problem: Problem[TrainEstimatorParams], networks: int, record: Recorder) -> Iterator[Step]:
        """Mixes, training, measurement."""
        require_torch()
        if record.state is None:
            yield record.step(0.0, "Computes what layers take on every unit")
        from engines.methods.mapformer.training.run import run_training

        yield from run_training(problem, record)

    def evaluate(
        self, problem: Problem[TrainEstimatorParams], networks: int, decisions: Decisions, context: Context
    ) -> Designs:
        """Shares of the trained estimator; trains first where the weights of the run are not at hand."""
        for decision in decisions:
            if dict(decision) != _DECISION:
                raise DecisionError("decision", dict(decision), 'estimator: "trained", the one that the run made')
        found = _measured(problem, context).designs()
        return Designs.concatenate([found] * len(decisions))

    def explain(
        self, problem: Problem[TrainEstimatorParams], networks: int, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Shares, confusion, calibration."""
        return tuple(_measured(problem, context).results())


def _measured(problem: Problem[TrainEstimatorParams], context: Context) -> Any:
    require_torch()
    from engines.methods.mapformer.training.run import measured_of

    return measured_of(problem, context)

"""The engine train-estimator: learns classes of throughput and power from simulated mixes, and hands out the weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from engines.contract.designs import Decision, Designs
from engines.contract.engine import Context, File, PlanCheck, Problem, require
from engines.contract.errors import DecisionError
from engines.contract.integer_format import counted
from engines.contract.questions import TRAINING
from engines.contract.results import Curve, Matrix, Result, Table
from engines.documents.input_kinds import calibration_slot, soc_slot, workload_slot
from engines.learning.trained_problem import TorchProblem
from engines.methods.mapformer.estimator.pool import POOL_SIZE
from engines.methods.mapformer.training.held_out_answers import QUANTITIES
from engines.methods.mapformer.training.params import TrainEstimatorParams, seconds_of
from engines.search.prepared_problem import PreparedEngine
from engines.search.strategies import Columns, Own
from engines.workloads.network import Scenario
from hardware.soc.model import Soc

if TYPE_CHECKING:  # it imports torch
    from engines.methods.mapformer.training.run import EstimatorTraining

_TRAINED = "trained"


class PreparedEstimator(TorchProblem[TrainEstimatorParams, str, "EstimatorTraining"]):
    """A board whose estimator is to be trained: the one design."""

    def __init__(self, problem: Problem[TrainEstimatorParams]) -> None:
        """Refuse a device without clocks and power, and too few networks."""
        soc, given, params = problem.value("hardware", Soc), problem.optional("workload", Scenario), problem.params
        accepted = "a device whose units a calibration or a data sheet covers"
        reason = "The board is simulated by clocks and load."
        require(not soc.by_dataflow, "inputs.hardware", soc.slug, accepted, reason=reason)
        accepted = "a device whose document has the power of every unit and of its memory (units.*.power, memory.power)"
        ways = ["Add these values to a copy of the device."]
        known = soc.memory is not None and soc.memory.power is not None
        require(known, "inputs.hardware", f"{soc.slug} without memory.power", accepted, remedies=ways)
        count = POOL_SIZE if given is None else len(given.models)
        require(
            params.unseen_networks < count, "params.unseen_networks", params.unseen_networks,
            f"fewer than the {count} networks that mixes are drawn from",
        )  # fmt: skip
        require(params.width % 8 == 0, "params.width", params.width, "a multiple of 8, the number of heads")
        self._problem, self._networks = problem, count

    def decode(self, decision: Decision) -> str:
        """Return the name of the only design, after a check of the decision."""
        if dict(decision) != self.encode(_TRAINED):
            raise DecisionError("decision", dict(decision), 'a mapping of the key estimator to "trained"')
        return _TRAINED

    def encode(self, design: str) -> dict[str, str]:
        """Return the decision that names the estimator."""
        return {"estimator": design}

    def strategy(self) -> Own[str]:
        """Return the strategy: one training."""
        params = self._problem.params
        mappings, mixes = counted(params.mixes * params.mappings), counted(params.mixes)
        return Own(
            1,
            f"{mappings} mappings of {mixes} mixes to learn from",
            "",
            lambda search: search.beginning.context.train(search.record),
        )

    def seconds(self, evaluations: int) -> float:
        """Return the seconds of mixes, training and measurement."""
        return seconds_of(self._problem.params)

    def checks(self) -> tuple[PlanCheck, ...]:
        """Return the checks on the networks of the mixes."""
        kept = self._problem.params.unseen_networks
        words = f"Mixes of {self._networks - kept} networks; {kept} are kept to be measured by"
        return (PlanCheck(True, words),)

    def context_of(self, context: Context) -> EstimatorTraining:
        """Return the estimator that the run trained, or that training gives again."""
        from engines.methods.mapformer.training.run import EstimatorTraining

        return EstimatorTraining(self._problem, context)

    def evaluate(self, designs: Sequence[str], context: EstimatorTraining) -> Columns:
        """Return the shares of the trained estimator."""
        return {name: np.repeat(values, len(designs)) for name, values in context.measured.columns().items()}

    def explain(self, design: str, context: EstimatorTraining) -> tuple[Result, ...]:
        """Return the results of the evaluation: shares, confusion matrix, calibration."""
        return context.measured.results()

    def report(self, designs: Designs, context: EstimatorTraining) -> tuple[Result, ...]:
        """Return the notes on the classes and the measured accuracy of the estimator."""
        return (context.note(), *context.measured.results())

    def ending(self, designs: Designs, context: EstimatorTraining) -> tuple[str, Sequence[File]]:
        """Return the message, the file of weights and the document."""
        return context.ending()


class TrainEstimatorEngine(PreparedEngine[TrainEstimatorParams]):
    """Cross-entropy of both heads on simulated mixes."""

    name = "train-estimator"
    title = "Estimator training"
    summary = "Trains a transformer that predicts throughput and power classes of many networks on one board."
    source = "karatzas-2024 (MapFormer, ICCAD 2024), sections 4.2 and 5.1"
    question = TRAINING
    version = 1
    tags = ("training", "soc", "dvfs", "multi-network")
    inputs: ClassVar = {
        "hardware": soc_slot("A device with power of every unit and of its memory.", "jetson-agx-xavier"),
        "workload": workload_slot(
            "Networks to draw from",
            "Mixes are drawn from these. Empty: the 80 networks of torchvision, as published.",
            required=False,
        ),
        "calibration": calibration_slot("the built-in one of the device that covers most of the networks"),
    }
    Params = TrainEstimatorParams
    prepares = PreparedEstimator
    cost_model = ("share of classes predicted as the simulated board has them", "predicted")
    quantities = QUANTITIES
    progress_metrics = ("throughput_near_fraction", "power_near_fraction")
    result_types = (Matrix, Table, Curve)

    def model(self, problem: Problem[TrainEstimatorParams]) -> str:
        """Return the board that it is trained for."""
        return f"estimator for {problem.value('hardware', Soc).slug}"

"""The engine train-recommender: a recommender on a click log, split layer by layer and trained again until accuracy is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from engines.contract.designs import Decision
from engines.contract.engine import Context, InputKind, Plan, PlanCheck, Problem
from engines.contract.integer_format import counted
from engines.contract.numeric.random_streams import random_stream
from engines.contract.questions import TRAINING
from engines.contract.results import Result, Table
from engines.data.click_log import CLICK_LOG, Clicks
from engines.documents.input_kinds import slot
from engines.learning.trained_problem import TorchProblem
from engines.methods.duet.training.clicks import ClickLog, generated, loaded
from engines.methods.duet.training.params import TrainRecommenderParams
from engines.methods.duet.training.quantities import QUANTITIES
from engines.methods.duet.training.stages import Choice, recommender_for, stage_of, stages_of
from engines.search.prepared_problem import PreparedEngine
from engines.search.strategies import Columns, Own

if TYPE_CHECKING:  # it imports torch
    from engines.methods.duet.training.run import StageTraining

_START_S, _STEP_S, _ROW_S = 4.0, 2.5e-3, 6e-6


class PreparedStages(TorchProblem[TrainRecommenderParams, Choice, "StageTraining"]):
    """A click log, and the monolithic model of it."""

    def __init__(self, problem: Problem[TrainRecommenderParams]) -> None:
        """Prepare the stages; refuse incompatible layer widths."""
        self.params, self.log = problem.params, log_of(problem)
        self.model = recommender_for(problem, self.log)
        self.stages = stages_of(self.model)

    def decode(self, decision: Decision) -> Choice:
        """Return stage and precision of a decision."""
        return stage_of(decision, self.stages)

    def encode(self, design: Choice) -> dict[str, Any]:
        """Return the layers that are split, and the precision."""
        return {**asdict(design[0]), "int8": design[1]}

    def strategy(self) -> Own[Choice]:
        """Return the strategy that splits layer by layer."""
        count = len(self.stages)
        words = f"Up to {counted(count)} models, {counted(self.params.seeds)} trainings of each"
        return Own(2 * count, words, "", lambda search: search.beginning.context.search(search))

    def seconds(self, evaluations: int) -> float:
        """Return the seconds of all trainings."""
        params, rows = self.params, len(self.log.splits()[0])
        epoch_s = _STEP_S * rows / params.batch_size + _ROW_S * rows
        return _START_S + len(self.stages) * params.seeds * params.epochs * epoch_s

    def checks(self) -> tuple[PlanCheck, ...]:
        """Return the checks on the impressions of the training."""
        return (PlanCheck(True, f"{self.log.title}: {counted(len(self.log.splits()[0]))} impressions to learn from"),)

    def plan(self, evaluations: int) -> Plan:
        """Return the plan with what a generated log cannot say."""
        words = "The log is generated: its truth is known, and it says nothing of real users."
        return replace(super().plan(evaluations), notes=() if self.log.truth is None else (words,))

    def context_of(self, context: Context) -> StageTraining:
        """Return the trainings of the run, or what gives them again."""
        from engines.methods.duet.training.run import StageTraining

        return StageTraining(self.params, self.log, self.model, context)

    def evaluate(self, designs: Sequence[Choice], context: StageTraining) -> Columns:
        """Return the columns of the designs, means over seeds, shape `n` each."""
        return context.columns(designs)

    def explain(self, design: Choice, context: StageTraining) -> tuple[Result, ...]:
        """Return the table of all seeds of a stage."""
        from engines.methods.duet.training.run import seeds_table

        return (seeds_table(context.scores(*design)),)


class TrainRecommenderEngine(PreparedEngine[TrainRecommenderParams]):
    """A design is how far the model is split, and whether the user's top MLP is quantised."""

    name = "train-recommender"
    title = "Recommender training"
    summary = "Trains a recommender on clicks, splits it layer by layer and trains it again: accuracy, AUC and log-loss with seeds."
    source = "goyal-2023 section 5.2.5 (Duet)"
    question = TRAINING
    version = 3
    tags = ("training", "recommendation", "split computing")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "data": slot(
            CLICK_LOG,
            "Impressions for training and evaluation. Empty: a generated log.",
            title="Click log",
            required=False,
        )
    }
    Params = TrainRecommenderParams
    prepares = PreparedStages
    cost_model = ("accuracy on the newest impressions of the log", "measured")
    quantities = QUANTITIES
    progress_metrics = ("accuracy_percent", "datacentre_macs")
    result_types = (Table,)

    def model(self, problem: Problem[TrainRecommenderParams]) -> str:
        """Return a description of the trained model and its data set."""
        params, clicks = problem.params, problem.optional("data", Clicks)
        words = f"a generated log of {params.rows} impressions" if clicks is None else clicks.title
        return f"recommender {params.bottom_mlp}, {params.top_mlp} on {words}"


def log_of(problem: Problem[TrainRecommenderParams]) -> ClickLog:
    """Return the click log that was brought along, or a generated one."""
    clicks = problem.optional("data", Clicks)
    if clicks is not None:
        return loaded(clicks)
    return generated(problem.params.rows, partial(random_stream, problem.seed))

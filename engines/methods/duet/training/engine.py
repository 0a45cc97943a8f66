"""The engine train-recommender: a recommender on a click log, split layer by layer and trained again until accuracy is lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import ClassVar

from engines.contract.certainty import Certainty
from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.engine import Context, Engine, InputKind, Plan, PlanCheck, Problem, Recorder, Step
from engines.contract.estimates import around
from engines.contract.integer_format import counted
from engines.contract.numeric.random_streams import random_stream
from engines.contract.questions import TRAINING
from engines.contract.results import Result, Table
from engines.data.click_log import CLICK_LOG, Clicks
from engines.data.training_data import require_torch
from engines.documents.input_kinds import slot
from engines.methods.duet.training.clicks import ClickLog, generated, loaded
from engines.methods.duet.training.params import TrainRecommenderParams
from engines.methods.duet.training.quantities import QUANTITIES
from engines.methods.duet.training.stages import recommender_for, stage_of, stages_of
from engines.methods.duet.training.training_problem import TrainingProblem

_MEMORY_MB = 8000.0  # torch alone takes 4 GB of addresses
_START_S, _STEP_S, _ROW_S = 4.0, 2.5e-3, 6e-6


class TrainRecommenderEngine(Engine[TrainRecommenderParams, TrainingProblem]):
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
            "Impressions to learn from and to measure by. Empty: a generated log.",
            title="Click log",
            required=False,
        )
    }
    Params = TrainRecommenderParams
    quantities = QUANTITIES
    progress_metrics = ("accuracy_percent", "datacentre_macs")
    result_types = (Table,)

    def prepare(self, problem: Problem[TrainRecommenderParams]) -> TrainingProblem:
        """Refuse widths that do not fit."""
        log = log_of(problem)
        return TrainingProblem(log, recommender_for(problem, log))

    def plan(self, problem: Problem[TrainRecommenderParams], ready: TrainingProblem) -> Plan:
        """Return the trainings and time."""
        params, log, stages = problem.params, ready.log, stages_of(ready.model)
        rows = len(log.splits()[0])
        trainings = len(stages) * params.seeds
        epoch_s = _STEP_S * rows / params.batch_size + _ROW_S * rows
        told = (
            ("The log is generated: its truth is known, and it says nothing of real users.",)
            if log.truth is not None
            else ()
        )
        return Plan(
            evaluations=2 * len(stages),
            memory_mb=_MEMORY_MB,
            time_s=around(_START_S + trainings * params.epochs * epoch_s),
            needs=frozenset({"torch"}),
            determinism="pinned",
            checks=(
                PlanCheck(True, f"{log.title}: {counted(rows)} impressions to learn from"),
                PlanCheck(True, f"Up to {counted(len(stages))} models, {counted(params.seeds)} trainings of each"),
            ),
            notes=told,
        )

    def estimator(self, problem: Problem[TrainRecommenderParams]) -> tuple[str, Certainty]:
        """Return the certainty: accuracy is measured."""
        return "accuracy on the newest impressions of the log", "measured"

    def model(self, problem: Problem[TrainRecommenderParams]) -> str:
        """Return what is trained and on what."""
        params, clicks = problem.params, problem.optional("data", Clicks)
        words = f"a generated log of {params.rows} impressions" if clicks is None else clicks.title
        return f"recommender {params.bottom_mlp}, {params.top_mlp} on {words}"

    def run(self, problem: Problem[TrainRecommenderParams], ready: TrainingProblem, record: Recorder) -> Iterator[Step]:
        """Yield the stage after stage."""
        require_torch()
        from engines.methods.duet.training.run import run_training

        yield from run_training(problem, ready, record)

    def evaluate(
        self, problem: Problem[TrainRecommenderParams], ready: TrainingProblem, decisions: Decisions, context: Context
    ) -> Designs:
        """Train again, and measures."""
        require_torch()
        from engines.methods.duet.training.run import designs_of, measured_of

        stages = stages_of(ready.model)
        kinds = [stage_of(decision, stages) for decision in decisions]
        numbered = [(stages.index(stage), eight) for stage, eight in kinds]
        measured = measured_of(problem, ready, [number for number, _ in numbered], context)
        return designs_of(ready, measured, numbered)

    def explain(
        self, problem: Problem[TrainRecommenderParams], ready: TrainingProblem, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Return every seed."""
        require_torch()
        from engines.methods.duet.training.run import measured_of, seeds_table

        stages = stages_of(ready.model)
        stage, eight = stage_of(decision, stages)
        number = stages.index(stage)
        return (seeds_table(measured_of(problem, ready, [number], context), number, eight),)


def log_of(problem: Problem[TrainRecommenderParams]) -> ClickLog:
    """Return the click log that was brought along, or a generated one."""
    clicks = problem.optional("data", Clicks)
    if clicks is not None:
        return loaded(clicks)
    return generated(problem.params.rows, partial(random_stream, problem.seed))

"""Trainings of a recommender: stage after stage, seed after seed, epoch after epoch, and what is measured. Needs torch."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch

from engines.contract.arrays import FloatArray
from engines.contract.engine import Context, File, Step
from engines.contract.results import Curve, Note, Table, TableColumn
from engines.learning.course import Course
from engines.learning.curves import loss_curve
from engines.methods.duet.execution.int8_layers import quantised
from engines.methods.duet.execution.modules import DecomposedModules
from engines.methods.duet.recommender import Recommender
from engines.methods.duet.training.checks import checks_of, halves
from engines.methods.duet.training.clicks import ClickLog
from engines.methods.duet.training.params import TrainRecommenderParams
from engines.methods.duet.training.scores import scores_of
from engines.methods.duet.training.stages import Choice, Stage, stages_of
from engines.methods.duet.training.trainer import Trainer
from engines.search.strategies import Search

_CALIBRATION_ROWS = 512
_SCORES = ("accuracy_percent", "auc", "log_loss", "chosen_by_percent")


class TrainingScores:
    """Scores of every training so far, by stage, precision and seed; numbers only, so that a checkpoint holds them."""

    def __init__(self, found: Sequence[Sequence[float]] = ()) -> None:
        self.rows = [list(row) for row in found]

    def add(self, stage: int, eight: bool, seed: int, trainer: Trainer, probabilities: Any) -> None:
        """Add the scores of one model on the rows to report on and on those to choose by."""
        _, choose, report = trainer.rows
        found = scores_of(probabilities(report), trainer.labels(report))
        chosen = scores_of(probabilities(choose), trainer.labels(choose)).accuracy_percent
        self.rows.append(
            [float(stage), float(eight), float(seed), found.accuracy_percent, found.auc, found.log_loss, chosen]
        )

    def of(self, stage: int, eight: bool) -> FloatArray:
        """Return the scores of all seeds, shape `seeds x 4`, in the order of `_SCORES`."""
        found = [row[3:] for row in self.rows if row[:2] == [float(stage), float(eight)]]
        return np.array(found, dtype=np.float64).reshape(-1, len(_SCORES))

    @property
    def kinds(self) -> list[tuple[int, bool]]:
        """Return stages and precisions that were measured, in order."""
        return list(dict.fromkeys((int(row[0]), bool(row[1])) for row in self.rows))

    def kept(self, stage: int) -> bytes:
        """Return the scores of one stage as a file."""
        return json.dumps([row for row in self.rows if row[0] == stage]).encode()

    def lost(self, stage: int) -> float:
        """Return the points of accuracy that a stage loses on the rows to choose by."""
        return float(self.of(0, False)[:, 3].mean() - self.of(stage, False)[:, 3].mean())


class StageTraining:
    """The training of the recommender's stages: in a run, or from the weights that the run stored.

    Args:
        params: parameters of the search.
        log: click log of the training.
        model: the monolithic model.
        context: context of the run.
    """

    def __init__(self, params: TrainRecommenderParams, log: ClickLog, model: Recommender, context: Context) -> None:
        self.log, self.model, self.stages = log, model, stages_of(model)
        self._params, self._context, self.measured = params, context, TrainingScores()

    def search(self, search: Search[Choice]) -> Iterator[Step]:
        """Train stage after stage, seed after seed, until one more layer loses too much."""
        record, params, files = search.record, self._params, self._context.files
        stage, seed, before, begun = 0, 0, list[float](), record.state
        if begun is not None:
            self.measured, before = TrainingScores(begun["scores"].tolist()), begun["before"].tolist()
            stage, seed = int(begun["stage"]), int(begun["seed"])
        while stage < len(self.stages):
            trainer = self._trainer(stage, seed)
            course = Course(trainer)
            if begun is not None:
                course.restore(begun, files)
                begun = None
            also = {
                "scores": np.array(self.measured.rows, dtype=np.float64).reshape(-1, 7),
                "before": np.array(before), "stage": stage, "seed": seed,
            }  # fmt: skip
            yield from course.steps(record, partial(self._progress, also, course), partial(dict, also))
            if not course.done:
                return
            before += course.losses
            _measure(self.measured, stage, self.stages[stage], seed, trainer)
            if seed == 0:
                files.get_or_build(_name(stage), trainer.state)
            seed += 1
            if seed == params.seeds:
                files.get_or_build(_scores_name(stage), partial(self.measured.kept, stage))
                if self.measured.lost(stage) > params.most_loss_percent:
                    break
                stage, seed = stage + 1, 0
        record.add(search.evaluate([(self.stages[number], eight) for number, eight in self.measured.kinds]))
        self._conclude(search)

    def columns(self, choices: Sequence[Choice]) -> dict[str, FloatArray]:
        """Return column -> means over seeds for `k` choices, shape `k` each."""
        columns: dict[str, list[float]] = {}
        whole = self.scores(self.stages[0], False).mean(axis=0)
        for stage, eight in choices:
            scores = self.scores(stage, eight)
            mean, (datacentre, device) = scores.mean(axis=0), stage.macs(self.model)
            row = {
                "accuracy_percent": mean[0], "datacentre_macs": datacentre, "device_macs": device, "auc": mean[1],
                "log_loss": mean[2], "accuracy_spread_percent": scores[:, 0].max() - scores[:, 0].min(),
                "accuracy_loss_percent": whole[0] - mean[0], "bottom_layers": stage.bottom_layers,
                "top_layers": stage.top_layers, "int8": eight,
            }  # fmt: skip
            for name, value in row.items():
                columns.setdefault(name, []).append(float(value))
        return {name: np.array(values) for name, values in columns.items()}

    def scores(self, stage: Stage, eight: bool) -> FloatArray:
        """Return the scores of all seeds, shape `seeds x 4`, in the order of `_SCORES`."""
        number = self.stages.index(stage)
        if (number, False) not in self.measured.kinds:
            kept = self._context.files.get_or_build(_scores_name(number), partial(self._again, number))
            self.measured.rows += json.loads(kept)
        return self.measured.of(number, eight)

    def _trainer(self, stage: int, seed: int) -> Trainer:
        return Trainer(self.log, self.model, self.stages[stage], seed, self._params, self._context.random)

    def _again(self, stage: int) -> bytes:
        found = TrainingScores()
        for seed in range(self._params.seeds):
            trainer = self._trainer(stage, seed)
            Course(trainer).finish()
            _measure(found, stage, self.stages[stage], seed, trainer)
        return found.kept(stage)

    def _progress(self, also: Mapping[str, Any], course: Course) -> tuple[float, str, tuple[Curve, ...]]:
        stage, seed, seeds = also["stage"], also["seed"], self._params.seeds
        losses = [*also["before"], *course.losses]
        done = (stage * seeds + seed + course.share) / (len(self.stages) * seeds)
        words = f"{self.stages[stage].title}, seed {seed + 1} of {seeds}: {course.words}"
        title = "Loss of all trainings, one after the other"
        return 0.95 * done, words, (loss_curve(losses, {"Log-loss": (0, len(losses))}, title),)

    def _conclude(self, search: Search[Choice]) -> None:
        """Leave how far the model can be split, and its halves at the last stage that was kept."""
        measured, params = self.measured, self._params
        tried = max(number for number, _ in measured.kinds)
        kept = tried if measured.lost(tried) <= params.most_loss_percent else tried - 1
        results: list[Any] = [_stages_table(self), _verdict(self, kept, tried, params)]
        files: tuple[File, ...] = ()
        shown = min(tried, 1) if kept == 0 else kept
        if shown:
            trainer = self._trainer(shown, 0)
            trainer.restore(self._context.files.get_or_build(_name(shown), partial(_trained, trainer)), params.epochs)
            results.append(checks_of(trainer, self.stages[shown]))
            files = halves(trainer, self.model)
        done = {"measured": measured.rows, "kept": kept}
        search.files = (*files, File("scores.json", "application/json", json.dumps(done).encode()))
        search.words = (
            f"{tried} layers split one after the other, {kept} kept within {params.most_loss_percent:g} points"
        )
        search.results = results


def _measure(measured: TrainingScores, number: int, stage: Stage, seed: int, trainer: Trainer) -> None:
    measured.add(number, False, seed, trainer, trainer.probabilities)
    if stage.top_layers and isinstance(trainer.network, DecomposedModules):
        network = trainer.network
        exact = network.user.top
        with torch.no_grad():
            rows = trainer.rows[0][:_CALIBRATION_ROWS]
            network.user.top = quantised(exact, _features(network, trainer, rows))
            measured.add(number, True, seed, trainer, trainer.probabilities)
            network.user.top = exact


def _features(network: DecomposedModules, trainer: Trainer, rows: Any) -> torch.Tensor:
    dense, history, _ = trainer.inputs(rows)
    return network.user.features(network.user.remembered(dense), dense, network.embeddings.of_history(history))


def seeds_table(scores: FloatArray) -> Table:
    """Return a table with one row per training (seed) of a stage."""
    return Table(
        "seeds", "Trainings one by one",
        (
            TableColumn("Seed", np.arange(1.0, len(scores) + 1)),
            TableColumn("Accuracy", scores[:, 0], "%"),
            TableColumn("AUC", scores[:, 1]),
            TableColumn("Log-loss", scores[:, 2]),
            TableColumn("Accuracy, rows to choose by", scores[:, 3], "%"),
        ),
    )  # fmt: skip


def _trained(trainer: Trainer) -> bytes:
    Course(trainer).finish()
    return trainer.state()


def _scores_name(stage: int) -> str:
    return f"recommender-scores-{stage}"


def _name(stage: int) -> str:
    return f"recommender-stage-{stage}"


def _verdict(ready: StageTraining, kept: int, tried: int, params: TrainRecommenderParams) -> Note:
    measured = ready.measured
    lost = measured.lost(kept)
    changed = f"gains {-lost:.3f}" if lost < 0 else f"loses {lost:.3f}"
    text = f"Split furthest within {params.most_loss_percent:g} points: {ready.stages[kept].title}, which {changed} points "
    text += "of accuracy on the rows to choose by (mean over seeds). "
    if tried > kept:
        text += f"The next, {ready.stages[tried].title}, loses {measured.lost(tried):.3f}; there splitting stopped. "
    spread = float(np.ptp(measured.of(0, False)[:, 0]))
    if params.seeds > 1:
        text += f"Trainings of the monolithic model alone differ by {spread:.3f} points: losses below that say little."
    else:
        text += "Each model was trained once: how much trainings differ by themselves is not known."
    return Note("splitting", "How far the model can be split", text)


def _stages_table(ready: StageTraining) -> Table:
    titles, scores, measured = [], [], ready.measured
    for number, eight in measured.kinds:
        titles.append(ready.stages[number].title + (", int8" if eight else ""))
        scores.append([*measured.of(number, eight).mean(axis=0), float(np.ptp(measured.of(number, eight)[:, 0]))])
    if ready.log.truth is not None:
        rows = ready.log.splits()[2]
        best = scores_of(ready.log.truth[rows], ready.log.labels[rows])
        titles.append("The truth of the generated log")
        scores.append([best.accuracy_percent, best.auc, best.log_loss, np.nan, 0.0])
    values = np.array(scores)
    return Table(
        "stages", "Monolithic against decomposed",
        (
            TableColumn("Layers split", tuple(titles)),
            TableColumn("Accuracy", values[:, 0], "%"),
            TableColumn("Spread over seeds", values[:, 4], "%"),
            TableColumn("AUC", values[:, 1]),
            TableColumn("Log-loss", values[:, 2]),
            TableColumn("Accuracy, rows to choose by", values[:, 3], "%"),
        ),
    )  # fmt: skip

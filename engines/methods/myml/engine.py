"""The engine myml: user-driven pruning of a network on the device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from engines.contract.designs import Decision, Designs
from engines.contract.engine import Bound, Context, File, MetricBreakdown, PlanCheck, Preset, Problem, Runnable
from engines.contract.integer_format import counted, many
from engines.contract.questions import NETWORK
from engines.contract.results import Breakdown, Curve, LayerGraph, Note, Result, Table, Trace
from engines.data.documents import IMAGE_DATA
from engines.data.training_data import training_seconds
from engines.documents.input_kinds import slot, soc_slot
from engines.learning.trained_problem import TrainedProblem
from engines.learning.weights_document import NETWORK_WEIGHTS
from engines.methods.myml.choices import Choice, choice_of
from engines.methods.myml.instance import instance_of
from engines.methods.myml.layers import GROUPS, totals
from engines.methods.myml.outcome import model_notes, user_table
from engines.methods.myml.params import MymlParams
from engines.methods.myml.quantities import CHOICE, LIMITS, QUANTITIES
from engines.methods.myml.runnable import MEASURABLE, runnable_network
from engines.search.prepared_problem import PreparedEngine
from engines.search.strategies import Columns, Genetic, Strategy

if TYPE_CHECKING:  # they import torch
    from engines.methods.myml.bench import Bench
    from engines.methods.myml.original import Original

_DEVICE = "snapdragon-855"
_EXPLAINED_NETWORKS = 4


class PreparedPruning(TrainedProblem[MymlParams, Choice, "Bench"]):
    """A network to be pruned for a user."""

    state_name = "myml-original"
    trained = "the original"

    def __init__(self, problem: Problem[MymlParams]) -> None:
        """Prepare the problem; refuse unknown classes, rates that empty a layer, and windows that are too short."""
        self.instance = instance_of(problem)

    def decode(self, decision: Decision) -> Choice:
        """Return the choice of a decision; its values may lie outside the searched ones."""
        return choice_of(decision, self.instance.layers)

    def encode(self, design: Choice) -> Decision:
        """Return the decision of a design: its entries by name."""
        return design.decision

    def strategy(self) -> Strategy[Choice]:
        """Return the strategy: NSGA-II, each evaluation of which prunes a network."""
        params = self.instance.params
        return Genetic(self.instance.space, params.evaluations, params.population)

    def learner(self, context: Context) -> Original:
        """Return the learner of the original network."""
        from engines.methods.myml.original import Original

        return Original(self.instance, self.instance.data.read(context.files), context)

    def trained_context(self, learner: Original) -> Bench:
        """Return the original and what is pruned from it."""
        from engines.methods.myml.bench import bench_with

        return bench_with(learner)

    def files(self, learner: Original) -> Sequence[File]:
        """Return the weights of the original, where it was trained here."""
        return [learner.file()] if self.instance.given is None else []

    def seconds(self, evaluations: int) -> float:
        """Return the seconds of the original and of all prunings."""
        ready, params = self.instance, self.instance.params
        _, macs = totals(ready.whole)
        images = int(ready.data.examples["train"] * (1 - 0.01 * params.kept_back_percent))
        stages = (GROUPS + params.extra_epochs) * (evaluations + 2 + _EXPLAINED_NETWORKS)
        pruning = training_seconds(stages, ready.stage_images, macs, min(int(each) for each in ready.space.genes[8]))
        return training_seconds(ready.epochs, images, macs, params.original_batch) + pruning

    def checks(self) -> tuple[PlanCheck, ...]:
        """Return user, original, prunings, tracker."""
        ready, names, user = self.instance, self.instance.data.classes, self.instance.user.classes
        (weights, macs), most = totals(ready.whole), float(np.log2(len(user)))
        lines = [
            f"{ready.data.title}: the user sees {', '.join(names[label] for label in user)} of {len(names)} classes",
            f"Original of {counted(weights)} weights and {counted(macs)} operations an image",
            f"Each network is pruned with {many(ready.stage_images, 'image')} a block",
        ]
        if ready.given is not None:
            lines.append(f"The original has the weights {ready.given.slug}: it is not trained")
        asked = ready.params.entropy_threshold_bits
        text = f"Entropy of {len(user)} classes is {most:.2f} bits at most, above {asked:g} an image may be outside"
        text += "" if asked < most else ": none ever is, and the original never comes back"
        return (*(PlanCheck(True, line) for line in lines), PlanCheck(asked < most, text))

    def bounds(self) -> tuple[Bound, ...]:
        """Return the bound of the accuracy: all answers right."""
        return (Bound("accuracy_percent", "All answers right", 100.0, "%"),)

    def baselines(self) -> dict[str, Choice]:
        """Return the original and the published schedules."""
        return self.instance.baselines

    def facts(self) -> tuple[Result, ...]:
        """Return the notes on the user's classes."""
        return (user_table(self.instance),)

    def evaluate(self, designs: Sequence[Choice], context: Bench) -> Columns:
        """Prune and measure; what the run pruned is at hand."""
        return context.columns(designs)

    def explain(self, design: Choice, context: Bench) -> tuple[Result, ...]:
        """Return layers, energy, pruning by epoch, the system over time."""
        from engines.methods.myml.explain import explained

        return explained(context, design)

    def report(self, designs: Designs, context: Bench) -> tuple[Result, ...]:
        """Return the system over time by its threshold, for the most accurate network of the user, and what was learnt from."""
        from engines.methods.myml.system import Life, thresholds_curve

        accuracy, size = (designs.columns[name] for name in ("accuracy_percent", "size_bytes"))
        front = designs.front(CHOICE.roles(QUANTITIES, self.instance.params)).tolist()
        rows = [row for row in front if designs.decisions[row]["order"] != "user-agnostic"]
        notes = model_notes(self.instance, len(context.source.pool))
        if not rows:
            return notes
        best = min(rows, key=lambda row: (-accuracy[row], size[row], row))
        return (thresholds_curve(Life(context, self.decode(designs.decisions[best]))), *notes)

    def runnable(self, design: Choice, figures: Mapping[str, float]) -> Runnable:
        """Return the pruned network as the measured piece."""
        return runnable_network(self.instance, design)


class MymlEngine(PreparedEngine[MymlParams]):
    """NSGA-II over real prunings."""

    name = "myml"
    title = "Networks pruned for one user"
    summary = (
        "Prunes a trained network on the device for the classes that its user sees: accuracy, size, time and energy."
    )
    source = "goyal-2023 chapter 4 (MyML)"
    question = NETWORK
    version = 2
    tags = ("pruning", "training", "user", "accelerator")
    inputs: ClassVar = {
        "hardware": soc_slot("The device whose CPU prunes and runs the network and feeds the systolic array.", _DEVICE),
        "data": slot(
            IMAGE_DATA,
            "Images for training and evaluation. Empty: the bundled handwritten digits.",
            title="Images",
            required=False,
        ),
        "weights": slot(
            NETWORK_WEIGHTS, "Weights of the original, .safetensors or .npz. Empty: the run trains it.", required=False
        ),
    }
    Params = MymlParams
    prepares = PreparedPruning
    cost_model = ("accuracy measured on held-out images, time and energy by operations and cycles", "predicted")
    measured_columns = (
        "accuracy_percent",
        "test_accuracy_percent",
        "accuracy_drop_percent",
        "all_accuracy_percent",
    )
    quantities = QUANTITIES
    objectives = CHOICE
    limits = LIMITS
    progress_metrics = ("accuracy_percent", "size_bytes", "energy_j")
    result_types = (Trace, Curve, LayerGraph, Breakdown, Table, Note)
    breakdowns = (MetricBreakdown("energy_j", "energy", "by layer", "parts"),)
    measurable = MEASURABLE
    presets = (
        Preset("five-digits", "Five digits on a phone, CPU and accelerator", {"hardware": _DEVICE}),
        Preset(
            "within-one-percent", "Within 1 % of the original, with time and energy of pruning", {"hardware": _DEVICE},
            {"accuracy_drop_limit_percent": 1.0, "objectives": "all"},
        ),
    )  # fmt: skip

    def model(self, problem: Problem[MymlParams]) -> str:
        """Return a description of the pruned network and its data set."""
        params, weights = problem.params, problem.inputs.get("weights")
        words = f"four blocks of {params.convolutions} convolutions, {params.width} filters at first"
        return words if weights is None else f"{words}, weights {weights.slug} v{weights.version}"

"""The engine myml: user-driven pruning of a network on the device."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

import numpy as np

from engines.contract.counts import counted
from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.engine import (
    Bound,
    Composed,
    Context,
    Engine,
    Plan,
    PlanCheck,
    Problem,
    ReadyMade,
    Recorder,
    Runnable,
    Step,
)
from engines.contract.estimates import around
from engines.contract.questions import NETWORK
from engines.contract.results import Breakdown, Curve, LayerGraph, Note, Result, Table, Trace
from engines.data.documents import IMAGE_DATA
from engines.data.learnt import require_torch, training_seconds
from engines.documents.input_kinds import slot, soc_slot
from engines.learning.weights_document import NETWORK_WEIGHTS
from engines.methods.myml.choices import choice_of
from engines.methods.myml.instance import MymlInstance, instance_of
from engines.methods.myml.layers import GROUPS, totals
from engines.methods.myml.params import MymlParams
from engines.methods.myml.quantities import CHOICE, LIMITS, QUANTITIES
from engines.methods.myml.runnable import MEASURABLE, runnable_network

_MEMORY_MB = 8000.0  # torch alone takes 4 GB of addresses
_DEVICE = "snapdragon-855"
_EXPLAINED_NETWORKS = 4


class MymlEngine(Engine[MymlParams, MymlInstance]):
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
        "hardware": soc_slot(
            "Its CPU prunes and runs the network, and feeds the systolic array of the parameters.", _DEVICE
        ),
        "data": slot(
            IMAGE_DATA, "Images to learn from and to measure by. Empty: the digits.", title="Images", required=False
        ),
        "weights": slot(
            NETWORK_WEIGHTS, "Of the original, .safetensors or .npz. Empty: it is trained here.", required=False
        ),
    }
    Params = MymlParams
    quantities = QUANTITIES
    objectives = CHOICE
    limits = LIMITS
    tells = ("accuracy_percent", "size_bytes", "energy_j")
    explains = (Trace, Curve, LayerGraph, Breakdown, Table, Note)
    composed = (Composed("energy_j", "energy", "by layer", "parts"),)
    measurable = MEASURABLE
    ready_made = (
        ReadyMade("five-digits", "Five digits on a phone, CPU and accelerator", {"hardware": _DEVICE}),
        ReadyMade(
            "within-one-percent", "Within 1 % of the original, with time and energy of pruning", {"hardware": _DEVICE},
            {"accuracy_drop_limit_percent": 1.0, "objectives": "all"},
        ),
    )  # fmt: skip

    def prepare(self, problem: Problem[MymlParams]) -> MymlInstance:
        """Refuse classes that the network does not know, rates that empty a layer, windows that are too short."""
        return instance_of(problem)

    def plan(self, problem: Problem[MymlParams], ready: MymlInstance) -> Plan:
        """Trainings and time."""
        params, names = problem.params, ready.data.classes
        weights, macs = totals(ready.whole)
        train = ready.data.examples["train"]
        own = training_seconds(
            ready.epochs, int(train * (1 - 0.01 * params.kept_back_percent)), macs, params.original_batch
        )
        stages = (GROUPS + params.extra_epochs) * (params.evaluations + 2 + _EXPLAINED_NETWORKS)
        pruning = training_seconds(stages, ready.stage_images, macs, min(int(each) for each in ready.space.genes[8]))
        user = ", ".join(names[label] for label in ready.user.classes)
        words = f"{counted(params.evaluations)} networks, each pruned with {counted(ready.stage_images)} images a block"
        return Plan(
            evaluations=params.evaluations,
            memory_mb=_MEMORY_MB,
            time_s=around(own + pruning),
            needs=frozenset({"torch"}),
            determinism="pinned",
            checks=(
                PlanCheck(True, f"{ready.data.title}: the user sees {user} of {len(names)} classes"),
                PlanCheck(True, f"Original of {counted(weights)} weights and {counted(macs)} operations an image"),
                PlanCheck(True, words),
                *_weights_checks(ready),
                *self._tracker_checks(ready),
            ),
        )

    def _tracker_checks(self, ready: MymlInstance) -> tuple[PlanCheck, ...]:
        most, asked = float(np.log2(len(ready.user.classes))), ready.params.entropy_threshold_bits
        text = f"Entropy of {len(ready.user.classes)} classes is {most:.2f} bits at most, above {asked:g} an image may be outside"
        if asked < most:
            return (PlanCheck(True, text),)
        return (PlanCheck(False, f"{text}: none ever is, and the original never comes back"),)

    def bounds(self, problem: Problem[MymlParams], ready: MymlInstance) -> tuple[Bound, ...]:
        """Accuracy is at most all."""
        return (Bound("accuracy_percent", "All answers right", 100.0, "%"),)

    def estimator(self, problem: Problem[MymlParams]) -> tuple[str, Literal["fitted", "predicted", "measured"]]:
        """Accuracy is measured, the rest is counted."""
        return "accuracy measured on held-out images, time and energy by operations and cycles", "predicted"

    def model(self, problem: Problem[MymlParams]) -> str:
        """What is pruned."""
        params, weights = problem.params, problem.inputs.get("weights")
        words = f"four blocks of {params.convolutions} convolutions, {params.width} filters at first"
        return words if weights is None else f"{words}, weights {weights.slug} v{weights.version}"

    def run(self, problem: Problem[MymlParams], ready: MymlInstance, record: Recorder) -> Iterator[Step]:
        """The original, the published schedules, the search."""
        require_torch()
        from engines.methods.myml.search import run_search

        yield from run_search(ready, record)

    def evaluate(
        self, problem: Problem[MymlParams], ready: MymlInstance, decisions: Decisions, context: Context
    ) -> Designs:
        """Measures again; prunes first where the weights of the run are not at hand."""
        if not decisions:
            return Designs.empty(QUANTITIES)
        require_torch()
        from engines.data.torch_images import pinned
        from engines.methods.myml.bench import bench_of

        choices = [choice_of(decision, ready.layers) for decision in decisions]
        with pinned(context.device):
            found = bench_of(ready, context).designs(choices)
        return Designs.empty(QUANTITIES) if found is None else found

    def explain(
        self, problem: Problem[MymlParams], ready: MymlInstance, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Layers, energy, pruning by epoch, the system over time."""
        require_torch()
        from engines.data.torch_images import pinned
        from engines.methods.myml.bench import bench_of
        from engines.methods.myml.explain import explained

        choice = choice_of(decision, ready.layers)
        with pinned(context.device):
            return explained(bench_of(ready, context), choice)

    def runnable(
        self, problem: Problem[MymlParams], ready: MymlInstance, decision: Decision, figures: Mapping[str, float]
    ) -> Runnable:
        """The network as it is left."""
        return runnable_network(ready, choice_of(decision, ready.layers))


def _weights_checks(ready: MymlInstance) -> tuple[PlanCheck, ...]:
    given = ready.given
    return () if given is None else (PlanCheck(True, f"The original has the weights {given.slug}: it is not trained"),)

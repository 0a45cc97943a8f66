"""The engine privynas: split networks whose transmitted tensor is protected by noise, searched with their cut and budget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

from engines.contract.designs import Designs
from engines.contract.engine import (
    Bound,
    Context,
    Engine,
    InputKind,
    MetricBreakdown,
    Plan,
    PlanCheck,
    Preset,
    Problem,
    Recorder,
    Runnable,
    Step,
)
from engines.contract.estimates import around
from engines.contract.integer_format import counted
from engines.contract.limits import Allowed
from engines.contract.questions import NETWORK
from engines.contract.results import Breakdown, LayerGraph, Result, Table
from engines.data.documents import IMAGE_DATA
from engines.data.training_data import image_data_of, require_torch, training_seconds
from engines.documents.input_kinds import calibration_slot, slot, soc_slot
from engines.methods.privynas.candidates import cheapest, smallest
from engines.methods.privynas.choice import choice_of
from engines.methods.privynas.instance import PrivynasInstance, instance_of
from engines.methods.privynas.params import PrivynasParams
from engines.methods.privynas.quantities import LIMITS, QUANTITIES
from engines.methods.privynas.runnable import MEASURABLE, runnable_edge
from hardware.radio.family import RADIO
from hardware.radio.summary import radio_words
from hardware.soc.summary import unit_title

_MEMORY_MB = 8000.0  # torch alone takes 4 GB of addresses
_NETWORKS_OF_REWARD = 2  # clean and noisy


class PrivynasEngine(Engine[PrivynasParams, PrivynasInstance]):
    """REINFORCE over operations, cuts and budgets of a supernet that learns on clean and noisy tensors."""

    name = "privynas"
    title = "Private split networks"
    summary = (
        "Searches networks split between a device and a server whose transmitted tensor is protected by Laplace noise."
    )
    source = "odema-2024 appendix A (PrivyNAS)"
    question = NETWORK
    version = 4
    tags = ("architecture search", "split computing", "privacy", "training", "radio")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": soc_slot("The device that computes up to the cut.", "jetson-tx2"),
        "radio": slot(RADIO, "Which radio of the device sends, and what it draws.", preferred="wifi-smartphone"),
        "data": slot(
            IMAGE_DATA, "Images to learn from and to measure by. Empty: the bundled handwritten digits.", title="Data set",
            required=False,
        ),
        "calibration": calibration_slot("the built-in one of the device that covers most of the space"),
    }  # fmt: skip
    Params = PrivynasParams
    quantities = QUANTITIES
    limits = LIMITS
    progress_metrics = ("accuracy_percent", "epsilon")
    result_types = (LayerGraph, Breakdown, Table)
    breakdowns = (
        MetricBreakdown("latency_s", "latency", "by part", "parts"),
        MetricBreakdown("energy_j", "energy", "by part", "parts"),
    )
    measurable = MEASURABLE
    presets = (
        Preset("digits", "Digits between Jetson TX2 and a server", {"hardware": "jetson-tx2", "radio": "wifi-smartphone"}),
        Preset(
            "published-budget", "At the published budget alone", {"hardware": "jetson-tx2", "radio": "wifi-smartphone"},
            {"epsilons": "2.8", "epsilon_weight": 0.0},
        ),
        Preset(
            "conventional", "A search that knows of no noise, to compare with",
            {"hardware": "jetson-tx2", "radio": "wifi-smartphone"}, {"search": "conventional"},
        ),
    )  # fmt: skip

    def prepare(self, problem: Problem[PrivynasParams]) -> PrivynasInstance:
        """Refuse budgets of 0, cuts that the network lacks, images that do not fit, operations that no estimate covers."""
        return instance_of(problem)

    def plan(self, problem: Problem[PrivynasParams], ready: PrivynasInstance) -> Plan:
        """Trainings and time."""
        params, space = problem.params, ready.space
        networks = f"{counted(space.size)} networks, {len(ready.positions)} cuts, {len(ready.epsilons)} budgets"
        epochs = f"{counted(params.warm_up_epochs)} epochs on clean, {counted(params.epochs)} on both, of "
        return Plan(
            evaluations=params.designs,
            memory_mb=_MEMORY_MB,
            time_s=around(_seconds(ready)),
            needs=frozenset({"torch"}),
            determinism="pinned",
            checks=(
                PlanCheck(True, networks),
                PlanCheck(True, f"{epochs}{counted(ready.data.examples['train'])} images of {ready.data.title}"),
                PlanCheck(True, f"{unit_title(ready.pricer.unit)}: {ready.covered.of(ready.pricer.unit).words(params.precision)}"),
                PlanCheck(True, f"{radio_words(ready.radio)}, at {ready.bits_per_s / 1e6:g} Mbit/s"),
            ),
        )  # fmt: skip

    def bounds(self, problem: Problem[PrivynasParams], ready: PrivynasInstance) -> tuple[Bound, ...]:
        """The cheapest operations up to the cheapest cut, the smallest up to the first."""
        found = []
        for place, (column, words, unit) in enumerate(
            (("latency_s", "Edge latency of any design", "s"), ("energy_j", "Edge energy of any design", "J"))
        ):
            least = cheapest(ready, place)
            found.append(Bound(column, words, ready.costs.of(least.operations, least.position)[place], unit))
        least = smallest(ready)
        need = ready.memory_bytes(least.operations, least.position)
        return (*found, Bound("device_memory_bytes", "Memory on the device of any design", need, "B"))

    def limit_values(self, problem: Problem[PrivynasParams], ready: PrivynasInstance) -> Allowed:
        """Return the limits with the memory of the device among them."""
        return ready.allowed

    def estimator(self, problem: Problem[PrivynasParams]) -> tuple[str, Literal["fitted", "predicted", "measured"]]:
        """Accuracy is measured, costs are predicted."""
        return (
            "accuracy measured on held-out images; roofline of the device, radio by power and throughput",
            "predicted",
        )

    def model(self, problem: Problem[PrivynasParams]) -> str:
        """What is searched and on what."""
        return f"space “{problem.params.space}” on {image_data_of(problem).slug}"

    def primary_metric(self, problem: Problem[PrivynasParams]) -> str:
        """Accuracy."""
        return "accuracy_percent"

    def run(self, problem: Problem[PrivynasParams], ready: PrivynasInstance, record: Recorder) -> Iterator[Step]:
        """Training with the search, then the server side of what was found."""
        require_torch()
        from engines.methods.privynas.run import run_search

        yield from run_search(ready, record)

    def evaluate(
        self,
        problem: Problem[PrivynasParams],
        ready: PrivynasInstance,
        decisions: Sequence[Mapping[str, Any]],
        context: Context,
    ) -> Designs:
        """Measures again; trains first where the weights of the run are not at hand."""
        require_torch()
        from engines.methods.privynas.run import evaluated

        return evaluated(ready, decisions, context)

    def explain(
        self, problem: Problem[PrivynasParams], ready: PrivynasInstance, decision: Mapping[str, Any], context: Context
    ) -> tuple[Result, ...]:
        """Both sides of the cut, latency and energy, other budgets."""
        require_torch()
        from engines.methods.privynas.run import explained_design

        return explained_design(ready, choice_of(ready, decision), context)

    def runnable(
        self,
        problem: Problem[PrivynasParams],
        ready: PrivynasInstance,
        decision: Mapping[str, Any],
        figures: Mapping[str, float],
    ) -> Runnable:
        """The device's side of the cut."""
        return runnable_edge(ready, choice_of(ready, decision))


def _seconds(ready: PrivynasInstance) -> float:
    """Return the seconds of all trainings and rewards, by multiplications."""
    params, space, images = ready.params, ready.space, ready.data.examples["train"]
    macs = space.mean_macs
    joint = 2 * params.epochs + params.warm_up_epochs + 2 * params.designs * params.server_epochs
    rewarded = params.epochs * params.updates * params.samples * _NETWORKS_OF_REWARD * 128 / 3  # forward alone
    return training_seconds(joint + rewarded / images, images, macs, params.batch_size)

"""The engine privynas: split networks whose transmitted tensor is protected by noise, searched with their cut and budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from engines.contract.designs import Decision, Designs
from engines.contract.engine import Bound, Context, File, MetricBreakdown, PlanCheck, Preset, Problem, Runnable
from engines.contract.integer_format import counted, many
from engines.contract.limits import Allowed
from engines.contract.questions import NETWORK
from engines.contract.results import Breakdown, LayerGraph, Result, Table
from engines.data.documents import IMAGE_DATA
from engines.data.training_data import image_data_of, training_seconds
from engines.documents.input_kinds import calibration_slot, slot, soc_slot
from engines.learning.course import Course
from engines.learning.trained_problem import TrainedProblem
from engines.methods.privynas.candidates import cheapest, smallest
from engines.methods.privynas.choice import Choice, choice_of, decision_of
from engines.methods.privynas.instance import instance_of
from engines.methods.privynas.outcome import best_words, curves, notes
from engines.methods.privynas.params import PrivynasParams
from engines.methods.privynas.quantities import LIMITS, QUANTITIES
from engines.methods.privynas.runnable import MEASURABLE, runnable_edge
from engines.search.prepared_problem import PreparedEngine
from engines.search.strategies import Columns, Own
from hardware.radio.family import RADIO
from hardware.radio.summary import radio_words
from hardware.soc.summary import unit_title

if TYPE_CHECKING:  # they import torch
    from engines.methods.privynas.learner import SupernetLearner
    from engines.methods.privynas.measuring import Bench

_NETWORKS_OF_REWARD = 2  # clean and noisy


class PreparedSplits(TrainedProblem[PrivynasParams, Choice, "Bench"]):
    """A supernet whose networks are to be split."""

    share = (0.6, 0.39)
    state_name = "privynas-supernet"

    def __init__(self, problem: Problem[PrivynasParams]) -> None:
        """Refuse budgets of 0, cuts that the network lacks, images that do not fit, operations that no estimate covers."""
        self.instance = instance_of(problem)

    def decode(self, decision: Decision) -> Choice:
        """Return the choice that a decision describes."""
        return choice_of(self.instance, decision)

    def encode(self, design: Choice) -> dict[str, Any]:
        """Return operations by name, cut and budget."""
        return decision_of(self.instance, design)

    def strategy(self) -> Own[Choice]:
        """Return the candidates of the trained probabilities, whose server sides are trained."""
        ready = self.instance
        words = f"{many(ready.space.size, 'network')}, {many(len(ready.positions), 'cut')}, {many(len(ready.epsilons), 'budget')}"
        return Own(
            ready.params.designs,
            words,
            "",
            lambda search: search.beginning.context.search(search.record, search.beginning.kept),
        )

    def seconds(self, evaluations: int) -> float:
        """Return the seconds of all trainings and rewards, by multiplications."""
        params, images = self.instance.params, self.instance.data.examples["train"]
        joint = 2 * params.epochs + params.warm_up_epochs + 2 * params.designs * params.server_epochs
        rewarded = params.epochs * params.updates * params.samples * _NETWORKS_OF_REWARD * 128 / 3  # forward alone
        return training_seconds(joint + rewarded / images, images, self.instance.space.mean_macs, params.batch_size)

    def checks(self) -> tuple[PlanCheck, ...]:
        """Return epochs, estimates of the device, and the radio."""
        ready, params = self.instance, self.instance.params
        epochs = f"{many(params.warm_up_epochs, 'epoch')} on clean, {counted(params.epochs)} on both, of "
        lines = (
            f"{epochs}{counted(ready.data.examples['train'])} images of {ready.data.title}",
            f"{unit_title(ready.pricer.unit)}: {ready.covered.of(ready.pricer.unit).words()}",
            f"{radio_words(ready.radio)}, at {ready.bits_per_s / 1e6:g} Mbit/s",
        )
        return tuple(PlanCheck(True, line) for line in lines)

    def bounds(self) -> tuple[Bound, ...]:
        """Return the cheapest operations up to the cheapest cut, the smallest up to the first."""
        ready, found = self.instance, list[Bound]()
        for place, (column, words, unit) in enumerate(
            (("latency_s", "Edge latency of any design", "s"), ("energy_j", "Edge energy of any design", "J"))
        ):
            least = cheapest(ready, place)
            found.append(Bound(column, words, ready.costs.of(least.operations, least.position)[place], unit))
        least = smallest(ready)
        need = ready.memory_bytes(least.operations, least.position)
        return (*found, Bound("device_memory_bytes", "Memory on the device of any design", need, "B"))

    def limit_values(self, allowed: Allowed) -> Allowed:
        """Return the limits with the memory of the device among them."""
        return self.instance.allowed

    def learner(self, context: Context) -> SupernetLearner:
        """Return the supernet with its probabilities."""
        from engines.methods.privynas.learner import SupernetLearner

        return SupernetLearner(self.instance, context)

    def course(self, learner: SupernetLearner) -> Course:
        """Return a training that keeps the probabilities."""
        from engines.methods.privynas.learner import SearchCourse

        return SearchCourse(learner)

    def progress(self, course: Course) -> tuple[float, str, tuple[Result, ...]]:
        """Return the curves of loss, reward and probabilities."""
        return self.share[0] * course.share, course.words, curves(self.instance, course)

    def trained_context(self, learner: SupernetLearner) -> Bench:
        """Return the context that measures networks of the supernet."""
        from engines.methods.privynas.measuring import Bench

        return Bench(self.instance, learner)

    def evaluate(self, designs: Sequence[Choice], context: Bench) -> Columns:
        """Measure, and train server sides that are not at hand."""
        return context.columns(designs)

    def explain(self, design: Choice, context: Bench) -> tuple[Result, ...]:
        """Return both sides of the cut, latency and energy, other budgets."""
        from engines.methods.privynas.explain import explained

        return explained(context, design)

    def report(self, designs: Designs, context: Bench) -> tuple[Result, ...]:
        """Return the notes on the training data and on the scope of epsilon."""
        return notes(self.instance, context.data)

    def ending(self, designs: Designs, context: Bench) -> tuple[str, Sequence[File]]:
        """Return the message with the most accurate design, and the files."""
        return best_words(designs), ()

    def runnable(self, design: Choice, figures: Mapping[str, float]) -> Runnable:
        """Return the layers on the device as the measured piece."""
        return runnable_edge(self.instance, design)


class PrivynasEngine(PreparedEngine[PrivynasParams]):
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
    inputs: ClassVar = {
        "hardware": soc_slot("The device that computes up to the cut.", "jetson-tx2"),
        "radio": slot(RADIO, "The wireless link of the device, with its power.", preferred="wifi-smartphone"),
        "data": slot(
            IMAGE_DATA, "Images for training and evaluation. Empty: the bundled handwritten digits.", title="Data set",
            required=False,
        ),
        "calibration": calibration_slot("the built-in one of the device that covers most of the space"),
    }  # fmt: skip
    Params = PrivynasParams
    prepares = PreparedSplits
    cost_model = (
        "accuracy measured on held-out images; roofline of the device, radio by power and throughput",
        "predicted",
    )
    measured_columns = (
        "accuracy_percent",
        "test_accuracy_percent",
        "clean_test_percent",
        "noisy_test_percent",
        "untrained_noisy_percent",
        "reconstruction_error",
        "membership_area",
    )
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

    def model(self, problem: Problem[PrivynasParams]) -> str:
        """Return a description of the search space and the data set."""
        return f"space “{problem.params.space}” on {image_data_of(problem).slug}"

"""The engine hadas: backbones, early exits and clocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from engines.contract.certainty import Certainty
from engines.contract.designs import Decision
from engines.contract.engine import (
    Bound,
    Context,
    InputKind,
    MetricBreakdown,
    Plan,
    PlanCheck,
    Preset,
    Problem,
    Runnable,
)
from engines.contract.estimates import around
from engines.contract.integer_format import counted
from engines.contract.plan import warnings_of
from engines.contract.questions import NETWORK
from engines.contract.results import Breakdown, LayerGraph, Result, Table
from engines.cost.calibration.words import ROOFLINE
from engines.documents.input_kinds import calibration_slot, slot, soc_slot, workload_slot
from engines.methods.hadas.accuracy import A0_STATIC_PERCENT
from engines.methods.hadas.exit_measurements import MEASURED_EXITS
from engines.methods.hadas.explain import explain_design
from engines.methods.hadas.network_search import NetworkSearch
from engines.methods.hadas.outer_search import OuterSearch
from engines.methods.hadas.params import HadasParams
from engines.methods.hadas.quantities import DECISION_COLUMNS, LIMITS, QUANTITIES
from engines.methods.hadas.runnable import MEASURABLE, runnable_design
from engines.methods.hadas.scoring import ExitDesign, checked, columns_of, decode, encode, measured
from engines.methods.hadas.setup import Setup, build_setup
from engines.running.calibrated_engine import CalibratedEngine, CalibratedProblem
from engines.running.prepared_problems import ready_of
from engines.search.strategies import Columns, Own
from engines.supernets.weights_document import SUPERNET_WEIGHTS
from engines.workloads.assumed_chain import assumed_chains, chain_notes
from hardware.soc.summary import unit_title

# Processor time on one core, measured with 3,654 clock settings.
_START_S, _BACKBONE_S, _PRICED_S_PER_SETTING, _EXACT_S, _CHOICE_S = 0.5, 0.03, 4e-5, 0.03, 6e-5
_SELECTED = 0.15
# As in the search of architectures: a subnet is measured by images, after others gave it its statistics.
_MEASURED_S, _MEASURED_S_PER_IMAGE, _STATISTICS_IMAGES = 0.05, 3e-4, 256
_TORCH_MEMORY_MB = 8000.0
_ASSUMED = (
    "The accuracy of exits is assumed from the share of the network's work before them, not measured. Exit "
    "shares and mean costs are as uncertain as this assumption."
)
_EXITS_OF_BRANCHES = "If the network has branches, an exit may read one of them alone."


class PreparedExits(CalibratedProblem[HadasParams, ExitDesign, Setup]):
    """Backbones, or one network, whose exits and clocks are searched."""

    def __init__(self, problem: Problem[HadasParams]) -> None:
        """Refuse a device without calibration, a unit that cannot run the network, exits that can stand nowhere."""
        self.setup = build_setup(problem)
        self.covered = self.setup.covered.of(self.setup.unit)

    def decode(self, decision: Decision) -> ExitDesign:
        """Return backbone, ends, clocks and rule of a decision."""
        return decode(self.setup, decision)

    def encode(self, design: ExitDesign) -> dict[str, Any]:
        """Return the decision of a design."""
        return encode(self.setup, design)

    def label(self, design: ExitDesign) -> str:
        """Return the name of the baseline of a design, or ""."""
        return design.label

    def strategy(self) -> Own[ExitDesign]:
        """Return the outer search over backbones, or the search of the one network."""
        setup, params = self.setup, self.setup.params
        if setup.network is None:
            words = f"{counted(setup.space.size)} {setup.space.words}"
            return Own(params.evaluations, words, "", lambda search: OuterSearch(search).steps())
        places = setup.given.ends - 1
        words = f"{places} places for exits in {setup.network.short_title}: {counted(2**places)} choices per setting"
        count = len(setup.settings) if params.inner == "exact" else params.inner_evaluations
        return Own(count, words, "", lambda search: NetworkSearch(search).steps())

    def plan(self, evaluations: int) -> Plan:
        """Return unit, clock settings, costs and time."""
        setup, costs, torch = self.setup, self.setup.covered.of(self.setup.unit), self.setup.weights is not None
        lines = (
            f"{unit_title(setup.unit)} runs the network; {counted(len(setup.settings))} clock settings",
            f"Costs: {setup.covered.words()}",
        )
        return Plan(
            evaluations,
            _TORCH_MEMORY_MB if torch else 600.0,
            around(_seconds(setup)),
            frozenset({"torch"} if torch else ()),
            "pinned" if torch else "exact",
            tuple(PlanCheck(True, line) for line in lines),
            notes=(
                *(() if setup.measured is not None else (_ASSUMED,)),
                *(warnings_of(costs.notes(chosen=setup.chosen)) if costs.assumed else ()),
            ),
        )

    def facts(self) -> tuple[Result, ...]:
        """Return a warning where the graph of the one network is unknown."""
        return chain_notes(assumed_chains(*self.setup.networks), _EXITS_OF_BRANCHES)

    def bounds(self) -> tuple[Bound, ...]:
        """Return lower bounds of the costs of all backbones in the space."""
        if self.setup.network is not None:
            return ()
        latency_s, energy_j = self.setup.stem
        return (
            Bound("latency_s", "Latency of the stem", latency_s, "s"),
            Bound("energy_j", "Energy of the stem", energy_j, "J"),
        )

    def context_of(self, context: Context) -> Setup:
        """Return the context that measures subnets of a supernet."""
        return self.setup.measuring(context)

    def completed(self, designs: Sequence[ExitDesign], context: Setup) -> list[ExitDesign]:
        """Measure subnets of a supernet, whatever accuracy a decision states."""
        return [measured(context, design) for design in designs]

    def evaluate(self, designs: Sequence[ExitDesign], context: Setup) -> Columns:
        """Return accuracy, mean costs and scores."""
        return columns_of(context, designs)

    def explain(self, design: ExitDesign, context: Setup) -> tuple[Result, ...]:
        """Return the network with its exits, who leaves where, energy by end, clocks."""
        return explain_design(self.setup, checked(design))

    def runnable(self, design: ExitDesign, figures: Mapping[str, float]) -> Runnable:
        """Return the backbone up to each end, with the exits on the way."""
        return runnable_design(self.setup, checked(design))


class HadasEngine(CalibratedEngine[HadasParams, PreparedExits]):
    """Outer search over backbones, exact or published search of the exits and clocks of each."""

    name = "hadas"
    title = "HADAS"
    summary = "Searches networks that stop early together with their exits and the clocks of a system on a chip."
    source = "odema-2024 section 2.3 (HADAS, DATE 2023)"
    question = NETWORK
    version = 4
    tags = ("architecture search", "early exits", "soc", "dvfs")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": soc_slot("A device with a calibrated unit and a shared memory.", "jetson-tx2"),
        "workload": workload_slot(
            "Network",
            "The network that gets exits; the first one of a scenario. Empty: the search covers the AttentiveNAS space.",
            required=False,
        ),
        "exits": slot(
            MEASURED_EXITS,
            "A network with trained exits and measured correct answers, in place of the network. Empty: assumed.",
            title="Measured exits",
            required=False,
        ),
        "weights": slot(
            SUPERNET_WEIGHTS,
            "A supernet whose subnets are searched and measured, in place of the network. Empty: the AttentiveNAS space.",
            title="Trained supernet",
            required=False,
        ),
        "calibration": calibration_slot("the built-in one of the device that covers most of the network"),
    }
    Params = HadasParams
    prepares = PreparedExits
    precedence = -1  # of those that take the weights of a supernet: the search made for these comes first
    quantities = QUANTITIES
    limits = LIMITS
    progress_metrics = ("accuracy_percent", "latency_s", "energy_j")
    result_types = (LayerGraph, Breakdown, Table)
    breakdowns = (
        MetricBreakdown("energy_j", "energy", "by where inputs leave", "bars"),
        MetricBreakdown("energy_j", "energy", "by part", "parts"),
    )
    decision_columns = DECISION_COLUMNS
    measurable = MEASURABLE
    presets = (
        Preset("space-tx2", "HADAS: AttentiveNAS space on the GPU of Jetson TX2", {"hardware": "jetson-tx2"}),
        Preset(
            "a0-tx2",
            "HADAS: exits and clocks of AttentiveNAS a0",
            {"hardware": "jetson-tx2", "workload": "attentivenas-a0"},
            {"backbone_accuracy_percent": A0_STATIC_PERCENT},
        ),
    )

    def estimator(self, problem: Problem[HadasParams]) -> tuple[str, Certainty]:
        """Return the cost model, and where accuracy is from."""
        setup = ready_of(self, problem).setup
        accuracy = "measured" if "exits" in problem.inputs else "assumed"
        accuracy += ", of subnets measured" if "weights" in problem.inputs else ""
        covered = setup.covered.of(setup.unit)
        return f"{ROOFLINE}, {covered.words()}; accuracy of exits {accuracy}", covered.certainty()

    def certainties(self, problem: Problem[HadasParams]) -> Mapping[str, Certainty]:
        """Return measured for accuracies of measured exits, else assumed."""
        word: Certainty = "measured" if "exits" in problem.inputs else "assumed"
        return dict.fromkeys(
            ("accuracy_percent", "lost_percent", "backbone_accuracy_percent", "exit_accuracy_percent"), word
        )

    def model(self, problem: Problem[HadasParams]) -> str:
        """Return the space or the measured network, where no other is given."""
        for name, words in (("exits", "exits"), ("weights", "subnets")):
            if name in problem.inputs:
                return f"{words} of {problem.inputs[name].slug} v{problem.inputs[name].version}"
        return "" if "workload" in problem.inputs else "AttentiveNAS space on CIFAR-100"


def _seconds(setup: Setup) -> float:
    params, settings = setup.params, len(setup.settings)
    inner = _PRICED_S_PER_SETTING * settings
    inner += _EXACT_S if params.inner == "exact" else params.inner_evaluations * _CHOICE_S
    compared = 2 * params.inner_evaluations * _CHOICE_S * params.compare  # with and without dissimilarity
    if setup.network is not None:
        return _START_S + inner + compared
    generations = max(1.0, params.evaluations / params.population)
    scored = generations * max(2, round(_SELECTED * params.population)) + 7 * params.baselines
    each = _BACKBONE_S
    if setup.weights is not None:
        images = _STATISTICS_IMAGES + min(params.validation_images, setup.weights.data.examples["validation"])
        each += _MEASURED_S + images * _MEASURED_S_PER_IMAGE
    return _START_S + params.evaluations * each + scored * inner + 3 * compared

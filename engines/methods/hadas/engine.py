"""The engine hadas: backbones, early exits and clocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from engines.contract.certainty import Certainty
from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.engine import (
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
from engines.contract.plan import warnings_of
from engines.contract.questions import NETWORK
from engines.contract.results import Breakdown, LayerGraph, Result, Table
from engines.cost.calibration.words import ROOFLINE
from engines.documents.input_kinds import calibration_slot, slot, soc_slot, workload_slot
from engines.methods.hadas.accuracy import A0_STATIC_PERCENT
from engines.methods.hadas.comparison import chain_notes_of
from engines.methods.hadas.exit_measurements import MEASURED_EXITS
from engines.methods.hadas.explain import explain_design
from engines.methods.hadas.params import HadasParams
from engines.methods.hadas.quantities import DECISION_COLUMNS, LIMITS, QUANTITIES
from engines.methods.hadas.runnable import MEASURABLE, runnable_design
from engines.methods.hadas.scoring import evaluated, read_decision
from engines.methods.hadas.setup import Setup, build_setup
from engines.running.prepared_problems import ready_of
from engines.supernets.weights_document import SUPERNET_WEIGHTS
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


class HadasEngine(Engine[HadasParams, Setup]):
    """Outer search over backbones, exact or published search of the exits and clocks of each."""

    name = "hadas"
    title = "HADAS"
    summary = "Searches networks that stop early together with their exits and the clocks of a system on a chip."
    source = "odema-2024 section 2.3 (HADAS, DATE 2023)"
    question = NETWORK
    version = 3
    tags = ("architecture search", "early exits", "soc", "dvfs")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": soc_slot("A device with a calibrated unit and a shared memory.", "jetson-tx2"),
        "workload": workload_slot(
            "Network",
            "The one network that gets exits; of a scenario the first. Empty: the AttentiveNAS space is searched.",
            required=False,
        ),
        "exits": slot(
            MEASURED_EXITS,
            "A network with trained exits, who is right where measured; takes the place of the network. Empty: assumed.",
            title="Measured exits",
            required=False,
        ),
        "weights": slot(
            SUPERNET_WEIGHTS,
            "Its subnets are searched and measured; takes the place of the network. Empty: the AttentiveNAS space.",
            title="Trained supernet",
            required=False,
        ),
        "calibration": calibration_slot("the built-in one of the device that covers most of the network"),
    }
    Params = HadasParams
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

    def prepare(self, problem: Problem[HadasParams]) -> Setup:
        """Refuse a device without calibration, a unit that cannot run the network, exits that can stand nowhere."""
        return build_setup(problem)

    def plan(self, problem: Problem[HadasParams], setup: Setup) -> Plan:
        """Return the backbones or choices, and time."""
        params, settings = problem.params, len(setup.settings)
        checks = (
            PlanCheck(True, _searched_words(setup)),
            PlanCheck(True, f"{unit_title(setup.unit)} runs the network; {counted(settings)} clock settings"),
            PlanCheck(True, f"Costs: {setup.covered.words()}"),
        )
        single, costs = setup.network is not None, setup.covered.of(setup.unit)
        published = params.inner != "exact"
        return Plan(
            evaluations=params.evaluations if not single else (params.inner_evaluations if published else settings),
            memory_mb=600.0 if setup.weights is None else _TORCH_MEMORY_MB,
            time_s=around(_seconds(setup)),
            needs=frozenset() if setup.weights is None else frozenset({"torch"}),
            determinism="exact" if setup.weights is None else "pinned",
            checks=checks,
            notes=(
                *(() if setup.measured is not None else (_ASSUMED,)),
                *warnings_of(chain_notes_of(setup)),
                *(warnings_of(costs.notes(chosen=setup.chosen)) if costs.assumed else ()),
            ),
        )

    def estimator(self, problem: Problem[HadasParams]) -> tuple[str, Certainty]:
        """Cost model, and where accuracy is from."""
        accuracy = "measured" if "exits" in problem.inputs else "assumed"
        if "weights" in problem.inputs:
            accuracy += ", of subnets measured"
        covered = ready_of(self, problem).covered
        return f"{ROOFLINE}, {covered.words()}; accuracy of exits {accuracy}", covered.certainty()

    def certainties(self, problem: Problem[HadasParams]) -> Mapping[str, Certainty]:
        """Return the certainty: accuracies are measured with measured exits, else assumed."""
        word: Certainty = "measured" if "exits" in problem.inputs else "assumed"
        return dict.fromkeys(
            ("accuracy_percent", "lost_percent", "backbone_accuracy_percent", "exit_accuracy_percent"), word
        )

    def model(self, problem: Problem[HadasParams]) -> str:
        """Return the space or the measured network, where no other is given."""
        if "exits" in problem.inputs:
            return f"exits of {problem.inputs['exits'].slug} v{problem.inputs['exits'].version}"
        if "weights" in problem.inputs:
            return f"subnets of {problem.inputs['weights'].slug} v{problem.inputs['weights'].version}"
        return "" if "workload" in problem.inputs else "AttentiveNAS space on CIFAR-100"

    def primary_metric(self, problem: Problem[HadasParams]) -> str:
        """Return energy, the metric that exits improve."""
        return "energy_j"

    def run(self, problem: Problem[HadasParams], setup: Setup, record: Recorder) -> Iterator[Step]:
        """Yield one network's exits and clocks, or generation after generation of backbones."""
        if problem.params.leaving == "rules":
            from engines.methods.hadas.run_exit_rules import RuledRun

            yield from RuledRun(setup, record).steps()
        elif setup.network is not None:
            from engines.methods.hadas.run_single import SingleRun

            yield from SingleRun(setup, record).steps()
        else:
            from engines.methods.hadas.run_space import SpaceRun

            yield from SpaceRun(setup.measuring(record.context), record).steps()

    def evaluate(self, problem: Problem[HadasParams], setup: Setup, decisions: Decisions, context: Context) -> Designs:
        """Return the same numbers again, with origin "user"."""
        able = setup.measuring(context)
        return Designs.concatenate([evaluated(able, decision) for decision in decisions])

    def explain(
        self, problem: Problem[HadasParams], setup: Setup, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Return the network with its exits, who leaves where, energy by end, clocks."""
        return explain_design(setup, read_decision(setup, decision))

    def runnable(
        self, problem: Problem[HadasParams], setup: Setup, decision: Decision, figures: Mapping[str, float]
    ) -> Runnable:
        """Return the backbone up to each end, with the exits on the way."""
        return runnable_design(setup, read_decision(setup, decision))


def _searched_words(setup: Setup) -> str:
    if setup.network is None:
        return f"{counted(setup.space.size)} {setup.space.words}"
    candidates = setup.given.ends - 1
    return f"{candidates} places for exits in {setup.network.short_title}: {counted(2**candidates)} choices per setting"


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

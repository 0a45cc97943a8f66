"""The engine energyshield: a vehicle that sends its camera frames to a server as long as it surely stays safe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from engines.contract.counts import counted
from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.engine import (
    Composed,
    Context,
    Engine,
    InputKind,
    Plan,
    PlanCheck,
    Problem,
    ReadyMade,
    Recorder,
    Step,
)
from engines.contract.estimates import around
from engines.contract.questions import CONTROL
from engines.contract.results import Breakdown, GroundTrack, Matrix, Note, Result, Table, Trace
from engines.documents.input_kinds import calibration_slot, slot, soc_slot, trace_slots, workload_slot
from engines.methods.energyshield.explain import explain_design
from engines.methods.energyshield.instance import Instance, instance_of
from engines.methods.energyshield.outcome import model_notes, run_results, unmet_limits
from engines.methods.energyshield.params import EnergyShieldParams
from engines.methods.energyshield.quantities import CHOICE, LIMITS, QUANTITIES
from engines.methods.energyshield.scoring import decoded, driven
from engines.methods.energyshield.search import Search
from hardware.radio.family import RADIO
from hardware.radio.summary import radio_words

# Processor time on one core.
_START_S, _EPISODE_WINDOW_S = 1.0, 8e-6


class EnergyShieldEngine(Engine[EnergyShieldParams, Instance]):
    """Shield, monitor and offloading of a vehicle, simulated."""

    name = "energyshield"
    title = "Safe offloading of a vehicle"
    summary = "Sends camera frames of a vehicle to a server as long as a barrier proves it safe: energy, clearance and tracking."
    source = "odema-2024 chapter 6 (EnergyShield)"
    question = CONTROL
    version = 3
    tags = ("offloading", "safety", "vehicle", "radio")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "radio": slot(RADIO, "Which radio of the vehicle sends, and what it draws.", preferred="wifi-smartphone"),
        "other_radio": slot(RADIO, "A second one to choose from.", title="Another radio", required=False),
        "hardware": InputKind(**{**vars(soc_slot("Runs the detector, at several clocks.", "")), "required": False}),
        "workload": workload_slot("Detector", "A network on that device; of a scenario the first.", required=False),
        "calibration": calibration_slot("the built-in one of the device that covers most of the network"),
        **trace_slots(),
    }
    Params = EnergyShieldParams
    quantities = QUANTITIES
    objectives = CHOICE
    limits = LIMITS
    tells = ("energy_j", "clearance_m", "tracking_m")
    explains = (GroundTrack, Trace, Matrix, Breakdown, Table, Note)
    composed = (Composed("energy_j", "energy", "by part", "parts"),)
    ready_made = (
        ReadyMade(
            "published-shield", "The published shield over Wi-Fi, three margins and all policies", {"radio": "wifi-smartphone"}
        ),
        ReadyMade(
            "wide-search", "Shields, policies, caps and two radios: a search",
            {"radio": "wifi-smartphone", "other_radio": "lte-smartphone"},
            {
                "sigmas": "0.28 0.34 0.4", "radii_m": "4 4.5 5", "margins_m": "0.1 0.5 1", "most_windows": "2 3 4 5 10",
                "loads": "0.5 0.97", "spread_m": 1.0, "noise_m": 0.2, "evaluations": 300, "episodes": 30,
            },
        ),
    )  # fmt: skip

    def prepare(self, problem: Problem[EnergyShieldParams]) -> Instance:
        """Refuse shields that no steering keeps, obstacles too near to each other, detectors that are not done in a window."""
        return instance_of(problem)

    def plan(self, problem: Problem[EnergyShieldParams], ready: Instance) -> Plan:
        """Designs, windows, time."""
        params, world = problem.params, ready.world
        designs = min(ready.count, params.evaluations)
        how = (
            "all tried"
            if ready.count <= params.evaluations
            else f"searched with {counted(params.evaluations)} evaluations"
        )
        longest = min(world.windows, round(1.2 * world.road_m / (world.speed_m_per_s * world.window_s)))
        work = designs * params.episodes * longest
        return Plan(
            evaluations=designs,
            memory_mb=150.0 + 8e-6 * 8 * params.episodes * world.windows * (len(ready.radios) + len(ready.loads)),
            time_s=around(_START_S + _EPISODE_WINDOW_S * work),
            checks=(
                PlanCheck(
                    True, f"{counted(ready.count)} combinations of shield, policy, radio, load and clocks, {how}"
                ),
                PlanCheck(True, f"{counted(params.episodes)} episodes of at most {world.windows} windows each"),
                *(PlanCheck(True, radio_words(radio)) for radio in ready.radios),
                PlanCheck(True, "Some steering keeps every barrier at every orientation"),
            ),
            notes=tuple(note.text for note in model_notes(ready) if note.level == "warning"),
        )

    def run(self, problem: Problem[EnergyShieldParams], ready: Instance, record: Recorder) -> Iterator[Step]:
        """All combinations or NSGA-II, in the same episodes."""
        search = Search(ready, record)
        yield from search.steps()
        if record.context.stop_requested() and not search.done:
            return
        if not record.designs.counted(QUANTITIES).any():
            yield record.infeasible(unmet_limits(ready, record.designs))
            return
        results = run_results(ready, record.designs, record.context)
        yield record.step(1.0, f"{counted(record.evaluations)} designs driven", results)

    def evaluate(
        self, problem: Problem[EnergyShieldParams], ready: Instance, decisions: Decisions, context: Context
    ) -> Designs:
        """The same episodes again, with origin "user"."""
        designs = [decoded(ready, decision) for decision in decisions]
        found = driven(ready, ready.conditions(context), designs, context)
        return Designs(found.columns, [dict(decision) for decision in decisions])

    def explain(
        self, problem: Problem[EnergyShieldParams], ready: Instance, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """The drive, the printed rule beside it, nu by distance and orientation, and energy."""
        return explain_design(ready, decoded(ready, decision), context)

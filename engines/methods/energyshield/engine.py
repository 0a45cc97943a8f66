"""The engine energyshield: a vehicle that sends its camera frames to a server as long as it surely stays safe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from engines.contract.designs import Decision, Designs
from engines.contract.engine import Context, Infeasibility, InputKind, MetricBreakdown, Plan, PlanCheck, Preset, Problem
from engines.contract.estimates import around
from engines.contract.integer_format import counted, many
from engines.contract.limits import Allowed, beyond, nearest
from engines.contract.quantities import by_name
from engines.contract.questions import CONTROL
from engines.contract.results import Breakdown, GroundTrack, Matrix, Note, Result, Table, Trace
from engines.documents.input_kinds import calibration_slot, slot, soc_slot, trace_slots, workload_slot
from engines.methods.energyshield.conditions import Conditions
from engines.methods.energyshield.episodes import Drive
from engines.methods.energyshield.explain import explain_design
from engines.methods.energyshield.instance import instance_of
from engines.methods.energyshield.outcome import model_notes, rules_table, safety_time_matrix, with_every_rule
from engines.methods.energyshield.params import EnergyShieldParams
from engines.methods.energyshield.quantities import CHOICE, LIMITS, QUANTITIES
from engines.methods.energyshield.scoring import columns_of, driven
from engines.search.prepared_problem import PreparedEngine, PreparedProblem
from engines.search.strategies import Columns, Exhaustive, Genetic, Strategy
from hardware.radio.family import RADIO
from hardware.radio.summary import radio_words

# Processor time on one core.
_START_S, _EPISODE_WINDOW_S = 1.0, 8e-6
_BATCH_EPISODES = 2000  # between two steps


@dataclass(frozen=True, eq=False)
class ShieldContext:
    """The context of a run and the conditions of its episodes, which all designs meet."""

    context: Context
    conditions: Conditions


class PreparedShield(PreparedProblem[EnergyShieldParams, tuple[int, ...], ShieldContext]):
    """A world with shields to choose from; a design is a row of places in the lists of its space."""

    def __init__(self, problem: Problem[EnergyShieldParams]) -> None:
        """Refuse shields that no steering keeps, obstacles too near to each other, detectors that are not done in a window."""
        self.instance = instance_of(problem)

    def decode(self, decision: Decision) -> tuple[int, ...]:
        """Return the places of the values in their lists."""
        return self.instance.space.decode(decision)

    def encode(self, design: tuple[int, ...]) -> Decision:
        """Return the values of the lists."""
        return self.instance.space.encode(design)

    def context_of(self, context: Context) -> ShieldContext:
        """Draw what the episodes meet."""
        return ShieldContext(context, self.instance.conditions(context))

    def baselines(self) -> Mapping[str, tuple[int, ...]]:
        """Return every frame on the device, with the first value of everything else; where policies have it."""
        lists = self.instance.space.values
        if "local" not in lists["policy"]:
            return {}
        return {
            "Every frame on the device": tuple(
                list(values).index("local") if name == "policy" else 0 for name, values in lists.items()
            )
        }

    def strategy(self) -> Strategy[tuple[int, ...]]:
        """Return all combinations or NSGA-II, in the same episodes."""
        params, space = self.instance.params, self.instance.space
        every = Exhaustive(space, max(1, _BATCH_EPISODES // params.episodes))
        if every.evaluations <= params.evaluations:
            return every
        return Genetic(space, params.evaluations, params.population)

    def plan(self, evaluations: int) -> Plan:
        """Return the plan: simulated windows and run time."""
        params, world, ready = self.instance.params, self.instance.world, self.instance
        longest = min(world.windows, round(1.2 * world.road_m / (world.speed_m_per_s * world.window_s)))
        return Plan(
            evaluations=evaluations,
            memory_mb=150.0 + 8e-6 * 8 * params.episodes * world.windows * (len(ready.radios) + len(ready.loads)),
            time_s=around(_START_S + _EPISODE_WINDOW_S * evaluations * params.episodes * longest),
            checks=(
                PlanCheck(True, f"{many(params.episodes, 'episode')} of at most {world.windows} windows each"),
                *(PlanCheck(True, radio_words(radio)) for radio in ready.radios),
                PlanCheck(True, "Some steering keeps every barrier at every orientation"),
            ),
        )

    def facts(self) -> tuple[Result, ...]:
        """Return the notes on the simulation."""
        return model_notes(self.instance)

    def evaluate(self, designs: Sequence[tuple[int, ...]], context: ShieldContext) -> Columns:
        """Drive the episodes."""
        choices = [self.instance.choice_of(places) for places in designs]
        return driven(self.instance, context.conditions, choices, context.context)

    def explain(self, design: tuple[int, ...], context: ShieldContext) -> tuple[Result, ...]:
        """Return the drive, the printed rule next to it, nu by distance and orientation, and energy."""
        return explain_design(self.instance, self.instance.choice_of(design), context.context)

    def report(self, designs: Designs, context: ShieldContext) -> tuple[Result, ...]:
        """Return the three rules side by side and nu, of the design of least energy."""
        instance, quantities = self.instance, CHOICE.roles(QUANTITIES, self.instance.params)
        best = designs.best(by_name(quantities)["energy_j"], quantities)
        assert best is not None  # a design meets all limits
        every = with_every_rule(instance.choice_of(self.decode(designs.decisions[best])))
        columns = columns_of(Drive(instance.world, context.conditions, every).run(), len(every), instance.world)
        return rules_table(every, columns, instance.params.episodes), safety_time_matrix(instance, every[0])

    def scoped(self, proof: Note, designs: Designs) -> Note:
        """Return the proof with how sure it is that no design crosses the barrier."""
        params, crossed = self.instance.params, int(designs.columns["violations"].sum())
        text = f"{proof.text} Each drove the same {counted(params.episodes)} episodes; in {counted(crossed)} of "
        text += f"{counted(params.episodes * len(designs))} the barrier was crossed, by a bound that also holds between the ends "
        text += "of windows."
        if params.rule != "predicted":
            return replace(proof, text=text)
        unproven = int((designs.columns["unproven_fraction"] > 0).sum())
        if not unproven:
            return replace(proof, text=f"{text} At the start of every window a turn that keeps the barrier was open.")
        text += f" {counted(unproven)} of {counted(len(designs))} designs had windows without a turn that keeps the barrier: "
        text += "safety rests on these episodes alone. A larger rho, or obstacles further apart, may help."
        return replace(proof, text=text)

    def unmet(self, allowed: Allowed, designs: Designs) -> Infeasibility:
        """Return the barrier that every design crosses, or the limit that none meets."""
        safe = designs.columns["least_barrier"] >= 0
        if safe.any():
            return nearest(allowed, designs.take(np.flatnonzero(safe)))
        best = float(designs.columns["least_barrier"].max())
        remedies = [
            ("Take the rule with the state predicted one window ahead.", "params.rule"),
            ("Take a larger margin rho.", "params.margins_m"),
        ]
        return beyond("least value of the barrier in all episodes", 0.0, best, "1/m", remedies)


class EnergyShieldEngine(PreparedEngine[EnergyShieldParams]):
    """Shield, monitor and offloading of a vehicle, simulated."""

    name = "energyshield"
    title = "Safe offloading of a vehicle"
    summary = (
        "Sends camera frames of a vehicle to a server while a barrier proves it safe. Trades energy, clearance "
        "and tracking."
    )
    source = "odema-2024 chapter 6 (EnergyShield)"
    question = CONTROL
    version = 4
    tags = ("offloading", "safety", "vehicle", "radio")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "radio": slot(RADIO, "The wireless link of the vehicle, with its power.", preferred="wifi-smartphone"),
        "other_radio": slot(
            RADIO, "A second wireless link that the search may choose.", title="Another radio", required=False
        ),
        "hardware": InputKind(
            **{
                **vars(soc_slot("The device that runs the detector, at several clock frequencies.", "")),
                "required": False,
            }
        ),
        "workload": workload_slot(
            "Detector", "The network of the detector; the first one of a scenario.", required=False
        ),
        "calibration": calibration_slot("the built-in one of the device that covers most of the network"),
        **trace_slots(),
    }
    Params = EnergyShieldParams
    prepares = PreparedShield
    quantities = QUANTITIES
    objectives = CHOICE
    limits = LIMITS
    progress_metrics = ("energy_j", "clearance_m", "tracking_m")
    result_types = (GroundTrack, Trace, Matrix, Breakdown, Table, Note)
    breakdowns = (MetricBreakdown("energy_j", "energy", "by part", "parts"),)
    presets = (
        Preset(
            "published-shield", "The published shield over Wi-Fi, three margins and all policies", {"radio": "wifi-smartphone"}
        ),
        Preset(
            "wide-search", "Shields, policies, caps and two radios: a search",
            {"radio": "wifi-smartphone", "other_radio": "lte-smartphone"},
            {
                "sigmas": "0.28 0.34 0.4", "radii_m": "4 4.5 5", "margins_m": "0.1 0.5 1", "most_windows": "2 3 4 5 10",
                "loads": "0.5 0.97", "spread_m": 1.0, "noise_m": 0.2, "evaluations": 300, "episodes": 30,
            },
        ),
    )  # fmt: skip

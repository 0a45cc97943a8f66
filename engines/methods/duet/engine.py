"""The engine duet: which parts of a recommender a device computes once per query, and which the datacentre for every candidate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from engines.contract.certainty import Certainty
from engines.contract.designs import Decision, Designs
from engines.contract.engine import (
    Bound,
    Context,
    InputKind,
    MetricBreakdown,
    Plan,
    PlanCheck,
    Preset,
    Problem,
)
from engines.contract.estimates import around
from engines.contract.integer_format import counted, many
from engines.contract.questions import SPLIT
from engines.contract.results import Breakdown, LayerGraph, Note, Result, Schedule, Table, Trace
from engines.documents.input_kinds import slot, soc_slot
from engines.methods.duet import outcome
from engines.methods.duet.explain import explain_design
from engines.methods.duet.instance import instance_of
from engines.methods.duet.params import DuetParams
from engines.methods.duet.quantities import LIMITS, OBJECTIVES, QUANTITIES
from engines.methods.duet.scoring import Row, Scorer
from engines.methods.duet.search import every_design
from engines.search.prepared_problem import PreparedEngine, PreparedProblem
from engines.search.strategies import Columns, Own
from hardware.battery.family import BATTERY
from hardware.radio.family import RADIO
from hardware.radio.summary import radio_words

# Processor time on one core.
_START_S, _DESIGN_S = 0.7, 1e-5
_PHONE = {"hardware": "snapdragon-855", "radio": "5g-low-band-smartphone", "battery": "phone-battery-3400mah"}


class PreparedRecommender(PreparedProblem[DuetParams, Row, Context]):
    """A recommender that is split between a device and the datacentre."""

    share = (0.1, 0.9)

    def __init__(self, problem: Problem[DuetParams]) -> None:
        """Refuse widths, histories, devices and links that do not fit."""
        self.instance = instance_of(problem)
        self.scorer = Scorer(self.instance)

    def decode(self, decision: Decision) -> Row:
        """Return the genes of a decision."""
        return self.scorer.row_of(decision)

    def encode(self, design: Row) -> Mapping[str, object]:
        """Return the choices of a design by gene."""
        return self.scorer.decision(design)

    def strategy(self) -> Own[Row]:
        """Return the search that compares all designs."""
        count = len(self.instance.space.every)
        words = f"{many(count, 'design')}, all of them compared"
        return Own(count, words, "", lambda search: every_design(self.scorer, search))

    def plan(self, evaluations: int) -> Plan:
        """Return the plan: recommender, wireless link and run time."""
        model, link = self.instance.model, self.instance.link
        lookups = f"{counted(model.user_lookups)} lookups by the history, {counted(model.item_lookups)} by a candidate"
        lines = (
            f"{model.title}: {lookups}",
            f"The whole history takes {model.scratchpad_bytes / 1024:.4g} KiB in fp32",
            f"{radio_words(link.radio)}, at {link.bits_per_s / 1e6:g} Mbit/s",
        )
        checks = tuple(PlanCheck(True, line) for line in lines)
        return Plan(evaluations, 300.0, around(_START_S + _DESIGN_S * evaluations), checks=checks)

    def facts(self) -> tuple[Result, ...]:
        """Return the notes on costs and assumptions that a reader of the results needs."""
        return outcome.model_notes(self.instance)

    def baselines(self) -> dict[str, Row]:
        """Return the published split as baseline."""
        return outcome.published_rows(self.scorer)

    def bounds(self) -> tuple[Bound, ...]:
        """Return the delay of the link, which no query is without."""
        delay_s = self.instance.link.delay_s
        return (Bound("latency_s", "Delay of the link", delay_s, "s"),) if delay_s else ()

    def evaluate(self, designs: Sequence[Row], context: Context) -> Columns:
        """Return the columns of the designs, shape `n` each."""
        return self.scorer.columns(np.array(designs))

    def explain(self, design: Row, context: Context) -> tuple[Result, ...]:
        """Return device, link and datacentre over time, energy, the graph with both sides, the battery's day."""
        return explain_design(self.scorer, list(design))

    def report(self, designs: Designs, context: Context) -> tuple[Result, ...]:
        """Return the published split of all models, sensitivity to batch and link, battery and transfer."""
        ready = self.instance
        return (
            *outcome.all_models(ready), outcome.shares_table(ready), outcome.batch_curve(ready), outcome.link_curve(ready),
            outcome.battery_of_published(ready), outcome.hand_over(ready),
        )  # fmt: skip


class DuetEngine(PreparedEngine[DuetParams]):
    """The engine that evaluates every split of a recommender between device and server."""

    name = "duet"
    title = "Recommender split between device and datacentre"
    summary = (
        "Splits a recommender: the user's part once per query on the device, the candidates' part in the datacentre."
    )
    source = "goyal-2023 chapter 5 (Duet); exact search of our own"
    question = SPLIT
    version = 4
    tags = ("recommendation", "split computing", "soc", "radio")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": soc_slot("The user's device: its CPU cores and memory.", _PHONE["hardware"]),
        "radio": slot(RADIO, "The wireless link of the device, with its power.", preferred=_PHONE["radio"]),
        "battery": slot(BATTERY, "Battery of the device.", preferred=_PHONE["battery"]),
    }
    Params = DuetParams
    prepares = PreparedRecommender
    quantities = QUANTITIES
    objectives = OBJECTIVES
    limits = LIMITS
    progress_metrics = ("latency_s", "edge_energy_j", "datacentre_energy_j")
    result_types = (Schedule, Breakdown, Table, LayerGraph, Trace, Note)
    breakdowns = (
        MetricBreakdown("latency_s", "schedule", "by where it is spent", "lanes"),
        MetricBreakdown("energy_j", "energy", "by where it is spent", "bars"),
        MetricBreakdown("energy_j", "energy", "by step", "parts"),
        MetricBreakdown("datacentre_energy_j", "energy", "by step", "parts", bar="Datacentre"),
    )
    presets = (
        Preset(
            "rm1-phone",
            "RM1 on a phone over 5G",
            _PHONE,
        ),
        Preset("rm2-phone", "RM2 on a phone over 5G: the largest history", _PHONE, {"model": "rm2"}),
        Preset("rm3-phone", "RM3 on a phone over 5G: the static bottom MLP is remembered", _PHONE, {"model": "rm3"}),
        Preset("rm4-lte", "RM4 over LTE: the heavy top MLP", {**_PHONE, "radio": "lte-smartphone"}, {"model": "rm4"}),
        Preset("rm5-phone", "RM5 on a phone over 5G: tables shared by user and item", _PHONE, {"model": "rm5"}),
    )

    def estimator(self, problem: Problem[DuetParams]) -> tuple[str, Certainty]:
        """Return a roofline whose lookups are fitted in two figures."""
        energy = ", energy of the device scaled" if problem.params.edge_energy == "published" else ""
        return f"roofline with lookups fitted to goyal-2023 Figure 5.11{energy}", "predicted"

    def model(self, problem: Problem[DuetParams]) -> str:
        """Return the name of the recommender."""
        return problem.params.model.upper() if problem.params.model != "own" else "a recommender of one's own"

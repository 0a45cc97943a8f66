"""The engine duet: which parts of a recommender a device computes once per query, and which the datacentre for every candidate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray
from engines.contract.certainty import Certainty
from engines.contract.designs import Decision, Decisions, Designs
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
    Step,
)
from engines.contract.estimates import around
from engines.contract.fronts.non_dominated import non_dominated, rounded
from engines.contract.integer_format import counted
from engines.contract.plan import warnings_of
from engines.contract.quantities import by_name
from engines.contract.questions import SPLIT
from engines.contract.results import Breakdown, LayerGraph, Note, Result, Schedule, Table, Trace
from engines.documents.input_kinds import slot, soc_slot
from engines.methods.duet.explain import explain_design
from engines.methods.duet.instance import DuetInstance, instance_of
from engines.methods.duet.outcome import model_notes, proof_note, published_rows, run_results
from engines.methods.duet.params import DuetParams
from engines.methods.duet.quantities import LIMITS, OBJECTIVES, QUANTITIES, chosen_objectives
from engines.methods.duet.scoring import Scorer
from hardware.battery.family import BATTERY
from hardware.radio.family import RADIO
from hardware.radio.summary import radio_words

# Processor time on one core.
_START_S, _DESIGN_S = 0.7, 1e-5
_PHONE = {"hardware": "snapdragon-855", "radio": "5g-low-band-smartphone", "battery": "phone-battery-3400mah"}


class DuetEngine(Engine[DuetParams, DuetInstance]):
    """Every split, priced."""

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
        "radio": slot(RADIO, "Which radio of the device sends, and what it draws.", preferred=_PHONE["radio"]),
        "battery": slot(BATTERY, "Battery of the device.", preferred=_PHONE["battery"]),
    }
    Params = DuetParams
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
            question="Which parts of a recommender run on the phone, and which in the datacentre?",
        ),
        Preset("rm2-phone", "RM2 on a phone over 5G: the largest history", _PHONE, {"model": "rm2"}),
        Preset("rm3-phone", "RM3 on a phone over 5G: the static bottom MLP is remembered", _PHONE, {"model": "rm3"}),
        Preset("rm4-lte", "RM4 over LTE: the heavy top MLP", {**_PHONE, "radio": "lte-smartphone"}, {"model": "rm4"}),
        Preset("rm5-phone", "RM5 on a phone over 5G: tables shared by user and item", _PHONE, {"model": "rm5"}),
    )

    def prepare(self, problem: Problem[DuetParams]) -> DuetInstance:
        """Refuse widths, histories, devices and links that do not fit."""
        return instance_of(problem)

    def plan(self, problem: Problem[DuetParams], ready: DuetInstance) -> Plan:
        """Return the designs and time."""
        model, count = ready.model, len(ready.space.every)
        lookups = f"{counted(model.user_lookups)} lookups by the history, {counted(model.item_lookups)} by a candidate"
        return Plan(
            evaluations=count,
            memory_mb=300.0,
            time_s=around(_START_S + _DESIGN_S * count),
            checks=(
                PlanCheck(True, f"{model.title}: {lookups}"),
                PlanCheck(True, f"{counted(count)} designs, all of them compared"),
                PlanCheck(True, f"The whole history takes {model.scratchpad_bytes / 1024:.4g} KiB in fp32"),
                PlanCheck(True, f"{radio_words(ready.link.radio)}, at {ready.link.bits_per_s / 1e6:g} Mbit/s"),
            ),
            notes=warnings_of(model_notes(ready)),
        )

    def bounds(self, problem: Problem[DuetParams], ready: DuetInstance) -> tuple[Bound, ...]:
        """Return the delay of the link, which no query is without."""
        return (Bound("latency_s", "Delay of the link", ready.link.delay_s, "s"),) if ready.link.delay_s else ()

    def estimator(self, problem: Problem[DuetParams]) -> tuple[str, Certainty]:
        """Return the fitted in two figures."""
        energy = ", energy of the device scaled" if problem.params.edge_energy == "published" else ""
        return f"roofline with lookups fitted to goyal-2023 Figure 5.11{energy}", "predicted"

    def model(self, problem: Problem[DuetParams]) -> str:
        """Return which recommender."""
        return problem.params.model.upper() if problem.params.model != "own" else "a recommender of one's own"

    def primary_metric(self, problem: Problem[DuetParams]) -> str:
        """Return the first objective."""
        return chosen_objectives(problem.params)[0]

    def run(self, problem: Problem[DuetParams], ready: DuetInstance, record: Recorder) -> Iterator[Step]:
        """Yield the published design, then every one. It takes a second, so that nothing is kept to go on from."""
        scorer = Scorer(ready)
        rows, labels = published_rows(scorer)
        record.add(scorer.designs(rows, labels), "baseline", np.zeros(len(rows), np.int64))
        yield record.step(0.1, "The publication's own split", model_notes(ready))
        if record.context.stop_requested():
            return
        genes = ready.space.every
        columns = scorer.columns(genes)
        slack = record.slack(columns)
        at = record.scored(len(genes))
        front = front_of(columns, slack >= 0, problem.params)
        told = front | record.sampled(0, len(genes), len(genes))
        record.add(scorer.designs(genes[told]), "search", at[told])
        if not front.any():
            unmet = record.unmet(scorer.designs(genes[np.argsort(-slack, kind="stable")[:1000]]))
            assert unmet is not None  # as no design is within the limits
            yield record.infeasible(unmet)
            return
        words = f"{counted(len(genes))} designs evaluated, {counted(int(front.sum()))} on the front"
        yield record.step(1.0, words, (proof_note(len(genes), int(front.sum())), *run_results(ready)))

    def evaluate(
        self, problem: Problem[DuetParams], ready: DuetInstance, decisions: Decisions, context: Context
    ) -> Designs:
        """Return the same numbers again, with origin "user"."""
        scorer = Scorer(ready)
        return Designs(scorer.columns(scorer.genes_of(decisions)), [dict(decision) for decision in decisions])

    def explain(
        self, problem: Problem[DuetParams], ready: DuetInstance, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Return device, link and datacentre over time, energy, the graph with both sides, the battery's day."""
        return explain_design(ready, decision)


def front_of(columns: Mapping[str, FloatArray], allowed: BoolArray, params: DuetParams) -> BoolArray:
    """Return which of all designs keep the limits and are dominated by no other that does; of equal ones the first. Shape `n`."""
    names = chosen_objectives(params)
    matrix = np.column_stack([columns[name] for name in names])
    known = by_name(QUANTITIES)
    found: BoolArray = np.zeros(len(matrix), dtype=bool)
    rows = np.flatnonzero(allowed)
    if len(rows):
        best = rows[non_dominated(matrix[rows], [known[name].sense for name in names])]
        found[best[np.unique(rounded(matrix[best]), axis=0, return_index=True)[1]]] = True
    return found

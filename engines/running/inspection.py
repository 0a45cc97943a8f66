"""Inspection of designs in this process: their metrics computed again, their results, and the meaning of their metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from engines.contract.certainty import Certainty, NumberCertainty, SurerDesigns
from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.engine import Context, Engine, Plan, Problem
from engines.contract.errors import DecisionError
from engines.contract.limits import Allowed, allowed_by, limit_checks
from engines.contract.plan import warnings_of
from engines.contract.quantities import Quantity
from engines.contract.results import Result
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.prepared_problems import ready_of
from engines.running.slack import evaluate_decisions
from hardware.soc.summary import unit_title


@dataclass(frozen=True)
class Estimator:
    """The source of a problem's metrics.

    Attributes:
        words: the cost model.
        certainty: the word of the ladder for what it estimates.
        model: the networks that are computed, where no workload says it; "" where one does.
        certainties: column -> its word, of columns that another part than the cost model gives.
        chosen: slot that the problem leaves empty -> slug of the built-in document that its engine takes.
        surer: designs that are more certain, as they do without some compute units.
        error_factors: column -> error band, a factor up or down that holds 90 % of held-out measurements; those that are known.
        baseline_hardware: label of a baseline -> its hardware in words, where that is not the hardware of the problem.
    """

    words: str
    certainty: Certainty
    model: str
    error_factors: Mapping[str, float]
    certainties: Mapping[str, Certainty] = field(default_factory=dict)
    chosen: Mapping[str, str] = field(default_factory=dict)
    surer: SurerDesigns = field(default_factory=SurerDesigns)
    baseline_hardware: Mapping[str, str] = field(default_factory=dict)

    @property
    def number(self) -> NumberCertainty:
        """The certainty of what the cost model estimates, with the band that holds for each of its columns."""
        factor = max(self.error_factors.values(), default=None)
        return NumberCertainty(self.certainty, f"{self.words}{self._rest}", factor)

    def of(self, quantity: Quantity, decision: Decision | None = None) -> Quantity:
        """Return the quantity with the certainty of its values; decisions, limits and what has no sense have none.

        Args:
            quantity: quantity of the problem.
            decision: decision of the design whose value it is; None means all designs of the problem.
        """
        if quantity.role in ("decision", "constraint") or quantity.sense == "none":
            return quantity
        other, name = self.certainties.get(quantity.name), quantity.name
        if decision is not None and self.surer.without and not _names_any(decision, frozenset(self.surer.without)):
            number = NumberCertainty(other or self.surer.word, self.words, self.surer.error_factors.get(name))
            return replace(quantity, certainty=number)
        words = self.words if other or decision is not None else f"{self.words}{self._rest}"
        return replace(
            quantity, certainty=NumberCertainty(other or self.certainty, words, self.error_factors.get(name))
        )

    @property
    def _rest(self) -> str:
        """Return the part of a sentence on all designs that covers the more certain ones."""
        units = " and ".join(map(unit_title, self.surer.without))
        return f". Designs without {units}: {self.surer.word}" if units else ""


def _names_any(decision: Any, names: frozenset[str]) -> bool:
    """Return whether a value anywhere in a decision is one of the names; keys are of no concern."""
    if isinstance(decision, Mapping):
        return any(_names_any(each, names) for each in decision.values())
    if isinstance(decision, list | tuple):
        return any(_names_any(each, names) for each in decision)
    return isinstance(decision, str) and decision in names


def with_hardware(label: str, hardware: Mapping[str, str]) -> str:
    """Return the label of a baseline with its hardware, where `Estimator.baseline_hardware` names other than that of the run."""
    return f"{label} ({hardware[label]})" if label in hardware else label


def estimator(problem: Problem) -> Estimator:
    """Return the cost model of a problem's engine and the certainty of its estimates.

    Raises:
        ProblemError: its engine refuses it.
    """
    engine = get_engine(problem.engine)
    factors, certainties = dict(engine.error_factors(problem)), dict(engine.certainties(problem))
    return Estimator(
        *engine.estimator(problem),
        engine.model(problem),
        factors,
        certainties,
        engine.chosen_inputs(problem),
        engine.surer_designs(problem),
        engine.baseline_hardware(problem),
    )


def plan(problem: Problem, engine: Engine | None = None) -> Plan:
    """Return the effort of a run, its bounds, and the limits that these bounds make infeasible.

    Args:
        problem: problem to run.
        engine: engine of the problem, where the caller has it.

    Raises:
        ProblemError: its engine refuses it.
    """
    from engines.running.weight_bits import weight_bits_remarks  # with cost models: an idle child loads none

    engine = engine or get_engine(problem.engine)
    prepared = ready_of(engine, problem)
    plan = engine.plan(problem, prepared)
    bounds = (*plan.bounds, *engine.bounds(problem, prepared))
    beyond = limit_checks(engine.limit_values(problem, prepared), bounds)
    notes = (*plan.notes, *warnings_of(weight_bits_remarks(problem)))
    return replace(plan, bounds=bounds, checks=(*plan.checks, *beyond), notes=notes)


def designs_of_run(problem: Problem) -> Designs:
    """Return all designs of a whole run, in this process."""
    steps = drive(get_engine(problem.engine), problem, LocalContext(problem))
    return Designs.concatenate([step.designs for step in steps if step.designs is not None])


def explain(problem: Problem, decision: Mapping[str, Any]) -> tuple[Result, ...]:
    """Return grid, schedule, breakdowns of one design.

    Raises:
        DecisionError: the decision does not describe a design of this problem.
    """
    engine = get_engine(problem.engine)
    return engine.explain(problem, ready_of(engine, problem), decision, LocalContext(problem))


def run_quantities(engine: Engine, params: Mapping[str, Any]) -> tuple[Quantity, ...]:
    """Return the metrics of a run with their roles under these parameters.

    Parameters that the installed version does not take any more leave the engine's own roles.
    """
    try:
        return engine.quantities_of(engine.Params.model_validate(params))
    except ValidationError:
        return engine.quantities


def stated_limits(engine: Engine, params: Mapping[str, Any]) -> Allowed:
    """Return the limits that these parameters of a run state; none if the installed version does not take them any more."""
    try:
        return allowed_by(engine.limits, engine.Params.model_validate(dict(params)))
    except ValidationError:
        return {}


def evaluate(
    problem: Problem, decisions: Decisions, context: Context | None = None, engine: Engine | None = None
) -> Designs:
    """Return the numbers of decisions, one's own or stored ones, in their order.

    Args:
        problem: problem of the decisions.
        decisions: one per design; of none there are no designs.
        context: for the engine; a plain one of this process by default.
        engine: engine of the problem, where the caller has it.

    Raises:
        DecisionError: a decision does not describe a design of this problem; `field` begins with its number, from 0 on, as in
            "decisions.2.units".
    """
    engine, context = engine or get_engine(problem.engine), context or LocalContext(problem)
    if not decisions:
        return Designs.empty(engine.quantities)
    try:
        return evaluate_decisions(engine, problem, decisions, context)
    except DecisionError as error:
        raise _numbered(engine, problem, decisions, context, error) from error


def _numbered(
    engine: Engine, problem: Problem, decisions: Decisions, context: Context, error: DecisionError
) -> DecisionError:
    """Return the error of the first decision that the engine refuses alone, with its number."""
    for number, decision in enumerate(decisions):
        try:
            evaluate_decisions(engine, problem, [decision], context)
        except DecisionError as found:
            rest = found.field.removeprefix("decision").lstrip(".")
            return DecisionError.of(found, f"decisions.{number}.{rest}".rstrip("."))
    return error


def broken_limits(quantities: Sequence[Quantity], designs: Designs) -> list[tuple[Quantity, ...]]:
    """Return the limits that each design violates: their slack is below zero, or not defined."""
    limits = [quantity for quantity in quantities if quantity.role == "constraint"]
    return [
        tuple(limit for limit in limits if not designs.columns[limit.name][row] >= 0) for row in range(len(designs))
    ]

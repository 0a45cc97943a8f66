"""Rates, priorities and dependencies of a scenario, for engines that use them and engines that do not."""

from __future__ import annotations

from engines.workloads.network import Scenario


def macs_per_s(scenario: Scenario) -> float | None:
    """Return the multiply-accumulates per second that the rates ask for on average; None where no model has a rate."""
    demands = [demand for model in scenario.models if (demand := model.macs_per_s) is not None]
    return sum(demands) if demands else None


def unused_terms_notes(scenario: Scenario) -> tuple[str, ...]:
    """Return one sentence for an engine that schedules every batch once: which terms of the scenario it leaves aside.

    () for none.
    """
    terms = {
        "rates": any(model.rate_fps is not None for model in scenario.models),
        "priorities": any(model.priority is not None for model in scenario.models),
        "probabilities": any(model.probability != 1 for model in scenario.models),
        "dependencies": any(model.depends_on for model in scenario.models),
    }
    named = [term for term, stated in terms.items() if stated]
    if not named:
        return ()
    words = " and ".join((", ".join(named[:-1]), named[-1])) if len(named) > 1 else named[0]
    return (f"This engine runs the batch of every model once; it does not use the {words} of the scenario.",)

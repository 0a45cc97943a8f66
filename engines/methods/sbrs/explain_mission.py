"""Results of a mission: power, accuracy and charge over time under every policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engines.contract.numeric.ordered_sums import product_in_order
from engines.contract.results import Band, Event, Note, Result, Series, Table, TableColumn, Threshold, Trace
from engines.methods.sbrs.instance import Instance
from engines.methods.sbrs.mission import POLICIES, SBRS, Mission, MissionResult, Scenario, fly
from engines.methods.sbrs.scoring import running
from engines.recordings.recording import Recording
from engines.simulation.recorded_overlay import overlay

_MOST_EVENTS = 60
_MEASURABLE = ("mission-power", "mission-charge")


def mission_results(instance: Instance, members: Sequence[int]) -> tuple[Result, ...]:
    """Return traces, totals and remarks; nothing without an environment."""
    if instance.mission is None:
        return ()
    scenario = running(instance, members)
    flown = {policy: fly(instance.mission, scenario, policy) for policy in POLICIES}
    return _with_measured(mission_pictures(instance.mission, scenario, flown), instance.measured)


def _with_measured(results: tuple[Result, ...], measured: Recording | None) -> tuple[Result, ...]:
    """Return every trace with the measured columns that fit it; say so where none fits any."""
    if measured is None:
        return results
    laid = {
        result.name: overlay(result, measured)
        for result in results
        if isinstance(result, Trace) and result.name in _MEASURABLE
    }
    fitting = {
        name for name, (trace, _) in laid.items() if any(each.title.startswith("Measured") for each in trace.series)
    }
    told = [more for name, (_, more) in laid.items() if name in fitting or not fitting]
    kept = told if fitting else told[:1]
    return (
        *(laid[result.name][0] if result.name in fitting else result for result in results),
        *(r for more in kept for r in more),
    )


def mission_pictures(mission: Mission, scenario: Scenario, flown: Mapping[str, MissionResult]) -> tuple[Result, ...]:
    """Return the pictures of missions that were flown."""
    return (
        _power(mission, scenario, flown),
        *_accuracy(mission, flown),
        _charge(mission, flown),
        _totals(mission, flown),
        Note(
            "policies",
            "Policies",
            "Static: the most accurate network within the least budget of the mission. Data-driven: hard "
            "inputs use larger networks, independent of the budget. The hardness of inputs is drawn at "
            "random, and this accuracy counts as that of the most accurate network. SBRS: the most "
            "accurate network within the budget, and the most economical one near the minimum level.",
        ),
    )


def _power(mission: Mission, scenario: Scenario, flown: Mapping[str, MissionResult]) -> Trace:
    times = flown[SBRS].outcome.time_s
    budget = Series(mission.budget.title, mission.budget.at(times), "W", style="step")
    series = [
        Series(policy, _held(each.outcome.watched_power_w[0]), "W", style="step") for policy, each in flown.items()
    ]
    events = tuple(
        Event(switch.time_s, f"to {scenario.names[switch.after]}")
        for switch in flown[SBRS].outcome.switches[:_MOST_EVENTS]
        if switch.time_s > 0
    )
    return Trace("mission-power", "Power on the mission", times, (*series, budget), (), events, _bands(mission))


def _accuracy(mission: Mission, flown: Mapping[str, MissionResult]) -> tuple[Trace, ...]:
    if not all(np.isfinite(each.accuracies_percent).all() for each in flown.values()):
        return ()
    series = tuple(Series(policy, _held(_mean_accuracy(each)), "%", style="step") for policy, each in flown.items())
    times = flown[SBRS].outcome.time_s
    return (Trace("mission-accuracy", "Accuracy on the mission", times, series, (), (), _bands(mission)),)


def _mean_accuracy(flown: MissionResult) -> np.ndarray:
    shares = flown.outcome.watched_mode_shares[0]
    working = shares.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(product_in_order(shares, flown.accuracies_percent) / working)


def _charge(mission: Mission, flown: Mapping[str, MissionResult]) -> Trace:
    series = tuple(Series(policy, 100 * each.outcome.watched_charge_shares[0], "%") for policy, each in flown.items())
    level = Threshold("Minimum level", 100 * mission.battery.minimum_share, "%")
    times = flown[SBRS].outcome.time_s
    return Trace("mission-charge", "Charge of the battery", times, series, (level,), (), _bands(mission))


def _totals(mission: Mission, flown: Mapping[str, MissionResult]) -> Table:
    outcomes = [each.outcome for each in flown.values()]
    reached = np.array([float(outcome.minimum_reached_at_s[0]) for outcome in outcomes])
    return Table(
        "mission",
        "The mission by policy",
        (
            TableColumn("Policy", tuple(flown)),
            TableColumn("Mean accuracy", np.array([each.mean_accuracy_percent for each in flown.values()]), "%"),
            TableColumn(
                "Charge at the end", np.array([100 * float(each.end_charge_shares[0]) for each in outcomes]), "%"
            ),
            TableColumn("Minimum level reached after", reached, "s"),
            TableColumn("Time over budget", np.array([float(each.over_budget_s[0]) for each in outcomes]), "s"),
            TableColumn("Energy", np.array([float(each.energy_j[0]) for each in outcomes]), "J"),
            TableColumn("Switches", np.array([float(each.switch_counts[0]) for each in outcomes])),
        ),
    )


def _held(values: np.ndarray) -> np.ndarray:
    """Return one value per kept time: that of the interval which begins there, at the end that of the last one."""
    return np.append(values, values[-1])


def _bands(mission: Mission) -> tuple[Band, ...]:
    return tuple(Band(period.start_s, period.end_s, period.title) for period in mission.environment.periods)

"""Numbers of applications: memory, response delays, ranks, mission."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.errors import DecisionError
from engines.contract.numeric.ordered_sums import product_in_order
from engines.methods.sbrs.cnn import TimedCnn
from engines.methods.sbrs.equality import ADAPTABLE
from engines.methods.sbrs.instance import Candidate, Instance
from engines.methods.sbrs.mission import SBRS, Scenario, fly, scenario_of
from engines.methods.sbrs.ranking import ranks
from engines.methods.sbrs.supergraph import Supergraph, derive
from engines.methods.sbrs.transition import Protocol, analyse_switch, clashes, response_delays, schedule


@dataclass(frozen=True, eq=False)
class Application:
    """A derived application.

    Attributes:
        members: numbers of its networks.
        delays_s, naive_s: response delay of every pair, shape `s x s`, NaN on the diagonal.
    """

    members: tuple[int, ...]
    networks: tuple[TimedCnn, ...]
    graph: Supergraph
    delays_s: FloatArray
    naive_s: FloatArray


def build(instance: Instance, candidate: Candidate) -> Application:
    """Derive an application and its delays."""
    members, adaptive = candidate
    networks = tuple(instance.networks[number] for number in members)
    graph = derive([network.cnn for network in networks], adaptive, instance.params.parameter_equality)
    delays, without = _delays(instance, graph, [network.latency_s for network in networks])
    return Application(members, networks, graph, delays, without)


def _delays(instance: Instance, graph: Supergraph, times: Sequence[Sequence[float]]) -> tuple[FloatArray, FloatArray]:
    protocol, request = instance.params.protocol, instance.params.request
    if request == "first":
        return response_delays(graph, times, protocol)
    steps = range(1, max(len(row) for row in times) + 1)
    pairs = [response_delays(graph, times, protocol, step) for step in steps]
    # A scenario with fewer steps than the longest is asked in its last one again: leave these out.
    lengths = np.array([len(row) for row in times])
    inside = np.array([[step <= length for length in lengths] for step in steps])[:, :, None]
    reduced = np.nanmean if request == "mean" else np.nanmax
    diagonal = np.eye(len(times), dtype=bool)
    found, without = (
        np.where(diagonal, np.nan, reduced(np.where(diagonal, 0.0, np.where(inside, np.stack(side), np.nan)), axis=0))
        for side in zip(*pairs, strict=True)
    )
    return found, without


def score(instance: Instance, candidate: Candidate) -> dict[str, float]:
    """Return all quantities of one application."""
    application = build(instance, candidate)
    graph, word = application.graph, instance.bytes_per_element
    memory, naive_memory = float(graph.memory_bytes(word)), float(graph.naive_memory_bytes(word))
    several = len(application.members) > 1
    delay = float(np.nanmax(application.delays_s)) if several else 0.0
    saved = float(np.nanmean(1 - application.delays_s / application.naive_s)) if several else 0.0
    return {
        "memory_bytes": memory,
        "response_delay_s": delay,
        "weighted_rank": weighted_rank(instance, application.members),
        "networks": float(len(application.members)),
        "naive_memory_bytes": naive_memory,
        "memory_saved_percent": 100 * (1 - memory / naive_memory),
        "naive_delay_s": float(np.nanmax(application.naive_s)) if several else 0.0,
        "delay_saved_percent": 100 * saved,
        "switch_memory_bytes": _second_copies(application, instance.params.protocol) * float(word),
        **_mission(instance, application.members),
    }


def weighted_rank(instance: Instance, members: Sequence[int]) -> float:
    """Return the lowest weighted rank within the application, mean over the requirement sets."""
    own = ranks(instance.values)[list(members)]
    return float(np.mean([product_in_order(own, each.weights).min() for each in instance.requirements]))


def _second_copies(application: Application, protocol: Protocol) -> int:
    """Return the elements of shared buffers that need a second copy, in the pair that needs most; requests in the first step."""
    most, graph = 0, application.graph
    for old, before in enumerate(application.networks):
        for new, after in enumerate(application.networks):
            if old != new:
                switch = schedule(before.latency_s, after.latency_s, analyse_switch(graph, old, new, protocol))
                found = clashes(graph, old, new, switch)
                most = max(most, sum(graph.edges[edge].elements for edge in found))
    return most


def _mission(instance: Instance, members: Sequence[int]) -> dict[str, float]:
    names = ("mission_accuracy_percent", "mission_life_s", "mission_over_budget_s")
    if instance.mission is None:
        return dict.fromkeys(names, float("nan"))
    flown = fly(instance.mission, running(instance, members), SBRS)
    return dict(
        zip(names, (flown.mean_accuracy_percent, flown.life_s, float(flown.outcome.over_budget_s[0])), strict=True)
    )


def running(instance: Instance, members: Sequence[int]) -> Scenario:
    """Return the modes of a mission with these networks."""
    networks = [instance.networks[number] for number in members]
    accuracies = {network.cnn.name: network.accuracy_percent for network in networks}
    return scenario_of([network.cnn.name for network in networks], instance.powers_w, accuracies)


def encode(instance: Instance, candidate: Candidate) -> dict[str, Any]:
    """Return the decision of an application."""
    members, adaptive = candidate
    return {"networks": [instance.names[number] for number in members], "adaptive": list(adaptive)}


def decode(instance: Instance, decision: Mapping[str, Any]) -> Candidate:
    """Return the application of a decision.

    Raises:
        DecisionError: not different networks of the workload, or not adaptive attributes.
    """
    given, adaptive = decision.get("networks"), decision.get("adaptive")
    names = instance.names
    if not isinstance(given, list | tuple) or not given or len(set(map(str, given))) != len(given):
        raise DecisionError("decision.networks", given, f"a list of different names out of: {', '.join(names)}")
    wrong = [name for name in given if name not in names]
    if wrong:
        raise DecisionError("decision.networks", wrong[0], f"one of: {', '.join(names)}")
    if not isinstance(adaptive, list | tuple) or any(name not in ADAPTABLE for name in adaptive):
        raise DecisionError("decision.adaptive", adaptive, f"a list out of: {', '.join(ADAPTABLE)}")
    return tuple(names.index(name) for name in given), tuple(name for name in ADAPTABLE if name in adaptive)

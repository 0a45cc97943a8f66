"""Choices of exits and clocks of a backbone as designs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.designs import Designs
from engines.contract.errors import DecisionError
from engines.cost.soc.clocks import ClockSettings
from engines.cost.soc.decided_clocks import clocks_mhz, decided_clocks
from engines.methods.hadas.backbone import Backbone
from engines.methods.hadas.exit_rule_search import RuleChoices
from engines.methods.hadas.params import HadasParams
from engines.methods.hadas.pricing import PartPrices
from engines.methods.hadas.setup import Setup
from engines.search.ends.confidence import RULES
from engines.search.ends.correctness import dissimilarity, shares_leaving, union_accuracy
from engines.search.ends.costs import EndCosts, expected_cost
from engines.search.ends.exit_rules import ExitShares

_IDEAL = "ideal"
_MEASURED = "backbone_accuracy_percent"  # in decisions on subnets of a supernet: what explains them has no images


@dataclass(frozen=True, eq=False)
class Scores:
    """What `k` choices are worth; columns as in `engines.methods.hadas.quantities`, each of shape `k`."""

    columns: Mapping[str, FloatArray]

    @property
    def points(self) -> FloatArray:
        """Error, mean latency and mean energy, all minimised, shape `k x 3`."""
        columns = self.columns
        return np.column_stack([1 - columns["accuracy_percent"] / 100, columns["latency_s"], columns["energy_j"]])


def score(
    backbone: Backbone,
    costs: tuple[EndCosts, EndCosts],
    static: tuple[float, float],
    params: HadasParams,
    chosen: BoolArray,
    setting: IntArray,
    left: ExitShares | None = None,
) -> Scores:
    """Score choices.

    Args:
        backbone: with `n` ends.
        costs: latency and energy of its parts at `s` settings.
        static: latency and energy without exits at the highest clocks.
        params: gamma and limits.
        chosen: which ends, shape `k x n`.
        setting: of each choice, shape `k`.
        left: where inputs leave by a rule; by the ideal mapping where it is None.
    """
    correctness = backbone.correctness
    ideal = union_accuracy(correctness, chosen)
    leaving, right = (shares_leaving(correctness, chosen), ideal) if left is None else (left.shares, left.accuracy)
    reached = [each.prefixes(chosen, setting) for each in costs]
    latency, energy = (expected_cost(leaving, each) for each in reached)
    exits = chosen[:, :-1]
    count = exits.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean_accuracy = (exits * correctness.accuracy[:-1]).sum(axis=1) / count
        gains = (static[0] / reached[0][:, :-1]) * (static[1] / reached[1][:, :-1])
        unlike = dissimilarity(correctness.accuracy, chosen)[:, :-1] ** params.gamma
        each = (exits * correctness.accuracy[:-1] * gains * unlike).sum(axis=1) / count
    whole = np.ones(len(chosen))
    return Scores(
        {
            "accuracy_percent": 100 * right,
            "lost_percent": 100 * (ideal - right),
            "threshold": np.full(len(chosen), np.nan),
            "latency_s": latency,
            "energy_j": energy,
            "exits": count.astype(np.float64),
            "left_early_fraction": leaving[:, :-1].sum(axis=1),
            "backbone_accuracy_percent": 100 * correctness.accuracy[-1] * whole,
            "static_latency_s": static[0] * whole,
            "static_energy_j": static[1] * whole,
            "energy_gain_fraction": 1 - energy / static[1],
            "exit_accuracy_percent": 100 * mean_accuracy,
            "score": each,
            "macs": backbone.macs * whole,
        }
    )


def static_costs(setup: Setup, backbone: Backbone) -> tuple[float, float]:
    """Return the latency and energy without exits at the highest clocks."""
    latency, energy = backbone.costs(setup.highest)
    return float(latency.static()[0]), float(energy.static()[0])


def designs_of(
    setup: Setup,
    backbone: Backbone,
    chosen: BoolArray,
    setting: IntArray,
    labels: Sequence[str] = (),
    ruled: RuleChoices | None = None,
) -> Designs:
    """Return the choices at settings of the problem as designs; `ruled` has the rule of each, None stands for the ideal mapping."""
    costs, static = backbone.costs(setup.prices), static_costs(setup, backbone)
    scores = score(backbone, costs, static, setup.params, chosen, setting, None if ruled is None else ruled.leaving)
    columns = dict(scores.columns)
    if ruled is not None:
        columns["threshold"] = ruled.threshold
    numbers = np.array(backbone.positions.numbers)
    decisions = []
    for place, (row, at) in enumerate(zip(chosen, setting.tolist(), strict=True)):
        decision: dict[str, Any] = {}
        if backbone.subnet is not None:
            decision["backbone"] = setup.space.as_decision(backbone.subnet)
        if setup.weights is not None:
            decision[_MEASURED] = float(columns["backbone_accuracy_percent"][place])
        decision["exits"] = numbers[row[:-1]].tolist()
        if ruled is not None:
            decision |= {"rule": ruled.rule[place], "threshold": float(ruled.threshold[place])}
        decision["clocks_mhz"] = clocks_mhz(setup.settings, at)
        decisions.append(decision)
    return Designs(columns, decisions, label=list(labels))


@dataclass(frozen=True, eq=False)
class ExitDecision:
    """A decision read.

    Attributes:
        chosen: its ends, shape `n`.
        clocks: and prices at them.
        left: where inputs leave by its rule at its `threshold`; None (and NaN) under the ideal mapping.
    """

    backbone: Backbone
    chosen: BoolArray
    clocks: ClockSettings
    prices: PartPrices
    left: ExitShares | None = None
    threshold: float = np.nan

    @property
    def leaving(self) -> FloatArray:
        """Share of the inputs that leaves at each end, shape `n`."""
        left = shares_leaving(self.backbone.correctness, self.chosen) if self.left is None else self.left.shares
        return np.asarray(left[0])


def read_decision(setup: Setup, decision: Mapping[str, Any]) -> ExitDecision:
    """Return what a decision describes; clocks that are left out stand at their highest.

    Subnets of a supernet are measured where the setup can (`Setup.measuring`); else they have the accuracy that the decision says.

    Raises:
        DecisionError: names the key, what was got and what is accepted.
    """
    wanted = {"exits", "clocks_mhz"} | ({"backbone"} if setup.network is None else set())
    if setup.measured is not None and setup.measured.sure is not None:
        wanted |= {"rule", "threshold"}
    if setup.weights is not None:
        wanted.add(_MEASURED)
    for key in decision:
        if key not in wanted:
            raise DecisionError(
                f"decision.{key}", decision[key], f"left out: a decision has {', '.join(sorted(wanted))}"
            )
    if setup.network is None and "backbone" not in decision:
        raise DecisionError("decision", dict(decision), "a mapping with backbone, exits and perhaps clocks_mhz")
    backbone = setup.given if setup.network is not None else _of_space(setup, decision)
    chosen = _chosen(backbone, decision.get("exits"))
    clocks = decided_clocks(
        setup.covered.soc, decision.get("clocks_mhz", {}), clocks_mhz(setup.settings, setup.reference)
    )
    left, threshold = _left(backbone, chosen, decision)
    return ExitDecision(backbone, chosen, clocks, PartPrices(setup.model, setup.unit, clocks), left, threshold)


def evaluated(setup: Setup, decision: Mapping[str, Any]) -> Designs:
    """Return the design of a decision, with origin "user".

    Raises:
        DecisionError: as `read_decision`.
    """
    read = read_decision(setup, decision)
    costs, static = read.backbone.costs(read.prices), static_costs(setup, read.backbone)
    scores = score(read.backbone, costs, static, setup.params, read.chosen[None], np.zeros(1, np.int64), read.left)
    told = {} if setup.weights is None else {_MEASURED: float(scores.columns[_MEASURED][0])}
    return Designs({**scores.columns, "threshold": np.array([read.threshold])}, [{**decision, **told}])


def _of_space(setup: Setup, decision: Mapping[str, Any]) -> Backbone:
    subnet = setup.space.from_decision(decision["backbone"])
    said = decision.get(_MEASURED)
    known = isinstance(said, int | float) and not isinstance(said, bool) and 0 <= said <= 100
    if (said is not None or (setup.weights is not None and setup.percent_of is None)) and not known:
        raise DecisionError(
            f"decision.{_MEASURED}", said, "a number from 0 to 100, as evaluating the decision gives it"
        )
    return setup.backbone(subnet, percent=None if setup.percent_of is not None or said is None else float(said))


def _left(backbone: Backbone, chosen: BoolArray, decision: Mapping[str, Any]) -> tuple[ExitShares | None, float]:
    """Return where inputs leave by the rule of a decision, and its threshold; None and NaN under the ideal mapping."""
    rule, threshold = decision.get("rule", _IDEAL), decision.get("threshold")
    if rule not in (_IDEAL, *RULES):
        raise DecisionError("decision.rule", rule, f"one of: {', '.join((_IDEAL, *RULES))}")
    if rule == _IDEAL:
        if threshold is not None:
            raise DecisionError("decision.threshold", threshold, "left out: the ideal mapping has none")
        return None, np.nan
    if not isinstance(threshold, int | float) or isinstance(threshold, bool) or not 0 <= threshold <= 1:
        raise DecisionError("decision.threshold", threshold, "a number from 0 to 1")
    assert backbone.ruled is not None  # a decision of other backbones has no rule
    return backbone.ruled.leaving(chosen, rule, [float(threshold)]), float(threshold)


def _chosen(backbone: Backbone, given: Any) -> BoolArray:
    numbers = backbone.positions.numbers
    if not isinstance(given, list | tuple):
        raise DecisionError("decision.exits", given, "a list of the blocks before exits")
    for place, number in enumerate(given):
        if number not in numbers or isinstance(number, bool):
            accepted = f"a block from {numbers[0]} to {numbers[-1]}: the network's own end follows block "
            raise DecisionError(f"decision.exits.{place}", number, f"{accepted}{backbone.positions.count}")
    return np.array([*(number in given for number in numbers), True])

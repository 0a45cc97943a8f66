"""Choices of exits and clocks of a backbone as designs: what they are worth, and as decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Literal

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.errors import DecisionError
from engines.cost.soc.decided_clocks import clocks_mhz, decided_clocks
from engines.methods.hadas.backbone import Backbone
from engines.methods.hadas.exit_rule_search import RuleChoices
from engines.methods.hadas.pricing import PartPrices
from engines.methods.hadas.setup import ANY_PERCENT, Setup
from engines.search.ends.confidence import RULES
from engines.search.ends.correctness import dissimilarity, shares_leaving, union_accuracy
from engines.search.ends.costs import EndCosts, expected_cost
from engines.search.ends.exit_rules import ExitShares

Accuracy = Literal["known", "stated", "left out"]
_IDEAL = "ideal"
_MEASURED = "backbone_accuracy_percent"  # in decisions on subnets of a supernet: what explains them has no images
_PERCENT = "a number from 0 to 100"


@dataclass(frozen=True, eq=False)
class ExitDesign:
    """Ends of a backbone, and clocks.

    Attributes:
        chosen: mask of its ends, shape `n`.
        prices: at the clocks that may be chosen; `setting` is the place of those that are.
        label: label of the design.
        rule, threshold, left: the rule by which inputs leave and where they do; "", NaN and None under the ideal mapping.
        accuracy: whether that of the backbone is known, or that of a supernet's subnet stated or left out by a decision.
    """

    backbone: Backbone
    chosen: BoolArray
    prices: PartPrices
    setting: int = 0
    label: str = ""
    rule: str = ""
    threshold: float = np.nan
    left: ExitShares | None = None
    accuracy: Accuracy = "known"

    @property
    def leaving(self) -> FloatArray:
        """Share of the inputs that leaves at each end, shape `n`."""
        left = shares_leaving(self.backbone.correctness, self.chosen) if self.left is None else self.left.shares
        return np.asarray(left[0])


def designs_of(
    setup: Setup,
    backbone: Backbone,
    chosen: BoolArray,
    setting: IntArray,
    label: str = "",
    ruled: RuleChoices | None = None,
) -> list[ExitDesign]:
    """Return choices at settings of the problem as designs; `ruled` has the rule of each, None means the ideal mapping."""
    designs = []
    for place, (row, at) in enumerate(zip(chosen, setting.tolist(), strict=True)):
        if ruled is None:
            designs.append(ExitDesign(backbone, row, setup.prices, at, label))
        else:
            one = ruled.take(np.array([place]))
            rule, threshold = one.rule[0], float(one.threshold[0])
            designs.append(ExitDesign(backbone, row, setup.prices, at, label, rule, threshold, one.leaving))
    return designs


def columns_of(setup: Setup, designs: Sequence[ExitDesign]) -> dict[str, FloatArray]:
    """Return the columns of `k` designs, as in `engines.methods.hadas.quantities`, each of shape `k`."""
    parts = []
    for _, group in groupby(designs, lambda each: (id(each.backbone), id(each.prices), each.left is None)):
        alike = list(group)
        backbone, prices = alike[0].backbone, alike[0].prices
        left = [each.left for each in alike if each.left is not None]
        parts.append(
            score(
                backbone, backbone.costs(prices), static_costs(setup, backbone), setup.params.gamma,
                np.array([each.chosen for each in alike]), np.array([each.setting for each in alike]),
                ExitShares.joined(left) if left else None,
            )
        )  # fmt: skip
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return {**columns, "threshold": np.array([each.threshold for each in designs])}


def score(
    backbone: Backbone,
    costs: tuple[EndCosts, EndCosts],
    static: tuple[float, float],
    gamma: float,
    chosen: BoolArray,
    setting: IntArray,
    left: ExitShares | None = None,
) -> dict[str, FloatArray]:
    """Return column -> values of `k` choices, shape `k` each.

    The score is eqs. 2.5 and 2.6 of odema-2024. As printed they reward costly exits (cost of the exit over that of the network);
    here gains are the network's cost over the exit's, which the text around them describes.

    Args:
        backbone: with `n` ends.
        costs: latency and energy of its parts at `s` settings.
        static: latency and energy without exits at the highest clocks.
        gamma: power of the dissimilarity (eq. 2.7) in eq. 2.6.
        chosen: mask of the ends in use, shape `k x n`.
        setting: setting of each choice, shape `k`.
        left: ends at which inputs leave by a rule; None for the ideal exit policy.
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
        unlike = dissimilarity(correctness.accuracy, chosen)[:, :-1] ** gamma
        each = (exits * correctness.accuracy[:-1] * gains * unlike).sum(axis=1) / count
    whole = np.ones(len(chosen))
    return {
        "accuracy_percent": 100 * right,
        "lost_percent": 100 * (ideal - right),
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


def static_costs(setup: Setup, backbone: Backbone) -> tuple[float, float]:
    """Return latency and energy without exits at the highest clocks."""
    latency, energy = backbone.costs(setup.highest)
    return float(latency.static()[0]), float(energy.static()[0])


def encode(setup: Setup, design: ExitDesign) -> dict[str, Any]:
    """Return the decision of a design: its backbone where one is searched, exits by block, rule, clocks."""
    backbone, decision = design.backbone, dict[str, Any]()
    if backbone.subnet is not None:
        decision["backbone"] = setup.space.as_decision(backbone.subnet)
    if setup.weights is not None:
        decision[_MEASURED] = 100 * float(backbone.correctness.accuracy[-1])
    decision["exits"] = np.array(backbone.positions.numbers)[design.chosen[:-1]].tolist()
    if design.rule:
        decision |= {"rule": design.rule, "threshold": design.threshold}
    return {**decision, "clocks_mhz": clocks_mhz(design.prices.settings, design.setting)}


def decode(setup: Setup, decision: Mapping[str, Any]) -> ExitDesign:
    """Return the design of a decision; clocks that are left out stand at their highest.

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
            raise DecisionError(f"decision.{key}", decision[key], f"one of the keys {', '.join(sorted(wanted))}")
    if setup.network is None and "backbone" not in decision:
        raise DecisionError("decision", dict(decision), "a mapping with backbone, exits and perhaps clocks_mhz")
    said, one = decision.get(_MEASURED), setup.network is not None
    backbone = setup.given if one else _of_space(setup, decision["backbone"], said)
    chosen = _chosen(backbone, decision.get("exits"))
    clocks = decided_clocks(
        setup.covered.soc, decision.get("clocks_mhz", {}), clocks_mhz(setup.settings, setup.reference)
    )
    prices = PartPrices(setup.model, setup.unit, clocks)
    rule, threshold, left = _left(backbone, chosen, decision)
    accuracy: Accuracy = "known" if setup.weights is None else "left out" if said is None else "stated"
    return ExitDesign(backbone, chosen, prices, 0, "", rule, threshold, left, accuracy)


def measured(setup: Setup, design: ExitDesign) -> ExitDesign:
    """Return a design with the accuracy that images give its subnet, by a setup that is `measuring`."""
    if design.accuracy == "known":
        return design
    assert design.backbone.subnet is not None  # accuracies of others are known
    return replace(design, backbone=setup.backbone(design.backbone.subnet), accuracy="known")


def checked(design: ExitDesign) -> ExitDesign:
    """Return a design where nothing is measured.

    Raises:
        DecisionError: its decision leaves out the accuracy of its subnet.
    """
    if design.accuracy == "left out":
        remedy = "Evaluate the decision: the result has its accuracy."
        raise DecisionError(f"decision.{_MEASURED}", None, _PERCENT, remedies=[remedy])
    return design


def _of_space(setup: Setup, given: Any, said: Any) -> Backbone:
    subnet = setup.space.from_decision(given)
    number = isinstance(said, int | float) and not isinstance(said, bool) and 0 <= said <= 100
    if said is not None and not number:
        raise DecisionError(f"decision.{_MEASURED}", said, _PERCENT)
    unknown = ANY_PERCENT if setup.weights is not None else None
    return setup.backbone(subnet, percent=unknown if said is None else float(said))


def _left(backbone: Backbone, chosen: BoolArray, decision: Mapping[str, Any]) -> tuple[str, float, ExitShares | None]:
    """Return the rule of a decision, its threshold and where inputs leave by it; "", NaN and None under the ideal mapping."""
    rule, threshold = decision.get("rule", _IDEAL), decision.get("threshold")
    if rule not in (_IDEAL, *RULES):
        raise DecisionError("decision.rule", rule, f"one of: {', '.join((_IDEAL, *RULES))}")
    if rule == _IDEAL:
        if threshold is not None:
            raise DecisionError(
                "decision.threshold", threshold, "left out", reason="The ideal mapping has no threshold."
            )
        return "", np.nan, None
    if not isinstance(threshold, int | float) or isinstance(threshold, bool) or not 0 <= threshold <= 1:
        raise DecisionError("decision.threshold", threshold, "a number from 0 to 1")
    assert backbone.ruled is not None  # a decision of other backbones has no rule
    return rule, float(threshold), backbone.ruled.leaving(chosen, rule, [float(threshold)])


def _chosen(backbone: Backbone, given: Any) -> BoolArray:
    numbers = backbone.positions.numbers
    if not isinstance(given, list | tuple):
        raise DecisionError("decision.exits", given, "a list of numbers of the blocks with an exit")
    for place, number in enumerate(given):
        if number not in numbers or isinstance(number, bool):
            accepted = f"a block from {numbers[0]} to {numbers[-1]}"
            reason = f"The network ends after block {backbone.positions.count}."
            raise DecisionError(f"decision.exits.{place}", number, accepted, reason=reason)
    return np.array([*(number in given for number in numbers), True])

"""Rules of leaving on measured outputs, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import DecisionError
from engines.methods.hadas.training.rules import IDEAL, THRESHOLDS, ExitRule, RuleSet, read_decision
from engines.search.ends.confidence import RULES, HeldOutOutputs, confidence

# Three images of class 0 at one exit and the own end: sure and right, unsure and wrong, sure and wrong.
OUTPUTS = np.array([[[4.0, 0], [5, 0]], [[0, 0.1], [5, 0]], [[0, 4], [5, 0]]])
HELD = HeldOutOutputs(OUTPUTS, np.zeros(3, np.int64))
RULED = RuleSet(HELD, HELD, np.array([100.0, 300.0]), np.array([50.0, 0.0]))


def test_the_ideal_mapping_leaves_where_it_is_right_and_pays_for_the_exit() -> None:
    columns = RULED.columns([ExitRule((1,), IDEAL, 1.0)])
    assert columns["accuracy_percent"][0] == pytest.approx(100)
    assert columns["macs"][0] == pytest.approx((150 + 350 + 350) / 3)
    assert columns["left_early_fraction"][0] == pytest.approx(1 / 3)


def test_a_rule_loses_what_is_sure_and_wrong() -> None:
    sure = confidence(OUTPUTS, "largest_probability", RULED.temperatures)[:, 0]
    assert sure[0] == sure[2] > sure[1]
    columns = RULED.columns([ExitRule((1,), "largest_probability", float(sure[0]))])
    assert columns["accuracy_percent"][0] == pytest.approx(200 / 3)
    assert columns["lost_percent"][0] == pytest.approx(100 / 3)
    assert columns["macs"][0] == pytest.approx((150 + 350 + 150) / 3)


def test_without_exits_every_image_pays_for_the_network_alone() -> None:
    columns = RULED.columns([ExitRule((), IDEAL, 1.0)])
    assert (columns["macs"][0], columns["accuracy_percent"][0]) == (300, 100)


def test_every_set_of_exits_is_measured_under_every_rule() -> None:
    assert len(RULED.choices()) == 1 + len(RULES) * len(THRESHOLDS)
    assert RULED.ideal() == [ExitRule((1,), IDEAL, 1.0)]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"threshold": 1.5}, "decision.threshold"),
        ({"threshold": float("nan")}, "decision.threshold"),
        ({"rule": "dice"}, "decision.rule"),
        ({"exits": [2]}, "decision.exits.0"),
        ({"exits": None}, "decision.exits"),
    ],
)
def test_what_is_no_choice_is_named(change: dict[str, object], field: str) -> None:
    with pytest.raises(DecisionError) as error:
        read_decision({"exits": [1], "rule": "entropy", "threshold": 0.5} | change, RULED.exits)
    assert error.value.field == field

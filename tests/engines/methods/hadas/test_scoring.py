from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engines.contract.errors import DecisionError
from engines.contract.limits import allowed_by, minimum_slack
from engines.methods.hadas.exit_rule_search import RuleChoices
from engines.methods.hadas.quantities import LIMITS
from engines.methods.hadas.scoring import checked, columns_of, decode, designs_of, encode, measured, score, static_costs
from engines.methods.hadas.setup import Setup, build_setup
from engines.methods.hadas.space import BASELINES
from engines.running.inspection import evaluate
from engines.search.ends.costs import EndCosts
from engines.search.ends.exit_rules import ExitShares
from tests.engines.methods.hadas.problems import (
    measured_document,
    measured_problem,
    ruled_problem,
    single_problem,
    space_problem,
)
from tests.engines.methods.hadas.test_spaces import SPACE, document, problem_of


@pytest.fixture(scope="module")
def setup() -> Setup:
    return build_setup(measured_problem({"gamma": 2.0, "latency_limit_s": 50.0}))


def test_scores_of_three_choices_by_hand(setup: Setup) -> None:
    # Of four images one is right everywhere, one at the first exit alone, one behind it, one nowhere: each end is right of two.
    parts, heads = np.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]]), np.array([[0.5, 5.0], [0.25, 2.5], [0.0, 0.0]])
    costs = EndCosts(parts, heads), EndCosts(2 * parts, heads)
    chosen = np.array([[True, False, True], [True, True, True], [False, False, True]])
    found = score(setup.given, costs, (60.0, 100.0), setup.params.gamma, chosen, np.array([0, 1, 1]))
    columns = {name: values.tolist() for name, values in found.items()}
    assert columns["accuracy_percent"] == [75.0, 75.0, 50.0] and columns["lost_percent"] == [0.0] * 3
    assert columns["exits"] == [1.0, 2.0, 0.0] and columns["left_early_fraction"] == [0.5, 0.75, 0.0]
    latency = [0.5 * 1.5 + 0.5 * 6.5, 0.5 * 15 + 0.25 * 37.5 + 0.25 * 67.5, 60.0]
    energy = [0.5 * 2.5 + 0.5 * 12.5, 0.5 * 25 + 0.25 * 67.5 + 0.25 * 127.5, 120.0]
    assert columns["latency_s"] == pytest.approx(latency) and columns["energy_j"] == pytest.approx(energy)
    assert columns["energy_gain_fraction"] == pytest.approx([1 - each / 100 for each in energy])
    assert (columns["static_latency_s"], columns["static_energy_j"]) == ([60.0] * 3, [100.0] * 3)
    assert columns["backbone_accuracy_percent"] == [50.0] * 3 and columns["macs"] == [setup.given.macs] * 3
    # Gains of latency and of energy, and what exits before leave over, squared.
    first = 0.5 * (60 / 15) * (100 / 25)
    expected = [0.5 * (60 / 1.5) * (100 / 2.5), (first + 0.5 * (60 / 37.5) * (100 / 67.5) * 0.5**2) / 2]
    assert columns["score"][:2] == pytest.approx(expected) and columns["exit_accuracy_percent"][:2] == [50.0, 50.0]
    assert np.isnan([columns["score"][2], columns["exit_accuracy_percent"][2]]).all()
    assert minimum_slack(allowed_by(LIMITS, setup.params), columns) == pytest.approx(
        [1 - each / 50 for each in latency]
    )
    # Ends that are right of one, two and three images.
    rising = build_setup(measured_problem({"gamma": 2.0}, measured_document(["111", "011", "001", "000"]))).given
    more = score(rising, costs, (60.0, 100.0), setup.params.gamma, chosen[1:2], np.array([1]))
    assert (more["backbone_accuracy_percent"][0], more["exit_accuracy_percent"][0]) == (75.0, 37.5)
    gains = (60 / 15) * (100 / 25), (60 / 37.5) * (100 / 67.5)
    assert more["score"][0] == pytest.approx((0.25 * gains[0] + 0.5 * gains[1] * 0.75**2) / 2)
    ruled = ExitShares(np.array([[0.25, 0.0, 0.75]]), np.array([0.5]))
    by_rule = score(setup.given, costs, (60.0, 100.0), setup.params.gamma, chosen[:1], np.array([0]), ruled)
    assert (by_rule["accuracy_percent"][0], by_rule["lost_percent"][0]) == (50.0, 25.0)
    assert by_rule["latency_s"][0] == pytest.approx(0.25 * 1.5 + 0.75 * 6.5)


def test_designs_and_their_decisions_have_the_same_columns(setup: Setup) -> None:
    latency, energy = setup.given.costs(setup.highest)
    assert static_costs(setup, setup.given) == (latency.parts[:, 0].sum(), pytest.approx(energy.parts[:, 0].sum()))
    chosen, setting = np.array([[True, False, True], [False, True, True]]), np.array([0, len(setup.settings) - 1])
    designs = designs_of(setup, setup.given, chosen, setting, "a")
    decisions = [encode(setup, each) for each in designs]
    assert [each["exits"] for each in decisions] == [[1], [2]] and [each.label for each in designs] == ["a", "a"]
    prices = setup.given.costs(setup.prices)
    scores = score(setup.given, prices, static_costs(setup, setup.given), setup.params.gamma, chosen, setting)
    columns = columns_of(setup, designs)
    for row, decision in enumerate(decisions):
        assert set(decision) == {"exits", "clocks_mhz"}
        again = decode(setup, decision)
        assert encode(setup, again) == decision
        single = columns_of(setup, [again])
        for name, values in scores.items():
            assert columns[name][row] == pytest.approx(values[row], nan_ok=True)
            assert single[name][0] == pytest.approx(values[row], nan_ok=True)
    assert np.isnan(columns["threshold"]).all()
    read = decode(setup, decisions[0])
    assert read.chosen.tolist() == [True, False, True] and read.leaving.tolist() == [0.5, 0.0, 0.5]
    with pytest.raises(DecisionError, match=r"ends after block 3. Must be a block from 1 to 2"):
        decode(setup, {"exits": [1, 3]})


def test_a_rule_and_its_threshold_are_read_and_others_are_refused() -> None:
    setup = build_setup(ruled_problem())
    read = decode(setup, {"exits": [1, 2], "rule": "largest_probability", "threshold": 0.9})
    assert read.threshold == 0.9 and read.leaving.tolist() == [0.5, 0.25, 0.25]
    ideal = decode(setup, {"exits": [1, 2], "rule": "ideal"})
    assert np.isnan(ideal.threshold) and ideal.left is None and ideal.leaving.tolist() == [0.5, 0.25, 0.25]
    for threshold in (0, 1):
        assert decode(setup, {"exits": [], "rule": "entropy", "threshold": threshold}).threshold == threshold
    for changes, field in (
        ({"rule": "dice"}, "rule"), ({"rule": "ideal", "threshold": 0.5}, "threshold"), ({"rule": "entropy"}, "threshold"),
        *(({"rule": "entropy", "threshold": value}, "threshold") for value in (-0.1, 1.1, True, "1")),
    ):  # fmt: skip
        with pytest.raises(DecisionError) as refused:
            decode(setup, {"exits": [1], **changes})
        assert refused.value.field == f"decision.{field}"


@pytest.mark.parametrize(
    ("decision", "field"),
    [
        ({"exits": [20]}, "decisions.0.exits.0"),  # after the last layer
        ({"exits": 5}, "decisions.0.exits"),
        ({"exits": [5], "clocks_mhz": {"gpu": 5}}, "decisions.0.clocks_mhz.gpu"),
        ({"exits": [5], "threshold": 0.5}, "decisions.0.threshold"),
    ],
)
def test_a_decision_that_is_none_is_named(decision: dict[str, object], field: str) -> None:
    with pytest.raises(DecisionError) as error:
        evaluate(single_problem(), [decision])
    assert error.value.field == field


def test_a_decision_on_a_space_has_its_backbone(setup: Setup) -> None:
    of_space = build_setup(space_problem())
    backbone = of_space.backbone(BASELINES["a0"])
    chosen = np.ones((1, backbone.ends), dtype=bool)
    (design,) = designs_of(of_space, backbone, chosen, np.array([0]))
    decision = encode(of_space, design)
    assert set(decision) == {"backbone", "exits", "clocks_mhz"}
    read = decode(of_space, decision)
    assert read.backbone.subnet == BASELINES["a0"] and read.chosen.all() and read.left is None
    for where, wrong in (
        (of_space, {"exits": []}),
        (setup, {**decision, "exits": []}),
        (of_space, {**decision, "rule": "ideal"}),
    ):
        with pytest.raises(DecisionError, match=r"backbone|rule"):
            decode(where, wrong)


def test_designs_by_a_rule_say_so_and_come_back_from_their_decisions() -> None:
    setup = build_setup(ruled_problem())
    ends, chosen = setup.given.ruled, np.ones((1, 3), dtype=bool)
    assert ends is not None
    # At a threshold of 0 every input leaves at the first exit, which is right of two of four images.
    ruled = RuleChoices(chosen, ("entropy",), np.array([0.0]), ends.leaving(chosen[0], "entropy", [0.0]))
    designs = designs_of(setup, setup.given, chosen, np.array([0]), ruled=ruled)
    decision = encode(setup, designs[0])
    assert set(decision) == {"exits", "rule", "threshold", "clocks_mhz"}
    assert (decision["exits"], decision["rule"], decision["threshold"]) == ([1, 2], "entropy", 0.0)
    columns = {name: float(values[0]) for name, values in columns_of(setup, designs).items()}
    assert (columns["left_early_fraction"], columns["accuracy_percent"], columns["threshold"]) == (1.0, 50.0, 0.0)
    again = columns_of(setup, [decode(setup, decision)])
    assert {name: float(again[name][0]) for name in columns} == pytest.approx(columns, nan_ok=True)


def test_subnets_of_a_supernet_have_the_accuracy_that_is_measured_or_said() -> None:
    unmeasured = build_setup(problem_of(document(b"")))
    decision = {"backbone": SPACE.encode(SPACE.largest("gin")), "exits": [3, 5]}
    for said in (0, 100, 62.5):
        told = decode(unmeasured, {**decision, "backbone_accuracy_percent": said}).backbone
        assert told.correctness.accuracy[-1] == pytest.approx(said / 100)
    setup = replace(unmeasured, percent_of=lambda _: 37.5)
    for given in (decision, {**decision, "backbone_accuracy_percent": 62.5}):
        found = measured(setup, decode(setup, given))
        assert columns_of(setup, [found])["backbone_accuracy_percent"].tolist() == [37.5]
        again = encode(setup, found)
        assert again == {**decision, "backbone_accuracy_percent": 37.5, "clocks_mhz": again["clocks_mhz"]}
    for wrong in (-1, 100.5, True, "50"):
        for where in (unmeasured, setup):
            with pytest.raises(DecisionError, match="a number from 0 to 100") as refused:
                decode(where, {**decision, "backbone_accuracy_percent": wrong})
            assert refused.value.field == "decision.backbone_accuracy_percent"
    with pytest.raises(DecisionError, match="a number from 0 to 100"):
        checked(decode(unmeasured, decision))
    numbers = decode(setup, decision).backbone.positions.numbers
    assert len(numbers) > 2
    with pytest.raises(
        DecisionError, match=f"ends after block 8. Must be a block from {numbers[0]} to {numbers[-1]}. Got 99"
    ):
        decode(setup, {**decision, "exits": [99]})


def test_an_accuracy_is_no_part_of_a_decision_where_it_is_known(setup: Setup) -> None:
    with pytest.raises(DecisionError, match="one of the keys clocks_mhz, exits") as refused:
        decode(setup, {"exits": [1], "backbone_accuracy_percent": 50})
    assert refused.value.field == "decision.backbone_accuracy_percent"

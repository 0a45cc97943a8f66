"""Columns of designs from totals of episodes, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from engines.contract.errors import DecisionError
from engines.methods.energyshield import scoring
from engines.methods.energyshield.episodes import POLICIES, Choice, Drive, Totals
from engines.methods.energyshield.instance import Instance, instance_of
from engines.methods.energyshield.quantities import BARRIER_ROOM
from engines.methods.energyshield.scoring import columns_of, drive_piece, driven
from engines.running.context import LocalContext
from engines.search.strategies import ListedSpace
from tests.engines.methods.energyshield.problems import shield_problem


@pytest.fixture(scope="module")
def instance() -> Instance:
    return instance_of(shield_problem())


def test_columns_of_two_designs_in_two_episodes(instance: Instance) -> None:
    totals = Totals(
        windows=np.array([4.0, 6.0, 10.0, 10.0]), energy_j=np.array([2.0, 3.0, 1.0, 4.0]),
        least_h_per_m=np.array([0.5, -0.25, 0.0, 2.0]), least_clearance_m=np.array([3.0, 1.0, 2.0, 5.0]),
        squared_m2=np.array([1.0, 1.5, 0.0, 80.0]), progress_m=np.array([8.0, 6.0, 10.0, 30.0]),
        local_windows=np.array([1.0, 4.0, 10.0, 0.0]), offloads=np.zeros(4),
        extra_windows=np.array([2.0, 1.0, 0.0, 4.0]), corrected=np.array([0.0, 5.0, 2.0, 3.0]),
        unproven=np.array([1.0, 3.0, 0.0, 1.0]),
    )  # fmt: skip
    columns = columns_of(totals, 2, replace(instance.world, window_s=0.5))
    expected = {
        "energy_j": [5 / 10, 5 / 20], "clearance_m": [1.0, 2.0], "least_barrier": [-0.25, 0.0], BARRIER_ROOM.name: [-0.25, 0.0],
        "tracking_m": [0.5, 2.0], "progress_m_per_second": [(4 + 2) / 2, (2 + 6) / 2], "violations": [1.0, 0.0],
        "local_fraction": [0.5, 0.5], "extra_fraction": [0.3, 0.2], "corrected_fraction": [0.5, 0.25],
        "unproven_fraction": [0.4, 0.05],
    }  # fmt: skip
    assert {name: values.tolist() for name, values in columns.items()} == {
        name: pytest.approx(values) for name, values in expected.items()
    }


def test_a_decision_tells_its_design(instance: Instance) -> None:
    places = (0, 0, 0, 2, 0, 0, 0, 0)
    assert instance.choice_of(places) == last_choice(instance)
    decision = instance.space.encode(places)
    assert instance.space.decode(decision) == places and "clocks_mhz" not in decision
    with_clocks = ListedSpace({**instance.space.values, "clocks_mhz": [{"gpu": mhz} for mhz in (500.0, 900.0)]})
    decision = with_clocks.encode((*places[:7], 1))
    assert decision["clocks_mhz"] == {"gpu": 900.0} and with_clocks.decode(decision) == (*places[:7], 1)
    for wrong in ({"most_windows": True}, {"sigma": 7.0}, {"clocks_mhz": {"gpu": 1.0}}):
        with pytest.raises(DecisionError, match=next(iter(wrong))):
            with_clocks.decode({**decision, **wrong})


def test_pieces_of_designs_have_the_columns_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = shield_problem({"episodes": 2, "episode_s": 0.4, "energy_limit_j": 0.1})
    instance, context = instance_of(problem), LocalContext(problem)
    conditions, first = instance.conditions(context), last_choice(instance)
    choices = [replace(first, policy=policy, most_windows=most) for policy, most in ((0, 10), (1, 3), (2, 10))]
    found = driven(instance, conditions, choices, context)
    totals = Drive(instance.world, conditions, choices).run()
    for name, values in columns_of(totals, 3, instance.world).items():
        np.testing.assert_array_equal(found[name], values)
    assert found["most_windows"].tolist() == [10.0, 3.0, 10.0]
    assert found["detector_s"].tolist() == [instance.detectors.each[0].latency_s] * 3
    sizes = list[int]()
    monkeypatch.setattr(
        scoring, "drive_piece", lambda shared, piece: sizes.append(len(piece)) or drive_piece(shared, piece)
    )
    for episodes, pieces in ((5, [2, 1]), (1, [1, 1, 1])):  # that are driven together, two of each design
        sizes.clear()
        monkeypatch.setattr(scoring, "_TOGETHER", episodes)
        again = driven(instance, conditions, choices, context)
        assert sizes == pieces and again["energy_j"].tolist() == found["energy_j"].tolist()


def last_choice(instance: Instance) -> Choice:
    values = instance.space.values
    names = ("sigma", "radius_m", "margin_m")
    return Choice(
        *(values[name][-1] for name in names),
        POLICIES.index(values["policy"][-1]),
        values["most_windows"][-1],
        rule=instance.rule,
    )

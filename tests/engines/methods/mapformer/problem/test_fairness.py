"""Shares of networks on small boards."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.contract.arrays import FloatArray
from engines.contract.results import Note, Table
from engines.methods.mapformer.explain import explain_mapping
from engines.methods.mapformer.problem.decision import columns_of, decoded
from engines.methods.mapformer.problem.fairness import Fairness
from engines.methods.mapformer.problem.instance import MixInstance, instance_of
from engines.methods.mapformer.problem.space import Space
from engines.simulation.steady_state import steady_state
from tests.engines.methods.mapformer.problems import mix, mix_problem
from tests.engines.simulation.boards import drawn_board

TOGETHER = {"networks": [[[4, "gpu"]], [[4, "gpu"]]], "clocks_mhz": {"gpu": 1377.0}}


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_no_share_is_above_one_and_the_smallest_is_the_fairness(seed: int) -> None:
    random = np.random.default_rng(seed)
    board = drawn_board(random, networks=3, units=2, layers=4, clocks=2)
    found, fairness = steady_state(board, Space(board, 2).drawn(random, 50)), Fairness.on(board, 2)
    shares = fairness.shares(found)
    assert (shares <= 1 + 1e-9).all() and (shares >= 0).all()
    assert (fairness.smallest(found) == shares.min(axis=1)).all()
    part = fairness.of_networks([2, 0])
    assert part.full_per_s.tolist() == fairness.full_per_s[[2, 0]].tolist()


def test_two_equal_networks_on_one_unit_have_at_most_half_of_it() -> None:
    instance = instance_of(mix_problem({"segments": 1}, mix((3, 16), (3, 16))))
    alone = instance.fairness.full_per_s
    assert alone[0] == pytest.approx(alone[1])
    shares = _column(instance, "Share")
    assert shares[0] == pytest.approx(shares[1]) and 0 < shares[0] <= 0.5 + 1e-9
    assert columns_of(instance, decoded(instance, TOGETHER))["fairness_fraction"][0] == shares.min()


def test_a_stated_rate_that_is_reached_is_share_one() -> None:
    instance = instance_of(mix_problem({"segments": 1}, mix((3, 16), (3, 16), rate_fps=2.0)))
    assert _column(instance, "Share")[0] == pytest.approx(1.0)
    assert np.isnan(_column(instance, "Rate of the scenario")[1]) and np.isnan(
        _column(instance, "Rate alone on the board")[0]
    )


def test_a_mapping_that_breaks_the_limit_says_by_which_share() -> None:
    instance = instance_of(mix_problem({"segments": 1, "fairness_limit_percent": 90.0}, mix((3, 16), (3, 16))))
    note = next(each for each in explain_mapping(instance, decoded(instance, TOGETHER)) if each.name == "limits")
    assert isinstance(note, Note) and "at least 90 %" in note.text and "power" not in note.text


def _column(instance: MixInstance, title: str) -> FloatArray:
    table = next(each for each in explain_mapping(instance, decoded(instance, TOGETHER)) if each.name == "networks")
    assert isinstance(table, Table)
    return np.asarray(next(column.values for column in table.table_columns if column.title == title), np.float64)

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from engines.contract.fronts.non_dominated import TOLERANCE, _sorted_pairs, non_dominated, rounded, to_costs
from engines.contract.quantities import Sense

MINIMISE: tuple[Sense, Sense] = ("minimise", "minimise")


def test_a_worked_front() -> None:
    matrix = [[1, 5], [2, 3], [2, 3], [4, 4], [4, 1], [1, 6]]
    assert non_dominated(matrix, MINIMISE).tolist() == [True, True, True, False, True, False]


@pytest.mark.parametrize("senses", [("minimise",), ("minimise", "none"), ()])
def test_senses_that_do_not_fit_are_refused(senses: tuple[Sense, ...]) -> None:
    with pytest.raises(ValueError, match="must"):
        non_dominated(np.zeros((3, 2)), senses)


@pytest.mark.parametrize("objectives", [1, 2, 3])
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_it_agrees_with_the_definition(objectives: int, data: st.DataObject) -> None:
    small = st.sampled_from([0.0, 1.0, 2.0, 3.0, np.nan, np.inf])
    costs = data.draw(hnp.arrays(np.float64, st.tuples(st.integers(0, 12), st.just(objectives)), elements=small))
    whole = np.isfinite(costs).all(axis=1)
    beaten = [
        any(whole[j] and (other <= row).all() and (other < row).any() for j, other in enumerate(costs)) for row in costs
    ]
    expected = [bool(ok and not worse) for ok, worse in zip(whole, beaten, strict=True)]
    assert non_dominated(costs, ("minimise",) * objectives).tolist() == expected
    assert non_dominated(-costs, ("maximise",) * objectives).tolist() == expected


@pytest.mark.parametrize("digits", [1, 2, 12])
def test_of_many_the_same_are_found_without_sorting_all(digits: int) -> None:
    """Many equal ones, some, and none."""
    random = np.random.default_rng(digits)
    angle, out = random.uniform(0, np.pi / 2, 25_000), random.uniform(1.0, 1.5, 25_000)
    costs = np.round(np.column_stack([2 - np.cos(angle) / out, 2 - np.sin(angle) / out]), digits)
    found = non_dominated(costs, MINIMISE)
    assert found.tolist() == _sorted_pairs(costs).tolist()
    assert 0 < found.sum() < len(costs)


def test_what_is_maximised_becomes_its_negative() -> None:
    assert to_costs([[1.0, 2.0]], ("minimise", "maximise")).tolist() == [[1.0, -2.0]]


def test_the_last_digits_of_a_sum_make_no_design_better() -> None:
    matrix = [[0.1 + 0.2 + 0.3, 2.0], [0.3 + 0.2 + 0.1, 1.0], [0.5, 1.0 + 1e-12], [0.5 * (1 + 2e-9), 1.0]]
    assert matrix[0][0] != matrix[1][0]
    assert non_dominated(matrix, MINIMISE).tolist() == [False, False, True, False]
    assert non_dominated([[each[0], each[1], 1.0] for each in matrix], ("minimise",) * 3).tolist() == [
        False, False, True, False,
    ]  # fmt: skip


def test_of_designs_equal_but_for_rounding_the_worse_ones_leave() -> None:
    matrix = [[1.0, 2.0], [1.0, 2.0 + 1e-13], [1.0 - 1e-13, 2.0 + 1e-13], [1.0, 2.0], [1.0 + 1e-13, 2.0]]
    assert non_dominated(matrix, MINIMISE).tolist() == [True, False, True, True, False]
    assert non_dominated([[1.0], [1.0 - 1e-13], [2.0]], MINIMISE[:1]).tolist() == [False, True, False]


@pytest.mark.parametrize("value", [3e-12, 1.0, 1 / 3, 7e9])
def test_more_than_the_tolerance_always_counts_and_rounding_does_not(value: float) -> None:
    assert rounded(np.array(value)) != rounded(np.array(value * (1 + 1.001 * TOLERANCE)))
    assert rounded(np.array(value)) == rounded(np.array(np.nextafter(value, np.inf)))
    assert rounded(np.array(-value)) == -rounded(np.array(value)) == pytest.approx(-value, rel=TOLERANCE / 2)


def test_rounding_leaves_what_is_no_number_and_zero() -> None:
    values = np.array([0.0, -0.0, np.inf, -np.inf, np.nan])
    assert np.array_equal(rounded(values), values, equal_nan=True)


# Chains of values that differ by less than the tolerance from one to the next.
CHAINS = st.tuples(st.integers(1, 3), st.integers(0, 8)).map(lambda each: each[0] * (1 + each[1] * TOLERANCE / 3))


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_front_is_the_same_in_any_order(data: st.DataObject) -> None:
    costs = data.draw(hnp.arrays(np.float64, st.tuples(st.integers(1, 12), st.integers(2, 3)), elements=CHAINS))
    order = np.array(data.draw(st.permutations(range(len(costs)))))
    senses = ("minimise",) * costs.shape[1]
    assert non_dominated(costs[order], senses).tolist() == non_dominated(costs, senses)[order].tolist()


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_a_pair_of_objectives_has_the_front_that_it_has_with_a_third_that_is_the_same_for_all(
    data: st.DataObject,
) -> None:
    costs = data.draw(hnp.arrays(np.float64, st.tuples(st.integers(1, 14), st.just(2)), elements=CHAINS))
    third = np.column_stack([costs, np.ones(len(costs))])
    assert non_dominated(costs, MINIMISE).tolist() == non_dominated(third, ("minimise",) * 3).tolist()

from itertools import pairwise

import moocore
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from engines.contract.fronts.non_dominated import non_dominated
from engines.contract.quantities import Sense
from engines.search.indicators import (
    OnlineFront,
    coverage,
    distinct_count,
    epsilon_factor,
    hypervolume,
    reference_point,
)

MINIMISE: tuple[Sense, Sense] = ("minimise", "minimise")
SMALL = st.integers(0, 6).map(float)


def brute_non_dominated(costs: np.ndarray) -> np.ndarray:
    keep = []
    for row in costs:
        better = (costs <= row).all(axis=1) & (costs < row).any(axis=1)
        keep.append(not better.any())
    return np.array(keep, dtype=bool)


def brute_hypervolume(costs: np.ndarray, corner: np.ndarray) -> float:
    """Counts unit cells: valid for integer coordinates."""
    axes = [np.arange(int(c)) for c in corner]
    cells = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(corner))
    return float((costs[None] <= cells[:, None]).all(axis=2).any(axis=1).sum())


@pytest.mark.parametrize("objectives", [1, 2, 3])
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_it_agrees_with_the_definition(objectives: int, data: st.DataObject) -> None:
    costs = data.draw(hnp.arrays(np.float64, st.tuples(st.integers(0, 12), st.just(objectives)), elements=SMALL))
    senses: tuple[Sense, ...] = ("minimise",) * objectives
    assert non_dominated(costs, senses).tolist() == brute_non_dominated(costs).tolist()
    corner = np.full(objectives, 6.0)
    assert hypervolume(costs, senses, corner) == pytest.approx(brute_hypervolume(costs, corner))


def test_a_worked_hypervolume() -> None:
    # Rectangles up to (6, 6): (1,5): 1 x 1, (2,3): 2 x 3, (4,1): 2 x 5.
    assert hypervolume([[1, 5], [2, 3], [4, 1]], MINIMISE, [6, 6]) == 1 * 1 + 2 * 3 + 2 * 5


def test_designs_beyond_the_reference_add_nothing() -> None:
    assert hypervolume([[7, 1], [6, 0]], MINIMISE, [6, 6]) == 0.0
    assert hypervolume([[2, 2], [7, 1]], MINIMISE, [6, 6]) == 16.0


@pytest.mark.parametrize("sense", [("maximise", "minimise"), ("minimise", "maximise"), ("maximise", "maximise")])
def test_maximise_is_minimise_of_the_negative(sense: tuple[Sense, Sense]) -> None:
    costs = np.random.default_rng(1).random((50, 2))
    signs = np.array([1.0 if s == "minimise" else -1.0 for s in sense])
    matrix = costs * signs
    assert non_dominated(matrix, sense).tolist() == non_dominated(costs, MINIMISE).tolist()
    assert hypervolume(matrix, sense, signs) == pytest.approx(hypervolume(costs, MINIMISE, [1, 1]))
    assert reference_point(matrix, sense) == pytest.approx(reference_point(costs, MINIMISE) * signs)


def test_rows_that_are_not_finite_neither_dominate_nor_stay() -> None:
    matrix = [[np.nan, 0], [0, np.inf], [-np.inf, 5], [3, 3]]
    assert non_dominated(matrix, MINIMISE).tolist() == [False, False, False, True]
    assert hypervolume(matrix, MINIMISE, [4, 4]) == 1.0


def test_nothing_has_no_front_and_no_volume() -> None:
    assert non_dominated(np.empty((0, 2)), MINIMISE).tolist() == []
    assert hypervolume(np.empty((0, 2)), MINIMISE, [1, 1]) == 0.0
    with pytest.raises(ValueError, match="at least one design"):
        reference_point([[np.nan, 1]], MINIMISE)


def test_the_reference_lies_a_tenth_beyond_the_worst() -> None:
    assert reference_point([[0, 5], [10, 5]], MINIMISE).tolist() == [11.0, 5.5]


@settings(max_examples=60, deadline=None)
@given(
    costs=hnp.arrays(np.float64, st.tuples(st.integers(1, 30), st.just(2)), elements=SMALL),
    cuts=st.lists(st.integers(0, 30), max_size=4),
)
def test_a_front_that_grows_equals_the_front_of_all(costs: np.ndarray, cuts: list[int]) -> None:
    online = OnlineFront(MINIMISE, reference=[6.0, 6.0])
    edges = [0, *sorted(min(cut, len(costs)) for cut in cuts), len(costs)]
    volumes = [0.0]
    for start, end in pairwise(edges):
        online.add(costs[start:end])
        volumes.append(online.hypervolume)
    assert sorted(online.numbers.tolist()) == np.flatnonzero(non_dominated(costs, MINIMISE)).tolist()
    assert online.front.tolist() == costs[online.numbers].tolist()
    assert online.hypervolume == pytest.approx(hypervolume(costs, MINIMISE, [6, 6]))
    assert volumes == sorted(volumes)


def test_the_reference_of_a_growing_front_is_fixed_by_the_first_designs() -> None:
    online = OnlineFront(MINIMISE)
    assert online.reference is None
    assert not online.add([[np.nan, 1.0]])
    assert online.add([[0.0, 10.0], [10.0, 0.0]])
    assert online.reference is not None
    assert online.reference.tolist() == [11.0, 11.0]
    before = online.hypervolume
    assert online.add([[-5.0, 50.0]])  # non-dominated, but beyond the reference
    assert online.hypervolume == before
    assert online.reference.tolist() == [11.0, 11.0]
    assert not online.add([[20.0, 20.0]])
    assert online.numbers.tolist() == [1, 2, 3]
    assert len(online) == 3


@pytest.mark.parametrize("objectives", [5, 6, 7])
def test_many_objectives_are_approximated_within_two_hundredths(objectives: int) -> None:
    """Against moocore's exact value, with objectives of unlike units."""
    random = np.random.default_rng(objectives)
    points = random.random((60, objectives)) * 10.0 ** np.arange(objectives)
    corner = 1.1 * 10.0 ** np.arange(objectives)
    exact = moocore.hypervolume(points, ref=corner)
    assert hypervolume(points, ("minimise",) * objectives, corner) == pytest.approx(exact, rel=0.02)


def test_the_hypervolume_of_many_objectives_never_falls_and_is_found_in_bounded_time() -> None:
    """Two thousand mutually non-dominated designs of eight objectives: the exact value would take minutes."""
    points = np.abs(np.random.default_rng(8).normal(size=(2000, 8)))
    points = 1 - points / np.linalg.norm(points, axis=1)[:, None]
    front = OnlineFront(("minimise",) * 8, [1.1] * 8)
    volumes = [0.0]
    for part in np.split(points, 5):
        front.add(part)
        volumes.append(front.hypervolume)
    assert volumes == sorted(volumes)
    assert len(front) == 2000


def test_coverage_by_hand() -> None:
    ours, theirs = [[1, 3], [3, 1]], [[2, 4], [3, 1], [2, 2], [4, 4]]
    assert coverage(ours, theirs, MINIMISE) == 2 / 4  # (2, 4) and (4, 4); (3, 1) is equal
    assert coverage(theirs, ours, MINIMISE) == 0.0
    assert coverage([], theirs, MINIMISE) == 0.0
    assert np.isnan(coverage(ours, [], MINIMISE))


def test_the_epsilon_factor_by_hand() -> None:
    assert epsilon_factor([[2.0, 2.0]], [[1.0, 2.0], [2.0, 1.0]], MINIMISE) == 2.0
    assert epsilon_factor([[1.0, 2.0], [2.0, 1.0]], [[2.0, 2.0]], MINIMISE) == 1.0
    assert epsilon_factor([[2.0]], [[3.0]], ("maximise",)) == 1.5
    assert np.isnan(epsilon_factor([[0.0, 1.0]], [[1.0, 1.0]], MINIMISE))
    assert np.isnan(epsilon_factor(np.empty((0, 2)), [[1.0, 1.0]], MINIMISE))


def test_coverage_and_the_epsilon_factor_agree_with_their_definitions() -> None:
    senses: tuple[Sense, ...] = ("minimise", "maximise", "minimise")
    for seed in range(20):
        random = np.random.default_rng(seed)
        ours, theirs = (random.integers(1, 5, (size, 3)).astype(float) for size in (9, 12))
        ours, theirs = np.unique(ours, axis=0), np.unique(theirs, axis=0)
        factors = np.where([False, True, False], theirs[:, None] / ours, ours / theirs[:, None])
        assert epsilon_factor(ours, theirs, senses) == pytest.approx(factors.max(axis=2).min(axis=1).max())
        equal = (ours == theirs[:, None]).all(axis=2)
        assert coverage(ours, theirs, senses) == ((factors <= 1).all(axis=2) & ~equal).any(axis=1).mean()


def test_a_front_found_thousands_of_times_is_one_front() -> None:
    """120,000 rows against each other take minutes, more than the limit of a test."""
    front = np.array([[1.0, 4.0], [2.0, 2.0], [4.0, 1.0]])
    often = np.repeat(front, 40_000, axis=0)
    other = np.array([[2.0, 2.5], [2.0, 2.5], [1.0, 4.0], [0.5, 0.5]])
    assert coverage(often, other, MINIMISE) == 1 / 3
    assert coverage(other, np.concatenate([often, [[0.1, 9.0]]]), MINIMISE) == 3 / 4
    assert epsilon_factor(often, other, MINIMISE) == epsilon_factor(front, other, MINIMISE)


@pytest.mark.parametrize("objectives", [1, 2, 3, 4, 5])
def test_order_and_repetition_change_no_bit(objectives: int) -> None:
    """Sums depend on the order of what is added; values of the same set may not."""
    senses: tuple[Sense, ...] = (*MINIMISE, "maximise", "minimise", "maximise")[:objectives]
    random = np.random.default_rng(objectives)
    for _ in range(4 if objectives == 5 else 20):
        points = random.random((30, objectives)) + 0.5
        other = random.random((10, objectives)) + 0.5
        reference = reference_point(points, senses)

        def values(matrix: np.ndarray, other: np.ndarray = other, reference: np.ndarray = reference) -> list[float]:
            factors = [epsilon_factor(matrix, other, senses), epsilon_factor(other, matrix, senses)]
            covers = [coverage(matrix, other, senses), coverage(other, matrix, senses)]
            return [hypervolume(matrix, senses, reference), *factors, *covers]

        wanted = values(points)
        front = points[non_dominated(points, senses)]
        assert hypervolume(front, senses, reference) == wanted[0], "what is dominated adds nothing"
        for _ in range(4):
            repeated = np.concatenate([points, random.choice(points, 15)])
            assert values(random.permutation(repeated)) == wanted


def test_designs_with_equal_objectives_are_one_point() -> None:
    assert distinct_count([[1.0, 2.0], [2.0, 1.0], [1.0, 2.0], [1.0, 3.0]]) == 3
    assert distinct_count([[0.5]] * 4) == 1
    assert distinct_count(np.empty((0, 2))) == 0
    random = np.random.default_rng(1)
    rows = random.integers(0, 3, (500, 4)).astype(float)
    assert distinct_count(rows) == len({tuple(row) for row in rows.tolist()})
    assert distinct_count([[0.0, 1.0], [-0.0, 1.0]]) == 1

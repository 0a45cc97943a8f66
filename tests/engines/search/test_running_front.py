import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from engines.contract.fronts.non_dominated import non_dominated
from engines.search.indicators import OnlineFront
from engines.search.running_front import RunningFront

SENSES = ("minimise", "maximise")
# Some are equal within the tolerance of fronts, some are not.
VALUES = st.tuples(st.integers(0, 3), st.integers(0, 6)).map(lambda each: each[0] * (1 + each[1] * 3e-10))
POINTS = arrays.arrays(np.float64, st.tuples(st.integers(0, 12), st.just(2)), elements=VALUES)


def test_what_is_new_on_the_front_is_told_and_what_it_dominates_leaves() -> None:
    front = RunningFront(SENSES)
    assert front.extend(np.array([[2.0, 2.0], [3.0, 1.0], [1.0, 1.0]])).tolist() == [True, False, True]
    assert front.extend(np.array([[1.0, 2.0], [5.0, 0.0]])).tolist() == [True, False]
    assert front.points.tolist() == [[1.0, 2.0]] and len(front) == 1


def test_what_is_not_allowed_is_never_on_it() -> None:
    front = RunningFront(SENSES)
    assert front.extend(np.array([[0.0, 9.0], [1.0, 1.0]]), np.array([False, True])).tolist() == [False, True]
    assert front.points.tolist() == [[1.0, 1.0]]


def test_equal_points_are_kept_once_where_they_shall_be_distinct() -> None:
    twice = np.array([[1.0, 1.0], [1.0, 1.0]])
    front, distinct = RunningFront(SENSES), RunningFront(SENSES, distinct=True)
    assert front.extend(twice).all() and distinct.extend(twice).all()
    assert (len(front), len(distinct)) == (2, 1)
    assert distinct.extend(twice * (1 - 1e-13)).all() and distinct.points.tolist() == [[1.0, 1.0]]


@given(POINTS, POINTS)
def test_batch_by_batch_it_is_the_front_of_all(first: np.ndarray, second: np.ndarray) -> None:
    front, online = RunningFront(SENSES), OnlineFront(SENSES, (9.0, -1.0))
    for part in (first, second):
        front.extend(part)
        online.add(part)
    both = np.concatenate([first, second])
    assert front.points.tolist() == online.front.tolist() == both[non_dominated(both, SENSES)].tolist()


def test_genes_stay_beside_their_points() -> None:
    front = RunningFront(SENSES, distinct=True, genes=1)
    front.extend(np.array([[2.0, 1.0], [2.0, 1.0], [3.0, 2.0]]), genes=np.array([[5], [6], [7]]))
    assert (front.points.tolist(), front.genes.tolist()) == ([[2.0, 1.0], [3.0, 2.0]], [[5], [7]])
    front.extend(np.array([[2.0, 2.0]]), genes=np.array([[8]]))
    assert (front.points.tolist(), front.genes.tolist()) == ([[2.0, 2.0]], [[8]])


def test_what_equals_a_point_that_is_there_can_be_left_out() -> None:
    front = RunningFront(SENSES, distinct=True)
    front.extend(np.array([[1.0, 1.0]]))
    batch = np.array([[1.0, 1.0], [2.0, 2.0], [2.0, 2.0], [3.0, 2.0]])
    assert front.extend(batch, once=True).tolist() == [False, True, False, False]

"""Functions that are drawn, improvements of hypervolume by hand, and which candidate they choose."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from engines.contract.arrays import FloatArray
from engines.methods.eexnas import acquisition
from engines.methods.eexnas.acquisition import improvement, improvements, sampled, thompson


def test_thompson_sampling_finds_what_is_best_of_a_smooth_objective() -> None:
    random = np.random.default_rng(3)
    known = random.random((25, 2))
    candidates = random.random((60, 2))

    def values(points: np.ndarray) -> np.ndarray:
        near = -((points - 0.5) ** 2).sum(axis=1)
        return np.column_stack([near, np.zeros(len(points))])

    row = thompson(known, values(known), candidates, np.array([1.0, 0.0]), random)
    assert (values(candidates)[:, 0] > values(candidates)[row, 0]).mean() < 0.1


def test_functions_are_drawn_on_one_thread_whatever_the_process_has(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[int] = set()

    def sampled(known: object, objective: object, candidates: FloatArray, random: object) -> FloatArray:
        seen.update(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas")
        return np.zeros((1, len(candidates)))

    monkeypatch.setattr(acquisition, "sampled", sampled)
    points = np.zeros((2, 3))
    with threadpool_limits(2, user_api="blas"):
        thompson(points, points, points, np.ones(3), np.random.default_rng(0))
    assert seen == {1}


def test_functions_pass_near_what_is_known_and_differ_far_from_it() -> None:
    known = np.linspace(0, 0.4, 9)[:, None]
    functions = sampled(known, np.sin(8 * known[:, 0]), np.array([[0.2], [1.0]]), np.random.default_rng(1), 200)
    assert functions.shape == (200, 2)
    assert sampled(known, known[:, 0], known, np.random.default_rng(1)).shape == (1, 9)
    near, far = functions.T
    assert near.mean() == pytest.approx(np.sin(1.6), abs=0.1) and near.std() < 0.15 < far.std()


def test_the_candidate_of_the_largest_weighted_sum_is_thompson(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acquisition, "sampled", lambda _known, objective, _candidates, _random: objective[None])
    values = np.array([[4.0, 0.0], [0.0, 3.0], [2.5, 1.5]])
    # Sums: 2, 1.5 and 2; 1, 2.25 and 1.75; 1.25 x 2.5 + 0.25 x 1.5.
    for weights, expected in (([0.5, 0.4], 0), ([0.25, 0.75], 1), ([0.5, 0.75], 2)):
        assert thompson(values, values, values, np.array(weights), np.random.default_rng(0)) == expected


def test_functions_have_the_covariance_of_the_process_in_every_unit() -> None:
    # A candidate that is there twice has one value, whose covariance matrix has no root without what is added.
    known, candidates = np.linspace(0, 0.4, 9)[:, None], np.array([[0.2], [0.9], [0.9], [1.0]])
    drawn = {
        unit: sampled(known, unit * np.sin(8 * known[:, 0]), candidates, np.random.default_rng(1), 50)
        for unit in (1.0, 1e-3, 1e3)
    }
    np.testing.assert_allclose(drawn[1.0][:, 1], drawn[1.0][:, 2], atol=0.02)
    assert np.corrcoef(drawn[1.0][:, 2], drawn[1.0][:, 3])[0, 1] > 0.9
    for unit, functions in drawn.items():
        np.testing.assert_allclose(functions / unit, drawn[1.0], rtol=1e-4, atol=1e-4)


def test_volumes_by_hand() -> None:
    known = np.array([[0.5, 0.5], [0.2, 0.8], [0.1, 0.1]])
    offered = np.array([[0.6, 0.6], [0.4, 0.4], [1.0, 0.1], [0.3, 0.9], [0.0, 1.0]])
    # 0.36 less 0.25 and the strip of the second point above it; dominated; 0.1 x 0.5; and so on.
    assert improvements(known, offered) == pytest.approx(
        [0.36 - 0.25 - 0.2 * 0.1, 0.0, 0.05, 0.27 - 0.15 - 0.2 * 0.3, 0.0]
    )


def test_the_improvement_in_four_dimensions_is_the_difference_of_volumes() -> None:
    import moocore

    random = np.random.default_rng(3)
    known, offered = random.random((12, 4)), random.random((6, 4))
    zero = np.zeros(4)
    before = moocore.hypervolume(known, ref=zero, maximise=True)
    expected = [moocore.hypervolume(np.vstack([known, each]), ref=zero, maximise=True) - before for each in offered]
    assert improvements(known, offered) == pytest.approx(expected, abs=1e-12)


def test_a_place_that_widens_the_front_is_improvement() -> None:
    random = np.random.default_rng(1)
    known, candidates = random.random((30, 1)), np.linspace(0, 1, 21)[:, None]
    known = known[np.abs(known[:, 0] - 0.5) > 0.15]

    def values(x: np.ndarray) -> np.ndarray:
        return np.column_stack([np.exp(-20 * (x[:, 0] - 0.5) ** 2), np.full(len(x), 0.5)])

    row = improvement(known, values(known), candidates, np.array([0.5, 0.5]), random)
    assert abs(candidates[row, 0] - 0.5) < 0.2


def test_known_points_beside_the_box_of_an_offered_one_take_nothing_from_it() -> None:
    assert improvements(np.array([[0.5, 0.0]]), np.array([[0.3, 0.4]])) == pytest.approx([0.12])


@pytest.mark.parametrize(
    ("known", "offered", "weights", "row"),
    [
        # The second gains 0.04 and the third 0.16, though the weights prefer the second; the first is dominated.
        ([[0.5, 0.5]], [[[0.4, 0.4], [0.9, 0.1], [0.4, 0.9]]], [1.0, 0.0], 2),
        # One function of three gives the first 0.3, all of them give the second 0.05: means of 0.1 and 0.05.
        ([[0.0, 0.0]], [[[0.0, 0.0], [0.1, 0.5]], [[0.0, 0.0], [0.1, 0.5]], [[0.6, 0.5], [0.1, 0.5]]], [0.5, 0.5], 0),
        # A value above 1 counts as 1: 0.2 against 0.36.
        ([[0.0, 0.0]], [[[2.0, 0.2], [0.6, 0.6]]], [0.5, 0.5], 1),
        # Nothing gains: weighted means of 0.22 and 0.51.
        ([[1.0, 1.0]], [[[0.2, 0.9], [0.8, 0.1]], [[0.1, 0.9], [0.3, 0.1]]], [0.9, 0.1], 1),
    ],
)
def test_the_candidate_of_the_largest_mean_gain(
    monkeypatch: pytest.MonkeyPatch,
    known: list[list[float]],
    offered: list[list[list[float]]],
    weights: list[float],
    row: int,
) -> None:
    drawn = [np.array([[*known, *function] for function in offered])[:, :, objective] for objective in (0, 1)]
    columns = iter(drawn)
    monkeypatch.setattr(acquisition, "sampled", lambda *_: next(columns))
    candidates = np.zeros((len(offered[0]), 1))
    random = np.random.default_rng(0)
    found = improvement(np.zeros((len(known), 1)), np.array(known), candidates, np.array(weights), random)
    assert found == row

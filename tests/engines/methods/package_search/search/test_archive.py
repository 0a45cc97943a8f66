import numpy as np

from engines.methods.package_search.search.archive import rules_out


def archive(*points: tuple[float, ...]) -> np.ndarray:
    return np.array(points).reshape(-1, 2)


def test_a_bound_is_ruled_out_if_all_its_points_are_worse_than_something_found() -> None:
    one = archive((1.0, 5.0), (3.0, 2.0))
    assert rules_out(one, np.array([[1.5, 6.0], [3.0, 2.5]]))
    assert not rules_out(one, np.array([[1.5, 6.0], [2.0, 4.0]]))


def test_what_can_at_best_be_equal_is_ruled_out() -> None:
    assert rules_out(archive((1.0, 5.0)), np.array([[1.0, 5.0 * (1 - 1e-12)]]))
    assert not rules_out(archive((1.0, 5.0)), np.array([[1.0, 5.0 * (1 - 1e-6)]]))


def test_a_gain_too_small_to_count_is_ruled_out() -> None:
    front = archive((1.0, 5.0))
    assert not rules_out(front, np.array([[0.995, 4.99]]), 0.001)
    assert rules_out(front, np.array([[0.995, 4.99]]), 0.01)


def test_nothing_found_rules_nothing_out() -> None:
    assert not rules_out(archive(), np.array([[9.0, 9.0]]))

import numpy as np

from engines.methods.package_search.archive import Archive


def archive(*points: tuple[float, ...]) -> Archive:
    one = Archive(2)
    one.add(np.array(points))
    return one


def test_a_bound_is_ruled_out_if_all_its_points_are_worse_than_something_found() -> None:
    one = archive((1.0, 5.0), (3.0, 2.0))
    assert one.rules_out(np.array([[1.5, 6.0], [3.0, 2.5]]))
    assert not one.rules_out(np.array([[1.5, 6.0], [2.0, 4.0]]))


def test_a_tie_is_not_ruled_out() -> None:
    assert not archive((1.0, 5.0)).rules_out(np.array([[1.0, 5.0]]))
    assert not archive((1.0, 5.0)).rules_out(np.array([[1.0, 5.0 * (1 + 1e-12)]]))


def test_nothing_found_rules_nothing_out() -> None:
    assert not Archive(2).rules_out(np.array([[9.0, 9.0]]))


def test_dominated_points_do_not_matter() -> None:
    one = archive((1.0, 5.0))
    one.add(np.array([[2.0, 6.0]]))
    assert not one.rules_out(np.array([[1.0, 5.5], [0.5, 9.0]]))
    assert one.rules_out(np.array([[1.0, 5.5]]))

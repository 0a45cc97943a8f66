import numpy as np

from engines.methods.energyshield.layout import Layout, drawn_obstacles


def test_obstacles_stand_as_given_where_nothing_is_drawn() -> None:
    fixed = Layout(((40.0, 0.0), (60.0, 1.0)), 0.0, 0.0, 5.0)
    x_m, y_m = drawn_obstacles(fixed, np.random.default_rng(1), 3)
    assert fixed.fixed and x_m.tolist() == [[40.0, 60.0]] * 3 and y_m.tolist() == [[0.0, 1.0]] * 3
    assert fixed.least_apart_m() == np.hypot(20, 1) and Layout(((1.0, 0.0),), 0.0, 0.0, 5.0).least_apart_m() == np.inf


def test_drawn_ones_keep_apart() -> None:
    x_m, y_m = drawn_obstacles(Layout(((40.0, 0.0), (48.0, 0.0)), 6.0, 0.5, 5.0), np.random.default_rng(1), 200)
    assert np.hypot(np.diff(x_m), np.diff(y_m)).min() >= 5 and x_m.std(axis=0).min() > 1

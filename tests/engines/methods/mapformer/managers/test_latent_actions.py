import numpy as np
import pytest

from engines.methods.mapformer.managers.latent_actions import (
    LEAF,
    Region,
    _good_side,
    best_leaf,
    divided,
    regions_table,
)


def test_good_and_bad_regions_are_told_apart() -> None:
    places = np.random.default_rng(0).random((200, 2))
    values = (places[:, 0] > 0.5) * 10.0 + places[:, 1]
    root = divided(places, values, 0)
    good, bad = root.children
    assert good.mean > bad.mean and len(good.rows) + len(bad.rows) == 200
    assert places[good.rows, 0].mean() > places[bad.rows, 0].mean()


def test_the_way_to_a_leaf_holds_its_own_places() -> None:
    places = np.random.default_rng(1).random((300, 3))
    root = divided(places, places.sum(axis=1), 0)
    path = best_leaf(root)
    assert not path.leaf.children and path.borders
    np.testing.assert_array_equal(np.flatnonzero(path.holds(places)), path.leaf.rows)


def test_what_is_rarely_looked_at_gets_its_turn() -> None:
    places = np.random.default_rng(2).random((60, 2))
    root = divided(places, places[:, 0], 0)
    assert len({id(best_leaf(root, exploration=10.0).leaf) for _ in range(200)}) > 1


def test_few_or_equal_values_are_one_region() -> None:
    places = np.random.default_rng(3).random((LEAF + 30, 2))
    assert not divided(places[:LEAF], np.arange(float(LEAF)), 0).children
    assert not divided(places, np.ones(len(places)), 0).children
    assert regions_table(divided(places, np.ones(len(places)), 0), np.ones(len(places))).table_columns[0].values == (
        "all",
    )


def test_a_region_is_divided_five_times_at_most() -> None:
    # Eight groups of 25, each ten times as far out as the one before: every border parts the outermost from the rest.
    values = np.repeat(10.0 ** np.arange(8), 25)
    sides = regions_table(divided(values[:, None], values, 0), values).table_columns[0].values
    assert list(sides) == ["good", *(f"{'bad, ' * number}good" for number in range(1, 5)), "bad, bad, bad, bad, bad"]


@pytest.mark.parametrize("good", [10, 15])
def test_values_that_places_do_not_tell_are_one_region(good: int) -> None:
    values = np.repeat([1.0, 0.0], [good, 25 - good])
    assert not divided(np.zeros((25, 1)), values, 0).children


@pytest.mark.filterwarnings("ignore:Number of distinct clusters")
def test_values_that_rounding_makes_equal_are_one_region() -> None:
    assert not divided(np.zeros((25, 1)), np.repeat([5e-324, 0.0], [10, 15]), 0).children


def test_a_single_sample_may_be_a_region() -> None:
    first = np.arange(25) == 0
    good, bad = divided(100.0 * first[:, None], 1.0 * first, 0).children
    assert (good.rows.tolist(), bad.rows.tolist()) == ([0], [*range(1, 25)])


# Of few samples by many: each list is better by its mean alone, not by its median, or not by its sum and its best value.
@pytest.mark.parametrize(("better", "worse"), [([0.0, 3.0, 9.0], [3.5] * 6), ([4.0] * 3, [1.0] * 5 + [9.0])])
@pytest.mark.parametrize("scale", [1.0, 1000.0])
def test_the_good_side_is_the_one_of_the_higher_mean(better: list[float], worse: list[float], scale: float) -> None:
    samples = [(value, 1.0) for value in better] + [(value, 0.0) for value in worse]
    for values, side in (np.array(samples).T, np.array(samples[::-1]).T):
        places = np.tile(side[:, None], (1, 8)) / scale
        np.testing.assert_array_equal(_good_side(places, scale * values, 0), side == 1)


@pytest.mark.parametrize(("exploration", "least"), [(1.0, 8**0.5), (0.5, 2**0.5)])
def test_upper_confidence_bounds_by_hand(exploration: float, least: float) -> None:
    # With the 16th visit of the root, 2 Cp sqrt(2 x 4 / visits) is Cp sqrt(8) more after one visit than after four.
    for more, chosen in ((-0.01, 1), (0.01, 0)):
        rows = np.arange(5)
        root = Region(rows, 0.0, 15, "border", (Region(rows[:4], least + more, 4), Region(rows[4:], 0.0, 1)))
        path = best_leaf(root, exploration)
        assert path.leaf is root.children[chosen] and path.borders == (("border", 1 - chosen),)
        assert (root.visits, *(child.visits for child in root.children)) == (16, 4 + (chosen == 0), 1 + (chosen == 1))


def test_the_table_of_regions_has_the_best_first() -> None:
    values = np.array([1.0, 5.0, 7.0, 2.0, 4.0])
    rows = np.array([0, 1]), np.array([2, 3, 4]), np.array([2]), np.array([3, 4])
    first, second, third, fourth = (Region(each, float(values[each].mean()), len(each)) for each in rows)
    second.children = (third, fourth)
    table = regions_table(Region(np.arange(5), 3.8, 5, None, (first, second)), values)
    assert [list(column.values) for column in table.table_columns] == [
        ["bad, good", "good", "bad, bad"], [1.0, 2.0, 2.0], [7.0, 3.0, 3.0], [7.0, 5.0, 4.0],
    ]  # fmt: skip

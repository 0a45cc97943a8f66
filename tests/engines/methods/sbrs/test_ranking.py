import numpy as np
import pytest

from engines.methods.sbrs.ranking import Requirements, choose, in_words, ranks, tied_with

# minakova-2022 Figure 6: accuracy (%), throughput (fps), memory (MB), energy (J), and the printed ranks.
NAMES = tuple(f"CNN_{number}" for number in range(1, 7))
VALUES = np.array([
    [93.56, 198, 10.84, 0.00784],
    [94.02, 176, 10.55, 0.01173],
    [92.23, 209, 9.59, 0.00551],
    [90.93, 245, 9.75, 0.00272],
    [93.90, 165, 12.78, 0.00949],
    [92.15, 220, 8.95, 0.00593],
])  # fmt: skip
PRINTED = np.array([[3, 4, 5, 4], [1, 5, 4, 6], [4, 3, 2, 3], [6, 1, 3, 1], [2, 6, 6, 5], [5, 2, 1, 2]])
SUMS = [3.7, 3.5, 3.3, 3.2, 4.2, 3.1]
WEIGHTS = Requirements("Figure 6", (0.4, 0.3, 0.1, 0.2))


def test_the_printed_ranks_of_figure_6_select_cnn_6() -> None:
    choice = choose(VALUES, WEIGHTS, PRINTED)
    np.testing.assert_allclose(choice.sums, SUMS)
    assert NAMES[choice.network] == "CNN_6"


def test_ranks_of_the_printed_values_select_cnn_3() -> None:
    found = ranks(VALUES)
    np.testing.assert_array_equal(found[:, :3], PRINTED[:, :3])
    assert found[2, 3] == 2 and found[5, 3] == 3  # printed the other way round
    choice = choose(VALUES, WEIGHTS)
    assert (
        NAMES[choice.network] == "CNN_3"
        and choice.sums[2] == pytest.approx(3.1)
        and choice.sums[5] == pytest.approx(3.3)
    )
    assert in_words(choice, NAMES) == "CNN_3 has the lowest weighted rank, 3.1."


def test_equal_values_share_the_better_rank_and_ties_are_told() -> None:
    values = np.array([[90.0, 10, 1, 1], [90.0, 20, 1, 1], [80.0, 30, 2, 2]])
    assert ranks(values)[:, 0].tolist() == [1, 1, 3]
    choice = choose(values, Requirements("", (1.0, 0, 0, 0)))
    assert (choice.network, choice.tied) == (1, (0, 1))
    assert "as a;" in in_words(choice, ("a", "b", "c"))


def test_of_some_networks_that_are_tied_the_same_one_is_chosen_as_of_all() -> None:
    values = np.array([[80.0, 10, 1, 1], [90.0, 10, 1, 1], [90.0, 20, 1, 1]])
    first = Requirements("", (0.0, 0, 1.0, 0))
    choice = choose(values, first, among=(1, 0))
    assert (choice.network, choice.tied, tied_with(choice, ("a", "b", "c"))) == (1, (0, 1), "a")
    assert choose(values, first).network == choose(values, first, among=(2, 1, 0)).network == 2


def test_weights_must_sum_to_one() -> None:
    with pytest.raises(ValueError, match="sum to 1"):
        Requirements("", (0.5, 0.5, 0.5, 0.0))

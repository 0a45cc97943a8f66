from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.chiplets.problem.objectives import Goal
from engines.chiplets.windows.provision import expected_effort, share_nodes
from engines.chiplets.windows.reconfig import LayerRange
from tests.engines.chiplets.cases import tables


def test_equation_4_2_by_hand() -> None:
    assert share_nodes([6, 3], [9, 9], 9) == [6, 3]
    assert share_nodes([5, 3, 1], [9, 9, 9], 9) == [5, 3, 1]
    assert share_nodes([2.4, 6.6], [9, 9], 9) == [2, 7]


def test_halves_round_up_and_the_first_of_the_largest_gives_one_back() -> None:
    # 4.5 -> 5 each, 10 in all; the first of the largest loses one.
    assert share_nodes([1, 1], [9, 9], 9) == [4, 5]


def test_a_negligible_model_gets_one() -> None:
    assert share_nodes([100, 0.001], [50, 50], 9) == [8, 1]


def test_no_more_nodes_than_layers() -> None:
    assert share_nodes([100, 1], [2, 50], 9) == [2, 1]


def test_more_models_than_chiplets_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 2"):
        share_nodes([1, 1, 1], [1, 1, 1], 2)


@given(st.data(), st.integers(1, 40))
def test_shares_fit(data: st.DataObject, chiplets: int) -> None:
    models = data.draw(st.integers(1, chiplets))
    effort = data.draw(st.lists(st.floats(0, 1e6), min_size=models, max_size=models))
    layers = data.draw(st.lists(st.integers(1, 60), min_size=models, max_size=models))
    nodes = share_nodes(effort, layers, chiplets)
    assert sum(nodes) <= chiplets
    assert all(1 <= n <= most for n, most in zip(nodes, layers, strict=True))


def test_effort_sums_the_window_and_follows_the_objective() -> None:
    built = tables({"a": [[1, 2, 4], [1, 2, 4]]})
    ranges = [LayerRange(0, 1, 3)]
    assert expected_effort(built, ranges, Goal("latency")) == pytest.approx([6])
    assert expected_effort(built, ranges, Goal("energy")) == pytest.approx([6])
    assert expected_effort(built, ranges, Goal("edp")) == pytest.approx([4 + 16])

"""Each network by itself, by straight lines."""

import numpy as np

from engines.methods.mapformer.managers.mosaic import MosaicManager, put_together, two_parts
from tests.engines.methods.mapformer.problems import task
from tests.engines.simulation.boards import board, network, unit


def test_ways_to_cut_a_network_in_two() -> None:
    asked = task(board([unit("cpu"), unit("gpu")], network("a", [[1.0, 4.0], [2.0, 2.0], [4.0, 1.0]]), cut_s=0.5))
    predicted = {0: [np.array([1.0, 2.0, 4.0])], 1: [np.array([4.0, 2.0, 1.0])]}
    assert two_parts(asked, 0, predicted) == [
        (3, (0, 0), {0: 7.0}, 0.0),
        (1, (0, 1), {0: 1.0, 1: 3.0}, 0.5),
        (2, (0, 1), {0: 3.0, 1: 1.0}, 0.5),
        (1, (1, 0), {1: 4.0, 0: 6.0}, 0.5),
        (2, (1, 0), {1: 6.0, 0: 4.0}, 0.5),
        (3, (1, 1), {1: 7.0}, 0.0),
    ]


def test_no_part_lies_on_a_unit_that_cannot_run_it() -> None:
    asked = task(board([unit("cpu"), unit("gpu")], network("a", [[1.0, 1.0], [1.0, np.inf]])))
    predicted = {0: [np.array([1.0, 1.0])], 1: [np.array([1.0, 1.0])]}
    assert [(cut, units) for cut, units, *_ in two_parts(asked, 0, predicted)] == [(2, (0, 0)), (1, (1, 0))]


def test_a_chosen_cut_becomes_a_mapping() -> None:
    asked = task(board([unit("cpu"), unit("gpu")], network("a", [[1.0, 1.0]] * 3)), segments=3)
    found = put_together(asked, [(2, (1, 0))])
    assert found.ends.tolist() == [[[2, 3, 3]]]
    assert found.units[0, 0, :2].tolist() == [1, 0]


def test_networks_go_where_the_line_says_they_are_fastest() -> None:
    # A layer of x MB takes x seconds on the CPU and 3 - x on the GPU; hand-overs take longer than anything gains.
    light = network("light", [[1.0, 2.0]] * 2, moved_bytes=2e6)
    heavy = network("heavy", [[2.0, 1.0]] * 2, moved_bytes=4e6)
    found = MosaicManager(task(board([unit("cpu"), unit("gpu")], light, heavy, cut_s=9.0))).round(0, {})
    assert found.mappings.units[0, :, 0].tolist() == [0, 1]
    assert (found.mappings.ends == 2).all()
    np.testing.assert_allclose(found.steady.throughput_per_s[0], [1 / 2, 1 / 2], rtol=1e-6)


def test_what_crowds_one_unit_is_not_seen() -> None:
    networks = [network(name, [[3.0, 1.0]] * 2, moved_bytes=2e6) for name in ("a", "b", "c")]
    found = MosaicManager(task(board([unit("cpu"), unit("gpu")], *networks, cut_s=9.0))).round(0, {})
    assert found.mappings.units[0, :, 0].tolist() == [1, 1, 1]

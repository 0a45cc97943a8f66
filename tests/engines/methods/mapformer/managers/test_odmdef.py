"""One network after the other, where least is to do."""

from engines.methods.mapformer.managers.odmdef import OdmdefManager
from tests.engines.methods.mapformer.problems import task
from tests.engines.simulation.boards import board, network, unit


def test_the_second_network_avoids_the_unit_of_the_first() -> None:
    networks = [network(name, [[1.0, 1.0]] * 2, moved_bytes=2e6) for name in ("a", "b")]
    found = OdmdefManager(task(board([unit("cpu"), unit("gpu")], *networks, cut_s=9.0))).round(0, {})
    assert sorted(found.mappings.units[0, :, 0].tolist()) == [0, 1]
    assert (found.mappings.ends == 2).all()


def test_a_network_is_cut_where_handing_over_costs_nothing() -> None:
    one = network("a", [[1.0, 1.0]] * 2, moved_bytes=2e6)
    found = OdmdefManager(task(board([unit("cpu"), unit("gpu")], one))).round(0, {})
    assert found.mappings.ends[0, 0].tolist() == [1, 2]
    assert sorted(found.mappings.units[0, 0].tolist()) == [0, 1]


def test_latency_is_that_of_the_layers_that_are_most_alike() -> None:
    # Of the large layers the CPU takes 9 s, of the small ones 1 s; the GPU takes 3 s for any.
    small = network("small", [[1.0, 3.0]] * 6, moved_bytes=6e3)
    large = network("large", [[9.0, 3.0]] * 6, moved_bytes=6e9)
    found = OdmdefManager(task(board([unit("cpu"), unit("gpu")], large, small, cut_s=99.0))).round(0, {})
    assert found.mappings.units[0, :, 0].tolist() == [1, 0]

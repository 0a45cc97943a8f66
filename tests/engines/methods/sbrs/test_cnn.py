from __future__ import annotations

import pytest

from engines.methods.sbrs.cnn import Cnn, CnnLayer, TimedCnn, chain, require_names

LAYERS = tuple(
    CnnLayer(name, "conv", parameter_elements=p, output_elements=y)
    for name, p, y in (("a", 10, 4), ("b", 20, 3), ("c", 5, 2))
)
SKIP = Cnn("skip", LAYERS, ((0, 1), (0, 2), (1, 2)))


def test_memory_by_equation_1() -> None:
    # Parameters 10 + 20 + 5; the first layer writes onto two edges: 4 + 4 + 3.
    assert SKIP.memory_bytes(4) == 4 * (35 + 11)
    assert Cnn("chain", LAYERS, chain(3)).memory_bytes(4) == 4 * (35 + 7)


def test_edges_are_known_at_both_ends() -> None:
    assert SKIP.inputs == ((), (0,), (1, 2)) and SKIP.outputs == ((0, 1), (2,), ())


def test_throughput_and_energy_by_equations_2_and_3() -> None:
    timed = TimedCnn(SKIP, (0.1, 0.3, 0.1), (1.0, 2.0, 0.5))
    assert (timed.throughput_fps, timed.frame_j, timed.power_w) == pytest.approx((2.0, 3.5, 7.0))


@pytest.mark.parametrize("edges", [((1, 0),), ((0, 3),), ((1, 1),)])
def test_edges_that_do_not_lead_forward_are_refused(edges: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(ValueError, match="forward between 3 layers"):
        Cnn("wrong", LAYERS, edges)


def test_scenarios_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="different names"):
        require_names([SKIP, SKIP])

import numpy as np
import pytest

from engines.methods.map_and_conquer.search.partial import LayerCosts, nothing_yet, with_layer

CUTS, REUSES = np.array([[1, 1]]), np.array([[False, False], [True, False]])
LAYER = LayerCosts(
    latency_s=np.ones((2, 3, 3)),
    energy_j=np.full((2, 3, 3), 2.0),
    transfer_s=np.array([0.0, 0.5, 1.0]),
    transfer_j=np.array([0.0, 0.25, 0.5]),
    feature_bytes=np.array([0.0, 10.0, 20.0]),
    mass_of=np.array([0.0, 0.75, 1.0]),
)


def test_a_layer_is_cut_and_reused_in_every_way() -> None:
    start = nothing_yet(2, 2)
    kept, handed = (with_layer(start, LAYER, CUTS, REUSES).take(np.array([row])) for row in range(2))
    assert kept.ready_s.tolist() == [[1.0, 1.0]] and kept.mass.tolist() == [[0.75, 0.25]]
    assert handed.ready_s.tolist() == [[1.0, 1.5]], "the second stage waits for the first one's features"
    assert handed.mass[0] == pytest.approx([0.75, 1.0]) and handed.energy_j[0] == pytest.approx([2.0, 2.25])
    assert (handed.reused[0], handed.kept_bytes[0], handed.has.tolist()) == (1.0, 10.0, [[1, 2]])
    assert len(with_layer(handed, LAYER, CUTS, REUSES)) == 2

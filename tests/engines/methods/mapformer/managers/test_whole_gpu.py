"""All on the GPU."""

import numpy as np

from engines.methods.mapformer.managers.whole_gpu import WholeGpuManager
from tests.engines.methods.mapformer.problems import task
from tests.engines.simulation.boards import board, network, unit


def test_every_network_is_whole_on_the_gpu_at_each_of_its_clocks() -> None:
    units = [unit("cpu", (1e9, 2e9)), unit("gpu", (1e9, 2e9, 3e9))]
    networks = [network(name, [[2.0, 1.0], [2.0, 1.0]], 3) for name in ("a", "b")]
    manager = WholeGpuManager(task(board(units, *networks)))
    found = manager.round(0, {})
    assert manager.rounds == 1
    assert found.mappings.steps.tolist() == [[0, 3], [0, 2], [0, 1]]
    assert (found.mappings.units[:, :, 0] == 1).all() and (found.mappings.ends == 2).all()
    # Two networks of 2 s each share the unit: 4 s for a frame of both; at a third of the clock three times that.
    np.testing.assert_allclose(found.steady.mean_per_s, [1 / 4, 1 / 6, 1 / 12], rtol=1e-6)

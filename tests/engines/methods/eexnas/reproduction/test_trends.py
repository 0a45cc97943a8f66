"""What is read of searches for the trends."""

import numpy as np

from engines.methods.eexnas.reproduction.trends import _COLUMNS, _values


def test_a_search_is_told_by_networks_as_good_as_the_median_at_random() -> None:
    drawn = {name: np.tile(np.array([[1.0], [2.0], [3.0]]), (1, 7)) for name in _COLUMNS}
    better = {**drawn, "energy_j": np.full((3, 7), 2.0), "backbone_energy_j": np.full((3, 7), 2.0)}
    found = _values(drawn, better, drawn)
    # The more accurate networks at random are those of more energy: only the middle one is as good as the middle in all.
    assert np.allclose((found["random"], found["thompson"]), (100 / 3, 200 / 3))

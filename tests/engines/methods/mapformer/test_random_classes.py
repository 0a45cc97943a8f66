"""Random mappings in four classes."""

import numpy as np

from engines.contract.results import Curve, Table
from engines.methods.mapformer.random_classes import MAPPINGS, in_class, random_classes
from tests.engines.methods.mapformer.problems import task
from tests.engines.simulation.boards import drawn_board


def test_classes_by_hand() -> None:
    """Bins between 0 and 10: the upper half begins at 5."""
    throughput, power = np.array([0.0, 4.9, 5.0, 10.0]), np.array([10.0, 0.0, 4.9, 5.0])
    assert in_class(throughput, power, True, True, 16).tolist() == [False, False, True, False]
    assert in_class(throughput, power, True, False, 16).tolist() == [False, False, False, True]
    assert in_class(throughput, power, False, True, 16).tolist() == [False, True, False, False]


def test_every_mapping_has_one_class() -> None:
    picture, shares = random_classes(task(drawn_board(np.random.default_rng(1), 3, 3, 6, 2)))
    assert isinstance(picture, Curve) and isinstance(shares, Table)
    assert sum(np.isfinite(series.y).sum() for series in picture.series) == len(picture.x) == MAPPINGS
    np.testing.assert_allclose(np.asarray(shares.table_columns[1].values, dtype=np.float64).sum(), 1.0)

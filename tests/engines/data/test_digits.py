from __future__ import annotations

import numpy as np

from engines.data.digits import digits


def test_digits_are_split_by_class_and_every_example_stands_in_one_split() -> None:
    data = digits()
    assert data.example_shape == (1, 8, 8)
    assert sum(len(split) for split in data.splits().values()) == 1797
    for split in data.splits().values():
        shares = np.bincount(split.labels, minlength=10) / len(split)
        assert np.all(np.abs(shares - 0.1) < 0.01)
    assert float(data.train.features.max()) * data.feature_scale == 1.0

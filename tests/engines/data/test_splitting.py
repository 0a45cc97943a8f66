from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.data.splitting import stratified_rows


def test_stratified_rows_are_disjoint_complete_and_seeded() -> None:
    labels = np.repeat(np.arange(3), (10, 20, 70))
    parts = stratified_rows(labels, (0.5, 0.5), seed=1)
    assert np.array_equal(np.sort(np.concatenate(parts)), np.arange(100))
    assert [np.bincount(labels[part]).tolist() for part in parts] == [[5, 10, 35], [5, 10, 35]]
    assert not np.array_equal(parts[0], stratified_rows(labels, (0.5, 0.5), seed=2)[0])
    with pytest.raises(ProblemError, match="sum to 1"):
        stratified_rows(labels, (0.5, 0.4))

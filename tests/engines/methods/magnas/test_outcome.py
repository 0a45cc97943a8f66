from __future__ import annotations

import numpy as np
import pytest

from engines.methods.magnas.outcome import comparison


def test_ends_of_a_front_are_its_best_by_each_objective_and_by_their_product() -> None:
    # Accuracy, latency, energy: the third has the least product, 2 x 2.
    front = np.array([[80.0, 9.0, 3.0], [70.0, 1.0, 9.0], [72.0, 2.0, 2.0], [60.0, 8.0, 1.0]])
    columns = {column.title: column.values for column in comparison(front).table_columns}
    assert columns["Design"] == ("Most accurate", "Fastest", "Least energy", "Least EDP")
    assert columns["Accuracy"].tolist() == [80.0, 70.0, 60.0, 72.0]
    assert columns["EDP"] == pytest.approx([27.0, 9.0, 8.0, 4.0])
